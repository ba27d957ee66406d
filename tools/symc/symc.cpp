// symc.cpp: the compiler's command. Parses, calls libsymc stage by stage, prints
// progress and messages, and ends with a documented status.
#include "tools/driver/Preprocess.h"
#include "tools/driver/Process.h"
#include "tools/driver/Steps.h"
#include "tools/symc/Cache.h"
#include "tools/symc/CommandLine.h"
#include "tools/symc/Dependencies.h"
#include "tools/symc/Progress.h"
#include "tools/symc/Report.h"

#include "codegen/emit/OutputFile.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc;

static int fail(Progress &progress, const Diagnostics &diagnostics) {
  progress.hide();
  diagnostics.render(llvm::errs());
  return ExitCompile;
}

static int failOutput(Progress &progress, llvm::Error error) {
  progress.hide();
  llvm::errs() << "symc: error: " << llvm::toString(std::move(error)) << "\n";
  return ExitOutput;
}

// Text of a stage to the output file or standard output.
static int writeText(Progress &progress, const std::string &path,
                     llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  if (llvm::Error error = codegen::writeWhole(path, text))
    return failOutput(progress, std::move(error));
  return ExitOk;
}

// Labels and preprocessing steps into the model's description.
static bool addProgramData(const CommandLine &line, const Diagnostics &diagnostics,
                           codegen::ModelInfo &info) {
  if (!line.labelsFile.empty()) {
    std::string reason = notRegular(line.labelsFile);
    auto buffer = reason.empty() ? llvm::MemoryBuffer::getFile(line.labelsFile)
                                 : std::make_error_code(std::errc::invalid_argument);
    if (!buffer) {
      llvm::errs() << "symc: error: cannot read labels '" << line.labelsFile
                   << "': " << (reason.empty() ? reasonOf(buffer.getError()) : reason) << "\n";
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
      std::vector<std::string> names;
      for (const codegen::TensorInfo &input : info.inputs)
        names.push_back(input.name);
      llvm::errs() << "symc: note: inputs are " << diagnostics.nameList(names) << "\n";
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

// A library that a kernel calls is opened when a context is created, for which the program needs
// a dynamic loader.
static void chooseLinkage(CommandLine &line, Compiler &compiler, codegen::ModelInfo &info) {
  bool program = line.emit.kind == codegen::EmitKind::Executable;
  if (!program || !line.freeLinkage || info.libraries.empty())
    return;
  compiler.setTriple("x86_64-linux-gnu");
  info.triple = "x86_64-linux-gnu";
  llvm::errs() << "symc: remark: the model calls " << info.libraries[0].name
               << ", a shared library: the program is linked dynamically, as with -dynamic\n";
}

// Open sizes have one arena, for the largest of them. Who gave a range wider than he needs is
// told before a run asks for the memory.
static void tellLargeArena(const codegen::ModelInfo &info) {
  constexpr int64_t large = int64_t(1) << 30;
  int64_t bytes = 0;
  for (const codegen::VariantInfo &variant : info.variants)
    bytes = std::max(bytes, variant.arenaBytes);
  if (info.dims.empty() || bytes < large)
    return;
  llvm::errs() << "symc: remark: a context takes " << bytes
               << " bytes of memory, enough for the largest sizes of --shape; smaller ranges take "
                  "less\n";
}

// What takes long because no code is generated for it is said without being asked for. (No more
// than 20 nodes have such a share.)
static void tellReferenceCode(Compiler &compiler) {
  constexpr double leastShare = 0.05, leastCycles = 3e6;
  for (const ReferenceTime &time : referenceTimes(
           describeSteps(compiler.module(), compiler.targetList()), compiler.targetList().front()))
    if (time.share >= leastShare && time.cycles >= leastCycles)
      llvm::errs() << "symc: remark: node '" << time.nodes << "' runs in reference code, about "
                   << llvm::format("%.0f", 100 * time.share)
                   << " % of the model's estimated time: no code is generated for it\n";
}

static int emitModel(CommandLine &line, Compiler &compiler, Diagnostics &diagnostics,
                     Progress &progress) {
  progress.hide(); // there may be messages
  codegen::ModelInfo info = compiler.modelInfo();
  chooseLinkage(line, compiler, info);
  tellLargeArena(info);
  if (!line.request.referenceOnly)
    tellReferenceCode(compiler);
  if (line.request.probes)
    info.probeSteps = writeSteps(compiler.module(), compiler.targetList());
  if (!addProgramData(line, diagnostics, info))
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
      return failOutput(progress, file.takeError());
    weights = std::move(*file);
    if (!compiler.prepareInto(weights->data(), bytes, [&] { weights->release(); }))
      return fail(progress, diagnostics);
    if (llvm::Error error = weights->seal())
      return failOutput(progress, std::move(error));
  }
  std::unique_ptr<codegen::Code> code = compiler.code();
  if (!code)
    return fail(progress, diagnostics);
  codegen::CodeBytes sizes;
  line.emit.codeBytes = line.report && !text ? &sizes : nullptr;
  if (compiler.onStage)
    compiler.onStage("emit");
  if (llvm::Error error = codegen::emit(line.emit, info, *code, weights.get(), place, bytes))
    return failOutput(progress, std::move(error));
  if (line.dependencies)
    if (llvm::Error error = codegen::writeWhole(line.emit.output + ".d", dependencyRule(line)))
      return failOutput(progress, std::move(error));
  progress.hide();
  if (line.report)
    printReport(compiler, bytes, llvm::outs());
  if (line.emit.codeBytes)
    printCodeBytes(info, sizes, llvm::outs());
  return ExitOk;
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
  diagnostics.listAll(line.verbose);
  Compiler compiler(line.request, diagnostics);
  Progress progress(line.verbose, /*quiet=*/!line.request.printAfter.empty());
  compiler.onStage = [&](llvm::StringRef name) { progress.begin(name); };
  std::vector<RemarkText> remarks;
  if (!line.explain.empty() || line.remarks.passed || line.remarks.missed)
    compiler.tellRemarks({true, true}, [&](const RemarkText &remark) {
      remarks.push_back(remark);
      if (remark.passed ? line.remarks.passed : line.remarks.missed) {
        progress.hide();
        llvm::errs() << remark.line << "\n";
      }
    });
  int status = ExitOk;
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs();
  auto print = [&] {
    return writeText(progress, line.emit.output, [&](llvm::raw_ostream &os) {
      compiler.wholeModule().print(os, flags);
      os << "\n";
    });
  };
  auto run = [&]() -> int {
    if (!compiler.read() || (line.stage == Stage::Sg && !compiler.infer()))
      return fail(progress, diagnostics);
    if (line.stage == Stage::Sg)
      return print();
    if (!compiler.infer())
      return fail(progress, diagnostics);
    if (!line.graphDot.empty())
      if (int bad = writeText(progress, line.graphDot,
                              [&](llvm::raw_ostream &os) { writeDot(compiler.module(), os); }))
        return bad;
    if (!compiler.optimise())
      return fail(progress, diagnostics);
    if (line.stage == Stage::SgOpt)
      return print();
    if (!compiler.schedule())
      return fail(progress, diagnostics);
    progress.hide();
    for (const std::string &tuned : compiler.tuningSummary())
      llvm::errs() << "symc: tuned for " << tuned << "\n";
    if (line.stage == Stage::Schedule)
      return print();
    if (line.stage == Stage::Loops) {
      mlir::OwningOpRef<mlir::ModuleOp> loops = compiler.loops();
      if (!loops)
        return fail(progress, diagnostics);
      return writeText(progress, line.emit.output,
                       [&](llvm::raw_ostream &os) { os << *loops << "\n"; });
    }
    if (line.stage == Stage::Kernels) {
      std::optional<codegen::CudaProgram> program = compiler.deviceProgram();
      if (!program)
        return fail(progress, diagnostics);
      return writeText(progress, line.emit.output,
                       [&](llvm::raw_ostream &os) { os << program->source; });
    }
    if (!line.memoryPlan.empty())
      if (int bad = writeText(progress, line.memoryPlan, [&](llvm::raw_ostream &os) {
            printMemoryPlan(compiler.module(), os);
          }))
        return bad;
    if (!line.explain.empty())
      return explain(line, compiler, remarks);
    return emitModel(line, compiler, diagnostics, progress);
  };
  status = run();
  progress.end();
  if (status == ExitOk && !diagnostics.all().empty())
    diagnostics.render(llvm::errs()); // warnings
  if (line.timePasses)
    for (const StageTime &time : compiler.times())
      llvm::errs() << llvm::format("%8.3f s  ", time.seconds) << time.stage << "\n";
  return status;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  settleProcess("symc", ExitCompile);
  int status = ExitOk;
  std::optional<CommandLine> line;
  if (argc > 1 && llvm::StringRef(argv[1]) == "cache")
    status = manageCache({argv + 2, argv + argc});
  else
    line = parseCommandLine({argv + 1, argv + argc}, argv[0], status);
  if (line)
    status = compile(*line);
  if (llvm::Error error = finishStandardOutput(/*report=*/line && line->report)) {
    llvm::errs() << "symc: error: " << llvm::toString(std::move(error)) << "\n";
    status = ExitOutput;
  }
  return status;
}
