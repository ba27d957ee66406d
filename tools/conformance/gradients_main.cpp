// symc-gradients: runs cases of training in f64 by reference kernels and compares their gradients
// with MXNet's and with quotients of differences, or makes mistakes in the rules and prints which
// go unnoticed.
#include "codegen/emit/Cores.h"
#include "ir/Gradient.h"
#include "tools/conformance/DerivativeMutants.h"
#include "tools/conformance/Differences.h"
#include "tools/conformance/GradientMutants.h"
#include "tools/conformance/NativeKernels.h"
#include "tools/driver/Compiler.h"
#include "tools/driver/ParseOptions.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

#define SYMC_OPTIONS "tools/conformance/GradientsOptions.inc"
#include "tools/driver/OptionTable.inc"

using namespace symc;
using namespace symc::conformance;
using namespace llvm::opt;

static constexpr llvm::StringLiteral program = "symc-gradients";

namespace {

struct Options {
  bool mutate = false, misbehave = false, eachRule = false, verbose = false;
  int every = 1;
  std::string resourceDir, explained;
  std::vector<std::string> roots, filters;
};

/// A line of --explained.
struct Explained {
  std::string start; // of what is printed
  bool used = false;
};

/// One compilation of a case, with one mistake or with none.
struct Compiled {
  Diagnostics diagnostics;
  std::unique_ptr<Compiler> compiler;
  PreparedWeights weights;
  std::unique_ptr<codegen::InProcess> loaded;
  std::vector<GradientMutant> mutants;
  std::set<std::string> rules; // operators of the graph that have one

  Compiled(const WideCase &wide, const std::string &resourceDir, std::optional<size_t> mistake);
  /// `loaded` stays null where that fails.
  void load(const std::string &resourceDir);

private:
  bool isOptimised = false;
};

} // namespace

static CompileRequest requestFor(const WideCase &wide, const std::string &resourceDir) {
  const StoredCase &stored = wide.stored;
  CompileRequest request;
  request.model.symbolFile = stored.symbol;
  request.model.paramsFiles = {stored.params};
  request.targetCpus = {codegen::TargetDescription::common()};
  request.referenceOnly = true;
  request.gradients.arguments = {"all"};
  request.gradients.added = stored.added;
  request.gradients.dropped = stored.dropped;
  request.resourceDir = resourceDir;
  request.extraWeights = true;
  for (auto &entry : stored.arrays) {
    llvm::StringRef name = entry.getKey();
    if (!name.consume_front("data:") && !name.consume_front("arg:"))
      continue;
    std::vector<DimSpec> shape;
    for (int64_t extent : entry.second->shape)
      shape.push_back(DimSpec::fixed(extent));
    request.shapes[name.str()] = shape;
    mlir::MLIRContext context;
    bool wider = entry.second->dtype == params::DType::F32;
    request.dtypes[name.str()] =
        wider ? "float64"
              : sg::typeName(sg::typeFromFlag(static_cast<int64_t>(entry.second->dtype), &context));
  }
  return request;
}

Compiled::Compiled(const WideCase &wide, const std::string &resourceDir,
                   std::optional<size_t> mistake) {
  compiler = std::make_unique<Compiler>(requestFor(wide, resourceDir), diagnostics);
  compiler->onPass = [&](llvm::StringRef pass, mlir::Operation *root) {
    auto module = mlir::dyn_cast<mlir::ModuleOp>(root);
    if (pass != "sg-gradient" || !module)
      return;
    mutants = gradientMutantsOf(module);
    module.walk([&](mlir::Operation *op) {
      if (!sg::isBackward(op) && sg::gradientKind(op) == "rule")
        rules.insert(op->getName().getStringRef().str());
    });
    if (mistake)
      makeGradientMutant(module, *mistake);
  };
  isOptimised = compiler->read() && compiler->optimise();
}

void Compiled::load(const std::string &resourceDir) {
  if (!isOptimised || !compiler->schedule())
    return;
  codegen::InProcessOptions options;
  options.resourceDir = resourceDir;
  // The kernels are this program's: those of the bitcode would be optimised for each mistake.
  options.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)}};
  llvm::append_range(options.host, nativeKernels());
  loaded = compiler->load(weights, options);
}

namespace {

class Checker {
public:
  Checker(const Options &options, std::vector<Explained> &explained)
      : options(options), explained(explained) {}

