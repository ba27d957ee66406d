// Recompute.cpp: sg-recompute. What the backward part reads of the forward part lives until then;
// what is cheap to compute is computed again instead:
//
//   %1 = sg.unary(%0) {fn = "exp"}            the same, for the forward part
//   ...                                       ...
//   %9 = sg.binary(%8, %1) {fn = "mul"}       %r = sg.unary(%0) {fn = "exp", sg.recomputed}
//                                             %9 = sg.binary(%8, %r) {fn = "mul"}
//
// 1. Nodes with __force_mirroring__ are computed again in any case.
// 2. While the largest sum of bytes that live side by side is above `bytes`: of the nodes whose
//    result lives at that place, the one with the least work a byte that it frees there. It is
//    taken if the largest sum falls, or is reached at fewer places. Layers are taken where nothing
//    cheaper helps, losses and recurrent layers never. Where nothing helps the place is left as it
//    is, and the next one counts: kernels may need less there than the graph shows.
// 3. A copy stands before the first node of the backward part that reads it, and copies of what it
//    reads before it. Its attribute keeps it apart from its node (CSE); it draws the same numbers,
//    which follow from the node's name.
//
// Bytes are those of results alone, in the order of the graph: views have none, inputs, weights and
// heads lie elsewhere. Where the two parts run in calls of their own, what backward reads of
// forward lives to the end of backward, and it reads copies of inputs and heads. Kernels and their
// arena are not known here; the driver chooses `bytes` so that the arena fits (RecomputeStage.cpp).
#include "ir/CustomOperators.h"
#include "ir/Gradient.h"
#include "ir/GraphDialect.h"
#include "ir/Parts.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
#include "passes/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace symc {
#define GEN_PASS_DEF_RECOMPUTE
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

/// A graph as lists of numbers: nodes in their order, and the values that they make.
class Graph {
public:
  explicit Graph(GraphOp graph) : isInParts(hasBackward(graph)) {
    DenseMap<Value, int> numbers; // looked up only
    for (BlockArgument argument : graph.getBlock().getArguments())
      inputBytes.push_back(bytesOf(argument));
    llvm::DenseSet<Value> heads; // looked up only
    heads.insert_range(graph.getBlock().getTerminator()->getOperands());
    for (Operation &op : graph.getBlock().without_terminator()) {
      int id = nodes.size();
      Node &node = nodes.emplace_back();
      node.op = &op;
      node.isBackward = isBackward(&op) || op.hasAttr(kRecomputed);
      for (Value operand : op.getOperands()) {
        auto found = numbers.find(operand);
        node.operands.push_back(found == numbers.end() ? -1 : found->second);
        if (found != numbers.end())
          node.isBackward |= nodes[values[found->second].node].isBackward;
        else if (auto argument = dyn_cast<BlockArgument>(operand)) {
          bool ofBackward = bool(graph.getArgAttr(argument.getArgNumber(), "sg.head_gradient"));
          node.isBackward |= ofBackward;
          if (!ofBackward)
            node.inputs.push_back(argument.getArgNumber());
        }
      }
      bool isConstant = isa<ParameterOp, PreparedOp>(op) || op.hasTrait<OpTrait::ConstantLike>();
      node.dependsOnRun = drawsNumbers(&op);
      for (Value operand : op.getOperands())
        node.dependsOnRun |= isa<BlockArgument>(operand);
      for (int operand : node.operands)
        node.dependsOnRun |= operand >= 0 && nodes[values[operand].node].dependsOnRun;
      for (Value result : op.getResults()) {
        numbers[result] = values.size();
        node.results.push_back(values.size());
        ValueFacts &facts = values.emplace_back();
        facts.node = id;
        facts.isHead = heads.contains(result);
        // A reshape is a view of its operand.
        bool isView = isa<ReshapeOp>(op) && node.operands[0] >= 0;
        facts.root = isView ? values[node.operands[0]].root : int(values.size()) - 1;
        if (!isConstant && !isView && node.dependsOnRun)
          (facts.isHead ? facts.copyBytes : facts.bytes) = bytesOf(result);
      }
      node.work = workOf(&op);
    }
    for (Node &node : nodes)
      for (int result : node.results)
        node.isHead |= values[result].isHead;
  }

  struct Node {
    Operation *op;
    SmallVector<int, 4> operands; // -1: an input
    SmallVector<int, 1> inputs;   // of forward, which backward reads a copy of
    SmallVector<int, 1> results;
    double work = 0;
    bool isBackward = false, dependsOnRun = false, isHead = false;
  };
  struct ValueFacts {
    int node, root;
    int64_t bytes = 0, copyBytes = 0;
    bool isHead = false;
  };
  bool isInParts;
  std::vector<int64_t> inputBytes;
  std::vector<Node> nodes;
  std::vector<ValueFacts> values;

private:
  static bool drawsNumbers(Operation *op) {
    auto draws = dyn_cast<DrawsNumbersInterface>(op);
    return draws && draws.drawsNumbers();
  }

