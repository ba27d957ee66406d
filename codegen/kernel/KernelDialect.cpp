// KernelDialect.cpp: registration, verifiers and memory effects of the kernel
// dialect. Verifiers hold what lowerings rely on: ranks, shapes and lanes.
#include "codegen/kernel/KernelDialect.h"
#include "codegen/kernel/StrassenScheme.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace symc::kernel;

#include "codegen/kernel/KernelDialect.cpp.inc"
#include "codegen/kernel/KernelInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "codegen/kernel/KernelOps.cpp.inc"

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "codegen/kernel/KernelOps.cpp.inc"
      >();
}

// Reads every input, writes every output.
template <typename Op>
static void stepEffects(Op op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    bool written = llvm::is_contained(op.getOutputs(), operand.get());
    if (written)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

#define SYMC_STEP(OP, FIRST_IN, N_IN, FIRST_OUT, N_OUT)                                            \
  OperandRange OP::getInputs() { return getOperation()->getOperands().slice(FIRST_IN, N_IN); }     \
  OperandRange OP::getOutputs() { return getOperation()->getOperands().slice(FIRST_OUT, N_OUT); }  \
  void OP::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {                   \
    stepEffects(*this, effects);                                                                   \
  }

SYMC_STEP(LoopsOp, 0, getIns().size(), getIns().size(), getOuts().size())
SYMC_STEP(ConvOp, 0, 2 + getExtras().size(), 2 + getExtras().size(), 1)
SYMC_STEP(WinogradOp, 0, 2 + getExtras().size(), 2 + getExtras().size(), 3)
SYMC_STEP(StrassenOp, 0, 2 + getExtras().size(), 2 + getExtras().size(), 3)
SYMC_STEP(DepthwiseOp, 0, 2 + getExtras().size(), 2 + getExtras().size(), 1)
SYMC_STEP(PoolOp, 0, 1 + getExtras().size(), 1 + getExtras().size(), 1)
SYMC_STEP(SoftmaxOp, 0, 1, 1, 1)
SYMC_STEP(RecurrentOp, 0, 3 + (getBias() ? 1 : 0) + (getCell() ? 1 : 0),
          3 + (getBias() ? 1 : 0) + (getCell() ? 1 : 0),
          2 + (getCellOut() ? 1 : 0) + (getScratch() ? 1 : 0))
SYMC_STEP(CopyOp, 0, 1, 1, 1)
SYMC_STEP(FillOp, 0, 0, 0, 1)
SYMC_STEP(PackOp, 0, 1, 1, 1)
SYMC_STEP(CallOp, 0, getIns().size(), getIns().size(), getOuts().size() + (getScratch() ? 1 : 0))
#undef SYMC_STEP

// The body takes `expected` scalars and ends in kernel.yield of `results` scalars.
static LogicalResult verifyBody(Operation *op, Region &body, TypeRange expected,
                                TypeRange results) {
  Block &block = body.front();
  if (block.getArgumentTypes() != expected)
    return op->emitOpError("body takes ")
           << block.getArgumentTypes() << " but its operands need " << expected;
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().getTypes() != results)
    return op->emitOpError("body must yield ") << results;
  return success();
}

static SmallVector<Type> elementTypes(ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(cast<MemRefType>(value.getType()).getElementType());
  return types;
}

static LogicalResult verifySameShape(Operation *op, ValueRange values) {
  ArrayRef<int64_t> shape;
  bool first = true;
  for (Value value : values) {
    ArrayRef<int64_t> other = cast<MemRefType>(value.getType()).getShape();
    if (!first && other != shape)
      return op->emitOpError("views differ in shape: [") << shape << "] and [" << other << "]";
    shape = other;
    first = false;
  }
  return success();
}

// Inputs, outputs, sizes; a range for each size, a shape for each output.
LogicalResult ProgramOp::verify() {
  Block &block = getBody().front();
  int64_t sizes = llvm::count_if(block.getArgumentTypes(), [](Type type) { return type.isIndex(); });
  int64_t expected = getNumInputs() + getNumOutputs() + sizes;
  if ((int64_t)block.getNumArguments() != expected)
    return emitOpError("has ") << block.getNumArguments() << " arguments, but its inputs, outputs "
                               << "and sizes are " << expected;
  int64_t low = getDimMin() ? getDimMin()->size() : 0, high = getDimMax() ? getDimMax()->size() : 0;
  if (low != sizes || high != sizes)
    return emitOpError("has ") << sizes << " symbolic sizes, but " << low << " minima and " << high
                               << " maxima";
  if (getOutputShapes() && (int64_t)getOutputShapes()->size() != (int64_t)getNumOutputs())
    return emitOpError("has ") << getNumOutputs() << " outputs, but "
                               << getOutputShapes()->size() << " shapes";
  return success();
}

ProgramOp VariantOp::getEntry() {
  ProgramOp entry;
  for (auto program : getBody().getOps<ProgramOp>())
    entry = program; // those that it calls come first
  return entry;
}

