// CHeader.cpp: see CHeader.h.
#include "codegen/emit/CHeader.h"

#include "codegen/emit/CHeaderTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace symc::codegen;

namespace {

struct ElementType {
  const char *name, *c, *cxx;
  int64_t bytes;
};

// f16 and bf16 have no portable C type: their bits.
ElementType elementType(int32_t dtype) {
  static const ElementType types[] = {{"f32", "float", "float", 4},
                                      {"f64", "double", "double", 8},
                                      {"f16", "uint16_t", "symc::Half", 2},
                                      {"u8", "uint8_t", "uint8_t", 1},
                                      {"i32", "int32_t", "int32_t", 4},
                                      {"i8", "int8_t", "int8_t", 1},
                                      {"i64", "int64_t", "int64_t", 8},
                                      {"bool", "uint8_t", "bool", 1},
                                      {"i16", "int16_t", "int16_t", 2},
                                      {"u16", "uint16_t", "uint16_t", 2},
                                      {"u32", "uint32_t", "uint32_t", 4},
                                      {"u64", "uint64_t", "uint64_t", 8},
                                      {"bf16", "uint16_t", "symc::BFloat16", 2}};
  return types[dtype];
}

class HeaderWriter {
public:
  HeaderWriter(const ModelInfo &model, const WeightsInfo &weights)
      : model(model), weights(weights), os(text) {}
  std::string write();

private:
  void writeSummary();
  void writeTensors(StringRef title, ArrayRef<TensorInfo> tensors);
  void writeConstants();
  void writeGradients();
  /// `last`: one more parameter, "const symc_hyper *hyper", or none.
  void writeArrays(StringRef suffix, StringRef run,
                   function_ref<bool(const TensorInfo &)> isIncluded, StringRef last = "");
  void writeSpans();
  void writeShape(StringRef array, const TensorInfo &tensor);
  /// A template with `@` for the prefix; a line that begins with `@` is a
  /// continuation, indented by the prefix's length.
  void writeText(StringRef text);
  std::string shapeOf(const TensorInfo &tensor);
  std::string parameterName(StringRef name);
  std::string spanExtent(const TensorInfo &tensor, size_t i, bool isInput);

  const ModelInfo &model;
  const WeightsInfo &weights;
  StringSet<> taken;
  std::string text;
  raw_string_ostream os;
};

bool isOfBackward(const TensorInfo &tensor) { return tensor.flags & SYMC_TENSOR_BACKWARD; }

// Names are data: whatever would end the comment is taken apart.
std::string inComment(StringRef name) {
  std::string result;
  for (char c : name) {
    if (c == '/' && !result.empty() && result.back() == '*')
      result += ' ';
    if (c == '*' && !result.empty() && result.back() == '/')
      result += ' ';
    result += isPrint(c) ? c : '?';
  }
  return result;
}

} // namespace

std::string HeaderWriter::shapeOf(const TensorInfo &tensor) {
  std::string result;
  raw_string_ostream shape(result);
  shape << '[';
  interleaveComma(tensor.shape, shape, [&](int64_t extent) {
    if (extent >= 0)
      shape << extent;
    else
      shape << inComment(model.dims[-extent - 1].name);
  });
  shape << ']';
  return result;
}

void HeaderWriter::writeTensors(StringRef title, ArrayRef<TensorInfo> tensors) {
  os << " *\n * " << title << (tensors.empty() ? ": none.\n" : ":\n");
  for (auto [i, tensor] : enumerate(tensors)) {
    os << " *   " << i << "  " << inComment(tensor.name) << "  " << elementType(tensor.dtype).name
       << ' ' << shapeOf(tensor);
    if (tensor.flags & SYMC_TENSOR_OPTIONAL)
      os << "  (optional)";
    if (tensor.flags & SYMC_TENSOR_BACKWARD)
      os << "  (of backward)";
    os << '\n';
  }
}

