// symc.cpp: the compiler's command. Parses, calls the driver stage by stage, prints
// progress and messages, and ends with a documented status.
#include "tools/driver/Emission.h"
#include "tools/driver/MxnetVariables.h"
#include "tools/driver/Process.h"
#include "tools/symc-run/SymcRun.h"
#include "tools/symc/Cache.h"
#include "tools/symc/Describe.h"
#include "tools/symc/DeviceReport.h"
#include "tools/symc/DeviceTimes.h"
#include "tools/symc/Progress.h"
#include "tools/symc/Report.h"

#include "codegen/emit/OutputFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc;

static int writeTo(const std::string &path, Notify notify,
                   llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  llvm::Error error = codegen::writeWhole(path, text);
  if (!error)
    return ExitOk;
  notify(MessageKind::Error, llvm::toString(std::move(error)), "");
  return ExitOutput;
}

// `remarks` may become more while kernels are made. Of a file for both devices what each does.
static int explain(const CommandLine &line, Compiler &compiler,
                   const std::vector<RemarkText> &remarks) {
  int status = ExitOk;
  bool both = line.request.alsoOnDevice;
  std::optional<DeviceFacts> device;
  if ((line.request.onDevice || both) && !(device = compiler.deviceFacts(1)))
    return ExitCompile;
  llvm::ArrayRef<RemarkText> toldOfDevice = remarks;
  if (both) // the CPU's code reports them
    toldOfDevice = {};
  for (const std::string &node : line.explain) {
    bool found = false;
    if (both)
      llvm::outs() << "code for CPUs\n";
    if (!line.request.onDevice)
      found |= explainNode(compiler, remarks, node, llvm::outs());
    if (both)
      llvm::outs() << "\ncode for CUDA\n";
    if (device)
      found |= explainOnDevice(compiler.forDevice(), *device, toldOfDevice, node, llvm::outs());
    if (found)
      continue;
    llvm::outs().flush();
    llvm::errs() << "symc: error: no step computes a node '" << node << "'\n"
                 << "symc: note: --report lists the nodes of each step; a node that a pass removed "
                    "has none\n";
    status = ExitUsage;
  }
  return status;
}

// Of a file for both devices one report behind the other.
static void report(const CommandLine &line, Compiler &compiler, const Emitted &emitted,
                   const std::optional<DeviceFacts> &device, const ReportSizes &sizes,
                   llvm::raw_ostream &os) {
  bool both = line.request.alsoOnDevice;
  if (both)
    os << "code for CPUs\n";
  if (!line.request.onDevice) {
    printReport(compiler, compiler.ownPreparedBytes(), sizes, os);
    if (!line.onlyLooks && line.emit.codeBytes)
      printCodeBytes(emitted.info, emitted.code, os);
  }
  if (both)
    os << "\ncode for CUDA\n";
  if (device)
    printDeviceReport(compiler.forDevice(), *device, compiler.forDevice().ownPreparedBytes(), os);
  if (both)
    os << "\nprepared weights of both " << emitted.weightsBytes << " bytes"
       << (emitted.weightsBytes == compiler.ownPreparedBytes() ? ", one set" : "") << "\n";
}

