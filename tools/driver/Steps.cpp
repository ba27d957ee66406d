// Steps.cpp: see Steps.h.
#include "tools/driver/Steps.h"

#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/Pieces.h"
#include "codegen/kernel/ViewOrigin.h"
#include "ir/OpTable.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace symc;

std::string symc::nodesOf(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  std::string text;
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string name = nodesOf(part); !name.empty())
        text += (text.empty() ? "" : "+") + name;
  return text;
}

static std::string shapeText(Value view) {
  std::string text;
  for (int64_t extent : cast<MemRefType>(view.getType()).getShape())
    text +=
        (text.empty() ? "" : "x") + (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  return text;
}

using Targets = ArrayRef<codegen::TargetDescription>;

static std::string tileText(int64_t blocks, int64_t rows, int64_t columns) {
  return std::to_string(blocks) + "x" + std::to_string(rows) + "x" + std::to_string(columns);
}

// What a step is called, with its tile and details. `variants`: the same step in each variant,
// whose tiles are named one behind the other.
static std::string kernelName(ArrayRef<Operation *> variants) {
  Operation *step = variants.front();
  auto tunable = dyn_cast<codegen::TunableStep>(step);
  if (!tunable)
    return cast<kernel::StepInterface>(step).describe();
  std::string text = tunable.getReportName();
  for (Operation *variant : variants)
    if (auto same = dyn_cast<codegen::TunableStep>(variant))
      if (ArrayRef<int64_t> tile = same.getRegisterTile(); !tile.empty())
        text += (variant == step ? " " : "|") + tileText(tile[0], tile[1], tile[2]);
  return text + tunable.getReportDetails();
}

// Distinct elements of a view; a dimension of stride 0 repeats what it has. 0 where
// an extent is a run-time value.
static int64_t viewBytes(Value view) {
  auto type = cast<MemRefType>(view.getType());
  SmallVector<int64_t> strides;
  int64_t offset, count = kernel::elementBytes(type.getElementType());
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides))
    count *= stride == 0 ? 1 : extent;
  return count;
}

static void addBytes(Operation *op, StepDescription &step) {
  for (Value operand : op->getOperands()) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    int64_t bytes = viewBytes(operand);
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
static void addPiece(Operation *op, StepDescription &step) {
  StepDescription piece;
  addBytes(op, piece);
  step.bytes += piece.bytes - piece.weightBytes;
  step.flops += cast<kernel::StepInterface>(op).getFlops();
}

static SmallVector<kernel::StepInterface> stepsOf(kernel::ProgramOp program) {
  return SmallVector<kernel::StepInterface>(
      program.getBody().front().getOps<kernel::StepInterface>());
}

std::vector<StepDescription> symc::describeSteps(ModuleOp module, Targets targets) {
  std::vector<StepDescription> steps;
  kernel::StepNumbers numbers;
  SmallVector<SmallVector<kernel::StepInterface>> variants;
  for (kernel::ProgramOp program : kernel::mainPrograms(module))
    variants.push_back(stepsOf(program));
  for (auto [i, step] : llvm::enumerate(variants.front())) {
    Operation &op = *step.getOperation();
    int64_t pieces = kernel::piecesOf(&op);
    if (size_t number = numbers.of(&op); number < steps.size()) {
      addPiece(&op, steps[number]);
      continue;
    }
    StepDescription description;
    SmallVector<Operation *> same;
    for (ArrayRef<kernel::StepInterface> steps : variants)
      same.push_back(steps[i]);
    description.kernel = kernelName(same);
    if (pieces > 1)
      description.kernel += " in " + std::to_string(pieces);
    description.nodes = nodesOf(op.getLoc());
    description.output = shapeText(step.getOutputs()[0]);
    description.flops = step.getFlops();
    addBytes(&op, description);
    if (auto tunable = dyn_cast<codegen::TunableStep>(op); tunable && !targets.empty())
      description.why = tunable.getReportReason(targets.front());
    steps.push_back(description);
  }
  return steps;
}

std::string symc::writeSteps(const std::vector<StepDescription> &steps) {
  std::string text;
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

std::vector<StepDescription> symc::readSteps(StringRef text) {
  std::vector<StepDescription> steps;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
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
