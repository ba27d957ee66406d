// DirectAlgorithm.cpp: direct convolution as a row of the table, it computes every layer, and
// what may be chosen of its step.
#include "codegen/conv/ColumnPairs.h"
#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/cpu/CostModel.h"
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/kernel/Groups.h"
#include "codegen/kernel/ViewOrigin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ConvOp;

// Panels of float32, then rounded.
static void packRounded(Value source, Value target, bool pairs, OpBuilder &builder,
                        Location location) {
  auto exactType = cast<MemRefType>(cast<MemRefType>(target.getType()).clone(builder.getF32Type()));
  Value exact = kernel::BufferOp::create(builder, location, exactType, ValueRange(), ValueRange(),
                                         IntegerAttr());
  kernel::PackPanelsOp::create(builder, location, source, exact);
  roundPanels(exact, target, pairs, builder, location);
}

// Two columns of the window side by side for each output; behind an odd last one, and for outputs
// that are none, zero.
static void packColumnPairs(Value source, Value target, OpBuilder &builder, Location location) {
  auto type = cast<MemRefType>(target.getType()); // [OB, I, kH, pairs, 2, 16]
  int64_t lanes = type.getShape().back(), pairs = type.getDimSize(3);
  std::optional<kernel::KnownView> weights = kernel::traceKnownView(source); // [O, I, kH, kW]
  assert(weights && "weights have constant extents");
  ArrayRef<int64_t> sizes = weights->sizes, strides = weights->strides;
  kernel::FillOp::create(builder, location, target, builder.getFloatAttr(type.getElementType(), 0));
  int64_t block = type.getDimSize(1) * sizes[2] * pairs * 2 * lanes;
  auto write = [&](int64_t column, int64_t first, int64_t blocks, int64_t outputs) {
    int64_t count = (sizes[3] - column + 1) / 2;
    if (!blocks || !outputs || !count)
      return;
    SmallVector<int64_t, 6> extents{blocks, sizes[1], sizes[2], count, outputs};
    kernel::KnownView from{
        weights->root,
        weights->offset + first * lanes * strides[0] + column * strides[3],
        extents,
        {lanes * strides[0], strides[1], strides[2], 2 * strides[3], strides[0]}};
    kernel::KnownView to{target,
                         first * block + column,
                         extents,
                         {block, sizes[2] * pairs * 2 * lanes, pairs * 2 * lanes, 2 * lanes, 2}};
    writeRounded(from, to, builder, location);
  };
  for (int64_t column : {0, 1}) {
    write(column, 0, sizes[0] / lanes, lanes);
    write(column, sizes[0] / lanes, 1, sizes[0] % lanes);
  }
}

namespace {
/// The schedule builds direct steps itself: they take groups, planar images and integers.
class DirectCut : public ConvCut {
public:
  std::string describe() const override { return ""; }
  Region &create(const StepSite &) const override {
    llvm_unreachable("direct steps are built by the schedule");
  }
};

class DirectAlgorithm : public ConvAlgorithm {
public:
  DirectAlgorithm() : ConvAlgorithm("direct", "direct", 1) {}

  std::string obstacle(const ConvLayer &) const override { return ""; }
  bool isMeantFor(const ConvLayer &) const override { return true; }

  // Growth with the channels is that of a sum in one chain.
  // Of windows of up to nine taps.
  double errorBound(int64_t channels) const override {
    static const std::pair<int64_t, double> rows[] = {{64, 3e-6},  {128, 5e-6},    {256, 7e-6},
                                                      {512, 1e-5}, {1024, 1.5e-5}, {2048, 2.2e-5},
                                                      {4096, 3e-5}};
    for (auto [most, bound] : rows)
      if (channels <= most)
        return bound;
    return 1;
  }

