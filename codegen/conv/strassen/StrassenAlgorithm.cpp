// StrassenAlgorithm.cpp: Strassen's product as a row of the table, and what may be chosen of
// its step.
#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/conv/strassen/StrassenCost.h"
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::StrassenOp;
using kernel::StrassenShape;

// Why Strassen's product can't compute the layer; nothing where it can.
static std::string obstacle(const ConvLayer &layer) {
  if (layer.kernel[0] != 1 || layer.kernel[1] != 1)
    return llvm::formatv("its kernel is {0}x{1}, Strassen's product takes 1x1", layer.kernel[0],
                         layer.kernel[1]);
  if (layer.strides[0] != 1 || layer.strides[1] != 1)
    return llvm::formatv("it has stride {0}, Strassen's product takes 1",
                         std::max(layer.strides[0], layer.strides[1]));
  if (!layer.blocked)
    return "its image is read as it lies, Strassen's product takes blocks of 16 channels";
  if (std::string unknown = extentsObstacle(layer); !unknown.empty())
    return unknown;
  if (layer.inChannels % 32 != 0 || layer.outChannels % 32 != 0)
    return llvm::formatv("it has {0} input and {1} output channels, Strassen's product takes "
                         "multiples of 32",
                         layer.inChannels, layer.outChannels);
  if (layer.rows % 2 != 0 && (!layer.flat || layer.rows * layer.columns < 2))
    return llvm::formatv("its {0} rows cannot be halved for Strassen's product", layer.rows);
  return "";
}

static WeightsForm weightsFor(const StrassenShape &shape, MLIRContext *context) {
  std::array<int64_t, 7> panels =
      kernel::strassenPanels(shape.inChannels, shape.outChannels, shape.blockWidth);
  return {kernel::FormAttr::get(context, "strassen"),
          MemRefType::get(panels, Float32Type::get(context))};
}

namespace {
class StrassenCut : public ConvCut {
public:
  StrassenCut(const ConvLayer &layer, const TargetDescription &target)
      : shape(cutStrassen(layer, target)) {
    cycles = estimateStrassenCycles(shape, target);
  }

  std::string describe() const override {
    return llvm::formatv("{0} tasks, {1} pixels of a half at once", shape.tasks(), shape.unit);
  }

  Region &create(const StepSite &site) const override {
    OpBuilder &b = site.builder;
    Value slots = site.slots();
    Value weights = site.weights(weightsFor(shape, b.getContext()));
    Value scratch = site.scratch(shape.tasks(), shape.scratchElements());
    int64_t perTask[] = {shape.unitsPerTask, shape.lastPieces};
    auto step = StrassenOp::create(
        b, site.location, site.data, weights, site.extras, site.out, scratch, slots,
        b.getI64IntegerAttr(shape.inChannels), b.getI64IntegerAttr(shape.outChannels),
        shape.flat ? b.getUnitAttr() : UnitAttr(), b.getI64IntegerAttr(shape.unit),
        b.getDenseI64ArrayAttr(perTask), DenseI64ArrayAttr(), StringAttr());
    return step.getBody();
  }

private:
  StrassenShape shape;
};

class StrassenAlgorithm : public ConvAlgorithm {
public:
  // It saves an eighth at most.
  StrassenAlgorithm() : ConvAlgorithm("strassen", "Strassen's product", 0.97) {}

  std::string obstacle(const ConvLayer &layer) const override { return ::obstacle(layer); }
  bool isMeantFor(const ConvLayer &layer) const override {
    return layer.kernel[0] == 1 && layer.kernel[1] == 1;
  }
  double errorBound(int64_t channels) const override { return strassenErrorBound(channels); }
  // Sums of data are those of pixels of both halves.
  bool mixesPixels() const override { return true; }

  std::unique_ptr<ConvCut> cut(const ConvLayer &layer,
                               const TargetDescription &target) const override {
    return std::make_unique<StrassenCut>(layer, target);
  }