  static int64_t bytesOf(Value value) {
    Shape shape = shapeOf(value.getType());
    return shape.isStatic() ? shape.product(0, shape.rank(), value.getContext()).get() *
                                  typeBytes(elementTypeOf(value.getType()))
                            : 0;
  }

  static double workOf(Operation *op) {
    auto node = dyn_cast<OperatorInterface>(op);
    if (!node)
      return 0;
    LargestShapes shapes;
    auto add = [](auto &list, ValueRange values) {
      for (Value value : values) {
        auto &extents = list.emplace_back();
        Shape shape = shapeOf(value.getType());
        for (Dim dim : shape.list())
          extents.push_back(dim.isStatic() ? CheckedSize(dim.get()) : CheckedSize(1));
      }
    };
    add(shapes.operands, op->getOperands());
    add(shapes.results, op->getResults());
    return double(node.getReferenceWork(shapes).get());
  }
};

/// What a graph keeps in memory where some of its nodes are computed again.
class Memory {
public:
  explicit Memory(const Graph &graph) : graph(graph), isLeft(graph.nodes.size()) {}

  /// The bytes at that node, and at copies before it, count no longer.
  void leave(int node) { isLeft.set(node); }

  /// In the order of the program: nodes by number, copies by -1 - number.
  struct Result {
    std::vector<int> order;
    int64_t peak = 0;
    int places = 0;        // with as many bytes
    int64_t atPlace = -1;  // bytes at the node that was given, if it is there
    double work = 0;       // of all copies
    int peakNode = -1;     // the node (not a copy) at or behind the first of them
    std::vector<int> live; // nodes whose results live there, with `wantsLive`
  };

  Result measure(const llvm::BitVector &again, int place = -1, bool wantsLive = false) {
    Result result;
    order(again, result);
    size_t count = graph.values.size();
    // Values of copies behind those of nodes.
    std::vector<int> first(2 * count, -1), last(2 * count, -1);
    for (auto [at, step] : llvm::enumerate(result.order))
      visit(step, again, [&](int value, bool isResult) {
        if (isResult)
          first[value] = at;
        last[rootOf(value)] = at;
      });
    std::vector<int64_t> change(result.order.size() + 1);
    if (graph.isInParts)
      keepToEnd(result, again, last, change);
    for (size_t value = 0; value < first.size(); ++value)
      if (int64_t bytes = graph.values[value % count].bytes; bytes && first[value] >= 0) {
        change[first[value]] += bytes;
        change[last[value] + 1] -= bytes;
      }
    int64_t live = 0;
    int peakAt = 0;
    // A copy belongs to the node behind it.
    std::vector<int> nodeAt(result.order.size(), -1);
    for (int at = int(nodeAt.size()) - 1; at >= 0; --at)
      nodeAt[at] = result.order[at] >= 0         ? result.order[at]
                   : at + 1 < int(nodeAt.size()) ? nodeAt[at + 1]
                                                 : -1;
    for (size_t at = 0; at < result.order.size(); ++at) {
      live += change[at];
      if (result.order[at] == place)
        result.atPlace = live;
      if (nodeAt[at] >= 0 && isLeft[nodeAt[at]])
        continue;
      if (live > result.peak) {
        result.peak = live;
        result.places = 0;
        peakAt = at;
      }
      result.places += live == result.peak;
    }
    if (result.peak > 0)
      result.peakNode = nodeAt[peakAt];
    if (wantsLive)
      for (size_t value = 0; value < count; ++value)
        if (graph.values[value].bytes && first[value] >= 0 && first[value] <= peakAt &&
            last[value] >= peakAt)
          result.live.push_back(graph.values[value].node);
    return result;
  }

private:
  // What is of forward and read by backward lives to the end of the order, inputs and heads as
  // copies from the first step of backward on.
  void keepToEnd(const Result &result, const llvm::BitVector &again, std::vector<int> &last,
                 std::vector<int64_t> &change) {
    llvm::BitVector inputs(graph.inputBytes.size()), heads(graph.values.size());
    int end = result.order.size() - 1, begin = -1;
    for (auto [at, step] : llvm::enumerate(result.order)) {
      if (step >= 0 && !graph.nodes[step].isBackward)
        continue;
      if (begin < 0)
        begin = at;
      for (int input : graph.nodes[step < 0 ? -1 - step : step].inputs)
        inputs.set(input);
      visit(step, again, [&](int value, bool) {
        if (value >= int(graph.values.size()) || graph.nodes[graph.values[value].node].isBackward)
          return;
        last[rootOf(value)] = end;
        heads.set(rootOf(value));
      });
    }
    for (int input : inputs.set_bits())
      change[begin] += graph.inputBytes[input];
    for (int value : heads.set_bits())
      change[begin] += graph.values[value].copyBytes;
  }

