// DeviceRun.cpp: see DeviceRun.h. A symc_model is made of what the compiler has, for the
// comparison alone: it has no code.
#include "tools/conformance/DeviceRun.h"

#include "codegen/kernel/ViewOrigin.h"
#include "ir/Clips.h"
#include "runtime/include/symc/cuda.h"
#include "tools/conformance/Results.h"
#include "tools/cuda-shim/Driver.h"
#include "tools/cuda-shim/Runner.h"

using namespace symc;
using namespace symc::conformance;

namespace {

/// The tables of a model, and the memory of its tensors.
struct DeviceModel {
  codegen::ModelInfo info;
  std::vector<symc_tensor_info> inputs, outputs;
  std::vector<symc_state_info> states;
  symc_model table = {};
  std::vector<std::vector<char>> memory; // as the program's arguments: see symc_frame.io

  explicit DeviceModel(codegen::ModelInfo given);
  std::vector<ShimBuffer> buffers();
  std::unique_ptr<codegen::InProcess> host;  // also computes extents that values decide
  std::vector<int64_t> sizes, extents = {0}; // of the run, of all outputs
  symc_tensor take(const symc_tensor_info &tensor, size_t number) {
    return {memory[number].data(), tensor.shape, tensor.rank, tensor.dtype, SYMC_DEVICE_CPU, 0};
  }
};

} // namespace

static symc_tensor_info tableOf(const codegen::TensorInfo &tensor) {
  return {tensor.name.c_str(),
          tensor.shape.data(),
          tensor.maxBytes,
          int32_t(tensor.shape.size()),
          tensor.dtype,
          tensor.flags,
          0};
}

DeviceModel::DeviceModel(codegen::ModelInfo given) : info(std::move(given)) {
  for (const codegen::TensorInfo &tensor : info.inputs)
    inputs.push_back(tableOf(tensor));
  for (const codegen::TensorInfo &tensor : info.outputs)
    outputs.push_back(tableOf(tensor));
  for (const codegen::StateInfo &state : info.states)
    states.push_back({tableOf(state.tensor), state.imageOffset});
  table.inputs = inputs.data(), table.n_inputs = inputs.size();
  table.outputs = outputs.data(), table.n_outputs = outputs.size();
  table.states = states.data(), table.n_states = states.size();
  auto allocate = [&](const symc_tensor_info &tensor) { memory.emplace_back(tensor.max_bytes); };
  for (const symc_tensor_info &tensor : inputs)
    allocate(tensor);
  for (const symc_state_info &state : states)
    allocate(state.tensor);
  for (const symc_tensor_info &tensor : outputs)
    allocate(tensor);
  for (const symc_state_info &state : states)
    allocate(state.tensor);
}

std::vector<ShimBuffer> DeviceModel::buffers() {
  std::vector<ShimBuffer> buffers;
  size_t read = inputs.size() + states.size();
  for (std::vector<char> &each : memory) {
    bool input = buffers.size() < read;
    buffers.push_back({each.data(), int64_t(each.size()), input, !input});
  }
  return buffers;
}

// What the runtime's part of CUDA would call: nobody runs the model by it.
static int32_t noRun(const symc_frame *, const symc_cuda_program *) {
  return SYMC_STATUS_RUN_FAILED;
}

// The model with the CPU's code of steps that have no kernel, its libraries opened; null after an
// error.
static std::unique_ptr<codegen::InProcess> loadHostSteps(Compiler &compiler,
                                                         const codegen::CudaProgram &program,
                                                         const std::string &resourceDir) {
  codegen::InProcessOptions options;
  options.resourceDir = resourceDir;
  options.host = {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)},
                  {"symc_cuda_run", reinterpret_cast<const void *>(&noRun)},
                  {"symc_cuda_device", &symc_cuda_device}};
  std::unique_ptr<codegen::InProcess> loaded = compiler.loadDevice(program, options);
  for (int32_t i = 0; loaded && i < loaded->model()->n_libraries; ++i)
    if (loaded->model()->libraries[i].open(&loaded->model()->libraries[i]))
      return nullptr;
  return loaded;
}

static std::string firstError(const Diagnostics &diagnostics) {
  for (const Diagnostic &message : diagnostics.all())
    if (message.severity == Diagnostic::Severity::Error)
      return message.message;
  return "no message";
}

// Its memory of the CPU, and how long results are, where the CPU computes steps of the program; the
// sentence of what is wrong, or "".
static std::string openHostSteps(Compiler &compiler, const Diagnostics &diagnostics,
                                 const codegen::CudaProgram &program,
                                 const std::string &resourceDir, DeviceModel &model) {
  for (const codegen::DimInfo &dim : model.info.dims)
    model.sizes.push_back(dim.max);
  sg::setClips(sg::clipsOf(compiler.module().lookupSymbol("main")), model.sizes);
  if (program.hostSteps.empty())
    return "";
  model.host = loadHostSteps(compiler, program, resourceDir);
  if (!model.host)
    return diagnostics.hasErrors()
               ? firstError(diagnostics)
               : std::string("create: ") + symc_status_message(SYMC_STATUS_NO_LIBRARY);
  if (!model.host->model()->output_shapes)
    return "";
  for (symc_tensor_info &output : model.outputs)
    model.extents.resize(model.extents.size() + output.rank);
  int64_t *next = model.extents.data();
  for (symc_tensor_info &output : model.outputs) {
    output.shape = next;
    next += output.rank;
  }
  return "";
}

