// WinogradAlgorithm.cpp: Winograd's rows of the table: F(2x2, 3x3), F(4x4, 3x3), the same
// with weights that the step transforms itself, strided layers of few channels by the
// phases of their image (space-to-depth), F(2x2, 3x3) of pairs of bfloat16, F(5x5, 2x2), and other
// windows in pieces of three or four taps along an axis, F(4x4, 3x3) or F(3x3, 4x4): six points
// each.
#include "codegen/conv/ColumnPairs.h"
#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/conv/winograd/WinogradCost.h"
#include "codegen/conv/winograd/WinogradWeights.h"
#include "codegen/cpu/ProductRow.h"
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/cpu/WeightsTile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::WinogradOp;
using kernel::WinogradShape;

static constexpr int64_t mostTaps = 12; // of a window in pieces, along an axis

// Why Winograd can't compute the phases of the layer's image; nothing where it can.
static std::string stridedObstacle(const ConvLayer &layer) {
  int64_t stride = layer.strides[0], taps = llvm::divideCeil(layer.kernel[0], stride);
  if (stride != layer.strides[1] || (stride != 2 && stride != 4) || layer.dilations[0] != 1 ||
      layer.dilations[1] != 1)
    return llvm::formatv("it has strides {0}x{1} and dilations {2}x{3}, space-to-depth "
                         "needs strides of 2 or 4 both ways",
                         stride, layer.strides[1], layer.dilations[0], layer.dilations[1]);
  if (int64_t(llvm::divideCeil(layer.kernel[1], stride)) != taps || (taps != 3 && taps != 4))
    return llvm::formatv("its kernel is {0}x{1}, space-to-depth needs 3 or 4 strides both ways",
                         layer.kernel[0], layer.kernel[1]);
  if (layer.blocked)
    return "its image comes in blocks of 16 channels, space-to-depth needs one that lies row by "
           "row";
  return extentsObstacle(layer);
}

// The outputs along an axis, 4 or 3, by which a window takes the fewest products.
static int64_t outputsOfPieces(const int64_t (&window)[2]) {
  auto products = [&](int64_t m) {
    double product = 1;
    for (int64_t extent : window)
      if (extent > 1)
        product *= 6.0 / m * llvm::divideCeil(extent, WinogradShape::tapsOf(m));
    return product;
  };
  return products(4) <= products(3) ? 4 : 3;
}

// Pixels from one tap to the next along an axis; a single tap has none.
static int64_t dilationOf(const ConvLayer &layer, int axis) {
  return layer.kernel[axis] == 1 ? 1 : layer.dilations[axis];
}

// Why the layer's stride, dilation or extents keep Winograd from it; nothing where they do not.
static std::string stepsObstacle(const ConvLayer &layer) {
  for (int d : {0, 1})
    if (layer.strides[d] != 1)
      return llvm::formatv("it has stride {0}, Winograd takes 1", layer.strides[d]);
  if (std::string why = extentsObstacle(layer); !why.empty())
    return why;
  for (auto [d, extent] : {std::pair(0, layer.rows), std::pair(1, layer.columns)})
    if (extent % dilationOf(layer, d))
      return llvm::formatv("its dilation {0} is no divisor of {1} pixels, Winograd takes those",
                           layer.dilations[d], extent);
  return "";
}

// Why Winograd can't compute the layer's window in pieces; nothing where it can.
static std::string piecesObstacle(const ConvLayer &layer) {
  const int64_t (&window)[2] = layer.kernel;
  bool plain = (window[0] == 3 && window[1] == 3) || (window[0] == 1 && window[1] == 1);
  if (plain || window[0] > mostTaps || window[1] > mostTaps)
    return llvm::formatv("its kernel is {0}x{1}, pieces need up to {2} taps both ways, "
                         "neither 1x1 nor 3x3",
                         window[0], window[1], mostTaps);
  int64_t taps = WinogradShape::tapsOf(outputsOfPieces(window));
  for (int64_t extent : window)
    if (extent > 1 && llvm::alignTo(extent, taps) > uint64_t(extent + 1))
      return llvm::formatv("its kernel is {0}x{1}, which is no multiple of {2} taps or one less",
                           window[0], window[1], taps);
  if (std::string why = stepsObstacle(layer); !why.empty())
    return why;
  if (!layer.blocked || layer.inChannels % WinogradShape().blockWidth)
    return "its image is no whole blocks of 16 channels, which pieces need";
  return "";
}