ModuleOp VariantOp::getFunctions() {
  auto modules = getBody().getOps<ModuleOp>();
  return modules.empty() ? ModuleOp() : *modules.begin();
}

SmallVector<ProgramOp> symc::kernel::mainPrograms(ModuleOp module) {
  SmallVector<ProgramOp> programs;
  for (auto variant : module.getOps<VariantOp>())
    if (ProgramOp entry = variant.getEntry(); entry.getSymName() == "main_program")
      programs.push_back(entry);
  if (auto shared = module.lookupSymbol<ProgramOp>("main_program"))
    programs.push_back(shared);
  return programs;
}

LogicalResult VariantOp::verify() {
  if (!getEntry())
    return emitOpError("needs a program");
  return success();
}

LogicalResult LoopsOp::verify() {
  if (failed(verifySameShape(*this, getOperands())))
    return failure();
  return verifyBody(*this, getBody(), elementTypes(getIns()), elementTypes(getOuts()));
}

LogicalResult SoftmaxOp::verify() {
  auto type = cast<MemRefType>(getOut().getType());
  if (type.getRank() != 3)
    return emitOpError("out has rank ") << type.getRank() << ", needs 3";
  return verifySameShape(*this, getOperands());
}

LogicalResult CopyOp::verify() { return verifySameShape(*this, getOperands()); }

template <typename Op> static LogicalResult verifyAccumulate(Op op) {
  SmallVector<Value> same(op.getExtras().begin(), op.getExtras().end());
  same.push_back(op.getOut());
  auto outType = cast<MemRefType>(op.getOut().getType());
  if (outType.getRank() != 5)
    return op.emitOpError("out has rank ") << outType.getRank() << ", needs 5";
  if (failed(verifySameShape(op, same)))
    return failure();
  // Sums of bytes are wider than what is made of them.
  bool sumsBytes = isa<ConvOp>(op.getOperation()) && elementTypes(op.getData())[0].isInteger(8);
  SmallVector<Type> expected{sumsBytes ? IntegerType::get(op.getContext(), 32)
                                       : outType.getElementType()};
  llvm::append_range(expected, elementTypes(op.getExtras()));
  return verifyBody(op, op.getBody(), expected, outType.getElementType());
}

LogicalResult ConvOp::verify() { return verifyAccumulate(*this); }
LogicalResult WinogradOp::verify() {
  auto out = cast<MemRefType>(getOut().getType());
  auto data = cast<MemRefType>(getData().getType());
  auto weights = cast<MemRefType>(getWeights().getType());
  int64_t m = getOutputTile();
  if (m < 2 || m > 4)
    return emitOpError("output_tile is ") << m << ", needs 2, 3 or 4";
  int64_t more = m == 3 ? 3 : 2, span = m + more; // of data than of out
  for (auto [name, pair] : {std::pair("block", getBlock()), std::pair("per_task", getPerTask())})
    if (pair.size() != 2 || pair[0] < 1 || pair[1] < 1)
      return emitOpError() << name << " needs two numbers of at least 1";
  if (!out.hasStaticShape() || !data.hasStaticShape() || !weights.hasStaticShape())
    return emitOpError("needs constant extents");
  if (weights.getRank() != 5 ||
      !(isLate() ? m == 4 : weights.getDimSize(0) == span * span))
    return emitOpError("weights need ") << span * span << " positions of panels";
  if (data.getRank() != 5 || out.getRank() != 5 ||
      data.getDimSize(2) != out.getDimSize(2) + more ||
      data.getDimSize(3) != out.getDimSize(3) + more)
    return emitOpError("data needs ") << more << " rows and columns more than out";
  if (getPhases() && (getPhases()->size() != 4 || llvm::any_of(*getPhases(), [](int64_t value) {
                        return value < 1;
                      })))
    return emitOpError("phases need channels, stride, kernel rows and columns of at least 1");
  return verifyAccumulate(*this);
}

LogicalResult StrassenOp::verify() {
  auto out = cast<MemRefType>(getOut().getType());
  auto data = cast<MemRefType>(getData().getType());
  auto weights = cast<MemRefType>(getWeights().getType());
  if (!out.hasStaticShape() || !data.hasStaticShape() || !weights.hasStaticShape())
    return emitOpError("needs constant extents");
  int64_t in = getInChannels(), channels = getOutChannels();
  if (in < 1 || channels < 1 || in % 32 != 0 || channels % 32 != 0)
    return emitOpError("has ") << in << " input and " << channels
                               << " output channels, needs multiples of 32";
  int64_t panels[] = {channels / 32, strassenProductCount, in / 32, 1, 1, 16, 16};
  if (weights.getShape() != ArrayRef<int64_t>(panels))
    return emitOpError("weights need the shape [") << ArrayRef<int64_t>(panels) << "]";
  if (data.getRank() != 5 || out.getRank() != 5 ||
      data.getShape().drop_front(2) != out.getShape().drop_front(2))
    return emitOpError("data needs the pixels of out");
  int64_t pixels = out.getDimSize(2) * out.getDimSize(3);
  if (getFlat() ? pixels < 2 : out.getDimSize(2) % 2 != 0)
    return emitOpError("has ") << out.getDimSize(2) << " by " << out.getDimSize(3)
                               << " pixels that cannot be halved";
  if (!getFlat() && (getUnit() == 0 || getUnit() % out.getDimSize(3) != 0))
    return emitOpError("has units of ") << getUnit() << " pixels, needs whole rows of "
                                        << out.getDimSize(3);
  if (getUnit() < 1 || getPerTask().size() != 2 || getPerTask()[0] < 1 || getPerTask()[1] < 1)
    return emitOpError("unit and per_task need numbers of at least 1");
  return verifyAccumulate(*this);
}

