//===- Inputs.cpp - the inputs of an ONNX model ----------------------------===//
//
// An input's extent is, in this order, that of --shape; the number that the model
// declares; what --size gives for the name that it declares. Extents that none of them
// gives are reported in one message, with the words to add.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Inputs.h"

#include "frontend/onnx/Small.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

namespace {

class InputPlanner {
public:
  InputPlanner(const Model &model, const OnnxOptions &options, MLIRContext &context,
               symc::Diagnostics &diagnostics)
      : model(model), options(options), context(context), diagnostics(diagnostics) {}

  std::optional<InputPlan> run() {
    llvm::StringSet<> held;
    for (const ValueInfo &info : model.graph->inputs) {
      names.push_back(info.name.str());
      for (const Dimension &dim : info.shape.value_or(std::vector<Dimension>()))
        if (!dim.name.empty() && !llvm::is_contained(declared, dim.name.str()))
          declared.push_back(dim.name.str());
    }
    readWords();
    for (const ValueInfo &info : model.graph->inputs)
      nameGrowth(info);
    for (const Tensor &tensor : model.graph->initializers)
      held.insert(tensor.name);
    for (const ValueInfo &info : model.graph->inputs) {
      // What an initializer holds is an input where the caller gives it a shape.
      if (!held.contains(info.name) || options.shapes.count(info.name.str()) ||
          values.count(info.name.str()))
        addInput(info);
    }
    tellOpen();
    checkNames();
    if (!good)
      return std::nullopt;
    return std::move(plan);
  }

private:
  symc::Diagnostic &fail(const Twine &message) {
    good = false;
    return diagnostics.error(model.path, {}, message);
  }

  void addInput(const ValueInfo &info) {
    PlannedInput input;
    input.name = info.name;
    std::string what = "input " + inQuotes(info.name);
    static constexpr StringLiteral kinds[] = {
        "", "", "sequence", "map", "opaque value", "sparse tensor", "optional value"};
    if (info.kind != TypeKind::Tensor) {
      fail(what + (info.kind == TypeKind::None
                       ? Twine(" has no type")
                       : " is a " + Twine(kinds[int(info.kind)]) + ", programs take tensors"));
      return;
    }
    input.type = typeOf(info.elementType, &context);
    if (!input.type && (input.small = smallTypeOf(info.elementType)))
      input.type = IntegerType::get(&context, 8, IntegerType::Unsigned);
    if (!input.type) {
      fail(what + " holds elements of type " + nameOf(info.elementType) +
           ", which no program takes");
      return;
    }
    if (auto value = values.find(info.name.str()); value != values.end()) {
      if (!readValue(info, value->second, input))
        return;
    } else if (!readShape(info, input)) {
      return;
    }
    if (input.small && input.value) {
      fail("--value of input " + inQuotes(info.name) + " is of " + nameOf(info.elementType) +
           ", which no file here holds");
      return;
    }
    if (input.small && !input.shape.isStatic() && input.small->perByte() > 1 && good) {
      fail("elements of less than a byte need fixed extents, input " + inQuotes(info.name) +
           " has the shape " + input.shape.str());
      return;
    }
    plan.inputs.push_back(std::move(input));
  }

  // The length of a state is the size that the model names there.
  void nameGrowth(const ValueInfo &info) {
    auto grown = options.grown.find(info.name.str());
    if (grown == options.grown.end() || !info.shape)
      return;
    auto &[axis, spec] = grown->second;
    if (axis < int64_t(info.shape->size()) && !(*info.shape)[axis].name.empty())
      sizes.try_emplace((*info.shape)[axis].name.str(), spec);
  }

