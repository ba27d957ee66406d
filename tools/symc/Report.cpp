// Report.cpp: see Report.h.
#include "tools/symc/Report.h"

#include "codegen/kernel/Pieces.h"
#include "codegen/lower/Updates.h"
#include "codegen/plan/PlanArena.h"
#include "ir/GraphDialect.h"
#include "tools/driver/Steps.h"
#include "tools/symc/Roundings.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace symc;

// Whether a step fills the border of what its layer's other steps write or read: `fill` before
// one of the same nodes.
static bool fillsBorder(ArrayRef<StepDescription> steps, size_t index) {
  const StepDescription &step = steps[index];
  if (step.kernel != "fill" || step.nodes.empty())
    return false;
  for (const StepDescription &next : steps.drop_front(index + 1)) {
    if (next.nodes != step.nodes)
      return false;
    if (next.kernel != step.kernel)
      return true;
  }
  return false;
}

std::string symc::setReportSizes(Compiler &compiler, ArrayRef<std::string> shapes,
                                 ReportSizes &sizes) {
  codegen::ModelInfo info = compiler.modelInfo();
  ArrayRef<int64_t> largest = largestSizes(compiler.module());
  if (largest.empty() && !shapes.empty())
    return "--report-shape is for inputs with ranges, and all sizes of this model are fixed";
  sizes.values.assign(largest.begin(), largest.end());
  std::vector<bool> chosen(largest.size());
  for (StringRef word : shapes) {
    auto [name, text] = word.rsplit('=');
    auto input = llvm::find_if(info.inputs, [name = name](const codegen::TensorInfo &tensor) {
      return tensor.name == name;
    });
    if (input == info.inputs.end())
      return ("--report-shape names '" + name + "', which is no input").str();
    SmallVector<StringRef> extents;
    text.split(extents, ',');
    if (extents.size() != input->shape.size())
      return ("--report-shape gives input '" + name + "' " + Twine(extents.size()) +
              " extents, and it has " + Twine(input->shape.size()))
          .str();
    for (auto [axis, extent] : llvm::enumerate(input->shape)) {
      bool isOpen = extent < 0 && !info.dims.empty() && info.batches.empty();
      size_t number = isOpen ? -extent - 1 : 0;
      int64_t least = isOpen ? info.dims[number].min : extent;
      int64_t most = isOpen ? info.dims[number].max : extent, value = 0;
      if (extents[axis].getAsInteger(10, value) || value < least || value > most)
        return ("--report-shape: dimension " + Twine(axis) + " of input '" + name + "' takes " +
                (least == most ? std::to_string(least)
                               : std::to_string(least) + ".." + std::to_string(most)) +
                ", found '" + extents[axis] + "'")
            .str();
      if (!isOpen)
        continue;
      sizes.values[number] = value;
      chosen[number] = true;
    }
  }
  for (const codegen::TensorInfo &input : info.inputs) {
    if (largest.empty() || llvm::none_of(input.shape, [](int64_t extent) { return extent < 0; }))
      continue;
    sizes.text += " " + input.name + "=";
    for (auto [axis, extent] : llvm::enumerate(input.shape))
      sizes.text +=
          (axis ? "," : "") + std::to_string(extent < 0 ? sizes.values[-extent - 1] : extent);
  }
  sizes.largest = ArrayRef(sizes.values) == largest;
  return "";
}

// With --recompute: how large the arena of the largest instruction set is with it and without.
static void printRecomputed(Compiler &compiler, llvm::raw_ostream &os) {
  if (std::optional<RecomputeFacts> facts = compiler.recomputeFacts())
    os << "computed again: " << facts->nodes << (facts->nodes == 1 ? " node" : " nodes")
       << ", largest arena " << facts->arenaBytes << " bytes, " << facts->bytesWithout
       << " without\n";
}

