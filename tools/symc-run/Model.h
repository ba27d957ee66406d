// Model.h: a model that can be run: a compiled library (by dlopen, through its own
// C functions), or a description that is compiled into this process.
#ifndef SYMC_TOOLS_SYMC_RUN_MODEL_H
#define SYMC_TOOLS_SYMC_RUN_MODEL_H

#include "tools/symc-run/CommandLine.h"
#include "tools/symc-run/Nodes.h"
#include "tools/symc-run/Tensor.h"
#include <functional>

namespace symc::run {

class Model {
public:
  ~Model();
  /// Null after printing why not.
  static std::unique_ptr<Model> open(const std::string &library);
  static std::unique_ptr<Model> compile(const CompileRequest &request, bool allHeads);

  /// Makes the context that run() works in. False after printing why not.
  bool start(int threads);
  /// Runs once, from the states that the weights have; outputs, and behind them the states
  /// that the run left, get their shapes and memory at the first run. A status of this tool
  /// (CommandLine.h), with the sentence printed.
  int run(std::vector<Tensor> &inputs, std::vector<Tensor> &outputs);
  /// What the model itself took of the last run, in milliseconds: states that the run begins with
  /// and leaves are copied before and behind it.
  double lastRun() const { return lastMilliseconds; }

  const symc_model &table() const { return *model; }
  /// The instruction set that this processor runs of it, or the device that this machine has.
  const char *isa() const;
  /// Of a description: its node outputs, and the kernel program.
  const std::vector<NodeOutput> &nodes() const { return nodeOutputs; }
  /// Of a description with gradients: how far they may be apart.
  const llvm::StringMap<GradientBound> &gradients() const { return gradientBounds; }
  Compiler *compiler() { return source.get(); }
  /// A variable or function of a library, or null.
  void *findSymbol(const char *name) const;

private:
  Model() = default;
  bool runs(const symc_variant &variant) const;

  std::unique_ptr<Diagnostics> diagnostics;
  std::unique_ptr<Compiler> source;
  std::unique_ptr<PreparedWeights> weights;
  std::unique_ptr<codegen::InProcess> loaded;
  std::vector<NodeOutput> nodeOutputs;
  llvm::StringMap<GradientBound> gradientBounds;
  void *library = nullptr;
  const symc_model *model = nullptr;
  symc_context *context = nullptr;
  // The library's own functions, or this program's.
  std::function<int32_t(const symc_options *, symc_context **)> create;
  decltype(&symc_destroy) destroy = nullptr;
  decltype(&symc_run) runOnce = nullptr;
  decltype(&symc_last_error) lastError = nullptr;
  decltype(&symc_infer_outputs) inferOutputs = nullptr;
  decltype(&symc_run_extents) runExtents = nullptr;
  decltype(&symc_get_state) getState = nullptr;
  decltype(&symc_reset_state) resetState = nullptr;
  decltype(&symc_state_extents) stateExtents = nullptr;
  double lastMilliseconds = 0;
  std::vector<int64_t> largest; // extents of outputs before values decide some
};

/// Values for all inputs: of the files, or zeros (or drawn ones), which is printed.
/// A status of this tool, with the sentence printed.
int readInputs(const CommandLine &line, const symc_model &model, std::vector<Tensor> &inputs);

/// Called by models with probes; for whoever listens.
using Probe = void (*)(const symc_frame *frame, int64_t step, int32_t phase);
void listenToProbes(Probe listener);

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_MODEL_H
