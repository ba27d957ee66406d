// ShapeAdvice.cpp: see ShapeAdvice.h.
//
// 1. The input is the first whose shape is unknown; else the first that has one. An input that is
//    some node's first operand goes before others, which are rather labels and weights.
// 2. From it the search goes along first operands to a layer that has a weight: a convolution
//    gives rank and channels, a product the number of values of a row.
// 3. Shapes of this rank are tried, each by inference over a copy of the module: the given one
//    with the channels elsewhere, then images, those of well-known networks first, each from the
//    nearest to the farthest.
#include "tools/driver/ShapeAdvice.h"

#include "ir/GraphDialect.h"
#include "ir/InferGraph.h"
#include "ir/Inference.h"
#include "ir/ops/Nn.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

using Extents = SmallVector<int64_t, 5>;

/// What a layer takes of its data.
struct Layer {
  Operation *op = nullptr;
  size_t rank = 0;      // of a convolution's data; 0: any, of rows of `features`
  int64_t channels = 0; // 0: any
  int64_t features = 0;
  bool flattens = false;
  bool channelsLast = false;
};

} // namespace

static int64_t extentOf(Value weight, size_t axis) {
  Shape shape = shapeOf(weight.getType());
  return shape.isRanked() && axis < shape.rank() && shape[axis].isStatic() ? shape[axis].get() : 0;
}

static Layer layerOf(Operation *op) {
  Layer layer;
  if (auto conv = dyn_cast<ConvolutionOp>(op)) {
    layer.op = op;
    layer.rank = conv.getKernel().size() + 2;
    layer.channelsLast = conv.getLayout() && !conv.getLayout()->starts_with("NC");
    layer.channels =
        extentOf(conv.getWeight(), layer.channelsLast ? layer.rank - 1 : 1) * conv.getNumGroup();
  } else if (auto product = dyn_cast<FullyConnectedOp>(op)) {
    layer.op = op;
    layer.features = extentOf(product.getWeight(), 1);
    layer.flattens = product.getFlatten();
  }
  return layer;
}

// The first layer with a weight behind a value, along first operands.
static Layer firstLayer(Value value) {
  constexpr int farthest = 12;
  for (int i = 0; i < farthest && value; ++i) {
    Operation *next = nullptr;
    for (OpOperand &use : value.getUses()) {
      if (use.getOperandNumber())
        continue;
      if (Layer layer = layerOf(use.getOwner()); layer.op)
        return layer;
      next = use.getOwner();
    }
    value = next && next->getNumResults() ? next->getResult(0) : Value();
  }
  return {};
}

static bool isFirstOperand(BlockArgument argument) {
  return llvm::any_of(argument.getUses(),
                      [](OpOperand &use) { return use.getOperandNumber() == 0; });
}

// The input that advice is about, or nothing where several shapes are open.
static BlockArgument chooseInput(GraphOp graph) {
  SmallVector<BlockArgument> unknown, known;
  for (BlockArgument argument : graph.getBlock().getArguments()) {
    if (argument.use_empty() || graph.getArgAttr(argument.getArgNumber(), "sg.optional"))
      continue;
    (shapeOf(argument.getType()).isStatic() ? known : unknown).push_back(argument);
  }
  if (unknown.size() > 1)
    return {};
  SmallVector<BlockArgument> &list = unknown.empty() ? known : unknown;
  auto data = llvm::find_if(list, isFirstOperand);
  return data != list.end() ? *data : list.empty() ? BlockArgument() : list.front();
}

static bool fits(ModuleOp module, unsigned number, ArrayRef<int64_t> extents) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  BlockArgument argument = copy->lookupSymbol<GraphOp>("main").getBlock().getArgument(number);
  MLIRContext *context = module.getContext();
  argument.setType(
      makeTensorType(Shape::of(extents, context), elementTypeOf(argument.getType()), context));
  return succeeded(inferShapes(*copy));
}

// Extents of images in the order in which they are tried: those of well-known networks, then all
// others; each by the distance from a given one.
static SmallVector<int64_t> imageExtents(int64_t given) {
  SmallVector<int64_t> list = {224, 299, 227, 28,  32,  112, 256, 300, 512, 64,  48,
                               24,  12,  96,  128, 160, 192, 320, 384, 416, 608, 640};
  size_t usual = list.size();
  constexpr int64_t most = 512;
  for (int64_t extent = 1; extent <= most; ++extent)
    list.push_back(extent);
  auto nearer = [&](int64_t a, int64_t b) {
    return std::abs(std::log(double(a) / given)) < std::abs(std::log(double(b) / given));
  };
  if (given > 0) {
    std::stable_sort(list.begin(), list.begin() + usual, nearer);
    std::stable_sort(list.begin() + usual, list.end(), nearer);
  }
  return list;
}