LogicalResult DepthwiseOp::verify() { return verifyAccumulate(*this); }
LogicalResult PoolOp::verify() { return verifyAccumulate(*this); }

LogicalResult RecurrentOp::verify() {
  auto gates = cast<MemRefType>(getGates().getType()), out = cast<MemRefType>(getOut().getType());
  if (gates.getRank() != 4 || out.getRank() != 3 || !gates.hasStaticShape() || !out.hasStaticShape())
    return emitOpError("needs gates [T, N, G, H] and out [T, N, H] of constant extents");
  int64_t units = out.getDimSize(2), count = gates.getDimSize(2), blocks = (units + 15) / 16;
  ArrayRef<int64_t> weights = cast<MemRefType>(getWeights().getType()).getShape();
  int64_t panels[] = {blocks, units, count, 1, 1, 16};
  if (!getScratch() && weights != ArrayRef<int64_t>(panels))
    return emitOpError("weights need ") << panels[0] << " blocks of panels, " << units << " by "
                                        << count << " rows in each";
  if (getScratch()) {
    int64_t batch = out.getDimSize(1), row[] = {blocks / 2 + 2, strassenScratch(batch, units, count)};
    int64_t groups = strassenGroups(count);
    int64_t sums[] = {blocks / 2, groups, 7, units / 2, count / groups, 16};
    if (batch % 2 || units % 32 || weights != ArrayRef<int64_t>(sums) ||
        cast<MemRefType>(getScratch().getType()).getShape() != ArrayRef<int64_t>(row))
      return emitOpError("with scratch needs an even batch, whole pairs of blocks of units, weights [")
             << sums << "] and scratch [" << row << "]";
  }
  if (bool(getCell()) != bool(getCellOut()))
    return emitOpError("has a cell before or after its steps, needs both or none");
  Type element = out.getElementType();
  SmallVector<Type> expected((getBias() ? 3 : 2) * count + 1 + (getCell() ? 1 : 0), element);
  return verifyBody(*this, getBody(), expected, SmallVector<Type>(getCell() ? 2 : 1, element));
}

static int64_t staticElements(Value view, unsigned dropLast) {
  ArrayRef<int64_t> shape = cast<MemRefType>(view.getType()).getShape().drop_back(dropLast);
  int64_t count = 1;
  for (int64_t extent : shape)
    count = ShapedType::isDynamic(extent) || count == 0 ? 0 : count * extent;
  return count;
}

int64_t ConvOp::getFlops() {
  auto shape = cast<MemRefType>(getOut().getType()).getShape();
  int64_t pixels = staticElements(getOut(), 1) / std::max<int64_t>(shape[1], 1);
  return 2 * pixels * getOutChannels() * getInChannels() * getKernel()[0] * getKernel()[1];
}

bool WinogradOp::isLate() {
  return cast<MemRefType>(getWeights().getType()).getShape().drop_front(2) ==
         ArrayRef<int64_t>{16, 9, 16};
}

// Those of the convolution that it stands for, so that rates compare.
int64_t WinogradOp::getFlops() {
  int64_t pixels = staticElements(getOut(), 1) /
                   std::max<int64_t>(cast<MemRefType>(getOut().getType()).getDimSize(1), 1);
  if (auto layer = getPhases())
    return 2 * pixels * getOutChannels() * (*layer)[0] * (*layer)[2] * (*layer)[3];
  int64_t taps = getOutputTile() == 3 ? 4 : 3;
  return 2 * pixels * getOutChannels() * getInChannels() * taps * taps;
}

// Those of the convolution, too.
int64_t StrassenOp::getFlops() {
  int64_t pixels = staticElements(getOut(), 1) /
                   std::max<int64_t>(cast<MemRefType>(getOut().getType()).getDimSize(1), 1);
  return 2 * pixels * getOutChannels() * getInChannels();
}

int64_t DepthwiseOp::getFlops() {
  return 2 * staticElements(getOut(), 0) * getKernel()[0] * getKernel()[1];
}

int64_t RecurrentOp::getFlops() {
  return 2 * staticElements(getGates(), 0) * cast<MemRefType>(getOut().getType()).getDimSize(2);
}

int64_t RecurrentOp::getTurns() { return cast<MemRefType>(getOut().getType()).getDimSize(0); }
