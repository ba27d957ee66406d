// DescribedOperator.cpp: see DescribedOperator.h. A description is what a stranger wrote: lists are
// read up to a limit, and all that it states is checked before the table has it.
#include "tools/operators/DescribedOperator.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cstring>
#include <deque>

using namespace symc;
using namespace symc::sg;

static constexpr size_t kMostParams = 256, kMostNames = 1024;

static bool isIdentifier(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static llvm::StringRef textOf(const char *text) { return text ? llvm::StringRef(text) : ""; }

//===----------------------------------------------------------------------===//
// The row of the table
//===----------------------------------------------------------------------===//

static ParamKind kindOf(int32_t kind) {
  static const ParamKind kinds[] = {ParamKind::Int,    ParamKind::Float, ParamKind::Double,
                                    ParamKind::Enum,   ParamKind::Bool,  ParamKind::Tuple,
                                    ParamKind::Floats, ParamKind::String};
  return kinds[kind];
}

void DescribedOperator::addValues(const symc_op_value *values, std::vector<ValueInfo> &list) {
  for (; values && values->name; ++values) {
    if (tooMany |= list.size() == SYMC_OP_MAX_VALUES)
      return;
    list.push_back({values->name, ValueKind::Single, false, false, nullptr});
    if (&list == &inputs)
      inferred.push_back(values->flags & SYMC_OP_INFERRED);
  }
}

void DescribedOperator::addParams() {
  for (const symc_op_param *param = op.params; param && param->name; ++param) {
    tooMany |= params.size() == kMostParams;
    if (tooMany)
      return;
    std::vector<const char *> &names = enums.emplace_back();
    for (const char *const *name = param->values; name && *name && names.size() < kMostNames;
         ++name)
      names.push_back(*name);
    bool known = param->kind >= SYMC_OP_INT && param->kind <= SYMC_OP_TEXT;
    ParamKind kind = known ? kindOf(param->kind) : ParamKind::String;
    bool optional = textOf(param->default_text) == "None" && kind != ParamKind::String;
    params.push_back({param->name,
                      kind,
                      optional,
                      param->default_text,
                      param->min,
                      param->max,
                      {},
                      textOf(param->doc),
                      false,
                      false});
  }
}

// What the one line contains; the strings stay in `schema`.
void DescribedOperator::readSchema() {
  llvm::StringRef text = op.schema;
  schema = OperatorSchema::parse(text, schemaMistake);
  name = text.take_until([](char c) { return c == '('; }).trim().str();
  if (!schema)
    return;
  for (auto [i, input] : llvm::enumerate(schema->inputs)) {
    inputs.push_back({input.name, ValueKind::Single, false, false, nullptr});
    inferred.push_back(i < SYMC_OP_MAX_VALUES && (op.inferred >> i & 1));
  }
  for (const OperatorSchema::Tensor &output : schema->outputs)
    outputs.push_back({output.name, ValueKind::Single, false, false, nullptr});
  for (const OperatorSchema::Parameter &param : schema->parameters) {
    std::vector<const char *> &names = enums.emplace_back();
    for (const std::string &value : param.values)
      names.push_back(value.c_str());
    const char *text = param.defaultText ? param.defaultText->c_str() : nullptr;
    params.push_back({param.name, param.kind, param.optional, text, {}, {}, {}, "", false, false});
  }
}

DescribedOperator::DescribedOperator(const symc_op &given) {
  std::memcpy(&op, &given, std::min(given.bytes, sizeof op));
  if (op.schema) {
    readSchema();
  } else {
    name = textOf(op.name).str();
    addValues(op.inputs, inputs);
    addValues(op.outputs, outputs);
    addParams();
  }
  for (auto [param, names] : llvm::zip_equal(params, enums))
    if (param.kind == ParamKind::Enum)
      param.enumNames = names;
  info = {"custom",
          "sg.custom",
          "Custom",
          textOf(op.summary),
          textOf(op.description),
          inputs,
          outputs,
          params,
          {},
          {},
          "",
          0,
          {},
          {},
          "",
          false,
          "rule"};
  elementwise = op.flags & SYMC_OP_ELEMENTWISE;
  keepsRows = elementwise || (op.flags & SYMC_OP_ROWS);
  inPlace = elementwise || (op.flags & SYMC_OP_IN_PLACE);
  isLoss = op.flags & SYMC_OP_LOSS;
  hasShapeFunction = op.infer_shape;
  hasTypeFunction = op.infer_type;
  for (auto [given, list] : {std::pair(op.kernels, &kernels),
                             {op.gradient_kernels, &gradientKernels},
                             {op.training_kernels, &trainingKernels}})
    for (const symc_op_kernel *kernel = given; kernel && kernel->symbol; ++kernel) {
      tooMany |= list->size() == kMostNames;
      if (tooMany)
        return;
      list->push_back(
          {kernel->dtype, kernel->symbol, reinterpret_cast<const void *>(kernel->function)});
    }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

std::string DescribedOperator::checkParam(const ParamInfo &param,
                                          mlir::MLIRContext &context) const {
  std::string of = " of parameter '" + param.name.str() + "'";
  if (!isIdentifier(param.name))
    return "the name" + of + " is no C identifier";
  if (param.name == "name" || param.name == "attr" || param.name == "op_type")
    return "the name" + of + " means something else in every operator";
  if (param.kind == ParamKind::Enum && param.enumNames.empty())
    return "the list of values" + of + " is empty";
  const char *limits[] = {param.min, param.max};
  bool isNumber = param.kind == ParamKind::Int || param.kind == ParamKind::Float ||
                  param.kind == ParamKind::Double;
  for (const char *limit : limits) {
    double ignored;
    if (limit && (!isNumber || llvm::StringRef(limit).getAsDouble(ignored)))
      return "the limit '" + std::string(limit) + "'" + of + " is none";
  }
  std::string message;
  if (param.defaultText)
    parseParam(param, param.defaultText, &context, message);
  return message.empty() ? "" : "a default is wrong: " + message;
}

std::string DescribedOperator::at(size_t column) const {
  return schema ? "schema, column " + std::to_string(column) + ": " : "";
}

// What the line contains beyond the words of a custom operator, or contains twice.
std::string DescribedOperator::checkSchema() const {
  for (auto [list, what] : {std::pair<const void *, const char *>(op.name, "a name"),
                            {op.inputs, "a list of inputs"},
                            {op.outputs, "a list of outputs"},
                            {op.params, "a list of parameters"}})
    if (list)
      return std::string("it has a schema and ") + what + "; leave one of them out";
  if (!schema)
    return "schema, " + schemaMistake;
  if (schema->inputs.size() < SYMC_OP_MAX_VALUES && op.inferred >> schema->inputs.size())
    return "a bit of 'inferred' is beyond the " + std::to_string(schema->inputs.size()) +
           " inputs of its schema";
  for (const OperatorSchema::Tensor &input : schema->inputs)
    if (input.auxiliary || input.kind != ValueKind::Single)
      return at(input.column) + "input '" + input.name +
             "' needs the type 'Tensor': a custom operator has no optional inputs, no lists of "
             "them and no auxiliary states";
  llvm::StringSet<> names, results;
  for (const OperatorSchema::Tensor &output : schema->outputs) {
    if (output.auxiliary || output.kind != ValueKind::Single)
      return at(output.column) + "output '" + output.name + "' needs the type 'Tensor'";
    if (!results.insert(output.name).second)
      return at(output.column) + "two of its outputs are called '" + output.name + "'";
  }
  for (const OperatorSchema::Tensor &input : schema->inputs)
    if (!names.insert(input.name).second)
      return at(input.column) + "two of its inputs and parameters are called '" + input.name + "'";
  for (const OperatorSchema::Parameter &param : schema->parameters) {
    if (!names.insert(param.name).second)
      return at(param.column) + "two of its inputs and parameters are called '" + param.name + "'";
    llvm::StringSet<> values;
    for (const std::string &value : param.values)
      if (!values.insert(value).second)
        return at(param.column) + "parameter '" + param.name + "' has the value '" + value +
               "' twice";
  }
  return "";
}

std::string DescribedOperator::checkValues() const {
  std::vector<llvm::StringRef> names;
  for (const auto *list : {&inputs, &outputs})
    for (const ValueInfo &value : *list)
      if (!isIdentifier(value.name))
        return "an input or output is called '" + value.name.str() + "', which is no C identifier";
  if (outputs.empty())
    return "it has no output";
  for (const ValueInfo &value : inputs)
    names.push_back(value.name);
  for (const ParamInfo &param : params)
    names.push_back(param.name);
  llvm::sort(names);
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    return "two of its inputs and parameters are called '" + twice->str() + "'";
  if (inputs.size() + outputs.size() > SYMC_OP_MAX_VALUES)
    return "it has " + std::to_string(inputs.size() + outputs.size()) +
           " inputs and outputs, at most " + std::to_string(SYMC_OP_MAX_VALUES) + " are possible";
  return "";
}

std::string DescribedOperator::checkKernels(llvm::ArrayRef<Kernel> kernels) const {
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].dtype < SYMC_OP_FLOAT32 || kernels[i].dtype > SYMC_OP_BFLOAT16)
      return "kernel '" + kernels[i].symbol + "' is for the element type " +
             std::to_string(kernels[i].dtype) + ", which is none";
    for (size_t k = 0; k < i; ++k)
      if (kernels[k].dtype == kernels[i].dtype)
        return "kernels '" + kernels[k].symbol + "' and '" + kernels[i].symbol +
               "' are for one element type";
    if (!isIdentifier(kernels[i].symbol) || llvm::StringRef(kernels[i].symbol).starts_with("symc_"))
      return "kernel '" + kernels[i].symbol +
             "' needs the name of a C function that does not begin with symc_";
  }
  return "";
}

