// kernel_bench.cpp: GFLOP/s of the kernel generator, layer by layer, for several
// instruction sets. Candidates of a layer alternate in one process and the
// minimum over rounds counts; a probe (a tile whose data stays in L1) runs beside
// them, and shares are of the best probe, since a shared core changes its speed.
//
//   kernel-bench [--targets=native,x86-64-v3] [--net=resnet50] [--rounds=20]
//                [--layer=TEXT] [--tiles] [--check] [--cold] [--asm=FILE]
#include "tools/bench/KernelJit.h"

#include "codegen/cpu/TileChoice.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>

using namespace symc;
using namespace symc::bench;
using codegen::TargetDescription;

static llvm::cl::list<std::string> targetNames("targets", llvm::cl::CommaSeparated,
                                               llvm::cl::desc("instruction sets to compare"));
static llvm::cl::opt<std::string> netName("net", llvm::cl::init("resnet50"),
                                          llvm::cl::desc("resnet50, mobilenet2, other or all"));
static llvm::cl::opt<int> rounds("rounds", llvm::cl::init(20), llvm::cl::desc("rounds"));
static llvm::cl::opt<std::string> only("layer", llvm::cl::desc("layers whose name has TEXT"));
static llvm::cl::opt<bool> allTiles("tiles", llvm::cl::desc("time every tile of the table"));
static llvm::cl::opt<bool> check("check", llvm::cl::desc("compare with plain loops, too"));
static llvm::cl::opt<bool> cold("cold", llvm::cl::desc("evict caches before each run"));
static llvm::cl::opt<int> winograd("winograd",
                                   llvm::cl::desc("2 or 4: 3x3 layers by F(2) or F(4), too"));
static llvm::cl::list<int64_t> cut("cut", llvm::cl::CommaSeparated,
                                   llvm::cl::desc("Winograd's block and per_task"));
static llvm::cl::list<int64_t> forcedTile("tile", llvm::cl::CommaSeparated,
                                          llvm::cl::desc("Winograd's tile"));
static llvm::cl::opt<std::string> asmFile("asm", llvm::cl::desc("write the last assembly there"));

static Layer conv(std::string name, int64_t in, int64_t size, int64_t out, int64_t kernel,
                  int64_t stride = 1) {
  Layer l;
  l.name = name;
  l.in = in;
  l.rows = l.columns = size;
  l.out = out;
  l.kernelRows = l.kernelColumns = kernel;
  l.stride = stride;
  l.padRows = l.padColumns = kernel / 2;
  return l;
}

static Layer planar(Layer l) {
  l.planar = true;
  return l;
}

static Layer residual(Layer l) {
  l.residual = true;
  l.name += " +res";
  return l;
}

static Layer depthwise(std::string name, int64_t channels, int64_t size, int64_t kernel,
                       int64_t stride) {
  Layer l = conv(name, channels, size, channels, kernel, stride);
  l.depthwise = true;
  return l;
}

static Layer matrix(std::string name, int64_t batch, int64_t in, int64_t out) {
  Layer l = conv(name, in, 1, out, 1);
  l.matrix = true;
  l.batch = batch;
  return l;
}

