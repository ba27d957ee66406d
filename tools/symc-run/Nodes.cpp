// Nodes.cpp: see Nodes.h.
//
// tolerance(node) = max over what it reads of tolerance + u * (8 + sqrt(K)), where
// u is the unit roundoff of the element type and K the length of its dot products:
// rounding errors of K additions behave like a random walk of sqrt(K) steps; 8
// leaves room for functions that are correct to a few last places.
//
// A gradient goes the longest way from the outputs back to its argument: it begins with the largest
// tolerance of an output, and at each node an operand with n elements gets sums of K * N / n
// products, where the result has N elements of K products each.
#include "tools/symc-run/Nodes.h"

#include "frontend/import/Signature.h"
#include "ir/CustomOperators.h"
#include "ir/GraphDialect.h"
#include "ir/Inference.h"
#include "ir/OpTable.h"
#include "ir/OperatorNames.h"
#include "ir/States.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Recurrent.h"
#include "mlir/IR/SymbolTable.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::run;

static double unitRoundoff(Value value) {
  auto type = dyn_cast<FloatType>(sg::elementTypeOf(value.getType()));
  return type ? std::ldexp(1.0, -static_cast<int>(type.getFPMantissaWidth())) : 0.0;
}

static int64_t elementCount(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

// Whether the operand is a weight, wherever its values come from.
static bool isWeight(OpOperand &operand) {
  bool isLayer =
      isa<sg::ConvolutionOp, sg::DeconvolutionOp, sg::FullyConnectedOp>(operand.getOwner());
  return (isLayer && operand.getOperandNumber() == 1) ||
         isa_and_nonnull<sg::ParameterOp, sg::PreparedOp>(operand.get().getDefiningOp());
}

// How many products an element of the result sums up: the elements of a weight for
// each output channel; of two computed factors [M, K] and [K, N], their K.
static double dotLength(Operation *op) {
  double longest = 1;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (isWeight(operand) && type && type.getRank() > 1 && type.hasStaticShape() &&
        type.getDimSize(0) > 0)
      longest = std::max<double>(longest, double(type.getNumElements()) / type.getDimSize(0));
  }
  llvm::StringRef name = op->getName().stripDialect();
  if ((name.contains("dot") || name.contains("gemm")) && op->getNumOperands() > 1)
    if (int64_t out = elementCount(op->getResult(0)))
      longest = std::max(longest, std::sqrt(double(elementCount(op->getOperand(0))) *
                                            elementCount(op->getOperand(1)) / out));
  return longest;
}

// Steps of a recurrent layer are one chain of products.
static double chainLength(Operation *op) {
  auto layer = dyn_cast<sg::RnnOp>(op);
  auto data = layer ? dyn_cast<RankedTensorType>(layer.getData().getType()) : RankedTensorType();
  if (!data || !data.hasStaticShape())
    return dotLength(op);
  return double(data.getDimSize(0)) * double(data.getDimSize(2) + layer.getStateSize());
}

static std::string placeOf(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return placeOf(name.getChildLoc());
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return (file.getFilename().getValue() + ":" + llvm::Twine(file.getLine()) + ":" +
            llvm::Twine(file.getColumn()))
        .str();
  return "";
}

std::vector<NodeOutput> symc::run::listNodes(ModuleOp module, bool makeHeads) {
  auto graph = module.lookupSymbol<sg::GraphOp>("main");
  Operation *heads = graph.getBlock().getTerminator();
  SmallVector<Value> values(heads->getOperands());
  unsigned states = 0; // the last results; what is made a head stands before them
  while (states < values.size() && !sg::stateOfResult(graph, values.size() - 1 - states).empty())
    ++states;
  size_t firstState = values.size() - states, added = 0;
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = graph.getResAttrsAttr())
    attributes.assign(known.begin(), known.end());
  Builder builder(module.getContext());
  attributes.resize(values.size(), builder.getDictionaryAttr({}));
  DenseMap<Value, int> numbers; // looked up, never walked
  std::vector<NodeOutput> nodes;
  for (Operation &op : graph.getBlock()) {
    const sg::OpInfo *info = sg::infoOf(&op);
    if (!info)
      continue;
    NodeOutput node;
    node.node = sg::nodeName(&op).str();
    node.op = sg::mxnetNameOf(&op);
    node.place = placeOf(op.getLoc());
    double before = 0, unit = 0;
    for (Value operand : op.getOperands()) {
      unit = std::max(unit, unitRoundoff(operand));
      auto found = numbers.find(operand);
      if (found == numbers.end())
        continue;
      node.reads.push_back(found->second);
      before = std::max(before, nodes[found->second].tolerance);
    }
    std::string unused;
    auto signature = importer::signatureOf(*info, sg::paramsOf(&op), op.getNumOperands(), unused);
    for (unsigned i = 0; i < op.getNumResults(); ++i) { // those that MXNet hides are not imported
      Value result = op.getResult(i);
      unit = std::max(unit, unitRoundoff(result));
      node.tolerance = before + unit * (8 + std::sqrt(dotLength(&op)));
      std::string name = signature ? signature->resultName(*info, i)
                                   : info->resultName(i, op.getNumResults() + info->hiddenResults);
      node.name = node.node.empty() ? name : node.node + "_" + name;
      auto *head = llvm::find(values, result);
      node.head = head == values.end() ? -1 : head - values.begin();
      if (node.head >= 0 && node.head < static_cast<int>(graph.getNumResults()))
        node.name = graph.getOutputName(node.head).str();
      if (makeHeads && node.head < 0) {
        node.head = values.size();
        values.push_back(result);
        attributes.push_back(builder.getDictionaryAttr(
            builder.getNamedAttr("sg.name", builder.getStringAttr(node.name))));
        ++added;
      }
      numbers[result] = nodes.size();
      nodes.push_back(node);
    }
  }
  if (makeHeads) {
    auto toEnd = [&](auto &list) {
      std::rotate(list.begin() + firstState, list.begin() + firstState + states, list.end());
    };
    toEnd(values);
    toEnd(attributes);
    for (NodeOutput &node : nodes)
      if (node.head >= static_cast<int>(firstState + states))
        node.head -= states;
      else if (node.head >= static_cast<int>(firstState))
        node.head += added;
    heads->setOperands(values);
    graph.updateType();
    graph.setResAttrsAttr(builder.getArrayAttr(attributes));
  }
  return nodes;
}

