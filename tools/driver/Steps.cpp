// Steps.cpp: see Steps.h.
#include "tools/driver/Steps.h"

#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/AttentionOps.h"
#include "codegen/kernel/Pieces.h"
#include "codegen/kernel/ViewOrigin.h"
#include "ir/OpTable.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace symc;

// The type that a view has at sizes of the program; its own where none are given.
static MemRefType typeAt(Value view, ArrayRef<int64_t> sizes) {
  auto type = cast<MemRefType>(view.getType());
  if (sizes.empty() || type.hasStaticShape())
    return type;
  FailureOr<kernel::ViewOrigin> origin = kernel::traceView(view);
  if (failed(origin))
    return type;
  auto valuesOf = [&](ArrayRef<AffineExpr> exprs) {
    return llvm::map_to_vector(exprs, [&](AffineExpr expr) {
      return std::max<int64_t>(sg::intervalOf(expr, {sizes, sizes}).max, 0);
    });
  };
  return MemRefType::get(valuesOf(origin->sizes), type.getElementType(),
                         StridedLayoutAttr::get(view.getContext(), 0, valuesOf(origin->strides)));
}

// The operations of a step, which counts them over the extents of its operands: at given sizes
// those of a copy that has such operands.
static int64_t flopsAt(Operation *op, ArrayRef<int64_t> sizes) {
  auto isOpen = [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && !type.hasStaticShape();
  };
  if (sizes.empty() || llvm::none_of(op->getOperands(), isOpen))
    return cast<kernel::StepInterface>(op).getFlops();
  Block block;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isOpen(operand))
      mapping.map(operand, UnrealizedConversionCastOp::create(builder, op->getLoc(),
                                                              typeAt(operand, sizes), ValueRange())
                               .getResult(0));
  return cast<kernel::StepInterface>(builder.clone(*op, mapping)).getFlops();
}

static std::string shapeText(MemRefType type) {
  std::string text;
  for (int64_t extent : type.getShape())
    text +=
        (text.empty() ? "" : "x") + (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  return text;
}

using Targets = ArrayRef<codegen::TargetDescription>;

static std::string tileText(int64_t blocks, int64_t rows, int64_t columns) {
  return std::to_string(blocks) + "x" + std::to_string(rows) + "x" + std::to_string(columns);
}

NarrowFactors symc::narrowFactorsOf(Operation *step) {
  auto halfOf = [](Value factor) {
    Type element = cast<MemRefType>(factor.getType()).getElementType();
    return kernel::isHalf(element) ? element : Type();
  };
  if (auto conv = dyn_cast<kernel::ConvOp>(step))
    if (Type half = halfOf(conv.getWeights()))
      return {half, halfOf(conv.getData()) ? 2 : 1};
  if (auto layer = dyn_cast<kernel::RecurrentOp>(step))
    if (Type half = halfOf(layer.getWeights()))
      return {half, layer.getRounded() ? 2 : 1};
  if (auto attention = dyn_cast<kernel::AttentionOp>(step))
    if (Type half = halfOf(attention.getKeys()))
      return {half, 2};
  // Another algorithm's weights, which stand behind its data.
  if (isa<codegen::TunableStep>(step) && step->getNumOperands() > 1 &&
      step->getOperand(1).getDefiningOp<kernel::WeightOp>())
    if (Type half = halfOf(step->getOperand(1)))
      return {half, 2};
  return {};
}

// What it multiplies, and the most that it errs by, of the sum of its terms' magnitudes.
static std::string roundingText(Operation *step) {
  NarrowFactors narrow = narrowFactorsOf(step);
  if (!narrow.count)
    return "";
  const char *name = narrow.half.isBF16() ? "bf16" : "f16";
  double u = narrow.half.isBF16() ? 0x1p-8 : 0x1p-11;
  return llvm::formatv(", {0} x {1}, error {2:e1} of its terms", narrow.count > 1 ? name : "f32",
                       name, narrow.count > 1 ? 2 * u + u * u : u);
}

// The name of a step, its tile and details. `variants`: the same layer in each variant, whose
// tiles are named one behind the other, and whose algorithms where they are others.
static std::string kernelName(Operation *own, ArrayRef<Operation *> variants) {
  if (!isa<codegen::TunableStep>(own))
    return cast<kernel::StepInterface>(own).describe() + roundingText(own);
  if (variants.empty())
    variants = own;
  auto addTile = [](std::string &text, const char *before, codegen::TunableStep step) {
    if (ArrayRef<int64_t> tile = step.getRegisterTile(); !tile.empty())
      text += before + tileText(tile[0], tile[1], tile[2]);
  };
  auto first = cast<codegen::TunableStep>(variants.front());
  std::string text = first.getReportName(), others;
  addTile(text, " ", first);
  for (Operation *variant : variants.drop_front()) {
    auto step = cast<codegen::TunableStep>(variant);
    if (step.getAlgorithm() == first.getAlgorithm()) {
      addTile(text, "|", step);
    } else {
      others += "|" + step.getReportName();
      addTile(others, " ", step);
    }
  }
  return text + first.getReportDetails() + roundingText(first) + others;
}

// Distinct elements of a view; a dimension of stride 0 repeats what it has. 0 where
// an extent is a run-time value.
static int64_t viewBytes(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, count = kernel::elementBytes(type.getElementType());
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides))
    count *= stride == 0 ? 1 : extent;
  return count;
}