  void check(const std::string &folder, const std::string &label) {
    WideCase wide;
    if (std::string problem = wide.read(folder); !problem.empty())
      return fail(label, problem);
    Compiled compiled(wide, options.resourceDir, std::nullopt);
    size_t before = shown.size();
    shown.insert(compiled.rules.begin(), compiled.rules.end());
    std::vector<size_t> chosen; // mistakes
    for (auto [i, mutant] : llvm::enumerate(compiled.mutants))
      if (!options.eachRule || !noticedKinds.count(mutant.kind))
        chosen.push_back(i);
    if (options.mutate ? chosen.empty() : options.eachRule && shown.size() == before)
      return;
    compiled.load(options.resourceDir);
    if (!compiled.loaded)
      return fail(label, firstError(compiled.diagnostics));
    const symc_model &model = *compiled.loaded->model();
    std::string problem = compareStored(model, wide);
    if (!problem.empty() && !isExplained(label + " stored"))
      return fail(label, problem);
    std::vector<std::string> symmetric;
    for (int32_t i = 0; i < model.n_inputs; ++i)
      if (isExplained(label + " " + model.inputs[i].name + " symmetric"))
        symmetric.push_back(model.inputs[i].name);
    Compared compared = compareDifferences(model, wide, symmetric);
    if (!compared.problem.empty())
      return fail(label, compared.problem);
    if (options.mutate)
      return mutate(label, wide, {symmetric, problem.empty(), compared}, compiled.mutants, chosen);
    std::vector<std::string> alike;
    for (const std::string &argument : compared.unlike)
      if (!isExplained(label + " " + argument))
        fail(label + " " + argument, "its gradient is not that of a difference");
    for (const std::string &argument : compared.arguments)
      if (!llvm::is_contained(compared.unlike, argument))
        alike.push_back(argument);
    if (!alike.empty())
      derivatives.insert(compiled.rules.begin(), compiled.rules.end());
    if (options.verbose)
      printf("%s: %s\n", label.c_str(), alike.empty() ? "none" : llvm::join(alike, ", ").c_str());
    fflush(stdout);
    ++passed;
  }

  /// Mistakes that none of several cases noticed.
  void checkAlive() {
    for (const auto &[kind, text] : alive)
      if (!noticedKinds.count(kind) && !isExplained(text))
        fail(text, "nothing notices it");
  }

  /// Rules that no case compares with differences, and lines of --explained that nothing needs.
  void checkWhole() {
    for (const std::string &op : shown)
      if (!options.mutate && !derivatives.count(op) && !isExplained(op))
        fail(op, "no case compares its gradient with a difference");
    for (const Explained &line : explained)
      if (!line.used && options.mutate == (line.start.find(": ") != std::string::npos) &&
          (options.mutate || !options.eachRule))
        fail(line.start, "--explained has a line for it, which nothing needs");
  }

  /// Mistakes in the derivatives of ir/ScalarFunctions.td.
  void mutateTable() {
    DerivativeMutants mutants = mutateDerivatives(options.misbehave);
    for (const std::string &each : mutants.alive)
      fail(each, "nothing notices it");
    printf("%zu mistakes in %zu derivatives of the table were noticed\n",
           mutants.count - mutants.alive.size() - mutants.equal, mutants.derivatives);
  }

  size_t passed = 0, failed = 0, died = 0;
  std::set<std::string> mutated; // operators in whose rule a mistake was noticed

private:
  void fail(const std::string &label, const std::string &why) {
    printf("FAIL %s: %s\n", label.c_str(), why.c_str());
    fflush(stdout);
    ++failed;
  }

  bool isExplained(const std::string &text) {
    for (Explained &line : explained)
      if (llvm::StringRef(text).starts_with(line.start))
        return line.used = true;
    return false;
  }

  static std::string firstError(const Diagnostics &diagnostics) {
    for (const Diagnostic &message : diagnostics.all())
      if (message.severity == Diagnostic::Severity::Error)
        return message.message;
    return "no message";
  }

  // A mistake is noticed where the compiler or a run refuses it, a stored result differs, or a
  // gradient that was a derivative is none any more.
  struct Unchanged {
    std::vector<std::string> symmetric;
    bool isStored; // its results are MXNet's
    Compared compared;
  };
  bool isNoticed(const WideCase &wide, const Unchanged &before, Compiled &compiled) const {
    compiled.load(options.resourceDir);
    if (options.misbehave)
      return false;
    if (!compiled.loaded)
      return true;
    const symc_model &model = *compiled.loaded->model();
    if (before.isStored && !compareStored(model, wide).empty())
      return true;
    Compared after = compareDifferences(model, wide, before.symmetric);
    return !after.problem.empty() || after.unlike != before.compared.unlike;
  }

