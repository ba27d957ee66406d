// DropLabels.cpp: sg-drop-labels. Before shapes are inferred.
//
//   %0 = sg.concat(%label, %label2)
//   %1 = sg.softmax_output(%data, %0)          %1 = sg.softmax_output(%data, %data) {sg.no_label}
//
// No run reads an operand that the op table calls trainingOnly, such as the label of a loss head.
// Nodes that feed only such operands are dead, whatever shapes their inputs have or lack.
//
// 1. Live are the nodes that heads reach without such operands.
// 2. Where a node that is not live computes such an operand, and its shape follows from the inputs
//    alone, it has to fit the head, as MXNet has it.
// 3. The first operand, the data, stands in its place, and the head needs nothing of it (Labels.h).
// 4. Dead nodes are erased, with the parameters and weights that only they read.
// 5. An input that nothing reads any more stays, optional, where its shape is given or follows
//    from the heads by way of the dead nodes. One of unknown shape is no input of the program.
//
// A label that is an input of its head by itself stays as it is: inference finds its shape. So
// does an auxiliary state that only training reads: it has a shape of its own, not a label's.
#include "ir/ControlFlow.h"
#include "ir/CustomOperators.h"
#include "ir/InferGraph.h"
#include "ir/Labels.h"
#include "passes/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace symc {
#define GEN_PASS_DEF_DROPLABELS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct DropLabels : symc::impl::DropLabelsBase<DropLabels> {
  void runOnOperation() override {
    SmallVector<ModuleOp> modules;
    getOperation().walk([&](ModuleOp module) { modules.push_back(module); });
    for (ModuleOp module : modules)
      if (failed(dropLabels(module)))
        return signalPassFailure();
  }