namespace {
/// Walks back over a graph for boundGradients().
class Bounds {
public:
  explicit Bounds(sg::GraphOp graph) : graph(graph) {}
  llvm::StringMap<GradientBound> find();

private:
  double forwardTolerance();
  void passBack(Operation *op, size_t order);

  sg::GraphOp graph;
  DenseMap<Value, double> known, back; // looked up, never walked
  DenseMap<Value, GradientBound> arguments;
};
} // namespace

// The largest of an output.
double Bounds::forwardTolerance() {
  for (Operation &op : graph.getBlock()) {
    double before = 0, unit = 0;
    for (Value operand : op.getOperands()) {
      unit = std::max(unit, unitRoundoff(operand));
      before = std::max(before, known.lookup(operand));
    }
    for (Value result : op.getResults())
      known[result] =
          before + std::max(unit, unitRoundoff(result)) * (8 + std::sqrt(chainLength(&op)));
  }
  double largest = 0;
  for (Value head : graph.getBlock().getTerminator()->getOperands())
    largest = std::max(largest, known.lookup(head));
  return largest;
}

void Bounds::passBack(Operation *op, size_t order) {
  double behind = -1, products = 0;
  for (Value result : op->getResults()) {
    auto found = back.find(result);
    behind = std::max(behind, found == back.end() ? -1 : found->second);
    products += double(elementCount(result));
  }
  if (behind < 0 || op->getNumOperands() == 0)
    return;
  products *= chainLength(op);
  for (Value operand : op->getOperands()) {
    double sum = std::max(1.0, products / std::max<double>(1, elementCount(operand)));
    double tolerance = behind + unitRoundoff(operand) * (8 + std::sqrt(sum));
    auto [place, isNew] = back.try_emplace(operand, tolerance);
    place->second = std::max(place->second, tolerance);
    GradientBound &bound = arguments[operand];
    bound.tolerance = place->second;
    if (isNew) // the last reader, since the walk goes back
      bound = {tolerance, sg::nodeName(op).str(), sg::mxnetNameOf(op), placeOf(op->getLoc()),
               order};
  }
}

llvm::StringMap<GradientBound> Bounds::find() {
  Block &block = graph.getBlock();
  double first = forwardTolerance();
  for (Value head : block.getTerminator()->getOperands())
    back[head] = first;
  size_t order = block.getOperations().size();
  for (Operation &op : llvm::reverse(block.without_terminator()))
    passBack(&op, --order);
  llvm::StringMap<GradientBound> bounds;
  for (BlockArgument input : block.getArguments())
    bounds[("grad:" + graph.getInputName(input.getArgNumber())).str()] = arguments.lookup(input);
  SymbolTable symbols(graph->getParentOfType<ModuleOp>());
  for (auto parameter : block.getOps<sg::ParameterOp>()) {
    auto weight = symbols.lookup<sg::WeightOp>(parameter.getWeight());
    std::string name = sg::nodeName(weight).str();
    if (name.empty())
      name = weight.getSymName().str();
    GradientBound bound = arguments.lookup(parameter.getResult());
    if (weight.getAux()) // what the node that reads it leaves there
      for (Operation *reader : parameter.getResult().getUsers())
        bound.tolerance = reader->getNumResults() ? known.lookup(reader->getResult(0)) : 0;
    GradientBound &kept = bounds[weight.getAux() ? name : "grad:" + name];
    if (bound.tolerance >= kept.tolerance)
      kept = bound;
  }
  return bounds;
}

llvm::StringMap<GradientBound> symc::run::boundGradients(ModuleOp module) {
  return Bounds(module.lookupSymbol<sg::GraphOp>("main")).find();
}