static std::vector<std::pair<Layer, int>> layersOf(const std::string &net) {
  std::vector<std::pair<Layer, int>> list;
  bool all = net == "all";
  if (all || net == "resnet50") { // v1: stride in the first 1x1 of a stage
    list = {{planar(conv("7x7/2 3>64@224", 3, 224, 64, 7, 2)), 1},
            {conv("1x1 64>64@56", 64, 56, 64, 1), 1},
            {conv("3x3 64>64@56", 64, 56, 64, 3), 3},
            {conv("1x1 64>256@56", 64, 56, 256, 1), 1},
            {residual(conv("1x1 64>256@56", 64, 56, 256, 1)), 3},
            {conv("1x1 256>64@56", 256, 56, 64, 1), 2},
            {conv("1x1/2 256>128@56", 256, 56, 128, 1, 2), 1},
            {conv("1x1/2 256>512@56", 256, 56, 512, 1, 2), 1},
            {conv("3x3 128>128@28", 128, 28, 128, 3), 4},
            {residual(conv("1x1 128>512@28", 128, 28, 512, 1)), 4},
            {conv("1x1 512>128@28", 512, 28, 128, 1), 3},
            {conv("1x1/2 512>256@28", 512, 28, 256, 1, 2), 1},
            {conv("1x1/2 512>1024@28", 512, 28, 1024, 1, 2), 1},
            {conv("3x3 256>256@14", 256, 14, 256, 3), 6},
            {residual(conv("1x1 256>1024@14", 256, 14, 1024, 1)), 6},
            {conv("1x1 1024>256@14", 1024, 14, 256, 1), 5},
            {conv("1x1/2 1024>512@14", 1024, 14, 512, 1, 2), 1},
            {conv("1x1/2 1024>2048@14", 1024, 14, 2048, 1, 2), 1},
            {conv("3x3 512>512@7", 512, 7, 512, 3), 3},
            {residual(conv("1x1 512>2048@7", 512, 7, 2048, 1)), 3},
            {conv("1x1 2048>512@7", 2048, 7, 512, 1), 2},
            {matrix("fc 2048>1000", 1, 2048, 1000), 1}};
  }
  if (all || net == "mobilenet2") {
    std::vector<std::pair<Layer, int>> more = {
        {planar(conv("3x3/2 3>32@224", 3, 224, 32, 3, 2)), 1},
        {depthwise("dw3 32@112", 32, 112, 3, 1), 1},
        {conv("1x1 32>16@112", 32, 112, 16, 1), 1},
        {conv("1x1 16>96@112", 16, 112, 96, 1), 1},
        {depthwise("dw3/2 96@112", 96, 112, 3, 2), 1},
        {conv("1x1 96>24@56", 96, 56, 24, 1), 1},
        {conv("1x1 24>144@56", 24, 56, 144, 1), 2},
        {depthwise("dw3 144@56", 144, 56, 3, 1), 1},
        {conv("1x1 32>192@28", 32, 28, 192, 1), 3},
        {depthwise("dw3 384@14", 384, 14, 3, 1), 4},
        {conv("1x1 384>64@14", 384, 14, 64, 1), 3},
        {depthwise("dw3 960@7", 960, 7, 3, 1), 3},
        {conv("1x1 320>1280@7", 320, 7, 1280, 1), 1}};
    list.insert(list.end(), more.begin(), more.end());
  }
  if (all || net == "other") {
    std::vector<std::pair<Layer, int>> more = {
        {planar(conv("vgg 3x3 3>64@224", 3, 224, 64, 3)), 1},
        {conv("vgg 3x3 64>64@224", 64, 224, 64, 3), 1},
        {conv("inception 3x3 32>64@147", 32, 147, 64, 3), 1},
        {conv("inception 1x1 768>192@17", 768, 17, 192, 1), 1},
        {conv("inception 3x3 96>96@35", 96, 35, 96, 3), 1},
        {conv("densenet 3x3 128>32@28", 128, 28, 32, 3), 1},
        {depthwise("dw5 240@28", 240, 28, 5, 1), 1},
        {matrix("fc 25088>4096", 1, 25088, 4096), 1},
        {matrix("fc 800>500", 1, 800, 500), 1},
        {matrix("fc 64x1024>1024", 64, 1024, 1024), 1}};
    list.insert(list.end(), more.begin(), more.end());
  }
  return list;
}

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Walks over more memory than any cache holds, so that weights come from DRAM as
// they do in a whole net.
static void evict() {
  static std::vector<char> memory(96 << 20);
  for (size_t i = 0; i < memory.size(); i += 64)
    ++memory[i];
}

namespace {
struct Candidate {
  Layer layer;
  std::unique_ptr<CompiledLayer> code;
  std::unique_ptr<Operands> operands;
  double best = 1e9;
  int repeats = 1;

  void sample() {
    if (cold && repeats < 200)
      evict();
    double start = seconds();
    for (int i = 0; i < repeats; ++i)
      code->run(layer, *operands);
    best = std::min(best, (seconds() - start) / repeats);
  }
};
} // namespace