  std::unique_ptr<ConvCut> cut(const ConvLayer &layer,
                               const TargetDescription &target) const override {
    const ProductRow &product = layer.product ? *layer.product : *productRowNamed("Fma");
    int64_t inputs = layer.inChannels, window = layer.kernel[0] * layer.kernel[1];
    if (layer.columnPairs)
      window = layer.kernel[0] * llvm::divideCeil(layer.kernel[1], product.termsPerStep);
    else
      inputs = llvm::divideCeil(inputs, product.termsPerStep);
    ConvExtents extents{layer.images, layer.rows, layer.columns, layer.outChannels, inputs,
                        window,       64};
    extents.product = &product;
    double cycles = layer.met * layer.images *
                    estimateConvCycles(extents, chooseConvTile(extents, target), target);
    double weightBytes =
        double(extents.weightBytes()) * extents.inChannels * layer.outChannels * extents.window;
    auto cut = std::make_unique<DirectCut>();
    cut->cycles = std::max(cycles, weightBytes / target.weightBytesPerCycle);
    return cut;
  }

  bool pack(kernel::FormAttr form, Value source, Value target, OpBuilder &builder,
            Location location) const override {
    if (form.getKind() == "panels")
      kernel::PackPanelsOp::create(builder, location, source, target);
    else if (form.getKind() == kernel::groupsForm)
      kernel::ChannelGroups{form.getM()}.setOn(
          kernel::PackPanelsOp::create(builder, location, source, target));
    else if (form.getKind() == "pairs" || form.getKind() == "halves")
      packRounded(source, target, form.getKind() == "pairs", builder, location);
    else if (form.getKind() == columnPairsForm)
      packColumnPairs(source, target, builder, location);
    else
      return false;
    return true;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

// Of the products along an axis of a dilated kernel, about those that a step computes where it
// leaves out taps that meet nothing but zeros of the border for `together` pixels.
static double metAlong(int axis, ConvOp op, int64_t extent, int64_t together, int64_t before,
                       int64_t behind) {
  constexpr int64_t mostTaps = 64; // more are not worth counting
  int64_t taps = op.getKernel()[axis], apart = op.getDilations()[axis];
  int64_t stride = op.getStrides()[axis];
  if (apart == 1 || taps > mostTaps || ShapedType::isDynamic(extent) || extent == 0)
    return 1;
  double met = 0;
  int64_t data = cast<MemRefType>(op.getData().getType()).getDimSize(2 + axis);
  for (int64_t tap = 0; tap < taps; ++tap) {
    int64_t hidden = std::max<int64_t>(before - tap * apart, 0);
    int64_t shown = std::max<int64_t>(data - behind - tap * apart, 0);
    int64_t first = llvm::divideCeil(hidden, stride) - (together - 1);
    int64_t end = std::min<int64_t>(llvm::divideCeil(shown, stride), extent);
    met += std::max<int64_t>(end - std::max<int64_t>(first, 0), 0);
  }
  return met / (double(extent) * taps);
}

ConvLayer symc::codegen::layerOf(ConvOp op) {
  auto data = cast<MemRefType>(op.getData().getType());
  auto out = cast<MemRefType>(op.getOut().getType());
  auto extent = [&](unsigned axis) {
    return data.isDynamicDim(axis) ? ShapedType::kDynamic : out.getDimSize(axis);
  };
  ArrayRef<int64_t> k = op.getKernel(), s = op.getStrides(), d = op.getDilations();
  ConvLayer layer{extent(0),
                  extent(2),
                  extent(3),
                  int64_t(op.getInChannels()),
                  int64_t(op.getOutChannels()),
                  {k[0], k[1]},
                  {s[0], s[1]},
                  {d[0], d[1]},
                  op.getInputLanes() == out.getDimSize(4),
                  int64_t(op.getExtras().size())};
  layer.matrix = op.getChoose() == "columns";
  kernel::Padding zero = kernel::paddingOf(op.getZerosAttr());
  constexpr int64_t columnsOfTile = 6; // about
  layer.met = metAlong(0, op, layer.rows, 1, zero.top, zero.bottom) *
              metAlong(1, op, layer.columns, columnsOfTile, zero.left, zero.right);
  SmallVector<Value> views{op.getData(), op.getOut()};
  llvm::append_range(views, op.getExtras());
  auto pixels = pixelStrides(views);
  layer.flat = layer.matrix || (layer.blocked && pixels && isFlat(layer.columns, k, s, *pixels));
  return layer;
}

namespace {
struct DirectStep : TunableStep::ExternalModel<DirectStep, ConvOp> {
  LogicalResult choose(Operation *step, const TargetDescription &target) const {
    chooseTile(cast<ConvOp>(step), target);
    return success();
  }

  std::string getKey(Operation *step) const {
    auto op = cast<ConvOp>(step);
    auto data = cast<MemRefType>(op.getData().getType());
    auto out = cast<MemRefType>(op.getOut().getType());
    if (!data.hasStaticShape() || !out.hasStaticShape())
      return "";
    ConvLayer layer = layerOf(op);
    Type panels = cast<MemRefType>(op.getWeights().getType()).getElementType();
    if (kernel::isHalf(panels)) // any row of its form
      for (const ProductRow &row : productRows())
        if (row.rhs(op.getContext()) == panels)
          layer.product = &row;
    bool flat = extentsOf(op, *productRowNamed("Fma")).rows != layer.rows;
    std::string key = keyOfLayer(layer, op.getInputLanes(), flat);
    if (auto groups = kernel::ChannelGroups::of(op))
      key += llvm::formatv("/g{0}x{1}", groups->count, groups->parts);
    return key;
  }

  StringRef getAlgorithm(Operation *) const { return directAlgorithm()->name; }

  // Each tile in both orders, the model's first.
  std::vector<StepChoice> getCandidates(Operation *step, const TargetDescription &target,
                                        size_t most) const {
    ConvExtents extents = extentsOf(cast<ConvOp>(step), productOf(cast<ConvOp>(step), target));
    std::vector<StepChoice> list;
    for (const ConvTile &tile : rankConvTiles(extents, target, most)) {
      bool byModel = cutConvTasks(step->getContext(), extents, tile, target).pixelsOutside;
      for (bool pixels : {byModel, !byModel})
        list.push_back({tile, pixels});
    }
    return list;
  }

  void setChoice(Operation *step, const StepChoice &choice, const TargetDescription &target) const {
    codegen::setChoice(cast<ConvOp>(step), choice.tile, choice.pixelsOutside, target);
  }

  double getCycles(Operation *step, const StepChoice &choice, const TargetDescription &target,
                   uint64_t weightBytes) const {
    return estimateConvStep(cast<ConvOp>(step), choice.tile, target, weightBytes);
  }

  ArrayRef<int64_t> getRegisterTile(Operation *step) const {
    return cast<ConvOp>(step).getTile().value_or(ArrayRef<int64_t>());
  }

  std::string getReportReason(Operation *step, const TargetDescription &target) const {
    ArrayRef<int64_t> tile = getRegisterTile(step);
    if (tile.empty())
      return "";
    ConvExtents extents = extentsOf(cast<ConvOp>(step), productOf(cast<ConvOp>(step), target));
    ConvTile chosen{tile[0], tile[1], tile[2]}, other{};
    double cycles = estimateConvCycles(extents, chosen, target), next = 0;
    int64_t vectorsPerBlock = std::max<int64_t>(1, target.blockWidth / target.lanes(4));
    for (const TileShape &row : extents.product->tiles(target)) {
      ConvTile one{std::max<int64_t>(1, row.vectors / vectorsPerBlock), 1, row.pixels};
      double expected = estimateConvCycles(extents, one, target);
      if (one.blocks != chosen.blocks && !extents.ofGroups && (next == 0 || expected < next)) {
        next = expected;
        other = one;
      }
    }
    std::string text = llvm::formatv("{0:f0} kcycles expected", cycles / 1e3);
    if (kernel::isHalf(
            cast<MemRefType>(cast<ConvOp>(step).getWeights().getType()).getElementType()))
      text += llvm::formatv(" by {0}", extents.product->name);
    if (next > 0)
      text += llvm::formatv(", {0}x{1}x{2} {3:f0}", other.blocks, other.rows, other.columns,
                            next / 1e3);
    return text;
  }
};
} // namespace

namespace symc::codegen {
void registerDirectSteps(DialectRegistry &registry) { addTunable<ConvOp, DirectStep>(registry); }

llvm::ArrayRef<const ConvAlgorithm *> listDirectAlgorithms() {
  static const DirectAlgorithm direct;
  static const ConvAlgorithm *const rows[] = {&direct};
  return rows;
}
} // namespace symc::codegen
