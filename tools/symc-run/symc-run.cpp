// symc-run.cpp: runs a compiled library, or a model that it compiles in memory, to
// look at it, time it and check it. Prints one mistake and ends with a documented status.
#include "runtime/main/program.h"
#include "tools/driver/MxnetVariables.h"
#include "tools/driver/Process.h"
#include "tools/symc-run/Checks.h"
#include "tools/symc-run/OneOperator.h"
#include "tools/symc-run/SymcRun.h"
#include "tools/symc-run/Timing.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/InitLLVM.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <set>

using namespace symc;
using namespace symc::run;

static void printModel(const symc_model &model) {
  describe(model, nullptr);
  printf("arena: %lld bytes on this processor\nabi: %u\n",
         static_cast<long long>(symc_arena_bytes(&model)), model.abi_version);
}

static void printOutputs(const std::vector<Tensor> &outputs) {
  for (const Tensor &output : outputs) {
    double least = INFINITY, most = -INFINITY, sum = 0;
    int64_t odd = 0;
    for (double value : output.values()) {
      odd += !std::isfinite(value);
      if (!std::isfinite(value))
        continue;
      least = std::min(least, value);
      most = std::max(most, value);
      sum += value;
    }
    int64_t finite = output.elementCount() - odd;
    printf("output '%s': %s", output.name.c_str(), output.typeText().c_str());
    if (finite)
      printf(", min %.6g  mean %.6g  max %.6g", least, sum / finite, most);
    if (odd)
      printf(", %lld NaN or infinite", static_cast<long long>(odd));
    printf("\n");
  }
}

// Outputs of one name would be one file.
static bool checkNames(const CommandLine &line, const symc_model &model) {
  std::set<std::string> names;
  for (int32_t i = 0; i < model.n_outputs && !line.outputDir.empty(); ++i)
    if (std::string name = model.outputs[i].name; !names.insert(name).second) {
      sayError("two outputs are called '" + name + "' and would be one file in '" + line.outputDir +
               "'");
      return false;
    }
  return true;
}

static int work(CommandLine &line) {
  line.request.probes = line.profile;
  if (!line.op.empty())
    if (int status = composeOperator(line))
      return status;
  std::unique_ptr<Model> model = line.library.empty()
                                     ? Model::compile(line.request, /*allHeads=*/false)
                                     : Model::open(line.library);
  if (!model)
    return ExitBadInput;
  if (line.describe) {
    printModel(model->table());
    return ExitOk;
  }
  if (!checkNames(line, model->table()))
    return ExitUsage;
  std::vector<Tensor> inputs, outputs;
  if (int status = readInputs(line, model->table(), inputs))
    return status;
  if (!model->start(line.threads))
    return ExitFailed;
  int status = line.profile ? profile(line, *model, inputs, outputs)
               : line.bench ? bench(line, *model, inputs, outputs)
                            : model->run(inputs, outputs);
  if (status)
    return status;
  line.request.probes = false; // checks compile again
  for (const Tensor &output : outputs)
    if (!line.outputDir.empty() && !writeTensor(line.outputDir, output.name, output))
      return ExitFailed;
  if (!line.dumpDir.empty())
    if (int failed = dumpAll(line, inputs))
      return failed;
  if (line.verify)
    status = verify(line, *model, inputs, outputs);
  if (!line.compareFile.empty())
    status = std::max(status, compareWithFile(line, *model, inputs, outputs));
  bool quiet = line.profile || line.bench || !line.outputDir.empty() || !line.dumpDir.empty() ||
               line.verify || !line.compareFile.empty();
  if (!quiet)
    printOutputs(outputs);
  return status;
}

int symc::run::symcRun(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  settleProcess("symc-run", ExitFailed);
  int status = ExitOk;
  std::optional<CommandLine> line = parseCommandLine({argv + 1, argv + argc}, argv[0], status);
  if (line) {
    for (const std::string &note : mxnetNotes(MxnetPlace::Run, {argv + 1, argv + argc}))
      llvm::errs() << "symc-run: note: " << note << "\n";
    status = work(*line);
  }
  errno = 0;
  bool flushed = fflush(stdout) == 0 && !ferror(stdout);
  if (!flushed && errno != EPIPE) {
    sayError("cannot write 'standard output'" +
             (errno ? ": " + reasonOf(llvm::errnoAsErrorCode()) : std::string()));
    status = std::max<int>(status, ExitFailed);
  }
  llvm::consumeError(finishStandardOutput(/*report=*/true));
  return status;
}
