// HoistPrepare.cpp: sg-hoist-prepare.
//
//   sg.graph @main:  %w = sg.parameter @w
//                    %s = sg.parameter @scale
//                    %m = sg.binary(%w, %s) {fn = "mul"}     -> sg.prepared 0
//   sg.graph @prepare: the nodes above, head %m
//
// A node moves when all its operands are weights, constants or moved nodes, and it
// has at least one operand. A weight that a run changes (sg.state) counts as data. Only what
// @main still reads becomes a head.
//
//   sg.weight @w : tensor<4xf32> {stored = f16}       sg.weight @w : tensor<4xf16>
//   %w = sg.parameter @w : tensor<4xf32>          ->  %p = sg.parameter @w : tensor<4xf16>
//                                                     %w = sg.cast(%p) {dtype = "float32"}
//
// comes first: what @prepare takes are weights as they are stored, and the cast moves like
// any other node. That of a state moves too, alone: its value is the first run's.
#include "ir/ControlFlow.h"
#include "ir/OpTable.h"
#include "ir/RandomNumbers.h"
#include "ir/ValueSizes.h"
#include "ir/ops/Elementwise.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace symc {
#define GEN_PASS_DEF_HOISTPREPARE
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct HoistPrepare : symc::impl::HoistPrepareBase<HoistPrepare> {
  using HoistPrepareBase::HoistPrepareBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<GraphOp>("main");
    if (!main || getOperation().lookupSymbol<GraphOp>("prepare"))
      return;
    llvm::StringSet<> states = changedWeights(main);
    llvm::DenseSet<Operation *> stateCasts;
    llvm::SetVector<Operation *> moved;
    for (CastOp cast : castStored(main)) {
      moved.insert(cast);
      if (states.contains(cast.getData().getDefiningOp<ParameterOp>().getWeight()))
        stateCasts.insert(cast);
    }
    for (Operation &op : main.getBlock()) {
      if (castsOnly || moved.contains(&op))
        continue;
      // A loop's body may read weights that @prepare has yet to write, random numbers
      // differ from run to run, shared libraries are opened when a context is created, and
      // what @prepare makes has fixed extents.
      if (!isa<OperatorInterface>(op) || op.getNumOperands() == 0 || isControlFlow(&op) ||
          drawsNumbers(&op) || callsLibrary(&op) || decidedSize(&op))
        continue;
      bool weightOnly = true, anyWeight = false;
      for (Value operand : op.getOperands()) {
        Operation *producer = operand.getDefiningOp();
        auto parameter = dyn_cast_or_null<ParameterOp>(producer);
        bool fromWeights = (parameter && !states.contains(parameter.getWeight())) ||
                           (producer && moved.contains(producer) && !stateCasts.contains(producer));
        weightOnly &= fromWeights || isa_and_nonnull<ConstantOp>(producer);
        anyWeight |= fromWeights;
      }
      if (weightOnly && anyWeight)
        moved.insert(&op);
    }
    if (moved.empty())
      return;
    build(main, moved.getArrayRef());
  }

  // Gives weights their stored types; the casts that follow their parameters, in order.
  SmallVector<CastOp> castStored(GraphOp main) {
    llvm::StringMap<TensorType> stored;
    for (auto weight : getOperation().getOps<WeightOp>()) {
      if (!weight.getStored())
        continue;
      auto type = cast<TensorType>(
          makeTensorType(shapeOf(weight.getType()), *weight.getStored(), weight.getContext()));
      stored[weight.getSymName()] = type;
      weight.setType(type);
      weight.removeStoredAttr();
    }
    SmallVector<CastOp> casts;
    for (auto parameter : llvm::make_early_inc_range(main.getBlock().getOps<ParameterOp>())) {
      TensorType type = stored.lookup(parameter.getWeight());
      if (!type)
        continue;
      OpBuilder builder(parameter->getContext());
      builder.setInsertionPointAfter(parameter);
      Type wanted = parameter.getType();
      parameter.getResult().setType(type);
      auto cast = CastOp::create(builder, parameter.getLoc(), wanted, parameter.getResult(),
                                 builder.getStringAttr(typeName(elementTypeOf(wanted))));
      parameter.getResult().replaceAllUsesExcept(cast.getOutput(), cast);
      casts.push_back(cast);
    }
    return casts;
  }

  static bool callsLibrary(Operation *op) {
    const OpInfo *info = lookupMnemonic(op->getName().stripDialect());
    return info && !info->library.empty();
  }

  static llvm::StringSet<> changedWeights(GraphOp main) {
    llvm::StringSet<> states;
    ArrayAttr results = main.getResAttrsAttr();
    for (Attribute attrs : results ? results.getValue() : ArrayRef<Attribute>())
      if (auto state = cast<DictionaryAttr>(attrs).getAs<StringAttr>("sg.state"))
        states.insert(state.getValue());
    return states;
  }

  void build(GraphOp main, ArrayRef<Operation *> moved) {
    OpBuilder builder(main);
    auto prepare = GraphOp::create(
        builder, main.getLoc(), "prepare", builder.getFunctionType({}, {}), ArrayAttr(),
        ArrayAttr(), ArrayAttr(), ArrayAttr(), DenseI64ArrayAttr(), DenseI64ArrayAttr());
    Block &block = prepare.getBody().emplaceBlock();
    builder.setInsertionPointToEnd(&block);
    IRMapping mapping;
    for (Operation *op : moved) {
      for (Value operand : op->getOperands())
        if (!mapping.contains(operand))
          builder.clone(*operand.getDefiningOp(), mapping);
      builder.clone(*op, mapping);
    }
    SmallVector<Value> heads;
    OpBuilder inMain = OpBuilder::atBlockBegin(&main.getBlock());
    for (Operation *op : moved)
      for (Value result : op->getResults()) {
        bool read = llvm::any_of(result.getUsers(),
                                 [&](Operation *user) { return !llvm::is_contained(moved, user); });
        if (!read)
          continue;
        auto prepared = PreparedOp::create(inMain, op->getLoc(), result.getType(), heads.size());
        heads.push_back(mapping.lookup(result));
        result.replaceUsesWithIf(prepared.getResult(), [&](OpOperand &use) {
          return !llvm::is_contained(moved, use.getOwner());
        });
      }
    HeadsOp::create(builder, main.getLoc(), heads);
    prepare.updateType();
    for (Operation *op : llvm::reverse(moved))
      op->erase();
  }
};

} // namespace