// Of a trainer: behind which steps parameters change, where nothing looks at all gradients first.
static void printUpdates(Compiler &compiler, kernel::ProgramOp program, llvm::raw_ostream &os) {
  llvm::MapVector<Operation *, SmallVector<int64_t>> inputs;
  for (const codegen::ParameterUpdate &update : codegen::updatesOf(program))
    inputs[update.step].push_back(update.input);
  if (inputs.empty())
    return;
  os << "updates within backward:\n";
  auto graph = compiler.module().lookupSymbol<sg::GraphOp>("main");
  kernel::StepNumbers numbers;
  for (Operation &op : program.getBody().front()) {
    if (!isa<kernel::StepInterface>(op))
      continue;
    int64_t number = numbers.of(&op);
    auto found = inputs.find(&op);
    if (found == inputs.end())
      continue;
    os << "  behind step " << number << ":";
    for (auto [i, input] : llvm::enumerate(found->second))
      os << (i ? ", " : " ") << graph.getInputName(input);
    os << "\n";
  }
}

void symc::printReport(Compiler &compiler, uint64_t weightsBytes, const ReportSizes &sizes,
                       llvm::raw_ostream &os) {
  kernel::ProgramOp program = kernel::mainPrograms(compiler.module()).front();
  int64_t flops = 0, number = 0;
  if (compiler.targetList().size() > 1) {
    os << "tiles of";
    for (const codegen::TargetDescription &target : compiler.targetList())
      os << " " << target.name;
    os << "\n";
  }
  if (std::vector<BatchFacts> batches = compiler.batchFacts(); !batches.empty())
    os << "steps of batch " << batches.front().size << "\n";
  if (!sizes.text.empty())
    os << "figures at" << sizes.text << (sizes.largest ? ", the largest sizes\n" : "\n");
  os << "step  kernel                                   MFLOP       MB  output                "
        "node\n";
  std::vector<StepDescription> steps =
      describeSteps(compiler.module(), compiler.targetList(), 0, sizes.values);
  int64_t fillBytes = 0, fills = 0;
  for (const StepDescription &step : steps) {
    flops += step.flops;
    if (fillsBorder(steps, number++)) {
      fillBytes += step.bytes;
      ++fills;
      continue;
    }
    os << llvm::format("%4d  %-38s %8.1f %8.2f  %-20s  ", static_cast<int>(number - 1),
                       step.kernel.c_str(), step.flops / 1e6, (step.bytes + fillBytes) / 1e6,
                       step.output.c_str())
       << step.nodes;
    if (fills)
      os << " (and " << fills << (fills == 1 ? " fill)" : " fills)");
    os << "\n";
    fillBytes = fills = 0;
  }
  os << "steps " << number << ", " << llvm::format("%.6f", flops / 1e9) << " GFLOP, arena "
     << program.getArenaBytes().value_or(0) << " bytes, prepared weights " << weightsBytes
     << " bytes\n";
  printUpdates(compiler, program, os);
  std::vector<ReferenceTime> slow;
  if (sizes.largest) // for which the work of reference code counts
    slow = referenceTimes(steps, compiler.targetList().front());
  double share = 0;
  for (const ReferenceTime &time : slow)
    share += time.share;
  if (!slow.empty())
    os << "reference code: " << slow.size() << (slow.size() == 1 ? " step" : " steps")
       << llvm::format(", about %.0f %% of the estimated time\n", 100 * share);
  printRoundings(compiler, os);
  int64_t arena = program.getArenaBytes().value_or(0), live = codegen::largestLiveBytes(program);
  os << "largest sum of live buffers " << live << " bytes";
  if (live)
    os << llvm::format(", the arena is %.3f times that", double(arena) / live);
  os << "\n";
  printRecomputed(compiler, os);
  ArrayRef<codegen::TargetDescription> targets = compiler.targetList();
  for (size_t i = 1; i < targets.size(); ++i) {
    VariantDifference difference = compareVariant(compiler.module(), i);
    kernel::ProgramOp own = kernel::mainPrograms(compiler.module())[i];
    os << targets[i].name << ": " << difference.layers << " layers by another algorithm than for "
       << targets.front().name << ", " << difference.weights
       << " bytes of weights in forms of its own, arena " << own.getArenaBytes().value_or(0)
       << " bytes\n";
  }
  for (const BatchFacts &batch : compiler.batchFacts()) {
    os << "batch " << batch.size << ": arena " << batch.arenaBytes << " bytes";
    if (batch.algorithmCost > 1)
      os << llvm::format(", convolutions expected at %.3f times the cycles of kernels of its own",
                         batch.algorithmCost);
    os << "\n";
  }
  if (!compiler.chosenOutputs().empty()) {
    os << "outputs:";
    for (auto [i, output] : llvm::enumerate(compiler.modelInfo().outputs))
      os << (i ? ", " : " ") << output.name;
    os << "\n";
  }
  for (const std::string &library : librariesOf(compiler.module()))
    os << "calls " << library << ", a shared library that is opened when a context is created\n";
}