  bool readShape(const ValueInfo &info, PlannedInput &input) {
    auto given = options.shapes.find(info.name.str());
    bool isGiven = given != options.shapes.end();
    if (!info.shape && !isGiven) {
      open.push_back("the shape of " + inQuotes(info.name));
      words.push_back("--shape " + info.name.str() + "=...");
      return good;
    }
    size_t rank = isGiven ? given->second.size() : info.shape->size();
    if (isGiven && info.shape && info.shape->size() != rank) {
      fail("--shape gives input " + inQuotes(info.name) + " " + Twine(rank) +
           (rank == 1 ? " extent" : " extents") + ", the model declares " +
           Twine(info.shape->size()));
      return false;
    }
    auto grown = options.grown.find(info.name.str());
    bool grows = grown != options.grown.end();
    if (grows && grown->second.first >= int64_t(rank)) {
      fail("--grow gives axis " + Twine(grown->second.first) + " of input " + inQuotes(info.name) +
           ", which has " + Twine(rank) + (rank == 1 ? " extent" : " extents"));
      return false;
    }
    input.shape = sg::Shape(rank);
    for (size_t axis = 0; axis < rank; ++axis) {
      Dimension declared = info.shape ? (*info.shape)[axis] : Dimension();
      DimSpec spec = isGiven ? given->second[axis] : DimSpec();
      if (grows && grown->second.first == int64_t(axis)) {
        if (declared.value) {
          fail("--grow lets axis " + Twine(axis) + " of input " + inQuotes(info.name) +
               " grow, the model declares the extent " + Twine(*declared.value));
          return false;
        }
        spec = grown->second.second;
        if (!declared.name.empty())
          spec.symbol = declared.name.str();
        input.shape[axis] = sizeOf(spec, info, axis);
        continue;
      }
      if (isGiven && declared.value && (spec.max > 0 || spec.value != *declared.value)) {
        fail("--shape gives axis " + Twine(axis) + " of input " + inQuotes(info.name) +
             " the extent " + textOf(spec) + ", the model declares " + Twine(*declared.value));
        return false;
      }
      if (!isGiven && declared.value)
        spec = DimSpec::fixed(*declared.value);
      else if (!isGiven) {
        auto size = sizes.find(declared.name.str());
        if (declared.name.empty()) {
          noteOpen(info);
          continue;
        }
        if (size == sizes.end()) {
          noteOpenSize(info, declared.name);
          continue;
        }
        spec = size->second;
        if (spec.max > 0)
          spec.symbol = declared.name.str();
      } else if (!declared.name.empty()) {
        if (spec.max > 0 && spec.symbol.empty())
          spec.symbol = declared.name.str();
      }
      input.shape[axis] =
          spec.max > 0 ? sizeOf(spec, info, axis) : sg::Dim::constant(spec.value, &context);
    }
    return true;
  }

  static std::string textOf(const DimSpec &spec) {
    return spec.max > 0 ? std::to_string(spec.min) + ".." + std::to_string(spec.max)
                        : std::to_string(spec.value);
  }

  sg::Dim sizeOf(const DimSpec &spec, const ValueInfo &info, size_t axis) {
    std::string name =
        spec.symbol.empty() ? info.name.str() + "." + std::to_string(axis) : spec.symbol;
    size_t index = 0;
    while (index < plan.sizes.size() && plan.sizes[index].name != name)
      ++index;
    if (index == plan.sizes.size())
      plan.sizes.push_back({name, spec.min, spec.max});
    const PlannedSize &size = plan.sizes[index];
    if (size.min != spec.min || size.max != spec.max)
      fail("size " + inQuotes(name) + " is " + textOf(spec) + " in input " + inQuotes(info.name) +
           " and " + Twine(size.min) + ".." + Twine(size.max) + " in another");
    return sg::Dim(getAffineSymbolExpr(index, &context));
  }

  void noteOpen(const ValueInfo &info) {
    std::string shape;
    for (const Dimension &dim : *info.shape)
      shape += (shape.empty() ? "" : ",") + (dim.value          ? std::to_string(*dim.value)
                                             : dim.name.empty() ? "..."
                                                                : dim.name.str());
    std::string word = "--shape " + info.name.str() + "=" + shape;
    if (llvm::is_contained(words, word))
      return;
    open.push_back("an extent of " + inQuotes(info.name));
    words.push_back(word);
  }