void HeaderWriter::writeSummary() {
  os << "/* " << model.prefix << ".h: the model '" << model.prefix << "', made by "
     << model.compiler << " for " << model.triple << ".\n";
  writeTensors("Inputs, in order; dense, row-major, extents in elements", model.inputs);
  writeTensors(model.dims.empty() ? "Outputs" : "Outputs, with their largest extents",
               model.outputs);
  if (!model.states.empty()) {
    std::vector<TensorInfo> states;
    for (const StateInfo &state : model.states)
      states.push_back(state.tensor);
    writeTensors("States: each context has its own, which a run changes", states);
  }
  if (!model.dims.empty()) {
    os << " *\n * Sizes that are chosen at run time:\n";
    for (auto [i, dim] : enumerate(model.dims)) {
      if (!model.batches.empty())
        continue;
      auto grows = find_if(model.states, [i = int64_t(i)](const StateInfo &state) {
        return state.rows && state.tensor.shape[state.axis] == -1 - i;
      });
      os << " *   " << inComment(dim.name) << "  " << dim.min << "..";
      if (grows != model.states.end())
        os << grows->rows << ", the length of states that grow\n";
      else
        os << dim.max << '\n';
    }
  }
  if (!model.batches.empty()) {
    os << " *   " << inComment(model.dims[0].name) << "  any sum of the batch sizes ";
    interleaveComma(reverse(model.batches), os);
    os << "; outputs above are those of the largest\n";
  }
  if (!model.prepareSymbol.empty())
    writeTensors("Raw parameters, in order", model.parameters);
  if (model.training) {
    writeTensors("Parameters, which a step changes but those that are frozen", model.parameters);
    os << " *\n * Optimizer: " << model.training->optimizer << "\n";
  }
  os << " *\n * Code, best first:\n";
  for (const VariantInfo &variant : model.variants)
    os << " *   " << variant.isa << ", " << variant.arenaBytes << " bytes of arena a context"
       << (model.dims.empty() || !model.batches.empty() ? "" : ", for the largest sizes") << "\n";
  os << " * Weights: " << weights.bytes << " bytes, ";
  switch (weights.place) {
  case WeightsInfo::None:
    os << "none needed.\n";
    break;
  case WeightsInfo::Embedded:
    os << "embedded.\n";
    break;
  case WeightsInfo::SideFile:
    os << "in the file " << inComment(weights.fileName)
       << " beside the program, or at the path in SYMC_WEIGHTS.\n";
    break;
  case WeightsInfo::Extern:
    os << "supplied by the caller: prepared ones in\n * symc_options.weights, or raw ones by "
       << model.prefix << "_set_parameters.\n";
    break;
  }
  os << " *\n * A program that is linked with the archive or the object needs -lm and, before "
        "glibc 2.34,\n"
        " * -lpthread; the shared library names what it needs itself.\n"
        " *\n * Contexts are independent of each other; code and weights are shared and\n"
        " * read-only. This header is complete by itself; symc/runtime.h and symc/model.hpp may "
        "be\n"
        " * included before or after it. */\n";
}

void HeaderWriter::writeText(StringRef templateText) {
  bool lineStart = true;
  for (char c : templateText) {
    if (c == '@' && lineStart)
      os.indent(model.prefix.size());
    else if (c == '@')
      os << model.prefix;
    else
      os << c;
    lineStart = c == '\n';
  }
}

void HeaderWriter::writeConstants() {
  std::string upper = StringRef(model.prefix).upper();
  os << "\nenum {\n  " << upper << "_N_INPUTS = " << model.inputs.size() << ",\n  " << upper
     << "_N_OUTPUTS = " << model.outputs.size();
  if (model.training)
    os << ",\n  " << upper << "_N_PARAMETERS = " << model.parameters.size();
  os << "\n};\n";
  auto define = [&](const Twine &name, uint64_t value) {
    os << "#define " << upper << '_' << name << " UINT64_C(" << value << ")\n";
  };
  os << "/* Elements of a tensor, at the largest sizes. */\n";
  ArrayRef<TensorInfo> parameters;
  if (model.training)
    parameters = model.parameters;
  for (ArrayRef<TensorInfo> tensors : {ArrayRef(model.inputs), ArrayRef(model.outputs), parameters})
    for (const TensorInfo &tensor : tensors)
      define(StringRef(parameterName(tensor.name)).upper() + "_COUNT",
             tensor.maxBytes / std::max<int64_t>(1, elementType(tensor.dtype).bytes));
  taken.clear();
  os << "/* Bytes of prepared weights. */\n";
  define("WEIGHTS_BYTES", weights.bytes);
  os << "/* Bytes of symc_options.arena: enough for any instruction set, and those of each. */\n";
  int64_t largest = 0;
  for (const VariantInfo &variant : model.variants)
    largest = std::max(largest, variant.arenaBytes);
  define("ARENA_BYTES", largest);
  for (const VariantInfo &variant : model.variants) {
    std::string isa = StringRef(variant.isa).upper();
    llvm::replace(isa, '-', '_');
    define("ARENA_BYTES_" + isa, variant.arenaBytes);
  }
  os << "\n/* The table that generic programs read. */\nextern const symc_model " << model.prefix
     << "_model;\n";
}

