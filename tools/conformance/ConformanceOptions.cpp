// ConformanceOptions.cpp: see ConformanceOptions.h.
#include "tools/conformance/ConformanceOptions.h"

#include "tools/driver/ParseOptions.h"
#include "llvm/Support/raw_ostream.h"

#define SYMC_OPTIONS "tools/conformance/ConformanceOptions.inc"
#include "tools/driver/OptionTable.inc"

using namespace symc;
using namespace symc::conformance;
using namespace llvm::opt;

static constexpr llvm::StringLiteral program = "symc-conformance";

[[noreturn]] static void refuse(const llvm::Twine &message, const llvm::Twine &note = "") {
  refuseCommandLine(program, message, note);
}

static codegen::MathMode mathOf(const InputArgList &args) {
  llvm::StringRef name = args.getLastArgValue(OPT_math, "default");
  if (name == "strict")
    return codegen::MathMode::Strict;
  if (name == "fast")
    return codegen::MathMode::Fast;
  if (name != "default")
    refuse("option '--math' needs strict, default or fast, found '" + name + "'");
  return codegen::MathMode::Default;
}

static void readKernel(const InputArgList &args, RunOptions &run) {
  const Arg *arg = args.getLastArg(OPT_force_kernel);
  if (!arg)
    return;
  llvm::StringRef name = arg->getValue();
  run.forceKernel = codegen::convAlgorithmNamed(name);
  std::optional<codegen::CudaForm> form = codegen::cudaFormNamed(name);
  if (form)
    run.forceTile = form->tile, run.forceParts = form->parts;
  std::string names = codegen::convAlgorithmNames() + ", or with --target cuda " +
                      codegen::cudaTileNames() + " or row";
  if (!run.forceKernel && !run.forceTile)
    refuse("unknown kernel '" + name + "'; use " + names);
}

static Guard guardOf(const InputArgList &args, const RunOptions &run) {
  const Arg *arg = args.getLastArg(OPT_guard);
  if (!arg)
    return run.openAxis >= 0 || run.mutants ? Guard::End : Guard::None;
  llvm::StringRef side = arg->getValue();
  if (side != "end" && side != "start")
    refuse("option '--guard' needs end or start, found '" + side + "'");
  return side == "end" ? Guard::End : Guard::Start;
}

static RunOptions readRun(const InputArgList &args) {
  RunOptions run;
  run.targetCpu = args.getLastArgValue(OPT_target_cpu, run.targetCpu).str();
  run.math = mathOf(args);
  readKernel(args, run);
  run.referenceOnly = args.hasArg(OPT_reference);
  run.nativeKernels = args.hasArg(OPT_native_kernels);
  run.train = args.hasArg(OPT_train);
  run.mutants = args.hasArg(OPT_mutants);
  run.openEach = args.getLastArgValue(OPT_open) == "each";
  run.openAxis = run.openEach ? 0 : numberOf(args, OPT_open, program, 0, -1);
  run.guard = guardOf(args, run);
  run.threads = numberOf(args, OPT_threads, program, 1, 1);
  run.emulateAmx = args.hasArg(OPT_emulate_amx);
  run.misbehave = args.getLastArgValue(OPT_misbehave).str();
  run.modelsDir = args.getLastArgValue(OPT_models).str();
  run.resourceDir = resourceFolder(args, OPT_resource_dir);
  run.device = args.hasArg(OPT_target);
  if (run.device && args.getLastArgValue(OPT_target) != "cuda")
    refuse("option '--target' needs cuda, found '" + args.getLastArgValue(OPT_target) + "'");
  run.shim = args.hasArg(OPT_shim);
  run.countBanks = args.hasArg(OPT_shim_conflicts);
  run.vectors = args.hasArg(OPT_vectors);
  if (const Arg *arg = args.getLastArg(OPT_precision)) {
    auto precision = codegen::cudaPrecisionNamed(arg->getValue());
    if (!precision)
      refuse("unknown precision '" + llvm::Twine(arg->getValue()) + "'; use tf32, f16 or bf16");
    run.precision = *precision;
  }
  return run;
}

// Options that do not go together.
static void check(const RunOptions &run) {
  bool opens = run.openAxis >= 0;
  if (run.shim && !run.device)
    refuse("--shim is of --target cuda");
  if (run.device && !run.shim && opens)
    refuse("--open of --target cuda needs --shim");
  if (run.countBanks && (!run.shim || opens))
    refuse("--shim-conflicts is of --shim without --open");
  if (!run.device && run.vectors)
    refuse("--vectors is of --target cuda");
  if (!run.device && codegen::rounds(run.precision) && !isHalf(run.precision))
    refuse("--precision tf32 is of --target cuda");
  if (codegen::rounds(run.precision) && (opens || run.mutants))
    refuse("--precision has no bound for --open and --mutants");
  if (run.device ? run.forceKernel != nullptr : run.forceTile != nullptr)
    refuse("--force-kernel names a kernel of another device");
}

CommandLine symc::conformance::readCommandLine(int argc, char **argv) {
  OptionTable table;
  llvm::BumpPtrAllocator memory;
  InputArgList args = parseOptionsOrEnd(table, OPT_UNKNOWN, program, argc, argv, memory);
  if (args.hasArg(OPT_help)) {
    printOptions(table, llvm::outs(), "symc-conformance [options] FOLDER...",
                 "symc-conformance runs every case below the folders: a case is a folder with "
                 "case.json");
    llvm::outs() << "\nEXIT STATUS:\n  0 no case failed\n  1 some failed\n  2 wrong usage\n";
    exit(0);
  }
  CommandLine line;
  line.run = readRun(args);
  check(line.run);
  line.roots = args.getAllArgValues(OPT_INPUT);
  line.filters = args.getAllArgValues(OPT_filter);
  line.every = numberOf(args, OPT_every, program, 1, 1);
  line.ofEach = numberOf(args, OPT_of_each, program, 1, 1);
  line.minPassed = numberOf(args, OPT_min_passed, program, 1, 0);
  line.jobs = numberOf(args, OPT_jobs, program, 1, 2);
  line.timeoutSeconds = numberOf(args, OPT_timeout, program, 1, 120);
  line.verbose = args.hasArg(OPT_v);
  line.listUnsupported = args.hasArg(OPT_list_unsupported);
  if (line.roots.empty())
    refuse("no folder of cases", "symc-conformance --help lists the options");
  return line;
}
