// Report.cpp: see Report.h.
#include "tools/symc/Report.h"

#include "llvm/Support/Format.h"

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
    text += (text.empty() ? "" : "x") + (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
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

void symc::printReport(Compiler &compiler, uint64_t weightsBytes, llvm::raw_ostream &os) {
  auto program = compiler.module().lookupSymbol<kernel::ProgramOp>("main_program");
  int64_t flops = 0, number = 0;
  os << "step  kernel                                   MFLOP  output                node\n";
  for (Operation &op : program.getBody().front()) {
    auto step = dyn_cast<kernel::StepInterface>(op);
    if (!step)
      continue;
    flops += step.getFlops();
    os << llvm::format("%4d  %-38s %8.1f  %-20s  ", static_cast<int>(number++),
                       kernelName(&op).c_str(), step.getFlops() / 1e6,
                       shapeText(step.getOutputs()[0]).c_str())
       << nodesOf(op.getLoc()) << "\n";
  }
  os << "steps " << number << ", " << llvm::format("%.3f", flops / 1e9) << " GFLOP, arena "
     << program.getArenaBytes().value_or(0) << " bytes, prepared weights " << weightsBytes
     << " bytes\n";
}

static std::string escaped(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

void symc::writeDot(ModuleOp module, llvm::raw_ostream &os) {
  auto graph = module.lookupSymbol<sg::GraphOp>("main");
  os << "digraph model {\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n";
  DenseMap<Operation *, int> numbers;
  for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments()))
    os << "  in" << i << " [shape=ellipse, label=\"" << escaped(graph.getInputName(i)) << "\\n"
       << sg::shapeOf(argument.getType()).str() << "\"];\n";
  for (Operation &op : graph.getBlock()) {
    if (isa<sg::ParameterOp, sg::HeadsOp, sg::PreparedOp>(op))
      continue;
    int number = numbers.size();
    numbers[&op] = number;
    os << "  n" << number << " [label=\"" << escaped(sg::nodeName(&op)) << "\\n"
       << op.getName().stripDialect();
    for (Value result : op.getResults())
      os << "\\n" << sg::shapeOf(result.getType()).str();
    os << "\"];\n";
    for (Value operand : op.getOperands()) {
      if (auto argument = dyn_cast<BlockArgument>(operand))
        os << "  in" << argument.getArgNumber() << " -> n" << number << ";\n";
      else if (auto found = numbers.find(operand.getDefiningOp()); found != numbers.end())
        os << "  n" << found->second << " -> n" << number << ";\n";
    }
  }
  os << "}\n";
}