std::string HeaderWriter::parameterName(StringRef name) {
  std::string result;
  for (char c : name)
    result += isAlnum(c) ? c : '_';
  if (result.empty() || isDigit(result[0]))
    result = "t_" + result;
  static const char *const reserved =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl "
      "concept const const_cast constexpr context continue decltype default delete do double "
      "dynamic_cast else enum explicit export extern false float for friend goto if inline "
      "inputs int int16_t int32_t int64_t int8_t long mutable namespace new noexcept not not_eq "
      "nullptr operator or or_eq outputs private protected public register reinterpret_cast "
      "requires restrict return short signed sizeof static static_assert static_cast struct "
      "switch template this thread_local throw true try typedef typeid typename uint16_t "
      "uint32_t uint64_t uint8_t union unsigned using virtual void volatile wchar_t while xor "
      "xor_eq ";
  while (StringRef(reserved).contains(" " + result + " ") || !taken.insert(result).second)
    result += '_';
  return result;
}

// The extents of a tensor, in an array of this name.
void HeaderWriter::writeShape(StringRef array, const TensorInfo &tensor) {
  bool isOpen = llvm::any_of(tensor.shape, [](int64_t extent) { return extent < 0; });
  os << "  " << (isOpen ? "" : "static const ") << "int64_t " << array << "["
     << std::max<size_t>(tensor.shape.size(), 1) << "]";
  if (!isOpen) {
    os << " = {";
    if (tensor.shape.empty())
      os << 1;
    interleaveComma(tensor.shape, os);
    os << '}';
  }
  os << ";\n";
}

// How many tensors each part takes and gives, and where each lies among those of backward.
void HeaderWriter::writeGradients() {
  if (!llvm::any_of(model.outputs, isOfBackward))
    return;
  std::string upper = StringRef(model.prefix).upper();
  os << "\n/* How many tensors each part takes and gives; where backward has each of its own. */\n"
     << "enum {";
  const char *separator = "\n  ";
  auto define = [&](const Twine &name, size_t value) {
    os << separator << upper << '_' << name << " = " << value;
    separator = ",\n  ";
  };
  std::pair<ArrayRef<TensorInfo>, const char *> lists[] = {{model.inputs, "INPUTS"},
                                                           {model.outputs, "OUTPUTS"}};
  for (auto &[tensors, kind] : lists) {
    size_t backward = llvm::count_if(tensors, isOfBackward);
    define(Twine("N_FORWARD_") + kind, tensors.size() - backward);
    define(Twine("N_BACKWARD_") + kind, backward);
  }
  for (auto &[tensors, kind] : lists) {
    size_t index = 0;
    for (const TensorInfo &tensor : tensors)
      if (std::string name = parameterName(tensor.name); isOfBackward(tensor))
        define(StringRef(name).upper() + "_INDEX", index++);
  }
  taken.clear();
  os << "\n};\n";
  writeText(gradientText);
}