  void mutate(const std::string &label, const WideCase &wide, const Unchanged &before,
              llvm::ArrayRef<GradientMutant> mutants, llvm::ArrayRef<size_t> chosen) {
    std::vector<char> noticedOf(chosen.size()); // a byte each: threads write them
    codegen::forEachOnCores(chosen.size(), [&](int64_t i) {
      Compiled compiled(wide, options.resourceDir, chosen[i]);
      noticedOf[i] = isNoticed(wide, before, compiled);
    });
    for (auto [i, noticed] : llvm::zip_equal(chosen, noticedOf)) {
      const GradientMutant &mutant = mutants[i];
      std::string text = label + ": " + mutant.text;
      if (options.verbose)
        printf("%s: %s\n", noticed ? "died" : "lives", text.c_str());
      fflush(stdout);
      if (noticed) {
        ++died;
        mutated.insert(mutant.rule);
        noticedKinds.insert(mutant.kind);
      } else if (options.eachRule) {
        alive.try_emplace(mutant.kind, text); // another case may notice it
      } else if (!isExplained(text)) {
        fail(text, "nothing notices it");
      }
    }
    ++passed;
  }

  const Options &options;
  std::vector<Explained> &explained;
  std::set<std::string> shown, derivatives; // operators of cases; those compared with differences
  std::set<std::string> noticedKinds;
  std::map<std::string, std::string> alive; // kinds with the first that nothing noticed
};

} // namespace

static std::vector<std::string> findCases(const Options &options) {
  std::vector<std::string> folders, chosen;
  for (const std::string &root : options.roots) {
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator it(root, error), end; it != end && !error;
         it.increment(error))
      if (llvm::sys::path::filename(it->path()) == "case.json")
        folders.push_back(llvm::sys::path::parent_path(it->path()).str());
  }
  llvm::sort(folders);
  for (const std::string &folder : folders)
    if (options.filters.empty() || llvm::any_of(options.filters, [&](const std::string &filter) {
          return folder.find(filter) != std::string::npos;
        }))
      chosen.push_back(folder);
  folders.clear();
  for (size_t i = 0; i < chosen.size(); i += options.every)
    folders.push_back(chosen[i]);
  return folders;
}

// The lines of a file up to ": ", or the sentence of what is wrong.
static std::string readExplained(const std::string &path, std::vector<Explained> &explained) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "cannot read '" + path + "'";
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    auto [start, reason] = line.split(" -- ");
    if (reason.trim().empty())
      return path + ": no reason behind ' -- ': " + line.str();
    explained.push_back({start.trim().str()});
  }
  return "";
}

[[noreturn]] static void refuse(const llvm::Twine &message) { refuseCommandLine(program, message); }

static Options readOptions(int argc, char **argv) {
  OptionTable table;
  llvm::BumpPtrAllocator memory;
  InputArgList args = parseOptionsOrEnd(table, OPT_UNKNOWN, program, argc, argv, memory);
  if (args.hasArg(OPT_help)) {
    printOptions(table, llvm::outs(), "symc-gradients [options] FOLDER...",
                 "symc-gradients compiles each case of training below the folders with all its "
                 "floats as f64, by reference kernels. Its results have to be MXNet's, and the "
                 "gradient of each argument that of a difference along random directions");
    llvm::outs() << R"(
EXIT STATUS:
  0 nothing was found
  1 something was
  2 wrong usage

The last line is `N passed, N failed`.
)";
    exit(0);
  }
  Options options;
  options.mutate = args.hasArg(OPT_mutate);
  options.misbehave = args.hasArg(OPT_misbehave);
  options.eachRule = args.hasArg(OPT_each_rule);
  options.verbose = args.hasArg(OPT_v);
  options.explained = args.getLastArgValue(OPT_explained).str();
  options.filters = args.getAllArgValues(OPT_filter);
  options.every = numberOf(args, OPT_every, program, 1, 1);
  options.resourceDir = resourceFolder(args, OPT_resource_dir);
  options.roots = args.getAllArgValues(OPT_INPUT);
  return options;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options = readOptions(argc, argv);
  std::vector<Explained> explained;
  if (!options.explained.empty())
    if (std::string problem = readExplained(options.explained, explained); !problem.empty())
      refuse(problem);
  std::vector<std::string> folders = findCases(options);
  if (folders.empty())
    refuse("no case found below the folders");
  Checker checker(options, explained);
  for (const std::string &folder : folders)
    checker.check(folder, (llvm::sys::path::filename(llvm::sys::path::parent_path(folder)) + "/" +
                           llvm::sys::path::filename(folder))
                              .str());
  bool whole = options.filters.empty() && options.every == 1;
  checker.checkAlive();
  if (whole)
    checker.checkWhole();
  if (options.mutate && whole)
    checker.mutateTable();
  if (options.mutate)
    printf("%zu mistakes in the rules of %zu operators were noticed\n", checker.died,
           checker.mutated.size());
  printf("%zu passed, %zu failed\n", checker.passed, checker.failed);
  return checker.failed ? 1 : 0;
}
