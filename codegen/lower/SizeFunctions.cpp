// SizeFunctions.cpp: see SizeFunctions.h.
#include "codegen/lower/SizeFunctions.h"

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

llvm::SmallBitVector symc::codegen::decidedSizes(kernel::ProgramOp program) {
  llvm::SmallBitVector decided(program.getSizes().size());
  for (auto step : program.getBody().getOps<kernel::StepInterface>())
    if (std::optional<int64_t> size = step.getDecidedSize())
      decided.set(*size);
  return decided;
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
                                  llvm::SmallBitVector &asked) {
  if (!program.getConditions())
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
  Value result = LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(-1));
  for (size_t i = program.getConditions()->size(); i-- > 0;) {
    if (readsSizes(program, i, undecided))
      continue;
    asked.set(i);
    Value number = LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(i));
    result =
        arith::SelectOp::create(b, loc, violatesCondition(program, i, b, frame), number, result);
  }
  LLVM::ReturnOp::create(b, loc, result);
}

void symc::codegen::addSizeFunctions(kernel::ProgramOp program, StringRef symbol, ModuleOp module) {
  program.getContext()->loadDialect<LLVM::LLVMDialect, arith::ArithDialect>();
  llvm::SmallBitVector undecided = decidedSizes(program);
  llvm::SmallBitVector asked(program.getConditions() ? program.getConditions()->size() : 0);
  addSizeChecks(program, symbol, undecided, module, asked);
  addOutputShapes(program, symbol, module);
}