// What else keeps Winograd from a layer whose window it takes as it is.
static std::string wholeObstacle(const ConvLayer &layer) {
  if (std::string why = stepsObstacle(layer); !why.empty())
    return why;
  if (!layer.blocked)
    return "its image is read as it lies, Winograd takes blocks of 16 channels";
  return "";
}

// Why F(5x5, 2x2) can't compute the layer; nothing where it can.
static std::string twoTapsObstacle(const ConvLayer &layer) {
  int64_t most = std::max(layer.kernel[0], layer.kernel[1]);
  if (most != 2)
    return llvm::formatv("its kernel is {0}x{1}, F(5x5, 2x2) takes two taps an axis, or one",
                         layer.kernel[0], layer.kernel[1]);
  return wholeObstacle(layer);
}

// Why Winograd's other kernels can't compute the layer; nothing where they can.
static std::string obstacle(const ConvLayer &layer) {
  if (layer.kernel[0] != 3 || layer.kernel[1] != 3)
    return llvm::formatv("its kernel is {0}x{1}, Winograd takes 3x3", layer.kernel[0],
                         layer.kernel[1]);
  return wholeObstacle(layer);
}

// Why a layer's products of 3x3 windows can't be pairs of 16 bits; nothing where they can.
static std::string pairsObstacle(const ConvLayer &layer) {
  if (std::string why = obstacle(layer); !why.empty())
    return why;
  const ProductRow *row = layer.product;
  if (!row || row->panelForm != "pairs" || row->lhs != row->rhs)
    return "its direct product is not one of 16 bits";
  return "";
}

namespace {
// What is done to compute a layer as F(m x m, r x r).
enum class Kind { plain, onTheFly, spaceToDepth, twoTaps, pieces, pairs };

// Panels of float32, then rounded, two rows side by side for each output.
constexpr StringLiteral pairsForm = "winograd_pairs";

WeightsForm weightsFor(const WinogradShape &shape, MLIRContext *context) {
  SmallVector<int64_t> panels{shape.positions(), shape.outBlocks(), shape.inBlocks(),
                              shape.blockWidth, shape.blockWidth};
  if (shape.onTheFly)
    panels = {shape.outBlocks(), shape.inBlocks(), shape.blockWidth, shape.weightElements(),
              shape.blockWidth};
  Type element = shape.pairs ? Type(BFloat16Type::get(context)) : Float32Type::get(context);
  return {kernel::FormAttr::get(context, shape.pairs ? pairsForm : StringLiteral("winograd"),
                                shape.m, shape.taps(), shape.stride, shape.onTheFly),
          MemRefType::get(panels, element)};
}

class WinogradCut : public ConvCut {
public:
  WinogradCut(const ConvLayer &layer, const WinogradShape &shape, const TargetDescription &target)
      : layer(layer), shape(cutWinograd(shape, target)) {
    cycles = estimateWinogradCycles(this->shape, target);
  }

  std::string describe() const override {
    return llvm::formatv("{0} tasks, {1} tiles and {2} output blocks at once", shape.tasks(),
                         shape.tilesAtOnce, shape.blocksAtOnce);
  }

  std::optional<SpaceToDepth> dataForm() const override {
    if (shape.stride == 1)
      return std::nullopt;
    int64_t more = shape.taps() - 1;
    return SpaceToDepth{shape.stride, shape.images, shape.rows + more, shape.columns + more,
                        shape.inChannels};
  }