static int compile(CommandLine &line) {
  Diagnostics diagnostics;
  diagnostics.listAll(line.verbose);
  DeviceTimes clock;
  Compiler compiler(line.request, diagnostics);
  compiler.clock = &clock;
  Progress progress(line.verbose, /*quiet=*/!line.request.printAfter.empty());
  compiler.onStage = [&](llvm::StringRef name) { progress.begin(name); };
  std::vector<RemarkText> remarks;
  if (!line.explain.empty() || line.remarks.passed || line.remarks.missed)
    compiler.reportRemarks({true, true}, [&](const RemarkText &remark) {
      remarks.push_back(remark);
      if (remark.passed ? line.remarks.passed : line.remarks.missed) {
        progress.hide();
        llvm::errs() << remark.line << "\n";
      }
    });
  auto notify = [&](MessageKind kind, const llvm::Twine &message, const llvm::Twine &note) {
    constexpr llvm::StringLiteral words[] = {"error: ", "warning: ", "remark: ", ""};
    progress.hide();
    llvm::errs() << "symc: " << words[int(kind)] << message << "\n";
    if (std::string text = note.str(); !text.empty())
      llvm::errs() << "symc: note: " << text << "\n";
  };
  Emitted emitted;
  std::optional<DeviceFacts> device; // for the report
  ReportSizes sizes;
  auto run = [&]() -> int {
    int status = runStages(line, compiler, notify, [&]() -> int {
      return line.graphDot.empty() ? int(ExitOk)
                                   : writeTo(line.graphDot, notify, [&](llvm::raw_ostream &os) {
                                       writeDot(compiler.module(), os);
                                     });
    });
    if (status != ExitOk || line.stage != Stage::Emit)
      return status;
    if (!line.memoryPlan.empty())
      if (int bad = writeTo(line.memoryPlan, notify,
                            [&](llvm::raw_ostream &os) { printMemoryPlan(compiler, os); }))
        return bad;
    if (!line.explain.empty()) {
      progress.hide();
      return explain(line, compiler, remarks);
    }
    progress.hide(); // there may be messages
    if (line.report)
      if (std::string wrong = setReportSizes(compiler, line.reportShapes, sizes); !wrong.empty()) {
        notify(MessageKind::Error, wrong, "");
        return ExitUsage;
      }
    if (line.onlyLooks) {
      emitted.info = compiler.modelInfo();
      emitted.weightsBytes = compiler.preparedBytes();
      reportModel(line, compiler, emitted.info, notify);
    } else {
      status = emitModel(line, compiler, diagnostics, notify, emitted);
    }
    if (status != ExitOk || !line.report || !(line.request.onDevice || line.request.alsoOnDevice))
      return status;
    device = compiler.deviceFacts(line.request.cudaArchs.size());
    return device ? ExitOk : ExitCompile;
  };
  int status = run();
  progress.end();
  if (status == ExitCompile || (status == ExitOk && !diagnostics.all().empty()))
    diagnostics.render(llvm::errs()); // errors, or warnings
  if (status == ExitOk && line.stage == Stage::Emit && line.explain.empty() && line.report)
    report(line, compiler, emitted, device, sizes, llvm::outs());
  if (line.timePasses)
    for (const StageTime &time : compiler.times())
      llvm::errs() << llvm::format("%8.3f s  ", time.seconds) << time.stage << "\n";
  return status;
}

// The status of the program, whose output has to be written.
static int finish(int status, bool report) {
  llvm::Error error = finishStandardOutput(report);
  if (!error)
    return status;
  llvm::errs() << "symc: error: " << llvm::toString(std::move(error)) << "\n";
  return ExitOutput;
}

int main(int argc, char **argv) {
  // A wheel has one program for both commands.
  if (argc > 0 && llvm::sys::path::filename(argv[0]) == "symc-run")
    return run::symcRun(argc, argv);
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  settleProcess("symc", ExitCompile);
  if (argc > 1 && llvm::StringRef(argv[1]) == "cache") {
    int status = manageCache({argv + 2, argv + argc});
    return finish(status, /*report=*/false);
  }
  std::optional<CommandLine> line =
      parseCommandLine({argv + 1, argv + argc}, resourcesOfProgram(),
                       [](const llvm::Twine &message, const llvm::Twine &note) {
                         llvm::errs() << "symc: error: " << message << "\n";
                         if (std::string text = note.str(); !text.empty())
                           llvm::errs() << "symc: note: " << text << "\n";
                       });
  if (line && line->page == Page::None)
    for (const std::string &note : mxnetNotes(MxnetPlace::Compile, {argv + 1, argv + argc}))
      llvm::errs() << "symc: note: " << note << "\n";
  int status = !line                      ? int(ExitUsage)
               : line->page == Page::None ? compile(*line)
                                          : printPage(*line);
  return finish(status, /*report=*/line && line->report);
}