  // A copy stands before the first node that reads it.
  void order(const llvm::BitVector &again, Result &result) {
    llvm::BitVector copied(graph.nodes.size());
    std::vector<bool> isRead = readForward(again);
    SmallVector<int> work;
    for (int id = 0; id < int(graph.nodes.size()); ++id) {
      if (graph.nodes[id].isBackward) {
        work.assign({id});
        while (!work.empty()) {
          int next = work.back();
          bool ready = true;
          for (int operand : graph.nodes[next].operands)
            if (int of = operand < 0 ? -1 : graph.values[operand].node;
                of >= 0 && again[of] && !copied[of]) {
              work.push_back(of);
              ready = false;
            }
          if (!ready)
            continue;
          work.pop_back();
          if (next != id && !copied[next]) {
            copied.set(next);
            result.order.push_back(-1 - next);
            result.work += graph.nodes[next].work;
          }
        }
      }
      if (isRead[id])
        result.order.push_back(id);
    }
  }

  // All nodes but those that only copies stand for.
  std::vector<bool> readForward(const llvm::BitVector &again) {
    std::vector<bool> isRead(graph.nodes.size(), true);
    for (int id : again.set_bits())
      isRead[id] = graph.nodes[id].isHead;
    for (int id = graph.nodes.size() - 1; id >= 0; --id)
      if (isRead[id] && !graph.nodes[id].isBackward)
        for (int operand : graph.nodes[id].operands)
          if (operand >= 0)
            isRead[graph.values[operand].node] = true;
    return isRead;
  }

  int rootOf(int value) const {
    int count = graph.values.size();
    return value < count ? graph.values[value].root : rootOfCopy[value - count];
  }

  template <typename Visitor> void visit(int step, const llvm::BitVector &again, Visitor visitor) {
    int count = graph.values.size();
    bool isCopy = step < 0;
    const Graph::Node &node = graph.nodes[isCopy ? -1 - step : step];
    if (rootOfCopy.empty())
      for (int i = 0; i < count; ++i)
        rootOfCopy.push_back(count + i);
    for (int operand : node.operands)
      if (operand >= 0)
        visitor(operand +
                    ((isCopy || node.isBackward) && again[graph.values[operand].node] ? count : 0),
                false);
    for (int result : node.results)
      visitor(result + (isCopy ? count : 0), true);
  }

  const Graph &graph;
  llvm::BitVector isLeft;
  std::vector<int> rootOfCopy;
};

// Of nodes that are taken together.
constexpr size_t kLongestChain = 8;

struct Recompute : symc::impl::RecomputeBase<Recompute> {
  using RecomputeBase::RecomputeBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<GraphOp>("main");
    if (!main || !isTraining(main))
      return;
    Graph graph(main);
    llvm::BitVector again(graph.nodes.size());
    for (auto [id, node] : llvm::enumerate(graph.nodes))
      again[id] = isMirrored(node.op) && canRepeat(node);
    if (bytes >= 0)
      choose(graph, again);
    if (again.any())
      rewrite(graph, again);
    main.walk([](Operation *op) { op->removeAttr(kRecompute); });
  }

