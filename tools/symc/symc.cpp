// symc.cpp: the compiler's command. Parses, calls libsymc stage by stage, prints
// progress and messages, and ends with a documented status.
#include "tools/driver/Preprocess.h"
#include "tools/driver/Steps.h"
#include "tools/symc/CommandLine.h"
#include "tools/symc/Report.h"

#include "codegen/emit/OutputFile.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace symc;

namespace {

/// Prints a line about a stage that lasts over a second; every stage with -v.
class Progress {
public:
  explicit Progress(bool verbose) : verbose(verbose), watcher([this] { watch(); }) {}
  ~Progress() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      done = true;
    }
    changed.notify_one();
    watcher.join();
  }
  void begin(llvm::StringRef name) {
    if (verbose)
      llvm::errs() << "symc: " << name << "\n";
    std::lock_guard<std::mutex> lock(mutex);
    stage = name.str();
    start = std::chrono::steady_clock::now();
    told = verbose;
    changed.notify_one();
  }

private:
  void watch() {
    std::unique_lock<std::mutex> lock(mutex);
    while (!done) {
      changed.wait_for(lock, std::chrono::milliseconds(250));
      if (!done && !stage.empty() && !told &&
          std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) {
        llvm::errs() << "symc: " << stage << " ...\n";
        told = true;
      }
    }
  }
  bool verbose, done = false, told = false;
  std::string stage;
  std::chrono::steady_clock::time_point start;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread watcher;
};

} // namespace

static int fail(const Diagnostics &diagnostics) {
  diagnostics.render(llvm::errs());
  return ExitCompile;
}

static int failOutput(llvm::Error error) {
  llvm::errs() << "symc: error: " << llvm::toString(std::move(error)) << "\n";
  return ExitOutput;
}

// Text of a stage to the output file or standard output.
static int writeText(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  if (llvm::Error error = codegen::writeWhole(path, text))
    return failOutput(std::move(error));
  return ExitOk;
}

// Labels and preprocessing steps into the model's description.
static bool addProgramData(const CommandLine &line, codegen::ModelInfo &info) {
  if (!line.labelsFile.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(line.labelsFile);
    if (!buffer) {
      llvm::errs() << "symc: error: cannot read labels '" << line.labelsFile
                   << "': " << reasonOf(buffer.getError()) << "\n";
      return false;
    }
    llvm::SmallVector<llvm::StringRef> names;
    (*buffer)->getBuffer().split(names, '\n');
    while (!names.empty() && names.back().trim().empty())
      names.pop_back();
    for (llvm::StringRef name : names)
      info.labels.push_back(name.rtrim("\r").str());
  }
  if (line.preprocess.empty())
    return true;
  info.preprocess.resize(info.inputs.size(), symc_preprocess{});
  for (const auto &[name, steps] : line.preprocess) {
    llvm::StringRef wanted = name; // C++17 captures no part of a structured binding
    auto found =
        llvm::find_if(info.inputs, [&](const auto &input) { return input.name == wanted; });
    if (found == info.inputs.end()) {
      llvm::errs() << "symc: error: --preprocess names '" << name << "', which is no input\n";
      llvm::errs() << "symc: note: inputs are";
      for (const codegen::TensorInfo &input : info.inputs)
        llvm::errs() << " " << input.name;
      llvm::errs() << "\n";
      return false;
    }
    llvm::Expected<symc_preprocess> parsed = parsePreprocess(steps);
    if (!parsed) {
      llvm::errs() << "symc: error: " << llvm::toString(parsed.takeError()) << "\n";
      return false;
    }
    parsed->model_layout = SYMC_NCHW;
    info.preprocess[found - info.inputs.begin()] = *parsed;
  }
  return true;
}

// Whether a picture could be an input: preprocessing was asked for, or there are
// three or four extents with one, three or four channels.
static bool canReadPictures(const codegen::ModelInfo &info) {
  return !info.preprocess.empty() ||
         llvm::any_of(info.inputs, [](const codegen::TensorInfo &input) {
           size_t rank = input.shape.size();
           auto isChannels = [](int64_t extent) {
             return extent == 1 || extent == 3 || extent == 4;
           };
           return (rank == 3 || rank == 4) &&
                  (isChannels(input.shape[rank - 3]) || isChannels(input.shape[rank - 1]));
         });
}

static int writeDependencies(const CommandLine &line) {
  return writeText(line.emit.output + ".d", [&](llvm::raw_ostream &os) {
    os << line.emit.output << ": " << line.request.model.symbolFile;
    for (const std::string &file : line.request.model.paramsFiles)
      os << " " << file;
    if (!line.labelsFile.empty())
      os << " " << line.labelsFile;
    os << "\n";
  });
}