// The typed function `suffix`, which calls `run`: arrays and sizes in, arrays out, of those that
// `isIncluded`.
void HeaderWriter::writeArrays(StringRef suffix, StringRef run,
                               function_ref<bool(const TensorInfo &)> isIncluded, StringRef last) {
  std::vector<const TensorInfo *> inputs, outputs;
  for (const TensorInfo &tensor : model.inputs)
    if (!(tensor.flags & SYMC_TENSOR_OPTIONAL) && isIncluded(tensor))
      inputs.push_back(&tensor);
  for (const TensorInfo &tensor : model.outputs)
    if (isIncluded(tensor))
      outputs.push_back(&tensor);
  if (outputs.empty())
    return;
  taken.clear();
  std::vector<std::string> names, sizes;
  const char *separator = ":\n *   ";
  os << "\n/* " << model.prefix << run << " on plain arrays";
  auto list = [&](const TensorInfo &tensor, StringRef kind) {
    names.push_back(parameterName(tensor.name));
    os << separator << names.back() << ": " << kind << ' ' << inComment(tensor.name) << ", "
       << elementType(tensor.dtype).name << ' ' << shapeOf(tensor);
    separator = "\n *   ";
  };
  for (const TensorInfo *tensor : inputs)
    list(*tensor, "input");
  // A size that only optional inputs have is no argument.
  std::vector<bool> isRead(model.dims.size());
  for (const TensorInfo *tensor : inputs)
    for (int64_t extent : tensor->shape)
      if (extent < 0)
        isRead[-extent - 1] = true;
  for (auto [i, dim] : enumerate(model.dims)) {
    std::string name = dim.name;
    llvm::erase(name, ']');
    sizes.push_back(isRead[i] ? parameterName(name) : "");
    if (isRead[i])
      os << separator << sizes.back() << ": size " << inComment(dim.name);
  }
  for (const TensorInfo *tensor : outputs)
    list(*tensor, "output");
  if (!model.dims.empty())
    os << "\n * Outputs have the extents that " << model.prefix << "_run_extents gives afterwards.";
  os << " */\nstatic inline int32_t " << model.prefix << suffix << "(symc_context *context";
  for (auto [i, tensor] : enumerate(inputs))
    os << ", const " << elementType(tensor->dtype).c << " *" << names[i];
  for (const std::string &size : sizes)
    if (!size.empty())
      os << ", int64_t " << size;
  for (auto [i, tensor] : enumerate(outputs))
    os << ", " << elementType(tensor->dtype).c << " *" << names[inputs.size() + i];
  os << (last.empty() ? "" : ", ") << last << ") {\n";
  size_t extents = 0;
  for (auto [i, tensor] : enumerate(inputs))
    writeShape(("inputs_shape" + Twine(i)).str(), *tensor);
  for (auto [i, tensor] : enumerate(outputs)) {
    if (model.dims.empty())
      writeShape(("outputs_shape" + Twine(i)).str(), *tensor);
    extents += tensor->shape.size();
  }
  auto declare = [&](StringRef array, size_t count) {
    os << "  symc_tensor " << array << '[' << std::max<size_t>(count, 1) << "];\n";
  };
  auto set = [&](const Twine &array, const TensorInfo &tensor, StringRef name, const Twine &shape) {
    os << "  " << array << ".data = (void *)" << name << ";\n  " << array << ".shape = " << shape
       << ";\n  " << array << ".rank = " << tensor.shape.size() << ";\n  " << array
       << ".dtype = " << tensor.dtype << ";\n  " << array << ".device = " << array
       << ".ordinal = 0;\n";
  };
  declare("inputs", inputs.size());
  declare("outputs", outputs.size());
  if (!model.dims.empty())
    os << "  int64_t outputs_extents[" << std::max<size_t>(extents, 1) << "];\n  int32_t status;\n";
  for (auto [i, tensor] : enumerate(inputs)) {
    if (llvm::any_of(tensor->shape, [](int64_t extent) { return extent < 0; }))
      for (auto [k, extent] : enumerate(tensor->shape)) {
        os << "  inputs_shape" << i << '[' << k << "] = ";
        if (extent < 0)
          os << sizes[-extent - 1] << ";\n";
        else
          os << extent << ";\n";
      }
    set("inputs[" + Twine(i) + "]", *tensor, names[i], "inputs_shape" + Twine(i));
  }
  if (!model.dims.empty())
    os << "  status = " << model.prefix << "_infer_outputs(context, inputs, " << inputs.size()
       << ", outputs_extents, " << extents << ");\n  if (status != 0)\n    return status;\n";
  size_t at = 0;
  for (auto [i, tensor] : enumerate(outputs)) {
    if (model.dims.empty())
      set("outputs[" + Twine(i) + "]", *tensor, names[inputs.size() + i],
          "outputs_shape" + Twine(i));
    else
      set("outputs[" + Twine(i) + "]", *tensor, names[inputs.size() + i],
          "outputs_extents + " + Twine(at));
    at += tensor->shape.size();
  }
  os << "  return " << model.prefix << run << "(context, inputs, " << inputs.size() << ", outputs, "
     << outputs.size();
  if (!last.empty()) // its name
    os << ", " << last.substr(last.find_last_of(" *") + 1);
  os << ");\n}\n";
}