/// Runs the program as often as the case requires; states are those after it.
static std::string runAll(const codegen::CudaProgram &program, DeviceModel &model,
                          const PreparedWeights &weights, int64_t runs) {
  size_t count = model.inputs.size(), states = model.states.size(), outputs = model.outputs.size();
  for (size_t i = 0; i < states; ++i)
    std::copy_n(weights.bytes.get() + model.states[i].image_offset, model.memory[count + i].size(),
                model.memory[count + i].begin());
  std::vector<ShimBuffer> buffers = model.buffers();
  ShimRun run;
  std::string cause;
  run.cause = &cause;
  run.sizes = model.sizes;
  const void *table = model.host ? model.host->model()->variants[0].programs[0] : nullptr;
  run.table = static_cast<const symc_cuda_program *>(table);
  if (model.host && model.host->model()->output_shapes)
    run.bytesMade = [&](size_t io) {
      if (io < count + states || io >= count + states + outputs)
        return int64_t(model.memory[io].size());
      model.host->model()->output_shapes(model.sizes.data(), model.extents.data());
      return bytesOf(model.take(model.outputs[io - count - states], io));
    };
  run.arenaBytes = model.info.variants.front().arenaBytes;
  run.weights = {reinterpret_cast<const char *>(weights.bytes.get()), size_t(weights.size)};
  run.io = buffers;
  for (; int64_t(run.iteration) < runs; ++run.iteration) {
    llvm::Expected<int32_t> status = runOnShim(program, run);
    if (!status)
      return "shim: " + llvm::toString(status.takeError());
    if (*status < 0)
      return "run: " + model.info.conditions[-1 - *status].sentence;
    if (*status)
      return "run: " + cause;
    for (size_t i = 0; i < states; ++i)
      std::copy(model.memory[count + states + outputs + i].begin(),
                model.memory[count + states + outputs + i].end(), model.memory[count + i].begin());
  }
  return "";
}

void symc::conformance::takeMagnitudes(void *data, size_t bytes, bool halves) {
  auto *bits = static_cast<uint32_t *>(data);
  for (size_t i = 0; i < bytes / 4; ++i)
    bits[i] &= halves ? 0x7fff7fff : 0x7fffffff;
}

void symc::conformance::takeMagnitudes(PreparedWeights &weights, mlir::ModuleOp module) {
  for (auto prepared : module.getOps<kernel::PreparedOp>()) {
    auto type = cast<mlir::MemRefType>(prepared.getType());
    mlir::Type element = type.getElementType();
    if (element.isF32() || kernel::isHalf(element))
      takeMagnitudes(weights.bytes.get() + prepared.getOffset(),
                     llvm::alignTo(type.getNumElements() * kernel::elementBytes(element), 4),
                     kernel::isHalf(element));
  }
}

std::vector<double> symc::conformance::roundingOf(llvm::ArrayRef<float> magnitudes,
                                                  codegen::CudaPrecision precision) {
  double u = unitRoundoff(precision);
  std::vector<double> bounds;
  for (float magnitude : magnitudes)
    bounds.push_back((2 * u + u * u) / (1 - 3 * u) * magnitude);
  return bounds;
}

/// What rounding may change of each output, by a second run; changes inputs and weights.
static std::string allowRounding(const codegen::CudaProgram &program, DeviceModel &model,
                                 PreparedWeights &weights, mlir::ModuleOp module,
                                 codegen::CudaPrecision precision, Results &results) {
  std::vector<std::vector<char>> kept = model.memory; // `results` points into it
  for (size_t i = 0; i < model.inputs.size(); ++i)
    if (model.inputs[i].dtype == SYMC_F32)
      takeMagnitudes(model.memory[i].data(), model.memory[i].size());
  takeMagnitudes(weights, module);
  std::string problem = runAll(program, model, weights, 1);
  for (const symc_tensor &output : results.outputs)
    results.rounding.push_back(roundingOf(
        {static_cast<const float *>(output.data), size_t(bytesOf(output) / 4)}, precision));
  for (size_t i = 0; i < kept.size(); ++i)
    std::copy(kept[i].begin(), kept[i].end(), model.memory[i].begin());
  return problem;
}

std::string symc::conformance::runOnDevice(Compiler &compiler, const Diagnostics &diagnostics,
                                           const StoredCase &stored,
                                           codegen::CudaPrecision precision,
                                           const std::string &resourceDir, bool &byFallback,
                                           std::vector<KernelBanks> *banks) {
  std::optional<codegen::CudaProgram> program = compiler.deviceProgram();
  PreparedWeights weights;
  if (!program || !compiler.prepareWeights(weights))
    return firstError(diagnostics);
  DeviceModel model(compiler.modelInfo());
  size_t count = model.inputs.size(), states = model.states.size();
  for (size_t i = 0; i < count; ++i)
    if (const params::Array *value = stored.findInput(model.inputs[i].name))
      std::copy_n(value->data, std::min<size_t>(value->byteCount, model.memory[i].size()),
                  model.memory[i].begin());
  byFallback = !program->hostSteps.empty();
  std::string problem = openHostSteps(compiler, diagnostics, *program, resourceDir, model);
  symc_cuda_shim_count_banks(banks);
  if (problem.empty())
    problem = runAll(*program, model, weights, stored.runs);
  if (banks)
    *banks = banksOf(*program);
  symc_cuda_shim_count_banks(false);
  Results results;
  for (size_t i = 0; i < model.outputs.size(); ++i)
    results.outputs.push_back(model.take(model.outputs[i], count + states + i));
  for (size_t i = 0; i < states; ++i)
    results.states.push_back(model.take(model.states[i].tensor, count + i));
  if (problem.empty() && rounds(precision))
    problem = allowRounding(*program, model, weights, compiler.module(), precision, results);
  return problem.empty() ? compare(results, model.table, stored) : problem;
}