static void addBytes(Operation *op, ArrayRef<int64_t> sizes, StepDescription &step) {
  for (Value operand : op->getOperands()) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    int64_t bytes = viewBytes(typeAt(operand, sizes));
    if (bytes == 0) {
      step.bytes = step.weightBytes = 0;
      return;
    }
    step.bytes += bytes;
    FailureOr<kernel::ViewOrigin> origin = kernel::traceView(operand);
    if (succeeded(origin) && origin->root.getDefiningOp<kernel::WeightOp>())
      step.weightBytes += bytes;
  }
}

// Another piece of a step that is listed already: weights are read again from near.
static void addPiece(Operation *op, ArrayRef<int64_t> sizes, StepDescription &step) {
  StepDescription piece;
  addBytes(op, sizes, piece);
  step.bytes += piece.bytes - piece.weightBytes;
  step.flops += flopsAt(op, sizes);
}

static SmallVector<kernel::StepInterface> stepsOf(kernel::ProgramOp program) {
  return SmallVector<kernel::StepInterface>(
      program.getBody().front().getOps<kernel::StepInterface>());
}

// The convolutions and products, each once; the same ones in each variant.
static SmallVector<Operation *> layersOf(ArrayRef<kernel::StepInterface> steps) {
  SmallVector<Operation *> layers;
  kernel::StepNumbers numbers;
  size_t next = 0;
  for (kernel::StepInterface step : steps) {
    if (numbers.of(step) < next)
      continue; // a further piece
    ++next;
    if (codegen::algorithmOf(step))
      layers.push_back(step);
  }
  return layers;
}

ArrayRef<int64_t> symc::largestSizes(ModuleOp module) {
  return kernel::mainPrograms(module).front().getDimMax().value_or(ArrayRef<int64_t>());
}

std::vector<StepDescription> symc::describeSteps(ModuleOp module, Targets targets, size_t number,
                                                 ArrayRef<int64_t> sizes) {
  std::vector<StepDescription> steps;
  kernel::StepNumbers numbers;
  SmallVector<SmallVector<Operation *>> layers; // of each variant
  SmallVector<kernel::ProgramOp> programs = kernel::mainPrograms(module);
  for (kernel::ProgramOp program : programs)
    layers.push_back(layersOf(stepsOf(program)));
  size_t nextLayer = 0;
  for (kernel::StepInterface step : stepsOf(programs[number])) {
    Operation &op = *step.getOperation();
    int64_t pieces = kernel::piecesOf(&op);
    if (size_t place = numbers.of(&op); place < steps.size()) {
      addPiece(&op, sizes, steps[place]);
      continue;
    }
    StepDescription description;
    const codegen::ConvAlgorithm *algorithm = codegen::algorithmOf(&op);
    SmallVector<Operation *> same;
    if (algorithm) {
      for (auto [variant, list] : llvm::enumerate(layers))
        if (number == 0 || variant == number)
          same.push_back(list[nextLayer]);
      ++nextLayer;
    }
    description.kernel = kernelName(&op, same);
    if (pieces > 1)
      description.kernel += " in " + std::to_string(pieces);
    description.nodes = kernel::nodesOf(op.getLoc());
    description.output = shapeText(typeAt(step.getOutputs()[0], sizes));
    description.flops = flopsAt(&op, sizes);
    description.work = step.getReferenceWork();
    addBytes(&op, sizes, description);
    if (auto tunable = dyn_cast<codegen::TunableStep>(op); tunable && number < targets.size())
      description.why = tunable.getReportReason(targets[number]);
    steps.push_back(description);
  }
  return steps;
}