void symc::printMemoryPlan(Compiler &compiler, llvm::raw_ostream &os) {
  ModuleOp module = compiler.module();
  kernel::ProgramOp program = kernel::mainPrograms(module).front();
  std::vector<codegen::PlacedBuffer> buffers = codegen::placedBuffers(program);
  os << "arena " << program.getArenaBytes().value_or(0) << " bytes, "
     << describeSteps(module).size() << " steps, " << buffers.size() << " buffers\n";
  printRecomputed(compiler, os);
  os << "   offset      bytes  first  last  node\n";
  for (const codegen::PlacedBuffer &placed : buffers)
    os << llvm::format("%9lld %10lld %6lld %5lld  ", (long long)placed.offset,
                       (long long)placed.bytes, (long long)placed.first, (long long)placed.last)
       << kernel::nodesOf(placed.buffer->getLoc()) << "\n";
}

void symc::printCodeBytes(const codegen::ModelInfo &model, const codegen::CodeBytes &bytes,
                          llvm::raw_ostream &os) {
  os << "code bytes:";
  for (auto [variant, size] : llvm::zip(model.variants, bytes.variants))
    os << " " << variant.isa << " " << size << ",";
  os << " others " << bytes.others << ", constants " << bytes.constants << "\n";
  for (auto [i, size] : llvm::enumerate(model.batches)) {
    os << "code bytes of batch " << size << ":";
    for (auto [j, variant] : llvm::enumerate(model.variants))
      os << (j ? "," : "") << " " << variant.isa << " " << bytes.batches[j][i];
    os << "\n";
  }
}

// The words of `nodes`, "conv0+relu0".
static bool hasNode(StringRef nodes, StringRef node) {
  SmallVector<StringRef> parts;
  nodes.split(parts, '+');
  return llvm::is_contained(parts, node);
}

bool symc::explainNode(Compiler &compiler, ArrayRef<RemarkText> remarks, StringRef node,
                       llvm::raw_ostream &os) {
  bool found = false;
  auto megabytes = [](int64_t bytes) { return llvm::format("%.3f MB", bytes / 1e6); };
  for (auto [number, step] : llvm::enumerate(describeSteps(compiler.module(), compiler.targetList(),
                                                           0, largestSizes(compiler.module())))) {
    if (!hasNode(step.nodes, node))
      continue;
    found = true;
    os << "node '" << node << "' is computed in step " << number << " by " << step.kernel << "\n";
    os << "  nodes of the step: " << step.nodes << "\n  output: " << step.output << "\n";
    if (step.bytes)
      os << "  reads and writes " << megabytes(step.bytes) << ", of these "
         << megabytes(step.weightBytes) << " of weights\n";
    if (step.flops && step.bytes)
      os << llvm::format("  %.3f MFLOP, %.1f for each byte\n", step.flops / 1e6,
                         double(step.flops) / step.bytes);
    if (!step.why.empty())
      os << "  tile for " << compiler.targetList().front().name << ": " << step.why << "\n";
  }
  for (const RemarkText &remark : remarks)
    if (hasNode(remark.nodes, node) || StringRef(remark.line).contains(("'" + node + "'").str())) {
      os << "  " << remark.line << "\n";
      found = true;
    }
  return found;
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