  Region &create(const StepSite &site) const override {
    OpBuilder &b = site.builder;
    Value slots = site.slots();
    Value weights = site.weights(weightsFor(shape, b.getContext()));
    Value scratch = site.scratch(shape.tasks(), shape.scratchElements());
    int64_t block[] = {shape.tilesAtOnce, shape.blocksAtOnce};
    int64_t perTask[] = {shape.groupsPerTask, shape.blocksPerTask};
    DenseI64ArrayAttr named, apart;
    if (shape.isDilated())
      apart = b.getDenseI64ArrayAttr(shape.dilations);
    if (layer.strides[0] > 1 || layer.kernel[0] != 3 || layer.kernel[1] != 3)
      named = b.getDenseI64ArrayAttr(
          {layer.inChannels, shape.stride, layer.kernel[0], layer.kernel[1]});
    auto step = WinogradOp::create(
        b, site.location, site.data, weights, site.extras, site.out, scratch, slots,
        b.getI64IntegerAttr(shape.m), b.getI64IntegerAttr(shape.inChannels),
        b.getI64IntegerAttr(shape.outChannels), b.getDenseI64ArrayAttr(block),
        b.getDenseI64ArrayAttr(perTask), DenseI64ArrayAttr(), named, apart,
        shape.expands ? b.getUnitAttr() : UnitAttr(), DenseI64ArrayAttr(), UnitAttr(),
        StringAttr());
    if (shape.pairs)
      step->setAttr(kernel::narrowName, b.getUnitAttr());
    return step.getBody();
  }

private:
  ConvLayer layer;
  WinogradShape shape;
};

class WinogradAlgorithm : public ConvAlgorithm {
public:
  // The weights are larger: a tenth has to be gained.
  WinogradAlgorithm(llvm::StringLiteral name, int64_t m, Kind kind = Kind::plain)
      : ConvAlgorithm(name, "Winograd", 0.9), m(m), kind(kind) {}

  std::string obstacle(const ConvLayer &layer) const override {
    switch (kind) {
    case Kind::spaceToDepth:
      return stridedObstacle(layer);
    case Kind::twoTaps:
      return twoTapsObstacle(layer);
    case Kind::pieces:
      return piecesObstacle(layer);
    case Kind::pairs:
      return pairsObstacle(layer);
    default:
      return ::obstacle(layer);
    }
  }
  bool isMeantFor(const ConvLayer &layer) const override {
    bool unit = layer.kernel[0] == 1 && layer.kernel[1] == 1;
    return (kind == Kind::plain || kind == Kind::onTheFly) && !unit;
  }

  // Growth with the channels is that of a sum in one chain.
  double errorBound(int64_t channels) const override {
    struct Row {
      int64_t channels;
      double f2, f4, f5;
    };
    static const Row rows[] = {{64, 2e-6, 9e-6, 9e-6},        {128, 3e-6, 1.3e-5, 1.3e-5},
                               {256, 3.5e-6, 1.5e-5, 1.5e-5}, {512, 4.8e-6, 2e-5, 3.5e-5},
                               {1024, 7e-6, 3.3e-5, 4e-5},    {2048, 1e-5, 4.5e-5, 5e-5},
                               {4096, 1.4e-5, 5.5e-5, 7e-5}};
    for (const Row &row : rows)
      if (channels <= row.channels)
        return m == 2 ? row.f2 : m == 5 ? row.f5 : row.f4;
    return 1;
  }

  int64_t summedChannels(const ConvLayer &layer) const override {
    return shapeOf(layer).summedChannels();
  }

  std::unique_ptr<ConvCut> cut(const ConvLayer &layer,
                               const TargetDescription &target) const override {
    return std::make_unique<WinogradCut>(layer, shapeOf(layer), target);
  }

  std::optional<WeightsForm> weightsOf(const ConvLayer &layer,
                                       MLIRContext *context) const override {
    return weightsFor(shapeOf(layer), context);
  }

