// Steps.cpp: see Steps.h.
#include "tools/driver/Steps.h"

#include "codegen/kernel/KernelDialect.h"

using namespace mlir;
using namespace symc;

static std::string nodesOf(Location location) {
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
    text += (text.empty() ? "" : "x") +
            (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  return text;
}

static std::string kernelName(Operation *step) {
  if (auto conv = dyn_cast<kernel::ConvOp>(step)) {
    std::string text = "conv";
    if (auto tile = conv.getTile())
      text += " " + std::to_string((*tile)[0]) + "x" + std::to_string((*tile)[1]) + "x" +
              std::to_string((*tile)[2]);
    return text;
  }
  if (auto call = dyn_cast<kernel::CallOp>(step))
    return "call " + call.getSymbol().str();
  return step->getName().stripDialect().str();
}

std::vector<StepDescription> symc::describeSteps(ModuleOp module) {
  std::vector<StepDescription> steps;
  auto program = module.lookupSymbol<kernel::ProgramOp>("main_program");
  for (Operation &op : program.getBody().front())
    if (auto step = dyn_cast<kernel::StepInterface>(op))
      steps.push_back({kernelName(&op), nodesOf(op.getLoc()), shapeText(step.getOutputs()[0]),
                       step.getFlops()});
  return steps;
}

std::string symc::writeSteps(const std::vector<StepDescription> &steps) {
  std::string text;
  for (const StepDescription &step : steps) {
    std::string nodes = step.nodes;
    for (char &c : nodes)
      if (c == '\n' || c == '\t')
        c = ' ';
    text += std::to_string(step.flops) + "\t" + step.output + "\t" + step.kernel + "\t" + nodes + "\n";
  }
  return text;
}

std::vector<StepDescription> symc::readSteps(StringRef text) {
  std::vector<StepDescription> steps;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    SmallVector<StringRef, 4> parts;
    line.split(parts, '\t');
    parts.resize(4);
    StepDescription step{parts[2].str(), parts[3].str(), parts[1].str(), 0};
    (void)parts[0].getAsInteger(10, step.flops);
    steps.push_back(step);
  }
  return steps;
}