static int emitModel(CommandLine &line, Compiler &compiler, Diagnostics &diagnostics) {
  codegen::ModelInfo info = compiler.modelInfo();
  if (line.request.probes)
    info.probeSteps = writeSteps(describeSteps(compiler.module(), compiler.targetList()));
  if (!addProgramData(line, info))
    return ExitUsage;
  line.emit.images = line.images.value_or(canReadPictures(info));
  uint64_t bytes = compiler.preparedBytes();
  auto place = bytes ? line.weights : codegen::WeightsInfo::None;
  std::unique_ptr<codegen::WeightsFile> weights;
  if (place == codegen::WeightsInfo::Embedded && bytes > codegen::largestEmbeddedWeights) {
    place = codegen::WeightsInfo::SideFile;
    llvm::errs() << "symc: warning: " << bytes << " bytes of weights do not fit in a code file; "
                 << "writing '" << line.emit.output << ".weights' beside it\n";
  }
  bool text =
      line.emit.kind == codegen::EmitKind::LLVM || line.emit.kind == codegen::EmitKind::Assembly;
  if (bytes && !text && place != codegen::WeightsInfo::Extern) {
    auto file = place == codegen::WeightsInfo::SideFile
                    ? codegen::WeightsFile::sideFile(line.emit.output + ".weights", bytes)
                    : codegen::WeightsFile::embedded(info, bytes, line.emit.output);
    if (!file)
      return failOutput(file.takeError());
    weights = std::move(*file);
    if (!compiler.prepareInto(weights->data(), bytes, [&] { weights->release(); }))
      return fail(diagnostics);
    if (llvm::Error error = weights->seal())
      return failOutput(std::move(error));
  }
  std::unique_ptr<codegen::Code> code = compiler.code();
  if (!code)
    return fail(diagnostics);
  codegen::CodeBytes sizes;
  line.emit.codeBytes = line.report && !text ? &sizes : nullptr;
  if (compiler.onStage)
    compiler.onStage("emit");
  if (llvm::Error error = codegen::emit(line.emit, info, *code, weights.get(), place, bytes))
    return failOutput(std::move(error));
  if (line.report)
    printReport(compiler, bytes, llvm::outs());
  if (line.emit.codeBytes)
    printCodeBytes(info, sizes, llvm::outs());
  return line.dependencies ? writeDependencies(line) : ExitOk;
}

static int explain(const CommandLine &line, Compiler &compiler,
                   llvm::ArrayRef<RemarkText> remarks) {
  int status = ExitOk;
  for (const std::string &node : line.explain) {
    if (explainNode(compiler, remarks, node, llvm::outs()))
      continue;
    llvm::outs().flush();
    llvm::errs() << "symc: error: no step computes a node '" << node << "'\n"
                 << "symc: note: --report lists the nodes of each step; a node that a pass removed "
                    "has none\n";
    status = ExitUsage;
  }
  return status;
}

static int compile(CommandLine &line) {
  Diagnostics diagnostics;
  Compiler compiler(line.request, diagnostics);
  Progress progress(line.verbose);
  compiler.onStage = [&](llvm::StringRef name) { progress.begin(name); };
  std::vector<RemarkText> remarks;
  if (!line.explain.empty() || line.remarks.passed || line.remarks.missed)
    compiler.tellRemarks({true, true}, [&](const RemarkText &remark) {
      remarks.push_back(remark);
      if (remark.passed ? line.remarks.passed : line.remarks.missed)
        llvm::errs() << remark.line << "\n";
    });
  int status = ExitOk;
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs();
  auto print = [&] {
    return writeText(line.emit.output, [&](llvm::raw_ostream &os) {
      compiler.wholeModule().print(os, flags);
      os << "\n";
    });
  };
  auto run = [&]() -> int {
    if (!compiler.read() || (line.stage == Stage::Sg && !compiler.infer()))
      return fail(diagnostics);
    if (line.stage == Stage::Sg)
      return print();
    if (!compiler.infer())
      return fail(diagnostics);
    if (!line.graphDot.empty())
      if (int bad = writeText(line.graphDot,
                              [&](llvm::raw_ostream &os) { writeDot(compiler.module(), os); }))
        return bad;
    if (!compiler.optimise())
      return fail(diagnostics);
    if (line.stage == Stage::SgOpt)
      return print();
    if (!compiler.schedule())
      return fail(diagnostics);
    for (const std::string &tuned : compiler.tuningSummary())
      llvm::errs() << "symc: tuned for " << tuned << "\n";
    if (line.stage == Stage::Schedule)
      return print();
    if (line.stage == Stage::Loops) {
      mlir::OwningOpRef<mlir::ModuleOp> loops = compiler.loops();
      if (!loops)
        return fail(diagnostics);
      return writeText(line.emit.output, [&](llvm::raw_ostream &os) { os << *loops << "\n"; });
    }
    if (!line.explain.empty())
      return explain(line, compiler, remarks);
    return emitModel(line, compiler, diagnostics);
  };
  status = run();
  if (status == ExitOk && !diagnostics.all().empty())
    diagnostics.render(llvm::errs()); // warnings
  if (line.timePasses)
    for (const StageTime &time : compiler.times())
      llvm::errs() << llvm::format("%8.3f s  ", time.seconds) << time.stage << "\n";
  return status;
}

// Memory that a compilation needs and does not get ends it, wherever it was asked for; nothing
// is allocated here. Files that are half written go away.
[[noreturn]] static void outOfMemory(void *, const char *, bool) {
  constexpr llvm::StringLiteral text = "symc: error: out of memory\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  llvm::sys::RunInterruptHandlers();
  ::_exit(ExitCompile);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(outOfMemory);
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a message, too
  int status = ExitOk;
  std::optional<CommandLine> line = parseCommandLine({argv + 1, argv + argc}, argv[0], status);
  if (line)
    status = compile(*line);
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error();
    status = failOutput(codegen::cannotWrite("standard output", error.value()));
  }
  return status;
}