  bool pack(kernel::FormAttr form, Value source, Value target, OpBuilder &builder,
            Location location) const override {
    if (form.getKind() == pairsForm) {
      auto exact = cast<MemRefType>(
          cast<MemRefType>(target.getType()).clone(Float32Type::get(builder.getContext())));
      Value panels = kernel::BufferOp::create(builder, location, exact, ValueRange(), ValueRange(),
                                              IntegerAttr());
      auto plain = kernel::FormAttr::get(builder.getContext(), "winograd", form.getM(), form.getR(),
                                         form.getStride(), form.getOnTheFly());
      kernel::PackWinogradOp::create(builder, location, source, panels, plain, /*cut=*/{});
      roundPanels(panels, target, /*pairs=*/true, builder, location);
      return true;
    }
    if (form.getKind() != "winograd")
      return false;
    kernel::PackWinogradOp::create(builder, location, source, target, form, /*cut=*/{});
    return true;
  }

private:
  WinogradShape shapeOf(const ConvLayer &layer) const {
    WinogradShape shape;
    shape.m = m;
    shape.onTheFly = kind == Kind::onTheFly;
    shape.pairs = kind == Kind::pairs;
    if (kind == Kind::spaceToDepth) {
      shape.stride = layer.strides[0];
      shape.m = llvm::divideCeil(layer.kernel[0], shape.stride) == 4 ? 3 : 4;
    } else if (kind == Kind::pieces) {
      shape.m = outputsOfPieces(layer.kernel);
    }
    for (int axis = 0; (kind == Kind::pieces || kind == Kind::twoTaps) && axis < 2; ++axis)
      shape.window[axis] = layer.kernel[axis];
    for (int axis = 0; kind != Kind::spaceToDepth && axis < 2; ++axis)
      shape.dilations[axis] = dilationOf(layer, axis);
    shape.images = layer.images * shape.dilations[0] * shape.dilations[1];
    shape.rows = layer.rows / shape.dilations[0];
    shape.columns = layer.columns / shape.dilations[1];
    shape.inChannels = layer.inChannels * shape.stride * shape.stride;
    shape.outChannels = layer.outChannels;
    return shape;
  }

  int64_t m; // where the window decides it, that of most layers
  Kind kind;
};

struct Rows {
  const WinogradAlgorithm f2{"winograd-f2", 2}, f4{"winograd-f4", 4};
  const WinogradAlgorithm pairs{"winograd-f2-pairs", 2, Kind::pairs};
  const WinogradAlgorithm onTheFly{"winograd-f4-on-the-fly", 4, Kind::onTheFly};
  const WinogradAlgorithm spaceToDepth{"winograd-space-to-depth", 4, Kind::spaceToDepth};
  const WinogradAlgorithm twoTaps{"winograd-f5", 5, Kind::twoTaps};
  const WinogradAlgorithm pieces{"winograd-pieces", 4, Kind::pieces};
};

const Rows &rows() {
  static const Rows all;
  return all;
}

const WinogradAlgorithm &rowOf(WinogradOp op) {
  if (op.isOnTheFly())
    return rows().onTheFly;
  if (WinogradShape::of(op).pairs)
    return rows().pairs;
  if (op.getOutputTile() == 5)
    return rows().twoTaps;
  if (op.getLayer())
    return (*op.getLayer())[1] > 1 ? rows().spaceToDepth : rows().pieces;
  return op.getOutputTile() == 2 ? rows().f2 : rows().f4;
}

struct WinogradStep : TunableStep::ExternalModel<WinogradStep, WinogradOp> {
  LogicalResult choose(Operation *step, const TargetDescription &target) const {
    chooseTile(cast<WinogradOp>(step), target);
    return success();
  }

  std::string getKey(Operation *step) const {
    auto op = cast<WinogradOp>(step);
    WinogradShape shape = WinogradShape::of(op);
    ArrayRef<int64_t> out = cast<MemRefType>(op.getOut().getType()).getShape();
    ConvLayer layer{out[0],
                    out[2],
                    out[3],
                    shape.inChannels,
                    shape.outChannels,
                    {3, 3},
                    {1, 1},
                    {shape.dilations[0], shape.dilations[1]},
                    true,
                    int64_t(op.getExtras().size())};
    if (auto named = op.getLayer()) {
      layer.inChannels = (*named)[0];
      for (int d : {0, 1}) {
        layer.strides[d] = (*named)[1];
        layer.kernel[d] = (*named)[2 + d];
      }
      layer.blocked = (*named)[1] == 1;
    }
    return keyOfLayer(layer);
  }