// A step on a number takes reference code about so many cycles, in double and without vectors.
static constexpr double cyclesOfWork = 4;

std::vector<ReferenceTime> symc::referenceTimes(ArrayRef<StepDescription> steps,
                                                const codegen::TargetDescription &target) {
  std::vector<ReferenceTime> times;
  double total = 0, flopsPerCycle = 2 * target.fmasPerCycle * target.lanes(4) * 0.7;
  for (const StepDescription &step : steps) {
    if (!step.work && !step.bytes)
      return {};
    double cycles = std::max(step.flops / flopsPerCycle, step.bytes / target.memoryBytesPerCycle);
    if (step.work) {
      cycles = step.work * cyclesOfWork;
      times.push_back({step.kernel, step.nodes, cycles, 0});
    }
    total += cycles;
  }
  for (ReferenceTime &time : times)
    time.share = time.cycles / total;
  llvm::stable_sort(
      times, [](const ReferenceTime &a, const ReferenceTime &b) { return a.cycles > b.cycles; });
  return times;
}

VariantDifference symc::compareVariant(ModuleOp module, size_t number) {
  SmallVector<kernel::ProgramOp> programs = kernel::mainPrograms(module);
  VariantDifference difference;
  for (auto [own, first] :
       llvm::zip_equal(layersOf(stepsOf(programs[number])), layersOf(stepsOf(programs.front()))))
    difference.layers += codegen::algorithmOf(own) != codegen::algorithmOf(first);
  std::set<StringRef> read; // by others, then by it as well
  for (kernel::ProgramOp program : programs)
    if (program != programs[number])
      program->getParentOp()->walk([&](kernel::WeightOp weight) { read.insert(weight.getName()); });
  programs[number]->getParentOp()->walk([&](kernel::WeightOp weight) {
    auto type = cast<MemRefType>(weight.getType());
    if (read.insert(weight.getName()).second)
      difference.weights += type.getNumElements() * kernel::elementBytes(type.getElementType());
  });
  return difference;
}

// In front of a variant's steps.
static constexpr llvm::StringLiteral variantMark = "variant ", largestMark = " largest";

static std::string writeList(ArrayRef<StepDescription> steps, StringRef name) {
  std::string text = (variantMark + name + "\n").str();
  for (const StepDescription &step : steps) {
    std::string nodes = step.nodes;
    for (char &c : nodes)
      if (c == '\n' || c == '\t')
        c = ' ';
    text += std::to_string(step.flops) + "\t" + step.output + "\t" + step.kernel + "\t" + nodes +
            "\t" + std::to_string(step.bytes) + "\t" + std::to_string(step.weightBytes) + "\t" +
            step.why + "\n";
  }
  return text;
}

std::string symc::writeSteps(ModuleOp module, Targets targets) {
  std::string text;
  ArrayRef<int64_t> largest = largestSizes(module);
  for (auto [number, target] : llvm::enumerate(targets)) {
    text += writeList(describeSteps(module, targets, number), target.name);
    if (!largest.empty())
      text += writeList(describeSteps(module, targets, number, largest),
                        target.name + largestMark.str());
  }
  return text;
}

std::vector<StepDescription> symc::readSteps(StringRef text, StringRef isa, bool atLargest) {
  std::vector<StepDescription> steps;
  std::string name = isa.str();
  if (atLargest && text.contains((variantMark + isa + largestMark + "\n").str()))
    name += largestMark;
  bool isWanted = false;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.consume_front(variantMark)) {
      isWanted = line == name;
      continue;
    }
    if (!isWanted)
      continue;
    SmallVector<StringRef, 7> parts;
    line.split(parts, '\t');
    parts.resize(7);
    StepDescription step;
    step.kernel = parts[2].str();
    step.nodes = parts[3].str();
    step.output = parts[1].str();
    step.why = parts[6].str();
    (void)parts[0].getAsInteger(10, step.flops);
    (void)parts[4].getAsInteger(10, step.bytes);
    (void)parts[5].getAsInteger(10, step.weightBytes);
    steps.push_back(step);
  }
  return steps;
}

std::vector<std::string> symc::librariesOf(ModuleOp module) {
  std::set<std::string> names;
  module.walk([&](kernel::CallOp call) {
    if (const sg::OpInfo *info = sg::lookupMnemonic(call.getOp()); info && !info->library.empty())
      names.insert(info->library.str());
  });
  return {names.begin(), names.end()};
}