  void noteOpenSize(const ValueInfo &info, StringRef name) {
    if (!openSizes.insert(name).second)
      return;
    open.push_back(inQuotes(name) + " (of " + inQuotes(info.name) + ")");
    words.push_back("--size " + name.str() + "=1");
  }

  void tellOpen() {
    if (open.empty())
      return;
    fail((open.size() == 1 ? Twine("a size is not given: ")
                           : Twine(open.size()) + " sizes are not given: ") +
         diagnostics.list(open))
        .note("add " + llvm::join(words, " ") + "; a range, 1..64, leaves it to each run");
  }

  void checkNames() {
    for (const auto &[name, shape] : options.shapes)
      if (!llvm::is_contained(names, name))
        unknown(name, "shape", "--shape");
  }

  // A word belongs to the longest name that it begins with.
  static StringRef nameOfWord(StringRef word, ArrayRef<std::string> names) {
    StringRef longest;
    for (StringRef name : names)
      if (name.size() > longest.size() && word.starts_with(name) &&
          word.substr(name.size()).starts_with("="))
        longest = name;
    return longest;
  }

  void readWords() {
    for (StringRef word : options.sizes) {
      StringRef name = nameOfWord(word, declared);
      if (name.empty()) {
        symc::Diagnostic &error = fail("--size gives " + inQuotes(word.split('=').first) +
                                       ", but no input declares a size of this name");
        if (!declared.empty())
          error.note("the sizes are " + diagnostics.nameList(declared));
        continue;
      }
      StringRef text = word.substr(name.size() + 1).trim();
      auto [low, high] = text.split("..");
      DimSpec spec;
      bool isRange = text.contains("..");
      if (low.trim().getAsInteger(10, isRange ? spec.min : spec.value) ||
          (isRange && high.trim().getAsInteger(10, spec.max)) ||
          (isRange ? spec.min < 1 || spec.max < spec.min : spec.value < 0)) {
        fail("--size gives " + inQuotes(name) + " the size " + inQuotes(text) +
             ", needs a number, or a range as 1..64");
        continue;
      }
      if (isRange && spec.min == spec.max)
        spec = DimSpec::fixed(spec.min);
      auto [known, isNew] = sizes.try_emplace(name.str(), spec);
      if (!isNew && textOf(known->second) != textOf(spec))
        fail("--size gives " + inQuotes(name) + " two sizes, " + textOf(known->second) + " and " +
             textOf(spec));
    }
    for (StringRef word : options.values) {
      StringRef name = nameOfWord(word, names);
      if (name.empty()) {
        unknown(word.split('=').first.str(), "value", "--value");
        continue;
      }
      if (!values.try_emplace(name.str(), word.substr(name.size() + 1).str()).second)
        fail("--value gives input " + inQuotes(name) + " two values");
    }
  }

  void unknown(const std::string &name, const char *what, const char *option) {
    fail("a " + Twine(what) + " is given for " + inQuotes(name) + ", but no input is called so (" +
         option + ")")
        .note("the inputs are " + diagnostics.nameList(names));
  }

  // Numbers with commas of the declared type, or a file of one array.
  bool readValue(const ValueInfo &info, StringRef text, PlannedInput &input) {
    std::string what = "--value of input " + inQuotes(info.name);
    std::optional<Known> value = numbersOf(text, info, input.type);
    if (!value) {
      std::optional<params::ArrayFile> file = params::readArrays(text, diagnostics);
      if (!file) {
        good = false;
        return false;
      }
      if (file->arrays.size() != 1) {
        fail(what + ": " + inQuotes(text) + " holds " + Twine(file->arrays.size()) +
             " arrays, needs one");
        return false;
      }
      const params::Array &array = file->arrays.front();
      Type type = sg::typeFromFlag(static_cast<int64_t>(array.dtype), &context);
      if (type != input.type &&
          !(input.type.isBF16() && type.isF32())) { // which NumPy does not have
        fail(what + " has the element type " + sg::typeName(type) + ", needs " +
             sg::typeName(input.type));
        return false;
      }
      value = decode({array.data, static_cast<size_t>(array.byteCount)}, array.shape, type);
      value = value->castTo(input.type);
    }
    if (info.shape) {
      bool fits = info.shape->size() == value->dims.size();
      for (size_t i = 0; fits && i < value->dims.size(); ++i)
        fits = !(*info.shape)[i].value || *(*info.shape)[i].value == value->dims[i];
      if (!fits) {
        fail(what + " has the shape " + params::shapeText(value->dims) +
             ", which is not the one that the model declares");
        return false;
      }
    }
    input.value = std::move(value);
    return true;
  }