private:
  // Whether prediction never reads the operand.
  static bool isTrainingOnly(OpOperand &operand) {
    Operation *op = operand.getOwner();
    const OpInfo *info = infoOf(op);
    if (!info || llvm::none_of(info->operands, [](const ValueInfo &v) { return v.trainingOnly; }))
      return false;
    // Which declared operand it is: segments hold where some are left out or variadic.
    auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
    size_t end = 0;
    for (auto [i, declared] : llvm::enumerate(info->operands)) {
      end += segments ? segments[i] : 1;
      if (operand.getOperandNumber() < end)
        return declared.trainingOnly && !declared.auxiliary;
    }
    return false;
  }

  // The nodes that heads reach without operands that only training reads.
  static DenseSet<Operation *> liveNodes(GraphOp graph) {
    DenseSet<Operation *> live; // looked up only
    SmallVector<Operation *> work{graph.getBlock().getTerminator()};
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      if (!live.insert(op).second)
        continue;
      for (OpOperand &operand : op->getOpOperands())
        if (Operation *producer = operand.get().getDefiningOp();
            producer && !isTrainingOnly(operand))
          work.push_back(producer);
    }
    return live;
  }

  static LogicalResult dropLabels(ModuleOp module) {
    SmallVector<OpOperand *> labels;
    for (auto graph : module.getOps<GraphOp>()) {
      DenseSet<Operation *> live = liveNodes(graph);
      for (Operation &op : graph.getBlock())
        if (live.contains(&op))
          for (OpOperand &operand : op.getOpOperands())
            if (auto node = operand.get().getDefiningOp<OperatorInterface>();
                node && isTrainingOnly(operand) && !live.contains(node))
              labels.push_back(&operand);
    }
    if (labels.empty())
      return success();
    if (failed(checkKnown(module, labels)))
      return failure();
    DenseMap<GraphOp, SmallVector<Type>> types = inputTypes(module);
    DenseSet<GraphOp> bodies; // looked up only
    bodies.insert_range(bodiesOf(module));
    for (OpOperand *label : labels)
      leaveOutLabel(*label);
    llvm::StringSet<> dropped;
    for (auto graph : module.getOps<GraphOp>())
      eraseDead(graph, dropped);
    eraseUncalled(module, bodies);
    module.walk([&](ParameterOp parameter) { dropped.erase(parameter.getWeight()); });
    for (auto weight : llvm::make_early_inc_range(module.getOps<WeightOp>()))
      if (dropped.contains(weight.getSymName()))
        weight.erase();
    // Inputs of bodies are operands of the nodes that call them.
    for (auto graph : module.getOps<GraphOp>())
      if (!bodies.contains(graph))
        eraseInputs(graph, types.lookup(graph));
    return success();
  }

  // A copy of the module without some labels; their nodes stay.
  static OwningOpRef<ModuleOp> copyWithout(ArrayRef<OpOperand *> labels, ModuleOp module,
                                           IRMapping &places) {
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(places)));
    for (OpOperand *label : labels)
      leaveOutLabel(places.lookup(label->getOwner())->getOpOperand(label->getOperandNumber()));
    return copy;
  }

  // Infers a copy in which only those labels stay whose shapes follow without their heads.
  static LogicalResult checkKnown(ModuleOp module, ArrayRef<OpOperand *> labels) {
    IRMapping places;
    OwningOpRef<ModuleOp> alone = copyWithout(labels, module, places);
    {
      ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
      if (failed(symc::sg::inferShapes(*alone, Undecided::Leave)))
        return success(); // which inference reports of live nodes, and which dead ones may do
    }
    SmallVector<OpOperand *> unknown(labels);
    llvm::erase_if(unknown, [&](OpOperand *label) {
      return shapeOf(places.lookup(label->get()).getType()).isFullyKnown();
    });
    if (unknown.size() == labels.size())
      return success();
    IRMapping others;
    return symc::sg::inferShapes(*copyWithout(unknown, module, others), Undecided::Leave);
  }

  // What is known of the inputs by way of all nodes; nothing where they contradict each other.
  static DenseMap<GraphOp, SmallVector<Type>> inputTypes(ModuleOp module) {
    ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> copy(module.clone());
    DenseMap<GraphOp, SmallVector<Type>> types;
    if (failed(symc::sg::inferShapes(*copy, Undecided::Leave)))
      return types;
    for (auto [graph, inferred] :
         llvm::zip_equal(module.getOps<GraphOp>(), copy->getOps<GraphOp>()))
      types[graph].assign(inferred.getArgumentTypes().begin(), inferred.getArgumentTypes().end());
    return types;
  }

  // Erases nodes that heads do not reach; returns the weights whose parameters were among them.
  static void eraseDead(GraphOp graph, llvm::StringSet<> &dropped) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(graph.getBlock()))) {
      if (!op.use_empty() || !isa<OperatorInterface, ParameterOp>(op))
        continue;
      if (auto parameter = dyn_cast<ParameterOp>(op))
        dropped.insert(parameter.getWeight());
      op.erase();
    }
  }

  // Erases bodies whose callers were dead, and those that only they call.
  static void eraseUncalled(ModuleOp module, const DenseSet<GraphOp> &bodies) {
    for (bool changed = true; changed;) {
      changed = false;
      DenseSet<GraphOp> called; // looked up only
      called.insert_range(bodiesOf(module));
      for (auto graph : llvm::make_early_inc_range(module.getOps<GraphOp>()))
        if (bodies.contains(graph) && !called.contains(graph)) {
          graph.erase();
          changed = true;
        }
    }
  }

  static void eraseInputs(GraphOp graph, ArrayRef<Type> types) {
    Block &block = graph.getBlock();
    llvm::BitVector unknown(block.getNumArguments());
    for (BlockArgument input : block.getArguments()) {
      if (!input.use_empty())
        continue;
      if (!types.empty())
        input.setType(types[input.getArgNumber()]);
      unknown[input.getArgNumber()] = !shapeOf(input.getType()).isFullyKnown();
    }
    graph.updateType();
    (void)graph.eraseArguments(unknown);
  }
};

} // namespace