private:
  // A node of the forward part that computes the same a second time.
  static bool canRepeat(const Graph::Node &node) {
    Operation *op = node.op;
    auto draws = dyn_cast<DrawsNumbersInterface>(op);
    bool isPure = isMemoryEffectFree(op) || (draws && draws.drawsNumbers());
    return !node.isBackward && node.dependsOnRun && isPure && op->getNumRegions() == 0 &&
           isa<OperatorInterface>(op) && !isa<ControlFlowInterface, DecidesSizeInterface>(op) &&
           infoOf(op) && infoOf(op)->updates.empty();
  }

  enum class Cost { Cheap, Layer, TooMuch };
  static Cost costOf(Operation *op) {
    auto rule = dyn_cast<GradientInterface>(op);
    static constexpr StringLiteral others[] = {"Custom",    "Deformable", "Detection", "Linalg",
                                               "Recurrent", "Region",     "Vision"};
    if ((rule && rule.isLoss()) || llvm::is_contained(others, infoOf(op)->family))
      return Cost::TooMuch;
    return isa<ConvolutionOp, DeconvolutionOp, FullyConnectedOp, DotOp, BatchDotOp>(op)
               ? Cost::Layer
               : Cost::Cheap;
  }

  // The node, and of those before it what lives no longer where most bytes live: else a copy of it
  // would keep that alive.
  static SmallVector<int> withOperands(const Graph &graph, int id, const llvm::BitVector &again,
                                       ArrayRef<int> live, Cost most) {
    SmallVector<int> chosen{id};
    for (size_t i = 0; i < chosen.size() && chosen.size() < kLongestChain; ++i)
      for (int operand : graph.nodes[chosen[i]].operands) {
        int of = operand < 0 ? -1 : graph.values[operand].node;
        if (of >= 0 && !again[of] && !llvm::is_contained(chosen, of) &&
            !llvm::is_contained(live, of) && canRepeat(graph.nodes[of]) &&
            costOf(graph.nodes[of].op) <= most)
          chosen.push_back(of);
      }
    return chosen;
  }

  void choose(const Graph &graph, llvm::BitVector &again) {
    Memory memory(graph);
    Memory::Result now = memory.measure(again, -1, true);
    int64_t before = now.peak;
    Cost most = Cost::Cheap; // of nodes that are taken
    while (now.peak > bytes && now.peakNode >= 0) {
      // Work a byte that a node frees at most, the least first; of equal ones those whose copy
      // reads the fewest copies, so that not all of a chain is computed again at once.
      SmallVector<std::tuple<double, int, int>> candidates;
      for (int id : now.live) {
        const Graph::Node &node = graph.nodes[id];
        if (again[id] || !canRepeat(node) || costOf(node.op) > most)
          continue;
        int64_t freed = 0;
        int copies = 0;
        for (int result : node.results)
          freed += graph.values[result].bytes;
        for (int operand : node.operands)
          copies += operand >= 0 && again[graph.values[operand].node];
        candidates.emplace_back(node.work / double(freed), copies, id);
      }
      llvm::sort(candidates);
      candidates.erase(llvm::unique(candidates), candidates.end());
      int64_t here = memory.measure(again, now.peakNode).atPlace;
      SmallVector<int> best;
      double least = 0;
      auto attempt = [&](ArrayRef<int> chosen) {
        for (int id : chosen)
          again.set(id);
        Memory::Result then = memory.measure(again, now.peakNode);
        for (int id : chosen)
          again.reset(id);
        int64_t freed = here - (then.atPlace < 0 ? then.peak : then.atPlace);
        bool falls = then.peak < now.peak || (then.peak == now.peak && then.places < now.places);
        if (!falls || freed <= 0)
          return false;
        double cost = (then.work - now.work) / double(freed);
        if (best.empty() || cost < least) {
          best.assign(chosen.begin(), chosen.end());
          least = cost;
        }
        return true;
      };
      for (auto [bound, copies, id] : candidates) {
        if (!best.empty() && bound >= least)
          break;
        if (!attempt(id))
          attempt(withOperands(graph, id, again, now.live, most));
      }
      if (best.empty() && most == Cost::Cheap) {
        most = Cost::Layer;
        continue;
      }
      if (best.empty())
        memory.leave(now.peakNode);
      for (int id : best)
        again.set(id);
      most = Cost::Cheap;
      now = memory.measure(again, -1, true);
    }
    now = Memory(graph).measure(again);
    if (now.peak <= bytes)
      return;
    auto graphOp = cast<GraphOp>(graph.nodes.front().op->getParentOp());
    remark::missed(graphOp.getLoc(), remark::RemarkOpts::name("recompute")
                                         .category("sg-recompute")
                                         .function(graphOp.getSymName()))
        << ("results have " + Twine(now.peak) + " bytes side by side, " + Twine(before) +
            " where none is computed again")
               .str();
  }

  void rewrite(const Graph &graph, const llvm::BitVector &again) {
    Memory memory(graph);
    Memory::Result result = memory.measure(again);
    DenseMap<Value, Value> copies; // looked up only
    auto replace = [&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (Value copy = copies.lookup(operand.get()))
          operand.set(copy);
    };
    Operation *end = graph.nodes.front().op->getBlock()->getTerminator();
    for (auto [at, step] : llvm::enumerate(result.order)) {
      if (step >= 0) {
        if (graph.nodes[step].isBackward)
          replace(graph.nodes[step].op);
        continue;
      }
      Operation *before = end;
      for (size_t next = at; next < result.order.size() && before == end; ++next)
        if (result.order[next] >= 0)
          before = graph.nodes[result.order[next]].op;
      OpBuilder builder(before);
      Operation *op = graph.nodes[-1 - step].op, *copy = builder.clone(*op);
      copy->setAttr(kRecomputed, builder.getUnitAttr());
      replace(copy);
      for (auto [own, other] : llvm::zip_equal(op->getResults(), copy->getResults()))
        copies[own] = other;
    }
    for (const Graph::Node &node : llvm::reverse(graph.nodes))
      if (!node.isBackward && node.op->use_empty() && again[&node - graph.nodes.data()])
        node.op->erase();
  }
};

} // namespace
