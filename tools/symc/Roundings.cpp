// Roundings.cpp: see Roundings.h. Launches and steps name their nodes; the graph shows which of
// these read what others give.
#include "tools/symc/Roundings.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/kernel/Pieces.h"
#include "ir/GraphDialect.h"
#include "tools/driver/Steps.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace symc;

double Roundings::error() const { return unit * std::sqrt(double(longest)); }

static bool shareNode(llvm::StringRef some, llvm::StringRef others) {
  return llvm::any_of(llvm::split(some, '+'), [&](llvm::StringRef node) {
    return llvm::is_contained(llvm::split(others, '+'), node);
  });
}

// The layer in a fused operation: what is not elementwise there.
static Operation *layerIn(Operation *op) {
  if (auto fused = dyn_cast<sg::FusedOp>(op))
    for (Operation &part : *fused.getBody().begin())
      if (!isa<sg::ElementwiseInterface, sg::YieldOp>(part))
        return &part;
  return op;
}

// Products over floats, and whether their weights are 16 bits in memory; those over bytes are
// exact.
static llvm::DenseMap<int64_t, bool> products(kernel::ProgramOp program) {
  llvm::DenseMap<int64_t, bool> steps;
  kernel::StepNumbers numbers;
  for (auto step : program.getBody().getOps<kernel::StepInterface>()) {
    int64_t number = numbers.of(step);
    auto product = dyn_cast<kernel::ConvOp>(step.getOperation());
    if (product && product.getBody().getArgument(0).getType().isF32())
      steps[number] =
          kernel::isHalf(cast<MemRefType>(product.getWeights().getType()).getElementType());
  }
  return steps;
}

// Layers, with the operands of each that are rounded.
using RoundedLayers = llvm::DenseMap<Operation *, int64_t>;

// Counts for the first operation that has one of these nodes and does not count yet.
static void addLayer(sg::GraphOp graph, llvm::StringRef nodes, int64_t operands,
                     RoundedLayers &layers) {
  for (Operation &op : graph.getBlock())
    if (op.getNumOperands() && shareNode(kernel::nodesOf(op.getLoc()), nodes) &&
        layers.try_emplace(layerIn(&op), operands).second)
      return;
}

// Of each such step on tensor cores or over 16 bits.
static RoundedLayers roundedLayers(ModuleOp module, sg::GraphOp graph,
                                   const codegen::CudaProgram &program) {
  RoundedLayers layers;
  llvm::DenseMap<int64_t, bool> steps = products(kernel::mainPrograms(module).front());
  for (const codegen::CudaLaunch &launch : program.launches) {
    auto step = steps.find(launch.step);
    if (step == steps.end() ||
        !(step->second || llvm::StringRef(launch.form).starts_with("tensor-")))
      continue;
    steps.erase(step);
    addLayer(graph, launch.node, 2, layers);
  }
  return layers;
}

// Of each step for CPUs with weights of 16 bits.
static RoundedLayers roundedLayers(sg::GraphOp graph, kernel::ProgramOp program) {
  RoundedLayers layers;
  kernel::StepNumbers numbers;
  llvm::DenseSet<int64_t> counted; // pieces of a step are one
  for (auto step : program.getBody().getOps<kernel::StepInterface>())
    if (int64_t operands = narrowFactorsOf(step).count;
        operands && counted.insert(numbers.of(step)).second)
      addLayer(graph, kernel::nodesOf(step->getLoc()), operands, layers);
  return layers;
}

namespace {
/// The most roundings on a path to each value.
struct Paths {
  explicit Paths(const RoundedLayers &layers) : layers(layers) {}
  const RoundedLayers &layers;
  llvm::DenseMap<Value, int64_t> to;
  int64_t longest = 0;

  void follow(Block &block);
};
} // namespace

void Paths::follow(Block &block) {
  for (Operation &op : block) {
    int64_t most = layers.lookup(&op), before = 0;
    for (Value operand : op.getOperands())
      before = std::max(before, to.lookup(operand));
    longest = std::max(longest, most += before);
    auto fused = dyn_cast<sg::FusedOp>(op);
    if (!fused || layers.contains(&op)) {
      for (Value result : op.getResults())
        to[result] = most;
      continue;
    }
    Block &body = *fused.getBody().begin();
    for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op.getOperands()))
      to[argument] = to.lookup(operand);
    follow(body);
    for (auto [result, given] :
         llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands()))
      to[result] = to.lookup(given);
  }
}

static Roundings along(sg::GraphOp graph, const RoundedLayers &layers,
                       codegen::CudaPrecision precision) {
  Paths paths(layers);
  paths.follow(graph.getBlock());
  return {unitRoundoff(precision), int64_t(layers.size()), paths.longest};
}

static void print(codegen::CudaPrecision precision, const Roundings &roundings,
                  llvm::raw_ostream &os) {
  os << "precision " << nameOf(precision)
     << llvm::format(": unit roundoff %.2g, layers with rounded operands %d, roundings on the "
                     "longest path %d",
                     roundings.unit, int(roundings.layers), int(roundings.longest));
  if (roundings.longest)
    os << llvm::format(", error beside float32 estimated at %.2g of the outputs' magnitude",
                       roundings.error());
  os << "\n";
}

static sg::GraphOp mainGraph(Compiler &compiler) {
  return compiler.module().lookupSymbol<sg::GraphOp>("main");
}

void symc::printRoundings(Compiler &compiler, const DeviceFacts &facts, llvm::raw_ostream &os) {
  codegen::CudaPrecision precision = compiler.cudaChoices().precision;
  if (!rounds(precision))
    return;
  sg::GraphOp graph = mainGraph(compiler);
  RoundedLayers layers = roundedLayers(compiler.module(), graph, facts.program);
  print(precision, along(graph, layers, precision), os);
}

void symc::printRoundings(Compiler &compiler, llvm::raw_ostream &os) {
  sg::GraphOp graph = mainGraph(compiler);
  RoundedLayers layers = roundedLayers(graph, kernel::mainPrograms(compiler.module()).front());
  codegen::CudaPrecision precision = compiler.cudaChoices().precision;
  if (!layers.empty())
    print(precision, along(graph, layers, precision), os);
}
