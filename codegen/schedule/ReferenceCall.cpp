// ReferenceCall.cpp: nodes without a lowering of their own call their reference
// kernel of the runtime on plain tensors. That works and is slow; a `missed`
// remark reports it.
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/GraphScheduler.h"
#include "codegen/schedule/Schedule.h"
#include "ir/ControlFlow.h"
#include "ir/CustomOperators.h"
#include "ir/Gradient.h"
#include "ir/RandomNumbers.h"
#include "ir/ValueSizes.h"
#include "mlir/IR/Remarks.h"
#include "runtime/include/symc/abi.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// MXNet's type flag -> the suffix of a kernel's symbol and of its row.
static const char *const kSuffixes[] = {"f32",  "f64", "f16", "u8",  "i32", "i8",  "i64",
                                        "bool", "i16", "u16", "u32", "u64", "bf16"};

// The symbols of the runtime's op table.
static bool hasKernel(StringRef symbol) {
  static const char *const symbols[] = {
#define SYMC_KERNEL(MNEMONIC, DTYPE, SYMBOL, ISA) #SYMBOL,
#include "runtime/include/symc/kernels.def"
#undef SYMC_KERNEL
      ""};
  for (const char *name : symbols)
    if (symbol == name)
      return true;
  return false;
}

// Whether kernels like that of the operator are for the element type: those that convert have no
// other type than others, but for casts, which alone have some.
static bool hasKernels(Type type, StringRef mnemonic) {
  struct Row {
    StringRef mnemonic;
    int32_t dtype;
  };
  static const Row rows[] = {
#define SYMC_KERNEL(MNEMONIC, DTYPE, SYMBOL, ISA) {#MNEMONIC, SYMC_##DTYPE},
#include "runtime/include/symc/kernels.def"
#undef SYMC_KERNEL
  };
  std::optional<int64_t> flag = flagFromType(type);
  return flag && llvm::any_of(rows, [&](const Row &row) {
           bool casts = row.mnemonic == "cast" || row.mnemonic == "bit_cast";
           return row.dtype == *flag && (!casts || row.mnemonic == mnemonic);
         });
}

// The 8-byte slots of symc_<op>_params.
static ArrayAttr paramSlots(const OpInfo &info, Operation *op) {
  ParamView params(info, paramsOf(op));
  Builder builder(op->getContext());
  SmallVector<Attribute> slots;
  for (const ParamInfo &param : info.params) {
    Attribute value = params.get(param.name);
    if (param.optional)
      slots.push_back(builder.getI64IntegerAttr(value ? 1 : 0));
    switch (param.kind) {
    case ParamKind::Bool:
      slots.push_back(builder.getI64IntegerAttr(value && cast<BoolAttr>(value).getValue()));
      break;
    case ParamKind::Enum: {
      int64_t index = 0;
      for (auto [i, name] : llvm::enumerate(param.enumNames))
        if (value && cast<StringAttr>(value).getValue() == name)
          index = i;
      slots.push_back(builder.getI64IntegerAttr(index));
      break;
    }
    case ParamKind::Int:
    case ParamKind::Uint:
      slots.push_back(value ? value : builder.getI64IntegerAttr(0));
      break;
    case ParamKind::Float:
    case ParamKind::Double:
      slots.push_back(value ? value : builder.getF64FloatAttr(0));
      break;
    case ParamKind::Tuple:
      slots.push_back(value ? value : builder.getDenseI64ArrayAttr({}));
      break;
    case ParamKind::Floats:
      slots.push_back(value ? value : builder.getDenseF64ArrayAttr({}));
      break;
    case ParamKind::String:
      slots.push_back(value ? value : builder.getStringAttr(""));
      break;
    }
  }
  return builder.getArrayAttr(slots);
}

// The symbol of a custom operator's kernel for the element type.
static FailureOr<std::string> kernelOf(const CustomOperator &custom, Operation *op,
                                       std::optional<int64_t> flag) {
  std::string has;
  bool trains = isTraining(op) && !custom.trainingKernels.empty();
  for (const CustomOperator::Kernel &kernel : trains ? custom.trainingKernels : custom.kernels) {
    if (flag == kernel.dtype)
      return kernel.symbol;
    has += (has.empty() ? "" : ", ") + typeName(typeFromFlag(kernel.dtype, op->getContext()));
  }
  Value keyed = op->getNumOperands() ? op->getOperand(0) : op->getResult(0);
  return nodeError(op) << "'" << custom.name << "' has no kernel for element type "
                       << typeName(elementTypeOf(keyed.getType())) << ", it has those for " << has;
}