std::string HeaderWriter::spanExtent(const TensorInfo &tensor, size_t i, bool isInput) {
  int64_t extent = tensor.shape[i];
  constexpr int64_t mostOfRange = INT32_MAX;
  if (!model.batches.empty()) {
    bool isRows =
        isInput ? extent < 0
                : i == 0 && model.rowBytes[model.inputs.size() + (&tensor - model.outputs.data())];
    return isRows ? "symc::Any" : std::to_string(extent);
  }
  int64_t least = 0;
  if (extent < 0) {
    const DimInfo &dim = model.dims[-extent - 1];
    least = dim.min;
    extent = dim.max;
  } else if (isInput || tensor.isOpen.empty() || !tensor.isOpen[i]) {
    return std::to_string(extent);
  }
  if (extent > mostOfRange)
    return "symc::Any";
  return "symc::between(" + std::to_string(least) + ", " + std::to_string(extent) + ")";
}

// What C++ programs pass, for symc/model.hpp.
void HeaderWriter::writeSpans() {
  os << "\n#if defined(__cplusplus) && __cplusplus >= 201703L\n/* What symc/model.hpp passes: "
     << "model.createAs<" << model.prefix << "_inputs, " << model.prefix << "_outputs>(). */\n";
  std::vector<std::string> inputs, outputs;
  auto alias = [&](const TensorInfo &tensor, bool isInput) {
    std::string name = model.prefix + "_" + parameterName(tensor.name) + "_span";
    os << "using " << name << " = symc::Span<" << (isInput ? "const " : "")
       << elementType(tensor.dtype).cxx;
    for (size_t i = 0; i < tensor.shape.size(); ++i)
      os << ", " << spanExtent(tensor, i, isInput);
    os << ">;\n";
    return name;
  };
  taken.clear();
  for (const TensorInfo &tensor : model.inputs)
    if (std::string name = alias(tensor, true); !(tensor.flags & SYMC_TENSOR_OPTIONAL))
      inputs.push_back(name);
  for (const TensorInfo &tensor : model.outputs)
    outputs.push_back(alias(tensor, false));
  os << "using " << model.prefix << "_inputs = symc::Inputs<" << join(inputs, ", ") << ">;\nusing "
     << model.prefix << "_outputs = symc::Outputs<" << join(outputs, ", ")
     << ">;\ninline constexpr symc::GradientFunctions " << model.prefix << "_gradients = {";
  if (llvm::any_of(model.outputs, isOfBackward))
    os << model.prefix << "_forward, " << model.prefix << "_backward};\n#endif\n";
  else
    os << "nullptr, nullptr};\n#endif\n";
}

std::string HeaderWriter::write() {
  writeSummary();
  std::string guard = "SYMC_MODEL_" + StringRef(model.prefix).upper() + "_H";
  os << "#ifndef " << guard << "\n#define " << guard << "\n\n";
  os << typesText << "\n#if SYMC_ABI_VERSION != " << SYMC_ABI_VERSION
     << "u\n#error \"this model has ABI version " << SYMC_ABI_VERSION
     << ", a header that is included before it has another\"\n#endif\n\n"
     << spansText << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  writeConstants();
  if (model.training) {
    for (const char *part : {createText, errorText, trainingText, statesText, statusText})
      writeText(part);
    auto all = [](const TensorInfo &) { return true; };
    writeArrays("_train_arrays", "_train_step", all, "const symc_hyper *hyper");
    writeArrays("_predict_arrays", "_predict", all);
    os << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
    return text;
  }
  for (const char *part :
       {createText, runText, errorText, extentsText, statesText, parametersText, statusText})
    writeText(part);
  if (!model.prepareSymbol.empty()) {
    std::string text = prepareText;
    size_t place = text.find("@_WEIGHTS_BYTES");
    text.replace(place, 1, StringRef(model.prefix).upper());
    writeText(text);
  }
  writeGradients();
  writeArrays("_predict", "_run", [](const TensorInfo &) { return true; });
  if (llvm::any_of(model.outputs, isOfBackward)) {
    writeArrays("_forward_arrays", "_forward",
                [](const TensorInfo &one) { return !isOfBackward(one); });
    writeArrays("_backward_arrays", "_backward", isOfBackward);
  }
  os << "\n#ifdef __cplusplus\n}\n#endif\n";
  writeSpans();
  os << "#endif\n";
  return text;
}

std::string symc::codegen::writeHeader(const ModelInfo &model, const WeightsInfo &weights) {
  if (!model.training)
    return HeaderWriter(model, weights).write();
  // What programs see of a trainer: the inputs and outputs of a step.
  ModelInfo seen = model;
  seen.inputs = model.training->inputs;
  seen.outputs.resize(size_t(model.training->nHeads));
  for (VariantInfo &variant : seen.variants)
    variant.hasParts = false;
  return HeaderWriter(seen, weights).write();
}