  std::optional<Known> numbersOf(StringRef text, const ValueInfo &info, Type type) {
    SmallVector<StringRef> parts;
    text.split(parts, ',');
    std::vector<double> reals;
    SmallVector<int64_t> whole;
    for (StringRef part : parts) {
      part = part.trim();
      int64_t number = 0;
      double real = 0;
      bool isWhole = !part.getAsInteger(10, number);
      if (!isWhole && part.getAsDouble(real))
        return std::nullopt;
      if (!isWhole && isa<IntegerType>(type))
        return std::nullopt;
      whole.push_back(number);
      reals.push_back(isWhole ? double(number) : real);
    }
    SmallVector<int64_t> dims;
    bool isScalar = info.shape && info.shape->empty() && parts.size() == 1;
    if (!isScalar)
      dims.push_back(static_cast<int64_t>(parts.size()));
    return isa<IntegerType>(type) ? Known::of(whole, dims, type) : Known::real64(reals, dims, type);
  }

  const Model &model;
  const OnnxOptions &options;
  MLIRContext &context;
  symc::Diagnostics &diagnostics;
  InputPlan plan;
  std::vector<std::string> names, declared; // of inputs and of their sizes
  std::map<std::string, DimSpec> sizes;
  std::map<std::string, std::string> values;
  std::vector<std::string> open, words; // what is not given, and what gives it
  llvm::StringSet<> openSizes;
  bool good = true;
};

} // namespace

std::optional<InputPlan> planInputs(const Model &model, const OnnxOptions &options,
                                    MLIRContext &context, symc::Diagnostics &diagnostics) {
  return InputPlanner(model, options, context, diagnostics).run();
}

Operand importTensor(ImportState &state, const Tensor &tensor, StringRef name, Location location,
                     std::string &mistake) {
  Type type = typeOf(tensor.type, &state.context);
  if (const SmallType *small = smallTypeOf(tensor.type)) {
    std::string symbol = state.symbolFor(name);
    std::optional<size_t> i = state.weights->addPacked(symbol, tensor, small->bits, mistake);
    if (!i)
      return {};
    static const Node none;
    NodeScope scope(state, none, 0, location);
    Value bytes = state.parameter(*i, symbol, location);
    if (small->perByte() == 1)
      bytes = scope.reshape(bytes, sg::Shape::of(tensor.dims, &state.context));
    Operand operand;
    operand.name = name;
    operand.value = unpacked(scope, bytes, *small, tensor.dims);
    operand.small = small;
    return operand;
  }
  if (!type) {
    mistake = ("holds elements of type " + nameOf(tensor.type) + ", which no weight has").str();
    return {};
  }
  params::DType dtype = dtypeOf(type);
  mistake = state.weights->check(tensor, dtype);
  if (!mistake.empty())
    return {};
  std::string symbol = state.symbolFor(name);
  size_t i = state.weights->add(symbol, tensor, dtype);
  Operand operand;
  operand.name = name;
  operand.value = state.parameter(i, symbol, location);
  if (*countElements(tensor.dims) <= kMostKnown) {
    params::ArrayValues values = state.weights->values(i);
    operand.known = std::make_shared<const Known>(decode(values.bytes, tensor.dims, type));
  }
  return operand;
}

} // namespace symc::onnx