std::string DescribedOperator::check() const {
  if (op.schema)
    if (std::string mistake = checkSchema(); !mistake.empty())
      return mistake;
  if (tooMany)
    return "a list has no end; the last entry has no name";
  if (!isIdentifier(name) || name == "Custom")
    return "its name is no C identifier of its own";
  if (elementwise && op.infer_shape)
    return "it is elementwise and has a shape function; it needs none";
  for (const symc_op_param *param = op.params; param && param->name; ++param)
    if (param->kind < SYMC_OP_INT || param->kind > SYMC_OP_TEXT)
      return "parameter '" + std::string(param->name) + "' is of kind " +
             std::to_string(param->kind) + ", which is none";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (auto [i, param] : llvm::enumerate(params))
    if (std::string mistake = checkParam(param, context); !mistake.empty()) {
      bool ofDefault = llvm::StringRef(mistake).starts_with("a default");
      return at(!schema     ? 0
                : ofDefault ? schema->parameters[i].defaultColumn
                            : schema->parameters[i].column) +
             mistake;
    }
  std::string mistake = checkValues();
  if (mistake.empty() && kernels.empty())
    mistake = "it has no kernel";
  if (mistake.empty())
    mistake = checkKernels(kernels);
  if (mistake.empty())
    mistake = checkKernels(trainingKernels);
  return mistake.empty() ? checkKernels(gradientKernels) : mistake;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

namespace {

// Parameters as the library's structure has them: slots of 8 bytes, as ReferenceCall.cpp makes
// them for kernels.
class Slots {
public:
  Slots(const OpInfo &info, mlir::DictionaryAttr given) : view(info, given) {
    for (const ParamInfo &param : info.params)
      add(param);
    slots.push_back(0); // a structure without fields has an address
  }
  const void *data() const { return slots.data(); }

private:
  template <typename T> void put(T value) {
    static_assert(sizeof(T) == 8);
    std::memcpy(&slots.emplace_back(), &value, 8);
  }

  void add(const ParamInfo &param) {
    bool none = view.isNone(param.name);
    if (param.optional)
      put<int64_t>(!none);
    switch (param.kind) {
    case ParamKind::Int:
    case ParamKind::Uint:
      return put<int64_t>(none ? 0 : view.getInt(param.name));
    case ParamKind::Float:
    case ParamKind::Double:
      return put<double>(none ? 0 : view.getFloat(param.name));
    case ParamKind::Bool:
      return put<int64_t>(!none && view.getBool(param.name));
    case ParamKind::Enum: {
      llvm::StringRef value = none ? llvm::StringRef() : view.getStr(param.name);
      const char *const *found = llvm::find(param.enumNames, value);
      return put<int64_t>(found == param.enumNames.end() ? 0 : found - param.enumNames.begin());
    }
    case ParamKind::Tuple: {
      auto values = none ? llvm::ArrayRef<int64_t>() : view.getTuple(param.name);
      ints.emplace_back(values.begin(), values.end());
      put<int64_t>(values.size());
      return put(ints.back().data());
    }
    case ParamKind::Floats: {
      auto values = none ? llvm::ArrayRef<double>() : view.getFloats(param.name);
      floats.emplace_back(values.begin(), values.end());
      put<int64_t>(values.size());
      return put(floats.back().data());
    }
    case ParamKind::String:
      texts.push_back(none ? "" : view.getStr(param.name).str());
      return put(texts.back().c_str());
    }
  }

  ParamView view;
  std::vector<uint64_t> slots;
  std::deque<std::vector<int64_t>> ints;
  std::deque<std::vector<double>> floats;
  std::deque<std::string> texts;
};

// A node in the library's terms.
class Question {
public:
  Question(const OpInfo &info, mlir::DictionaryAttr params, const CustomNode &node)
      : slots(info, params) {
    addShapes(node.inputShapes, inputShapes, info.operands.size());
    addShapes(node.outputShapes, outputShapes, info.results.size());
    addTypes(node.inputTypes, inputTypes, info.operands.size());
    addTypes(node.outputTypes, outputTypes, info.results.size());
    inference = {inputShapes.data(),
                 outputShapes.data(),
                 inputTypes.data(),
                 outputTypes.data(),
                 slots.data(),
                 int32_t(info.operands.size()),
                 int32_t(info.results.size()),
                 message};
  }

  /// The mistake that a function which returned `status` reports, or "".
  std::string mistake(int32_t status, llvm::StringRef what, const std::string &name) {
    message[sizeof message - 1] = 0;
    if (status == 0)
      return "";
    return message[0] ? std::string(message)
                      : ("the " + what + " of '" + name + "' failed with status ").str() +
                            std::to_string(status);
  }

  /// The rank that the library made impossible, or nothing.
  std::optional<int32_t> takeShapes(CustomNode &node) const {
    for (auto [from, to] :
         {std::pair(&inputShapes, &node.inputShapes), std::pair(&outputShapes, &node.outputShapes)})
      for (auto [shape, extents] : llvm::zip_equal(*from, *to)) {
        if (shape.rank != SYMC_OP_UNKNOWN && (shape.rank < 0 || shape.rank > SYMC_OP_MAX_RANK))
          return shape.rank;
        extents = std::nullopt;
        if (shape.rank >= 0)
          extents.emplace(shape.extents, shape.extents + shape.rank);
      }
    return std::nullopt;
  }

  void takeTypes(CustomNode &node) const {
    node.inputTypes.assign(inputTypes.begin(), inputTypes.end());
    node.outputTypes.assign(outputTypes.begin(), outputTypes.end());
  }

  symc_op_inference inference;

private:
  static void addShapes(llvm::ArrayRef<CustomNode::Extents> from, std::vector<symc_op_shape> &to,
                        size_t count) {
    to.resize(count, {SYMC_OP_UNKNOWN, 0, {}});
    for (auto [extents, shape] : llvm::zip(from, to)) {
      if (!extents)
        continue;
      shape.rank = extents->size();
      llvm::copy(*extents, shape.extents);
    }
  }
  static void addTypes(llvm::ArrayRef<std::optional<int64_t>> from, std::vector<int32_t> &to,
                       size_t count) {
    to.resize(count, SYMC_OP_UNKNOWN);
    for (auto [flag, type] : llvm::zip(from, to))
      type = flag.value_or(SYMC_OP_UNKNOWN);
  }

  Slots slots;
  std::vector<symc_op_shape> inputShapes, outputShapes;
  std::vector<int32_t> inputTypes, outputTypes;
  char message[SYMC_OP_MESSAGE_BYTES] = "";
};

} // namespace

std::string DescribedOperator::inferShapes(mlir::DictionaryAttr given, CustomNode &node) const {
  Question question(info, given, node);
  std::string mistake =
      question.mistake(op.infer_shape(&question.inference), "shape function", name);
  if (!mistake.empty())
    return mistake;
  if (std::optional<int32_t> rank = question.takeShapes(node))
    return "the shape function of '" + name + "' gives a shape of rank " + std::to_string(*rank) +
           ", ranks are 0 to " + std::to_string(SYMC_OP_MAX_RANK);
  return "";
}

std::string DescribedOperator::inferTypes(mlir::DictionaryAttr given, CustomNode &node) const {
  Question question(info, given, node);
  std::string mistake = question.mistake(op.infer_type(&question.inference), "type function", name);
  if (mistake.empty())
    question.takeTypes(node);
  return mistake;
}

int64_t DescribedOperator::scratchBytes(mlir::DictionaryAttr given, CustomNode &node) const {
  if (!op.scratch_bytes)
    return 0;
  Question question(info, given, node);
  return op.scratch_bytes(&question.inference);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {

// Of the operator `of`: its gradient kernels. Parameters are the same.
class GradientOperator : public CustomOperator {
public:
  GradientOperator(const CustomOperator &of, std::vector<Kernel> own, const symc_op &op) : op(op) {
    auto add = [](std::vector<ValueInfo> &list, const ValueInfo &value, const std::string &text) {
      ValueInfo own = value;
      own.name = text;
      list.push_back(own);
    };
    llvm::append_range(operands, of.info.operands);
    llvm::append_range(operands, of.info.results);
    for (const ValueInfo &value : of.info.results)
      add(operands, value, names.emplace_back("gradient of " + value.name.str()));
    for (const ValueInfo &value : of.info.operands)
      add(results, value, names.emplace_back("gradient of " + value.name.str()));
    name = of.gradientName();
    info = of.info;
    info.operands = operands;
    info.results = results;
    info.gradient = "none";
    kernels = std::move(own);
    inferred.assign(operands.size(), false);
    hasShapeFunction = hasTypeFunction = true;
    isListed = false;
    library = of.library;
  }

  std::string inferShapes(mlir::DictionaryAttr, CustomNode &node) const override {
    std::copy_n(node.inputShapes.begin(), node.outputShapes.size(), node.outputShapes.begin());
    return "";
  }
  std::string inferTypes(mlir::DictionaryAttr, CustomNode &node) const override {
    std::copy_n(node.inputTypes.begin(), node.outputTypes.size(), node.outputTypes.begin());
    return "";
  }
  int64_t scratchBytes(mlir::DictionaryAttr given, CustomNode &node) const override {
    if (!op.gradient_scratch_bytes)
      return 0;
    Question question(info, given, node);
    return op.gradient_scratch_bytes(&question.inference);
  }

private:
  const symc_op op;
  std::deque<std::string> names; // of gradients
  std::vector<ValueInfo> operands, results;
};

} // namespace

std::unique_ptr<CustomOperator> DescribedOperator::makeGradient() const {
  if (gradientKernels.empty())
    return nullptr;
  return std::make_unique<GradientOperator>(*this, gradientKernels, op);
}
