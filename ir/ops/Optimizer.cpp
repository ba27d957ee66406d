// Optimizer.cpp: shapes and types of update steps; the numbered constraints are those
// of Optimizer.td. What a tensor is follows from its operand's name.
#include "ir/ops/Optimizer.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Optimizer.cpp.inc"

void symc::sg::registerOptimizerOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Optimizer.cpp.inc"
      >();
}

static const OpInfo &rowOf(Operation *op) { return *lookupMnemonic(op->getName().stripDialect()); }

static bool isScalar(StringRef name) {
  return name == "r1" || name == "r2" || name == "rescale_grad";
}

// All tensors but the scalars agree; what is known of one holds for the others.
static LogicalResult inferUpdate(ShapeScope &scope) {
  const OpInfo &info = rowOf(scope.operation());
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    if (isScalar(info.operands[i].name)) {
      if (failed(scope.refineInput(i, Shape({scope.dim(1)}))))
        return failure();
      continue;
    }
    Shape weight = scope.input(0);
    if (failed(scope.refineInput(i, weight)) || failed(scope.refineInput(0, scope.input(i))))
      return failure();
  }
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, scope.input(0))) ||
        failed(scope.refineInput(0, scope.output(i))))
      return failure();
  return success();
}

// With a weight32, weight, gradient and result have the network's type and the rest is
// float32; without, all have one type. rescale_grad is always float32.
static LogicalResult inferUpdateType(TypeScope &scope) {
  const OpInfo &info = rowOf(scope.operation());
  Type single = Float32Type::get(scope.context());
  bool mixed = llvm::any_of(info.operands,
                            [](const ValueInfo &operand) { return operand.name == "weight32"; });
  bool phase1 = mixed && info.mnemonic == "mp_lamb_update_phase1";
  SmallVector<size_t> inputs, outputs;
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    StringRef name = info.operands[i].name;
    bool narrow = name == "weight" || name == "grad";
    if (name == "rescale_grad" || (mixed && !narrow)) {
      if (failed(scope.refineInput(i, single)))
        return failure();
    } else {
      inputs.push_back(i);
    }
  }
  for (size_t i = 0; i < scope.numOutputs(); ++i) {
    if (mixed && (i > 0 || phase1)) {
      if (failed(scope.refineOutput(i, single)))
        return failure();
    } else {
      outputs.push_back(i);
    }
  }
  Type known;
  for (size_t i : inputs)
    known = known ? known : scope.input(i);
  for (size_t i : outputs)
    known = known ? known : scope.output(i);
  for (size_t i : inputs)
    if (failed(scope.refineInput(i, known)))
      return failure();
  for (size_t i : outputs)
    if (failed(scope.refineOutput(i, known)))
      return failure();
  return success();
}

#define UPDATE(Op)                                                                                 \
  LogicalResult Op::inferShape(ShapeScope &scope) { return inferUpdate(scope); }                   \
  LogicalResult Op::inferType(TypeScope &scope) { return inferUpdateType(scope); }
UPDATE(SgdMomUpdateOp)
UPDATE(MpSgdUpdateOp)
UPDATE(MpSgdMomUpdateOp)
UPDATE(NagMomUpdateOp)
UPDATE(MpNagMomUpdateOp)
UPDATE(AdamUpdateOp)
UPDATE(AdamwUpdateOp)
UPDATE(MpAdamwUpdateOp)
UPDATE(FtmlUpdateOp)
UPDATE(FtrlUpdateOp)
UPDATE(LambUpdatePhase1Op)
UPDATE(MpLambUpdatePhase1Op)
UPDATE(MpLambUpdatePhase2Op)
UPDATE(RmspropUpdateOp)
UPDATE(RmspropalexUpdateOp)
UPDATE(SignsgdUpdateOp)
UPDATE(SignumUpdateOp)
#undef UPDATE

LogicalResult SgdUpdateOp::inferShape(ShapeScope &scope) { return inferUpdate(scope); } // C1
LogicalResult SgdUpdateOp::inferType(TypeScope &scope) { return inferUpdateType(scope); }
LogicalResult LambUpdatePhase2Op::inferShape(ShapeScope &scope) { return inferUpdate(scope); } // C1
LogicalResult LambUpdatePhase2Op::inferType(TypeScope &scope) { return inferUpdateType(scope); }

LogicalResult MultiLarsOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); } // C1

LogicalResult MultiSumSqOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, Shape({scope.dim(scope.numInputs())})); // C1
}

LogicalResult AllFiniteOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, Shape({scope.dim(1)})); // C1
}

static LogicalResult inferSingle(TypeScope &scope) {
  for (size_t i = 1; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, scope.input(0))))
      return failure();
  return scope.refineOutput(0, Float32Type::get(scope.context()));
}
LogicalResult MultiSumSqOp::inferType(TypeScope &scope) { return inferSingle(scope); }
LogicalResult AllFiniteOp::inferType(TypeScope &scope) { return inferSingle(scope); }
