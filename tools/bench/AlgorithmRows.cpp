// AlgorithmRows.cpp: a layer by an algorithm of convolutions (KernelRows.h): the step that the
// compiler makes of a net of that layer where the algorithm is forced, measured by itself. So
// each row of the table takes part, whatever its step and its weights look like.
#include "tools/bench/KernelRows.h"
#include "tools/driver/Compiler.h"
#include "tools/driver/StepRunner.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace symc;
using namespace symc::bench;

static codegen::ConvLayer convLayerOf(const Layer &l) {
  codegen::ConvLayer layer{l.batch,
                           l.outRows(),
                           l.outColumns(),
                           l.in,
                           l.out,
                           {l.kernelRows, l.kernelColumns},
                           {l.stride, l.stride},
                           {l.dilation, l.dilation},
                           !l.planar,
                           int64_t(l.bias) + int64_t(l.residual)};
  layer.flat = l.kernelRows * l.kernelColumns * l.stride == 1 && l.outHalo == 0;
  if (l.matrix) {
    layer.images = layer.rows = 1;
    layer.columns = l.batch;
  }
  return layer;
}

bool symc::bench::takes(const codegen::ConvAlgorithm &algorithm, const Layer &layer) {
  return !layer.depthwise && algorithm.obstacle(convLayerOf(layer)).empty();
}

static std::string pair(int64_t rows, int64_t columns) {
  return llvm::formatv("({0}, {1})", rows, columns);
}

// The layer as a net.
static CompileRequest requestOf(const Layer &l) {
  auto graph = std::make_shared<symbol::Graph>();
  graph->name = "layer";
  auto shapeOf = [](llvm::ArrayRef<int64_t> extents) {
    std::vector<DimSpec> shape;
    for (int64_t extent : extents)
      shape.push_back(DimSpec::fixed(extent));
    return shape;
  };
  CompileRequest request;
  std::vector<symbol::Entry> inputs{graph->addVariable("data"), graph->addVariable("weight")};
  if (l.bias)
    inputs.push_back(graph->addVariable("bias"));
  std::string count = std::to_string(l.out), noBias = l.bias ? "False" : "True";
  symbol::Entry out;
  if (l.matrix) {
    request.shapes["data"] = shapeOf({l.batch, l.in});
    out = graph->addNode("FullyConnected", "layer", inputs,
                         {{"num_hidden", count}, {"no_bias", noBias}});
  } else {
    request.shapes["data"] = shapeOf({l.batch, l.in, l.rows, l.columns});
    out = graph->addNode("Convolution", "layer", inputs,
                         {{"kernel", pair(l.kernelRows, l.kernelColumns)},
                          {"stride", pair(l.stride, l.stride)},
                          {"pad", pair(l.padRows, l.padColumns)},
                          {"dilate", pair(l.dilation, l.dilation)},
                          {"num_filter", count},
                          {"no_bias", noBias}});
  }
  if (l.residual) {
    request.shapes["residual"] = shapeOf({l.batch, l.out, l.outRows(), l.outColumns()});
    out = graph->addNode("elemwise_add", "sum", {out, graph->addVariable("residual")});
  }
  if (l.relu)
    out = graph->addNode("Activation", "relu", {out}, {{"act_type", "relu"}});
  graph->heads = {out};
  request.model.graph = std::move(graph);
  request.randomWeights = true;
  return request;
}

namespace {
class ScheduledLayer final : public Contender {
public:
  explicit ScheduledLayer(std::unique_ptr<StepRunner> runner) : runner(std::move(runner)) {}
  void run() override { runner->run(0); }

private:
  std::unique_ptr<StepRunner> runner;
};
} // namespace

AlgorithmContender symc::bench::algorithmContender(const codegen::ConvAlgorithm &algorithm,
                                                   const Layer &layer,
                                                   const codegen::TargetDescription &target,
                                                   llvm::ArrayRef<int64_t> tile) {
  CompileRequest request = requestOf(layer);
  request.targetCpus = {target.name};
  request.forceKernel = &algorithm;
  Diagnostics diagnostics;
  Compiler compiler(request, diagnostics);
  if (!compiler.read() || !compiler.optimise() || !compiler.schedule())
    return {nullptr, diagnostics.str()};
  codegen::TunableStep found;
  kernel::mainPrograms(compiler.module()).front().walk([&](codegen::TunableStep step) {
    if (step.getAlgorithm() == algorithm.name)
      found = step;
  });
  if (!found)
    return {nullptr, "the compiler computes the layer otherwise"};
  std::optional<codegen::StepChoice> choice;
  if (!tile.empty())
    choice = {{tile[0], tile[1], tile[2]}, false};
  llvm::SmallVector<std::string> extents;
  for (int64_t extent : tile.empty() ? found.getRegisterTile() : tile)
    extents.push_back(std::to_string(extent));
  std::string label = "tile " + llvm::join(extents, "x") + found.getReportDetails();
  auto runner = StepRunner::compile({{found, choice}}, target, layer.math, "");
  if (!runner)
    return {nullptr, llvm::toString(runner.takeError())};
  return {std::make_unique<ScheduledLayer>(std::move(*runner)), label};
}
