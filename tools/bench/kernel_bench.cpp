// kernel_bench.cpp: Google Benchmark over the kernel generator's layers: symc's kernels for one or
// several instruction sets, with OpenBLAS and oneDNN beside them. Names are NET/LAYER/CONTENDER.
// The contenders of a layer run one after another, and the least of the repetitions counts, since a
// shared core only ever gets slower; shares are of the multiply-adds that machine-probe measures.
#include "tools/bench/KernelRows.h"
#include "tools/bench/MachineProbe.h"

#include "codegen/cpu/TileChoice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <map>

#define SYMC_OPTIONS "tools/bench/KernelBenchOptions.inc"
#include "tools/driver/OptionTable.inc"

using namespace symc;
using namespace symc::bench;
using namespace llvm::opt;
using codegen::TargetDescription;

namespace {

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

struct Flags {
  std::vector<std::pair<std::string, TargetDescription>> targets;
  std::vector<int64_t> tile;
  bool allTiles = false, cold = false, check = false, peers = true;
  std::string asmFile;
};

[[noreturn]] void refuse(const llvm::Twine &message) {
  llvm::errs() << "kernel-bench: error: " << message << "\n"
               << "kernel-bench: note: see kernel-bench --help\n";
  exit(2);
}

std::vector<int64_t> numbers(const InputArgList &args, unsigned id, size_t count) {
  std::vector<int64_t> list;
  if (!args.hasArg(id))
    return list;
  llvm::StringRef text = args.getLastArgValue(id);
  for (llvm::StringRef part : llvm::split(text, ','))
    if (int64_t value; !part.getAsInteger(10, value))
      list.push_back(value);
  if (list.size() != count)
    refuse("option '" + args.getLastArg(id)->getSpelling() + "' needs " + llvm::Twine(count) +
           " numbers, found '" + text + "'");
  return list;
}

Flags readFlags(const InputArgList &args) {
  Flags flags;
  std::string names = args.getLastArgValue(OPT_targets, "native").str();
  for (llvm::StringRef name : llvm::split(names, ',')) {
    auto target = TargetDescription::get(name);
    if (!target)
      refuse("unknown target '" + name + "'");
    if (!runsHere(*target))
      refuse("this machine cannot run code for '" + name + "'");
    flags.targets.push_back({name.str(), *target});
  }
  flags.tile = numbers(args, OPT_tile, 3);
  flags.allTiles = args.hasArg(OPT_tiles);
  flags.cold = args.hasArg(OPT_cold);
  flags.check = args.hasArg(OPT_check);
  flags.peers = !args.hasArg(OPT_no_peers);
  flags.asmFile = args.getLastArgValue(OPT_asm_file).str();
  return flags;
}

//===----------------------------------------------------------------------===//
// Contenders
//===----------------------------------------------------------------------===//

class SymcKernel final : public Contender {
public:
  SymcKernel(const Layer &layer, const TargetDescription &target)
      : layer(layer), operands(layer, 1), code(CompiledLayer::compile(layer, target)) {}
  void run() override { code->run(layer, operands); }

  /// Empty, or what is wrong: it gives the bits of plain loops.
  std::string check(bool fused) {
    operands.clearOut();
    run();
    int64_t wrong = operands.mismatches(layer, operands.expected(layer, fused), 0);
    return wrong ? std::to_string(wrong) + " elements differ from plain loops" : "";
  }

