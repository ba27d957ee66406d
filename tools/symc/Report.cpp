// Report.cpp: see Report.h.
#include "tools/symc/Report.h"

#include "tools/driver/Steps.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace symc;

void symc::printReport(Compiler &compiler, uint64_t weightsBytes, llvm::raw_ostream &os) {
  auto program = compiler.module().lookupSymbol<kernel::ProgramOp>("main_program");
  int64_t flops = 0, number = 0;
  os << "step  kernel                                   MFLOP  output                node\n";
  for (const StepDescription &step : describeSteps(compiler.module())) {
    flops += step.flops;
    os << llvm::format("%4d  %-38s %8.1f  %-20s  ", static_cast<int>(number++),
                       step.kernel.c_str(), step.flops / 1e6, step.output.c_str())
       << step.nodes << "\n";
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
  os << "digraph model {\n"
     << "  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n";
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
