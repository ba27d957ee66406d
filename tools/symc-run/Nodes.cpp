// Nodes.cpp: see Nodes.h.
//
// tolerance(node) = max over what it reads of tolerance + u * (8 + sqrt(K)), where
// u is the unit roundoff of the element type and K the length of its dot products:
// rounding errors of K additions behave like a random walk of sqrt(K) steps; 8
// leaves room for functions that are correct to a few last places.
#include "tools/symc-run/Nodes.h"

#include "frontend/import/Signature.h"
#include "ir/CustomOperators.h"
#include "ir/GraphDialect.h"
#include "ir/Inference.h"
#include "ir/OpTable.h"
#include "ir/States.h"
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

// How many products an element of the result sums up: the elements of a weight for
// each output channel; of two computed factors [M, K] and [K, N], their K.
static double dotLength(Operation *op) {
  double longest = 1;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (isa_and_nonnull<sg::ParameterOp, sg::PreparedOp>(operand.getDefiningOp()) && type &&
        type.getRank() > 1 && type.hasStaticShape() && type.getDimSize(0) > 0)
      longest = std::max<double>(longest, double(type.getNumElements()) / type.getDimSize(0));
  }
  llvm::StringRef name = op->getName().stripDialect();
  if ((name.contains("dot") || name.contains("gemm")) && op->getNumOperands() > 1)
    if (int64_t out = elementCount(op->getResult(0)))
      longest = std::max(longest, std::sqrt(double(elementCount(op->getOperand(0))) *
                                            elementCount(op->getOperand(1)) / out));
  return longest;
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
    if (auto written = op.getAttrOfType<StringAttr>("sg.op"))
      node.op = written.str();
    for (const sg::OpName &name : sg::allOpNames()) // the file's, where the operation has it
      if (node.op.empty() && name.info == info && name.name == name.canonical)
        node.op = name.name.str();
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
