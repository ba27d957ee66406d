// HoistPrepare.cpp: sg-hoist-prepare.
//
//   sg.graph @main:  %w = sg.parameter @w
//                    %s = sg.parameter @scale
//                    %m = sg.binary(%w, %s) {fn = "mul"}     -> sg.prepared 0
//   sg.graph @prepare: the nodes above, head %m
//
// A node moves when all its operands are weights, constants, nodes without operands that are the
// same in each run (ranges, also cast) or moved nodes, and one of them is a weight or moved. What a
// range makes larger than its weights stays: the file would hold it. Only what @main still reads
// becomes a head. What a run changes is no weight here (sg-lift-states).
//
//   sg.weight @w : tensor<4xf32> {stored = f16}       sg.weight @w : tensor<4xf16>
//   %w = sg.parameter @w : tensor<4xf32>          ->  %p = sg.parameter @w : tensor<4xf16>
//                                                     %w = sg.cast(%p) {dtype = "float32"}
//
// comes first: what @prepare takes are weights as they are stored, and the cast moves like
// any other node. That of a state is a head of @prepare behind the others, with the state's
// symbol as `sg.state`: the value of the first run.
#include "ir/CheckedSize.h"
#include "ir/ControlFlow.h"
#include "ir/CoreBuilder.h"
#include "ir/OpTable.h"
#include "ir/RandomNumbers.h"
#include "ir/States.h"
#include "ir/ValueSizes.h"
#include "ir/ops/Custom.h"
#include "ir/ops/Elementwise.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

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
    llvm::SetVector<Operation *> moved;
    llvm::StringMap<TensorType> stored = takeStoredTypes();
    for (CastOp cast : castStored(main, stored))
      moved.insert(cast);
    SmallVector<BlockArgument> storedStates;
    for (BlockArgument argument : main.getBlock().getArguments())
      if (stored.contains(stateOfArgument(main, argument.getArgNumber())))
        storedStates.push_back(argument);
    for (Operation &op : main.getBlock()) {
      if (castsOnly || moved.contains(&op))
        continue;
      // A loop's body may read weights that @prepare has yet to write, random numbers
      // differ from run to run, shared libraries are opened when a context is created, what
      // @prepare makes has fixed extents, and custom operators have no arithmetic of symc.
      if (!isa<OperatorInterface>(op) || op.getNumOperands() == 0 || isControlFlow(&op) ||
          drawsNumbers(&op) || callsLibrary(&op) || decidedSize(&op) ||
          llvm::any_of(op.getResultTypes(), hasOpenExtent))
        continue;
      bool weightOnly = true, anyWeight = false, anyFixed = false;
      CheckedSize read = 0;
      for (Value operand : op.getOperands()) {
        Operation *producer = operand.getDefiningOp();
        bool fromWeights =
            isa_and_nonnull<ParameterOp>(producer) || (producer && moved.contains(producer));
        bool fixed = !fromWeights && isFixed(producer);
        weightOnly &= fromWeights || fixed || isa_and_nonnull<ConstantOp>(producer);
        anyWeight |= fromWeights;
        anyFixed |= fixed;
        read = read + (fromWeights ? elementsOf(operand) : 0);
      }
      if (weightOnly && anyWeight && !(anyFixed && elementsOf(op.getResult(0)) > read))
        moved.insert(&op);
    }
    if (moved.empty() && storedStates.empty())
      return;
    GraphOp prepare = build(main, moved);
    if (!storedStates.empty())
      addFirstValues(prepare, main, storedStates, stored);
  }

  // Gives weights their stored types, which are returned by symbol.
  llvm::StringMap<TensorType> takeStoredTypes() {
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
    return stored;
  }

  static CastOp createCast(OpBuilder &builder, Value value, Type wanted) {
    return CastOp::create(builder, value.getLoc(), wanted, value,
                          builder.getStringAttr(typeName(elementTypeOf(wanted))));
  }

  // The casts that follow the parameters of those weights, in order.
  static SmallVector<CastOp> castStored(GraphOp main, const llvm::StringMap<TensorType> &stored) {
    SmallVector<CastOp> casts;
    for (auto parameter : llvm::make_early_inc_range(main.getBlock().getOps<ParameterOp>())) {
      TensorType type = stored.lookup(parameter.getWeight());
      if (!type)
        continue;
      OpBuilder builder(parameter->getContext());
      builder.setInsertionPointAfter(parameter);
      Type wanted = parameter.getType();
      parameter.getResult().setType(type);
      CastOp cast = createCast(builder, parameter.getResult(), wanted);
      parameter.getResult().replaceAllUsesExcept(cast.getOutput(), cast);
      casts.push_back(cast);
    }
    return casts;
  }

  // Nodes that are computed anew in each run, always to the same result.
  static bool isFixed(Operation *op) {
    if (auto cast = dyn_cast_or_null<CastOp>(op))
      return isFixed(cast.getData().getDefiningOp());
    return op && isa<OperatorInterface>(op) && op->getNumOperands() == 0 && !isControlFlow(op) &&
           !drawsNumbers(op) && !callsLibrary(op) && !decidedSize(op);
  }

  // Extents of what weights alone decide are known.
  static CheckedSize elementsOf(Value value) {
    CheckedSize count = 1;
    Shape shape = shapeOf(value.getType());
    for (Dim extent : shape.list())
      count = count * CheckedSize(extent.isStatic() ? extent.get() : 0);
    return count;
  }

  static bool callsLibrary(Operation *op) {
    const OpInfo *info = lookupMnemonic(op->getName().stripDialect());
    return isa<CustomOp>(op) || (info && !info->library.empty());
  }

  // A weight, a constant or what is fixed, unless it is there.
  static void cloneSource(Value value, OpBuilder &builder, IRMapping &mapping) {
    if (mapping.contains(value))
      return;
    if (auto cast = value.getDefiningOp<CastOp>())
      cloneSource(cast.getData(), builder, mapping);
    builder.clone(*value.getDefiningOp(), mapping);
  }

  static GraphOp build(GraphOp main, const llvm::SetVector<Operation *> &moved) {
    OpBuilder builder(main);
    auto prepare =
        GraphOp::create(builder, main.getLoc(), "prepare", builder.getFunctionType({}, {}),
                        ArrayAttr(), ArrayAttr(), ArrayAttr(), ArrayAttr(), DenseI64ArrayAttr(),
                        DenseI64ArrayAttr(), ArrayAttr(), ArrayAttr());
    Block &block = prepare.getBody().emplaceBlock();
    builder.setInsertionPointToEnd(&block);
    IRMapping mapping;
    for (Operation *op : moved) {
      for (Value operand : op->getOperands())
        cloneSource(operand, builder, mapping);
      builder.clone(*op, mapping);
    }
    SmallVector<Value> heads;
    OpBuilder inMain = OpBuilder::atBlockBegin(&main.getBlock());
    for (Operation *op : moved)
      for (Value result : op->getResults()) {
        bool read =
            llvm::any_of(result.getUsers(), [&](Operation *user) { return !moved.contains(user); });
        if (!read)
          continue;
        auto prepared = PreparedOp::create(inMain, op->getLoc(), result.getType(), heads.size());
        heads.push_back(mapping.lookup(result));
        result.replaceUsesWithIf(prepared.getResult(),
                                 [&](OpOperand &use) { return !moved.contains(use.getOwner()); });
      }
    HeadsOp::create(builder, main.getLoc(), heads);
    prepare.updateType();
    for (Operation *op : llvm::reverse(moved))
      op->erase();
    return prepare;
  }

  static void addFirstValues(GraphOp prepare, GraphOp main, ArrayRef<BlockArgument> states,
                             const llvm::StringMap<TensorType> &stored) {
    Operation *end = prepare.getBlock().getTerminator();
    OpBuilder builder(end);
    SmallVector<Value> heads(end->getOperands());
    SmallVector<Attribute> attributes(heads.size(), builder.getDictionaryAttr({}));
    for (BlockArgument argument : states) {
      StringRef state = stateOfArgument(main, argument.getArgNumber());
      Value first = ParameterOp::create(builder, argument.getLoc(), stored.lookup(state), state);
      heads.push_back(createCast(builder, first, argument.getType()).getOutput());
      attributes.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr("sg.state", builder.getStringAttr(state))));
    }
    end->setOperands(heads);
    prepare.updateType();
    prepare.setResAttrsAttr(builder.getArrayAttr(attributes));
  }
};

} // namespace