// The shapes to try, in order.
static SmallVector<Extents> candidates(const Shape &given, const Layer &layer) {
  SmallVector<Extents> list;
  Extents now;
  if (given.isStatic())
    for (size_t i = 0; i < given.rank(); ++i)
      now.push_back(given[i].get());
  int64_t batch = now.empty() ? 1 : now.front();
  if (!layer.rank && layer.features && now.size() <= 2) {
    list.push_back({batch, layer.features});
    if (!layer.flattens || now.empty())
      return list;
  }
  size_t rank = layer.rank ? layer.rank : now.size();
  if (rank < 3)
    return list;
  SmallVector<int64_t> channels = {layer.channels};
  if (!layer.channels)
    channels = now.size() == rank ? SmallVector<int64_t>{now[1], 3, 1} : SmallVector<int64_t>{3, 1};
  auto make = [&](int64_t count, ArrayRef<int64_t> space) {
    Extents shape(space);
    shape.insert(layer.channelsLast ? shape.end() : shape.begin(), count);
    shape.insert(shape.begin(), batch);
    list.push_back(shape);
  };
  int64_t side = 0;
  if (now.size() == rank) {
    ArrayRef<int64_t> rest = ArrayRef(now).drop_front();
    for (int64_t count : channels) {
      make(count, layer.channelsLast ? rest.drop_front() : rest.drop_back()); // the other order
      make(count, layer.channelsLast ? rest.drop_back() : rest.drop_front());
    }
    side = layer.channelsLast ? rest.front() : rest.back();
  } else if (now.size() + 1 == rank || now.size() + 2 == rank) {
    ArrayRef<int64_t> space = ArrayRef(now).take_back(rank - 2); // without batch or channels
    for (int64_t count : channels) {
      size_t before = list.size();
      if (space.size() == rank - 2)
        make(count, space);
      if (list.size() > before && now.size() + 2 == rank)
        list.back().front() = 1; // what was taken for the batch is an extent
    }
    side = now.back();
  }
  for (int64_t extent : imageExtents(side))
    for (int64_t count : channels)
      make(count, Extents(rank - 2, extent));
  return list;
}

static std::string describe(const Layer &layer) {
  std::string text = ("node '" + nodeName(layer.op) + "' takes ").str();
  if (!layer.rank)
    return text +
           (layer.features ? std::to_string(layer.features) + " values of each row" : "rows");
  static constexpr StringLiteral spaces[] = {"", "W", "H, W", "D, H, W"};
  std::string space = layer.rank - 2 < 4 ? spaces[layer.rank - 2].str() : "...";
  std::string channels = layer.channels ? std::to_string(layer.channels) : "C";
  return text + "[N, " + (layer.channelsLast ? space + ", " + channels : channels + ", " + space) +
         "]";
}

std::string symc::adviseShape(ModuleOp module, StringRef node) {
  auto graph = module.lookupSymbol<GraphOp>("main");
  if (!graph || (graph.getDimMax() && !graph.getDimMax()->empty()))
    return "";
  BlockArgument input = chooseInput(graph);
  if (!input)
    return "";
  Layer layer = firstLayer(input);
  Layer named = layer; // the sentence is about the node that failed where it has a weight
  for (Operation &op : graph.getBlock())
    if (nodeName(&op) == node && layerOf(&op).op && !isa<ParameterOp>(op))
      named = layerOf(&op);
  if (!layer.op)
    return "";
  // Large graphs have fewer trials.
  size_t nodes = llvm::range_size(graph.getBlock());
  size_t most = std::clamp<size_t>(60000 / std::max<size_t>(nodes, 1), 60, 1100);
  std::string name = graph.getInputName(input.getArgNumber()).str();
  Shape given = shapeOf(input.getType());
  bool otherRank = named.rank && !(given.isRanked() && given.rank() == named.rank);
  std::string taken = named.channels || named.features || otherRank ? describe(named) : "";
  for (const Extents &extents : candidates(given, layer)) {
    if (most-- == 0)
      break;
    if (fits(module, input.getArgNumber(), extents))
      return taken + (taken.empty() ? "" : ": ") + "--shape " + name + "=" +
             llvm::join(llvm::map_range(extents, [](int64_t e) { return std::to_string(e); }),
                        ",") +
             " fits";
  }
  return taken;
}
