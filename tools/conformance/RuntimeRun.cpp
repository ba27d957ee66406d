// RuntimeRun.cpp: see RuntimeRun.h. The shim is part of this program, which is what the runtime
// opens as its driver.
#include "tools/conformance/RuntimeRun.h"

#include "runtime/include/symc/cuda.h"
#include "tools/cuda-shim/Driver.h"

#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace symc;
using namespace symc::conformance;

std::vector<std::pair<std::string, const void *>> symc::conformance::deviceFunctions() {
  return {{"symc_cuda_run", reinterpret_cast<const void *>(&symc_cuda_run)},
          {"symc_cuda_device", &symc_cuda_device},
          {"symc_run_batches", reinterpret_cast<const void *>(&symc_run_batches)}};
}

static std::string failureOfShim() { return std::string("shim: ") + symc_cuda_shim_failure(); }

namespace {

/// The device, in use until the end of the run, and the memory that was allocated there.
class Device {
public:
  Device();
  ~Device();
  /// Memory of exactly `bytes`; what was in `values` is copied to it.
  void *allocate(const std::string &name, int64_t bytes, const void *values);

private:
  CUcontext context = nullptr;
  std::vector<CUdeviceptr> all;
};

class RuntimeRun {
public:
  RuntimeRun(const symc_model &model, const StoredCase &stored) : model(model), stored(stored) {}
  ~RuntimeRun() { symc_destroy(context); }
  std::string run();
  bool refused = false;

private:
  std::string create();
  void makeInputs();
  std::string makeOutputs();
  std::string runOnce();

  const symc_model &model;
  const StoredCase &stored;
  Device device;
  symc_context *context = nullptr;
  std::vector<symc_tensor> inputs, outputs;
  std::vector<int64_t> extents;
};

} // namespace

Device::Device() {
  Dl_info shim; // as the loader has it: an address of this program may be that of a stub
  if (dladdr(dlsym(RTLD_DEFAULT, "symc_cuda_shim_failure"), &shim))
    setenv("SYMC_CUDA_DRIVER", shim.dli_fname, 1);
  symc_cuda_shim_print_failures(false);
  cuInit(0);
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxPushCurrent_v2(context);
}

Device::~Device() {
  for (CUdeviceptr memory : all)
    cuMemFree_v2(memory);
  cuCtxPopCurrent_v2(nullptr);
  cuDevicePrimaryCtxRelease_v2(0);
}

void *Device::allocate(const std::string &name, int64_t bytes, const void *values) {
  CUdeviceptr memory = 0;
  if (bytes == 0 || cuMemAlloc_v2(&memory, bytes))
    return nullptr;
  all.push_back(memory);
  symc_cuda_shim_name(memory, name.c_str());
  if (values)
    cuMemcpyHtoD_v2(memory, values, bytes);
  return reinterpret_cast<void *>(memory);
}

std::string RuntimeRun::create() {
  char error[512] = "";
  symc_options options = {};
  // Lanes beyond the real channels of a block may be computed from what is no number.
  int64_t bytes = model.variants[0].arena_bytes;
  std::vector<char> noNumbers(bytes, '\xff');
  options.arena = device.allocate("the arena", bytes, noNumbers.data());
  options.arena_bytes = bytes;
  options.error = error;
  options.error_bytes = sizeof error;
  if (symc_create(&model, &options, &context))
    return std::string("create: ") + error;
  return "";
}

void RuntimeRun::makeInputs() {
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    const symc_tensor_info &info = model.inputs[i];
    symc_tensor tensor{nullptr, info.shape, info.rank, info.dtype, SYMC_DEVICE_CUDA, 0};
    const params::Array *value = stored.findInput(info.name);
    std::vector<char> zeros(info.max_bytes); // labels that the case left at zero
    if (value)
      tensor.shape = value->shape.data(), tensor.rank = value->shape.size();
    if (value || !(info.flags & SYMC_TENSOR_OPTIONAL))
      tensor.data = device.allocate(std::string("input ") + info.name,
                                    value ? int64_t(value->byteCount) : info.max_bytes,
                                    value ? value->data : zeros.data());
    inputs.push_back(tensor);
  }
}

std::string RuntimeRun::makeOutputs() {
  std::string problem = inferExtents(context, model, inputs, extents, refused);
  if (!problem.empty())
    return problem;
  const int64_t *next = extents.data();
  for (int32_t i = 0; i < model.n_outputs; ++i) {
    const symc_tensor_info &info = model.outputs[i];
    symc_tensor tensor{nullptr, next, info.rank, info.dtype, SYMC_DEVICE_CUDA, 0};
    tensor.data = device.allocate(std::string("output ") + info.name, bytesOf(tensor), nullptr);
    outputs.push_back(tensor);
    next += info.rank;
  }
  return "";
}

std::string RuntimeRun::runOnce() {
  symc_status status =
      symc_run(context, inputs.data(), inputs.size(), outputs.data(), outputs.size());
  if (status == SYMC_STATUS_DEVICE_LOST)
    return failureOfShim();
  refused = status == SYMC_STATUS_BAD_SHAPE;
  return status ? std::string("run: ") + symc_last_error(context) : "";
}

std::string RuntimeRun::run() {
  if (std::string problem = create(); !problem.empty())
    return problem;
  makeInputs();
  if (std::string problem = makeOutputs(); !problem.empty())
    return problem;
  for (int64_t run = 0; run < stored.runs; ++run)
    if (std::string problem = runOnce(); !problem.empty())
      return problem;
  std::vector<std::vector<char>> memory;
  std::vector<symc_tensor> fetched = outputs;
  for (symc_tensor &tensor : fetched) {
    memory.emplace_back(bytesOf(tensor));
    if (cuMemcpyDtoH_v2(memory.back().data(), reinterpret_cast<CUdeviceptr>(tensor.data),
                        memory.back().size()))
      return failureOfShim();
    tensor.data = memory.back().data();
    tensor.device = SYMC_DEVICE_CPU;
  }
  Results results;
  std::string problem = results.fetch(context, fetched);
  return problem.empty() && stored.count("out:") ? compare(results, model, stored) : problem;
}

GuardedOutcome symc::conformance::runByRuntime(const symc_model &model, const StoredCase &stored) {
  RuntimeRun run(model, stored);
  GuardedOutcome outcome;
  outcome.problem = run.run();
  outcome.refused = run.refused;
  return outcome;
}