  std::optional<WeightsForm> weightsOf(const ConvLayer &layer,
                                       MLIRContext *context) const override {
    StrassenShape shape;
    shape.inChannels = layer.inChannels;
    shape.outChannels = layer.outChannels;
    return weightsFor(shape, context);
  }

  bool pack(kernel::FormAttr form, Value source, Value target, OpBuilder &builder,
            Location location) const override {
    if (form.getKind() != "strassen")
      return false;
    // The panels are scaled by what the first step leaves.
    kernel::PackStrassenScalesOp::create(builder, location, source, target);
    kernel::PackStrassenOp::create(builder, location, source, target);
    return true;
  }
};

struct StrassenStep : TunableStep::ExternalModel<StrassenStep, StrassenOp> {
  LogicalResult choose(Operation *step, const TargetDescription &target) const {
    chooseTile(cast<StrassenOp>(step), target);
    return success();
  }

  std::string getKey(Operation *step) const {
    auto op = cast<StrassenOp>(step);
    StrassenShape shape = StrassenShape::of(op);
    ConvLayer layer{shape.images,
                    shape.rows,
                    shape.columns,
                    shape.inChannels,
                    shape.outChannels,
                    {1, 1},
                    {1, 1},
                    {1, 1},
                    true,
                    int64_t(op.getExtras().size())};
    SmallVector<Value> views{op.getData(), op.getOut()};
    llvm::append_range(views, op.getExtras());
    layer.flat = viewsAreFlat(views);
    return keyOfLayer(layer);
  }

  StringRef getAlgorithm(Operation *) const { return "strassen"; }

  double getErrorBound(Operation *step) const {
    return strassenErrorBound(cast<StrassenOp>(step).getInChannels());
  }

  std::vector<StepChoice> getCandidates(Operation *step, const TargetDescription &target,
                                        size_t most) const {
    std::vector<StepChoice> list;
    for (const ConvTile &tile : rankProductTiles(cast<StrassenOp>(step), target, most))
      list.push_back({tile, false});
    return list;
  }

  void setChoice(Operation *step, const StepChoice &choice, const TargetDescription &) const {
    cast<StrassenOp>(step).setTile({{choice.tile.blocks, choice.tile.rows, choice.tile.columns}});
  }

  double getCycles(Operation *step, const StepChoice &, const TargetDescription &target,
                   uint64_t) const {
    return estimateStrassenCycles(StrassenShape::of(cast<StrassenOp>(step)), target);
  }

  ArrayRef<int64_t> getRegisterTile(Operation *step) const {
    return cast<StrassenOp>(step).getTile().value_or(ArrayRef<int64_t>());
  }

  std::string getReportDetails(Operation *step) const {
    return llvm::formatv(" of {0}, error {1:e1}", cast<StrassenOp>(step).getUnit(),
                         getErrorBound(step));
  }
};
} // namespace

// Pairs of a block of outputs and one of inputs.
static LogicalResult choosePack(kernel::PackStrassenOp op, const TargetDescription &) {
  ArrayRef<int64_t> source = cast<MemRefType>(op.getSource().getType()).getShape();
  ArrayRef<int64_t> panel = cast<MemRefType>(op.getTarget().getType()).getShape().take_back(2);
  op.setCutAttr(cutSpace(op.getContext(), {source[0] / (2 * panel[1]), source[1] / (2 * panel[0])},
                         kernel::strassenProductCount * productOf(panel)));
  return success();
}

static LogicalResult chooseScales(kernel::PackStrassenScalesOp op, const TargetDescription &) {
  op.setCutAttr(cutSpace(op.getContext(), {}));
  return success();
}

namespace symc::codegen {
void registerStrassenSteps(DialectRegistry &registry) {
  addChosen<kernel::PackStrassenScalesOp, chooseScales>(registry);
  addChosen<kernel::PackStrassenOp, choosePack>(registry);
  addTunable<StrassenOp, StrassenStep>(registry);
}

llvm::ArrayRef<const ConvAlgorithm *> listStrassenAlgorithms() {
  static const StrassenAlgorithm strassen;
  static const ConvAlgorithm *const rows[] = {&strassen};
  return rows;
}
} // namespace symc::codegen
