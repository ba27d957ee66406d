// SizeFunctions.cpp: see SizeFunctions.h.
#include "codegen/lower/SizeFunctions.h"
#include "ir/Clips.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

LLVM::LLVMFuncOp symc::codegen::addFunction(ModuleOp module, Location loc, const Twine &name,
                                            Type result, ArrayRef<Type> arguments,
                                            LLVM::Linkage linkage) {
  OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, arguments);
  auto made = LLVM::LLVMFuncOp::create(top, loc, name.str(), type, linkage);
  made.addEntryBlock(top);
  return made;
}

void symc::codegen::addOutputShapes(kernel::ProgramOp program, StringRef symbol, ModuleOp module) {
  if (!program.getOutputShapes())
    return;
  Location loc = program.getLoc();
  MLIRContext *context = program.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  LLVM::LLVMFuncOp shapes =
      addFunction(module, loc, symbol + "_output_shapes", LLVM::LLVMVoidType::get(context),
                  {pointer, pointer}, LLVM::Linkage::External);
  OpBuilder b = OpBuilder::atBlockBegin(&shapes.getBody().front());
  shapes.setPassthroughAttr(b.getStrArrayAttr(anyProcessor));
  FrameReader frame = FrameReader::ofSizes(b, loc, shapes.getArgument(0));
  int32_t place = 0;
  ArrayAttr maps = *program.getOutputShapes();
  for (Attribute map : maps)
    for (AffineExpr extent : cast<AffineMapAttr>(map).getValue().getResults()) {
      Value value = arith::IndexCastOp::create(b, loc, b.getI64Type(), frame.size(extent));
      Value slot = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), shapes.getArgument(1),
                                       ArrayRef<LLVM::GEPArg>{place++});
      LLVM::StoreOp::create(b, loc, value, slot);
    }
  LLVM::ReturnOp::create(b, loc, ValueRange());
}

static IntegerSet conditionOf(kernel::ProgramOp program, size_t i) {
  return cast<IntegerSetAttr>((*program.getConditions())[i]).getValue();
}

// Whether an operand of the clip is one of these sizes.
static bool isOpen(const sg::Clip &clip, const llvm::SmallBitVector &sizes) {
  bool any = false;
  clip.map.walkExprs([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    any |= symbol && sizes.test(symbol.getPosition());
  });
  return any;
}

llvm::SmallBitVector symc::codegen::decidedSizes(kernel::ProgramOp program) {
  llvm::SmallBitVector decided(program.getSizes().size());
  for (auto step : program.getBody().getOps<kernel::StepInterface>())
    if (std::optional<int64_t> size = step.getDecidedSize())
      decided.set(*size);
  for (const sg::Clip &clip : sg::clipsOf(program))
    if (isOpen(clip, decided))
      decided.set(clip.size);
  return decided;
}

static void setClip(const sg::Clip &clip, OpBuilder &b, Location loc, FrameReader &frame) {
  Value value;
  for (AffineExpr operand : clip.map.getResults()) {
    Value each = frame.size(operand);
    value = !value           ? each
            : clip.isLargest ? arith::MaxSIOp::create(b, loc, value, each).getResult()
                             : arith::MinSIOp::create(b, loc, value, each).getResult();
  }
  frame.setSize(clip.size, value);
}

// Clips that are known with size `decided`, in order.
static void settle(kernel::ProgramOp program, unsigned decided, llvm::SmallBitVector &undecided,
                   llvm::function_ref<void(const sg::Clip &)> known) {
  undecided.reset(decided);
  for (const sg::Clip &clip : sg::clipsOf(program))
    if (undecided.test(clip.size) && !isOpen(clip, undecided)) {
      known(clip);
      undecided.reset(clip.size);
    }
}

void symc::codegen::settleSize(kernel::ProgramOp program, unsigned decided,
                               llvm::SmallBitVector &undecided) {
  settle(program, decided, undecided, [](const sg::Clip &) {});
}

void symc::codegen::settleSize(kernel::ProgramOp program, unsigned decided,
                               llvm::SmallBitVector &undecided, OpBuilder &b, FrameReader &frame) {
  settle(program, decided, undecided,
         [&](const sg::Clip &clip) { setClip(clip, b, program.getLoc(), frame); });
}

bool symc::codegen::readsSizes(kernel::ProgramOp program, size_t condition,
                               const llvm::SmallBitVector &sizes) {
  bool any = false;
  conditionOf(program, condition).walkExprs([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    any |= symbol && sizes.test(symbol.getPosition());
  });
  return any;
}

Value symc::codegen::violatesCondition(kernel::ProgramOp program, size_t condition, OpBuilder &b,
                                       FrameReader &frame) {
  IntegerSet set = conditionOf(program, condition);
  Location loc = program.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), any;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    Value bad = arith::CmpIOp::create(
        b, loc, set.isEq(i) ? arith::CmpIPredicate::ne : arith::CmpIPredicate::slt,
        frame.size(set.getConstraint(i)), zero);
    any = any ? arith::OrIOp::create(b, loc, any, bad).getResult() : bad;
  }
  return any;
}

void symc::codegen::addSizeChecks(kernel::ProgramOp program, StringRef symbol,
                                  const llvm::SmallBitVector &undecided, ModuleOp module,
                                  llvm::SmallBitVector &checked) {
  SmallVector<sg::Clip> clips = sg::clipsOf(program);
  size_t count = program.getConditions() ? program.getConditions()->size() : 0;
  if (!count && clips.empty())
    return;
  Location loc = program.getLoc();
  MLIRContext *context = program.getContext();
  Type i32 = IntegerType::get(context, 32);
  LLVM::LLVMFuncOp check =
      addFunction(module, loc, symbol + "_check_sizes", i32, LLVM::LLVMPointerType::get(context),
                  LLVM::Linkage::External);
  OpBuilder b = OpBuilder::atBlockBegin(&check.getBody().front());
  check.setPassthroughAttr(b.getStrArrayAttr(anyProcessor));
  FrameReader frame = FrameReader::ofSizes(b, loc, check.getArgument(0));
  for (const sg::Clip &clip : clips)
    if (!undecided.test(clip.size))
      setClip(clip, b, loc, frame);
  Value result = LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(-1));
  for (size_t i = count; i-- > 0;) {
    if (readsSizes(program, i, undecided))
      continue;
    checked.set(i);
    // 32 bits: the number of a condition.
    Value number = LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(i));
    result =
        arith::SelectOp::create(b, loc, violatesCondition(program, i, b, frame), number, result);
  }
  LLVM::ReturnOp::create(b, loc, result);
}

void symc::codegen::addSizeFunctions(kernel::ProgramOp program, StringRef symbol, ModuleOp module) {
  program.getContext()->loadDialect<LLVM::LLVMDialect, arith::ArithDialect>();
  llvm::SmallBitVector undecided = decidedSizes(program);
  llvm::SmallBitVector checked(program.getConditions() ? program.getConditions()->size() : 0);
  addSizeChecks(program, symbol, undecided, module, checked);
  addOutputShapes(program, symbol, module);
}