  StringRef getAlgorithm(Operation *step) const { return rowOf(cast<WinogradOp>(step)).name; }

  double getErrorBound(Operation *step) const {
    auto op = cast<WinogradOp>(step);
    return rowOf(op).errorBound(WinogradShape::of(op).summedChannels());
  }

  std::vector<StepChoice> getCandidates(Operation *step, const TargetDescription &target,
                                        size_t most) const {
    std::vector<StepChoice> list;
    for (const ConvTile &tile : rankProductTiles(cast<WinogradOp>(step), target, most))
      list.push_back({tile, false});
    return list;
  }

  void setChoice(Operation *step, const StepChoice &choice, const TargetDescription &target) const {
    cast<WinogradOp>(step).setTile({{choice.tile.blocks, choice.tile.rows, choice.tile.columns}});
    (void)choose(step, target);
  }

  double getCycles(Operation *step, const StepChoice &, const TargetDescription &target,
                   uint64_t) const {
    return estimateWinogradCycles(WinogradShape::of(cast<WinogradOp>(step)), target);
  }

  ArrayRef<int64_t> getRegisterTile(Operation *step) const {
    return cast<WinogradOp>(step).getTile().value_or(ArrayRef<int64_t>());
  }

  std::string getReportName(Operation *step) const { return getAlgorithm(step).str(); }

  std::string getReportDetails(Operation *step) const {
    return llvm::formatv(" of {0}, error {1:e1}", cast<WinogradOp>(step).getBlock()[0],
                         getErrorBound(step));
  }
};

// Gradients of weights: nothing of them is measured, the cut is the schedule's.
struct WinogradWeightsStep
    : TunableStep::ExternalModel<WinogradWeightsStep, kernel::WinogradWeightsOp> {
  LogicalResult choose(Operation *step, const TargetDescription &target) const {
    auto op = cast<kernel::WinogradWeightsOp>(step);
    if (op.isChosen())
      return success();
    WeightsTile tile = chooseProductTile(kernel::WinogradWeightsShape::of(op), target);
    op.setTile(ArrayRef<int64_t>{tile.rows, tile.vectors});
    return success();
  }
  double getErrorBound(Operation *step) const {
    auto variant = step->getParentOfType<kernel::VariantOp>();
    auto target = variant ? TargetDescription::get(variant.getTarget()) : std::nullopt;
    return winogradWeightsError(!target || target->fma);
  }
  std::string getReportDetails(Operation *step) const {
    return llvm::formatv(" of {0}, error {1:e1}",
                         cast<kernel::WinogradWeightsOp>(step).getBlock()[0], getErrorBound(step));
  }
};
} // namespace

// Pairs of a block of outputs and one of inputs, all positions of each.
static LogicalResult choosePack(kernel::PackWinogradOp op, const TargetDescription &) {
  ArrayRef<int64_t> panels = cast<MemRefType>(op.getTarget().getType()).getShape();
  bool onTheFly = op.getForm().getOnTheFly();
  ArrayRef<int64_t> blocks = panels.slice(onTheFly ? 0 : 1, 2);
  int64_t positions = onTheFly ? panels[3] : panels[0];
  int64_t lanes = panels.back();
  op.setCutAttr(cutSpace(op.getContext(), blocks,
                         lanes * lanes * (ShapedType::isDynamic(positions) ? 1 : positions)));
  return success();
}

namespace symc::codegen {
void registerWinogradSteps(DialectRegistry &registry) {
  addChosen<kernel::PackWinogradOp, choosePack>(registry);
  addTunable<WinogradOp, WinogradStep>(registry);
  addTunable<kernel::WinogradWeightsOp, WinogradWeightsStep>(registry);
}

llvm::ArrayRef<const ConvAlgorithm *> listWinogradAlgorithms() {
  static const ConvAlgorithm *const list[] = {
      &rows().f2,           &rows().f4,      &rows().pairs, &rows().onTheFly,
      &rows().spaceToDepth, &rows().twoTaps, &rows().pieces};
  return list;
}
} // namespace symc::codegen