static Candidate candidate(const Layer &layer, const TargetDescription &target) {
  Candidate c;
  c.layer = layer;
  c.code = CompiledLayer::compile(layer, target);
  if (!c.code)
    exit(1);
  c.operands = std::make_unique<Operands>(layer, 1);
  // About a millisecond a sample.
  c.repeats = cold ? 1 : std::max(1, int(1e-3 / (layer.flops() / 100e9)));
  c.sample();
  return c;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "times the kernel generator\n");
  std::vector<std::string> names(targetNames.begin(), targetNames.end());
  if (names.empty())
    names = {"native", "x86-64-v3"};
  std::vector<TargetDescription> targets;
  std::vector<Candidate> probes;
  for (const std::string &name : names) {
    auto target = TargetDescription::get(name);
    if (!target) {
      llvm::errs() << "error: unknown target '" << name << "'\n";
      return 1;
    }
    targets.push_back(*target);
    Layer probe = conv("probe", 128, 1, 32, 1);
    probe.columns = 12;
    probe.rows = 1;
    if (target->lanes(4) == 16)
      probe.tile = {2, 1, 12};
    else
      probe.tile = {1, 1, target->fma ? 6 : 2};
    probes.push_back(candidate(probe, *target));
    probes.back().repeats = 200;
  }
  std::vector<double> total(targets.size()), flops(targets.size());
  llvm::outs() << llvm::format("%-26s", "layer");
  for (const std::string &name : names)
    llvm::outs() << llvm::format(" | %-12s %8s %7s %5s", name.c_str(), "us", "GF/s", "%");
  llvm::outs() << "\n";
  for (auto &[layer, count] : layersOf(netName)) {
    if (!only.empty() && layer.name.find(only) == std::string::npos)
      continue;
    std::vector<std::vector<Candidate>> candidates(targets.size());
    for (size_t t = 0; t < targets.size(); ++t) {
      candidates[t].push_back(candidate(layer, targets[t]));
      if (winograd && layer.kernelRows == 3 && layer.kernelColumns == 3 && layer.stride == 1 &&
          !layer.planar && !layer.depthwise) {
        Layer other = layer;
        other.winograd = winograd;
        other.cut.assign(cut.begin(), cut.end());
        other.tile.assign(forcedTile.begin(), forcedTile.end());
        candidates[t].push_back(candidate(other, targets[t]));
      }
      if (allTiles && !layer.depthwise) {
        int64_t perBlock = 16 / targets[t].lanes(4);
        for (const codegen::TileShape &row : targets[t].tiles) {
          for (int64_t rows : {1, 2}) {
            Layer forced = layer;
            if (row.vectors < perBlock || row.pixels < rows)
              continue;
            forced.tile = {row.vectors / perBlock, rows, row.pixels / rows};
            candidates[t].push_back(candidate(forced, targets[t]));
          }
        }
      }
      for (Candidate &c : candidates[t]) {
        if (!c.layer.winograd)
          continue;
        c.operands->clearOut();
        c.code->run(c.layer, *c.operands);
        llvm::outs() << layer.name << llvm::format(": error %.2e of the largest output\n",
                                                   c.operands->error(c.operands->exact(layer)));
      }
      if (check) {
        Candidate &c = candidates[t][0];
        c.operands->clearOut();
        c.code->run(c.layer, *c.operands);
        auto expected = c.operands->expected(layer, targets[t].fma);
        llvm::outs() << layer.name << ": "
                     << c.operands->mismatches(layer, expected, targets[t].fma ? 0 : 0)
                     << " wrong\n";
      }
    }
    for (int round = 0; round < rounds; ++round)
      for (size_t t = 0; t < targets.size(); ++t) {
        probes[t].sample();
        for (Candidate &c : candidates[t])
          c.sample();
      }
    for (size_t i = 0;; ++i) {
      bool any = false;
      llvm::outs() << llvm::format("%-26s", i ? "" : layer.name.c_str());
      for (size_t t = 0; t < targets.size(); ++t) {
        if (i >= candidates[t].size())
          continue;
        any = true;
        Candidate &c = candidates[t][i];
        double peak = probes[t].layer.flops() / probes[t].best;
        std::string tile;
        for (int64_t extent : c.code->tile())
          tile += (tile.empty() ? "" : "x") + std::to_string(extent);
        tile += " t" + std::to_string(c.code->tasks(c.layer));
        llvm::outs() << llvm::format(" | %-12s %8.1f %7.1f %5.1f", tile.c_str(), c.best * 1e6,
                                     layer.flops() / c.best / 1e9,
                                     100 * layer.flops() / c.best / peak);
        if (i == 0) {
          total[t] += c.best * count;
          flops[t] += layer.flops() * count;
        }
        if (!asmFile.empty()) {
          std::error_code error;
          llvm::raw_fd_ostream(asmFile, error) << c.code->assembly();
        }
      }
      llvm::outs() << "\n";
      if ((!allTiles && !winograd) || !any)
        break;
    }
  }
  llvm::outs() << llvm::format("%-26s", "sum");
  for (size_t t = 0; t < targets.size(); ++t)
    llvm::outs() << llvm::format(" | %8.2f ms %7.1f GF/s, probe %7.1f", total[t] * 1e3,
                                 flops[t] / total[t] / 1e9,
                                 probes[t].layer.flops() / probes[t].best / 1e9);
  llvm::outs() << "\n";
  return 0;
}