// The largest sizes that the program allows.
static LargestShapes largestShapes(Operation *op, const Tensors &t) {
  auto largest = [&](Value value) {
    SmallVector<CheckedSize, 4> extents;
    for (AffineExpr extent : extentsOf(value))
      extents.push_back(std::max<int64_t>(t.rangeOf(extent).max, 0));
    return extents;
  };
  LargestShapes shapes;
  for (Value operand : op->getOperands())
    shapes.operands.push_back(largest(operand));
  for (Value result : op->getResults())
    shapes.results.push_back(largest(result));
  return shapes;
}

// The programs of the graphs that a node calls, and the types of their first results.
static LogicalResult addBodies(Operation *op, kernel::CallOp call, SymbolTableCollection *symbols) {
  FailureOr<SmallVector<BodyCall>> calls = bodyCalls(op, symbols);
  if (failed(calls))
    return failure();
  SmallVector<Attribute> programs;
  SmallVector<int64_t> dtypes;
  for (BodyCall &one : *calls) {
    programs.push_back(FlatSymbolRefAttr::get(op->getContext(), programName(one.body)));
    Type first = one.body.getBlock().getTerminator()->getOperand(0).getType();
    dtypes.push_back(flagFromType(elementTypeOf(first)).value_or(-1));
  }
  call.setBodiesAttr(ArrayAttr::get(op->getContext(), programs));
  call.setBodyDtypes(dtypes);
  return success();
}

static LogicalResult refuseType(Operation *op, Type elementType) {
  auto diagnostic = op->emitError() << "'" << op->getName() << "' op node '" << nodeName(op)
                                    << "' has no lowering for element type "
                                    << typeName(elementType) << " on target 'cpu'";
  diagnostic.attachNote() << "see docs/generated/operators.md for what each operator supports";
  return failure();
}

LogicalResult symc::codegen::callReference(Operation *op, const ScheduleOptions &options,
                                           SymbolTableCollection *symbols, Tensors &t) {
  StringRef mnemonic = op->getName().stripDialect();
  const OpInfo *info = infoOf(op);
  if (!info)
    return op->emitError("internal error: no row of the op table for '") << mnemonic << "'";
  Value keyed = op->getNumOperands() ? op->getOperand(0) : op->getResult(0);
  std::optional<int64_t> flag = flagFromType(elementTypeOf(keyed.getType()));
  const CustomOperator *custom = customOperator(*info);
  std::string symbol = ("symc_ref_" + mnemonic + "_" + (flag ? kSuffixes[*flag] : "none")).str();
  if (custom) {
    FailureOr<std::string> own = kernelOf(*custom, op, flag);
    if (failed(own))
      return failure();
    symbol = std::move(*own);
  } else if (!flag || !hasKernel(symbol)) {
    return refuseType(op, elementTypeOf(keyed.getType()));
  } else {
    for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value value : values)
        if (!hasKernels(elementTypeOf(value.getType()), mnemonic))
          return refuseType(op, elementTypeOf(value.getType()));
  }
  auto rankOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getRank(); };
  for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (rankOf(value) > SYMC_MAX_RANK)
        return nodeError(op) << "a tensor has rank " << rankOf(value)
                             << ", but the operator's kernel takes at most " << SYMC_MAX_RANK;
  if (!options.referenceOnly && !custom)
    remark::missed(op->getLoc(), remark::RemarkOpts::name("call").category("kernel-schedule"))
        << ("'" + nodeName(op) + "' calls its reference kernel " + symbol).str();
  SmallVector<Value> ins, outs;
  SmallVector<int64_t> dtypes;
  auto flagOf = [](Value value) {
    return flagFromType(elementTypeOf(value.getType())).value_or(-1);
  };
  for (Value operand : op->getOperands()) {
    ins.push_back(t.plainMemref(operand, op->getLoc()));
    dtypes.push_back(flagOf(operand));
  }
  for (Value result : op->getResults()) {
    t.createPlain(result, op->getLoc());
    outs.push_back(t.plainMemref(result, op->getLoc()));
    dtypes.push_back(flagOf(result));
  }
  auto sized = dyn_cast<OperatorInterface>(op);
  LargestShapes shapes = largestShapes(op, t);
  CheckedSize scratch = sized ? sized.getScratchBytes(shapes) : 0;
  if (scratch > kernel::mostBytes)
    return nodeError(op) << "its kernel would work in more than " << kernel::mostBytes << " bytes";
  auto call = kernel::CallOp::create(t.builder, op->getLoc(), symbol, mnemonic, ins, outs,
                                     paramSlots(*info, op), dtypes, scratch.get());
  if (custom) {
    call.setCustom(true);
    call.setInPlace(custom->inPlace);
    return success();
  }
  call.setWork((sized ? sized.getReferenceWork(shapes) : shapes.largestCount()).get());
  if (isControlFlow(op))
    return addBodies(op, call, symbols);
  if (drawsNumbers(op))
    call.setStream(llvm::xxh3_64bits(nodeName(op)));
  if (std::optional<int64_t> size = decidedSize(op))
    call.setDecides(*size);
  return success();
}
