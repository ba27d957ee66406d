// Roundings.cpp: see Roundings.h. Launches name the nodes of their step; the graph shows which of
// these read what others give.
#include "tools/symc/Roundings.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/kernel/Pieces.h"
#include "ir/GraphDialect.h"
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

// Of each such step on tensor cores or over 16 bits the first operation that has one of its nodes.
static llvm::SmallPtrSet<Operation *, 16> roundedLayers(ModuleOp module, sg::GraphOp graph,
                                                        const codegen::CudaProgram &program) {
  llvm::SmallPtrSet<Operation *, 16> layers;
  llvm::DenseMap<int64_t, bool> steps = products(kernel::mainPrograms(module).front());
  for (const codegen::CudaLaunch &launch : program.launches) {
    auto step = steps.find(launch.step);
    if (step == steps.end() ||
        !(step->second || llvm::StringRef(launch.form).starts_with("tensor-")))
      continue;
    steps.erase(step);
    for (Operation &op : graph.getBlock())
      if (op.getNumOperands() && shareNode(kernel::nodesOf(op.getLoc()), launch.node) &&
          layers.insert(layerIn(&op)).second)
        break;
  }
  return layers;
}

namespace {
/// The most layers on a path to each value.
struct Paths {
  explicit Paths(const llvm::SmallPtrSet<Operation *, 16> &layers) : layers(layers) {}
  const llvm::SmallPtrSet<Operation *, 16> &layers;
  llvm::DenseMap<Value, int64_t> to;
  int64_t longest = 0;

  void follow(Block &block);
};
} // namespace

void Paths::follow(Block &block) {
  for (Operation &op : block) {
    int64_t most = layers.contains(&op), before = 0;
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

Roundings symc::roundingsOf(Compiler &compiler, const DeviceFacts &facts) {
  auto graph = compiler.module().lookupSymbol<sg::GraphOp>("main");
  llvm::SmallPtrSet<Operation *, 16> layers =
      roundedLayers(compiler.module(), graph, facts.program);
  Paths paths(layers);
  paths.follow(graph.getBlock());
  return {unitRoundoff(compiler.cudaChoices().precision), int64_t(layers.size()),
          2 * paths.longest};
}