  Layer layer;
  Operands operands;
  std::unique_ptr<CompiledLayer> code;
};

// Walks over more memory than the caches hold.
void evict() {
  static std::vector<char> memory(96 << 20);
  for (size_t i = 0; i < memory.size(); i += 64)
    ++memory[i];
  benchmark::DoNotOptimize(memory.data());
}

void measure(benchmark::State &state, Contender &contender, const Layer &layer, bool cold) {
  using Clock = std::chrono::steady_clock;
  contender.run();
  for (auto _ : state) {
    if (cold)
      evict();
    auto start = Clock::now();
    contender.run();
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count());
  }
  state.counters["GFLOP/s"] =
      benchmark::Counter(layer.flops() * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void enlist(const std::string &name, std::function<void(benchmark::State &)> body) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(body))
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void enlistSymc(const std::string &name, const Layer &layer, const TargetDescription &target,
                const Flags &flags) {
  enlist(name, [=](benchmark::State &state) {
    SymcKernel kernel(layer, target);
    if (!kernel.code)
      return state.SkipWithError("the layer does not compile");
    if (std::string wrong = flags.check ? kernel.check(target.fma) : ""; !wrong.empty())
      return state.SkipWithError(wrong.c_str());
    std::vector<std::string> tile;
    for (int64_t extent : kernel.code->tile())
      tile.push_back(std::to_string(extent));
    state.SetLabel("tile " + llvm::join(tile, "x"));
    measure(state, kernel, layer, flags.cold);
    if (flags.asmFile.empty())
      return;
    std::error_code error;
    llvm::raw_fd_ostream file(flags.asmFile, error);
    if (error)
      return state.SkipWithError(
          ("cannot write '" + flags.asmFile + "': " + error.message()).c_str());
    file << kernel.code->assembly();
  });
}

void enlistAlgorithm(const std::string &name, const Layer &layer, const TargetDescription &target,
                     const codegen::ConvAlgorithm &algorithm, const Flags &flags) {
  enlist(name, [=, &algorithm](benchmark::State &state) {
    AlgorithmContender made = algorithmContender(algorithm, layer, target, flags.tile);
    if (!made.contender)
      return state.SkipWithError(made.label.c_str());
    state.SetLabel(made.label);
    measure(state, *made.contender, layer, flags.cold);
  });
}

void enlistTarget(const std::string &row, const Layer &layer, const std::string &targetName,
                  const TargetDescription &target, const Flags &flags) {
  std::string name = row + "/symc-" + targetName;
  enlistSymc(name + "-direct", layer, target, flags);
  for (const codegen::ConvAlgorithm *algorithm : codegen::convAlgorithms())
    if (algorithm != codegen::directAlgorithm() && takes(*algorithm, layer))
      enlistAlgorithm(name + "-" + algorithm->name.str(), layer, target, *algorithm, flags);
  int64_t perBlock = target.blockWidth / target.lanes(4);
  for (const codegen::TileShape &tile : target.tiles)
    for (int64_t rows : {1, 2}) {
      if (!flags.allTiles || layer.depthwise || tile.vectors < perBlock || tile.pixels < rows)
        continue;
      Layer forced = layer;
      forced.tile = {tile.vectors / perBlock, rows, tile.pixels / rows};
      enlistSymc(
          llvm::formatv("{0}-tile-{1}x{2}x{3}", name, forced.tile[0], rows, forced.tile[2]).str(),
          forced, target, flags);
    }
}

void enlistPeer(const std::string &name, const Layer &layer, bool cold,
                std::unique_ptr<Contender> (*make)(const Layer &)) {
  enlist(name, [=](benchmark::State &state) {
    auto contender = make(layer);
    measure(state, *contender, layer, cold);
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// One line for each contender: its least time over the repetitions. At the end, how many times
/// faster symc's best kernel is than each peer, as the geometric mean over the layers of both.
class Table final : public benchmark::BenchmarkReporter {
public:
  explicit Table(double peakGflops) : peak(peakGflops) {}

  bool ReportContext(const Context &) override {
    llvm::outs() << openBlasVersion() << "\n"
                 << oneDnnVersion() << "\n"
                 << llvm::format("peak of one core: %.1f GFLOP/s\n\n", peak)
                 << llvm::format("%-62s %10s %8s %6s\n", "layer and kernel", "us", "GFLOP/s",
                                 "peak");
    return true;
  }

  void ReportRuns(const std::vector<Run> &runs) override {
    double seconds = INFINITY, rate = 0;
    std::string label;
    for (const Run &run : runs) {
      if (run.error_occurred) {
        failed = true;
        llvm::outs() << llvm::format("%-62s %s\n", run.run_name.function_name.c_str(),
                                     run.error_message.c_str());
        return;
      }
      if (run.run_type != Run::RT_Iteration)
        continue;
      seconds = std::min(seconds, run.real_accumulated_time / double(run.iterations));
      rate = std::max(rate, run.counters.at("GFLOP/s").value);
      label = run.report_label;
    }
    if (!rate) // Google Benchmark's own means of the repetitions
      return;
    std::string name = runs.front().run_name.function_name;
    llvm::outs() << llvm::format("%-62s %10.1f %8.1f %5.0f%%  ", name.c_str(), seconds * 1e6, rate,
                                 100 * rate / peak)
                 << label << "\n";
    auto [layer, contender] = llvm::StringRef(name).rsplit('/');
    std::string group = contender.starts_with("symc") ? "symc" : contender.str();
    double &best = times[layer.str()].try_emplace(group, INFINITY).first->second;
    best = std::min(best, seconds);
  }

  void Finalize() override {
    llvm::outs() << "\n";
    for (const char *peer : {"openblas", "onednn"}) {
      double sum = 0;
      int count = 0;
      for (const auto &[layer, of] : times)
        if (of.count("symc") && of.count(peer)) {
          sum += std::log(of.at(peer) / of.at("symc"));
          ++count;
        }
      if (count)
        llvm::outs() << llvm::format(
            "%s takes %.2f times as long as symc (geometric mean of %d layers)\n", peer,
            std::exp(sum / count), count);
    }
  }

  bool failed = false;

private:
  double peak;
  std::map<std::string, std::map<std::string, double>> times;
};

void printHelp(const OptionTable &options) {
  options.printHelp(
      llvm::outs(), "kernel-bench [options] [--benchmark_...]",
      "kernel-bench times the kernels of symc, layer by layer, beside OpenBLAS and oneDNN, "
      "with one thread");
  llvm::outs() << R"(
Google Benchmark's flags work, too, among them
  --benchmark_filter=REGEX       only rows NET/LAYER/CONTENDER that match
  --benchmark_list_tests         the names of all rows
  --benchmark_repetitions=N      the least of N counts (default 5)
  --benchmark_min_time=SECONDS   of a repetition (default 0.02)
  --benchmark_out=FILE           all times as JSON, to compare with a later run

EXAMPLES:
  kernel-bench --benchmark_filter=resnet50/3x3
  kernel-bench --targets=x86-64-v4,x86-64-v3 --check --benchmark_out=kernels.json
)";
}

} // namespace

int main(int argc, char **argv) {
  std::vector<const char *> own;
  std::vector<char *> theirs = {argv[0], const_cast<char *>("--benchmark_repetitions=5"),
                                const_cast<char *>("--benchmark_min_time=0.02")};
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]).starts_with("--benchmark_") ||
        llvm::StringRef(argv[i]).starts_with("--v="))
      theirs.push_back(argv[i]);
    else
      own.push_back(argv[i]);
  OptionTable options;
  unsigned missing, missingCount;
  InputArgList args = options.ParseArgs(own, missing, missingCount);
  if (args.hasArg(OPT_help)) {
    printHelp(options);
    return 0;
  }
  for (const Arg *arg : args)
    if (arg->getOption().matches(OPT_UNKNOWN) || arg->getOption().matches(OPT_INPUT))
      refuse("unknown option '" + llvm::Twine(arg->getAsString(args)) + "'");
  Flags flags = readFlags(args);

  for (const KernelRow &row : kernelRows()) {
    std::string name = row.net + "/" + row.layer.name;
    for (const auto &[targetName, target] : flags.targets)
      enlistTarget(name, row.layer, targetName, target, flags);
    if (flags.peers && openBlasTakes(row.layer))
      enlistPeer(name + "/openblas", row.layer, flags.cold, openBlasContender);
    if (flags.peers && oneDnnTakes(row.layer))
      enlistPeer(name + "/onednn", row.layer, flags.cold, oneDnnContender);
  }
  int count = int(theirs.size());
  benchmark::Initialize(&count, theirs.data());
  Table table(measureMachine().peakGflops);
  benchmark::RunSpecifiedBenchmarks(&table);
  benchmark::Shutdown();
  return table.failed ? 1 : 0;
}
