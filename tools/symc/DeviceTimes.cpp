// DeviceTimes.cpp: see DeviceTimes.h. Programs share one arena, one copy of the weights and one set
// of inputs, and run in turns, so that a device that gets slower or faster does so for all of them.
// Before each run the device is kept busy with copies until all of the run's kernels are in the
// stream: a kernel that is shorter than its start takes would else be measured with the wait for
// it.
#include "tools/symc/DeviceTimes.h"

#include "runtime/cuda/profile.h"
#include "llvm/ADT/ScopeExit.h"
#include <cmath>
#include <random>

using namespace symc;

static constexpr int32_t ordinal = 0;

static llvm::Error failure(const llvm::Twine &reason) {
  return llvm::createStringError(("cannot tune for CUDA: " + reason).str());
}

static llvm::Error failureOf(symc_status status) { return failure(symc_status_message(status)); }
static llvm::Error failureOf(CUresult result) { return failure(cuda::words_of(result)); }

namespace {

/// Memory of the device, which the thread uses, for the length of a scope.
class DeviceMemory {
public:
  ~DeviceMemory() {
    for (void *memory : all)
      symc_cuda_device.release(ordinal, memory, 0);
  }
  /// With these bytes at its beginning and zeros behind them.
  llvm::Expected<void *> allocate(size_t bytes, llvm::ArrayRef<uint8_t> values);

private:
  std::vector<void *> all;
};

} // namespace

llvm::Expected<void *> DeviceMemory::allocate(size_t bytes, llvm::ArrayRef<uint8_t> values) {
  void *memory = nullptr;
  bytes = std::max<size_t>(bytes, SYMC_ALIGN);
  if (symc_status status = symc_cuda_device.allocate(ordinal, bytes, SYMC_ALIGN, &memory))
    return failureOf(status);
  all.push_back(memory);
  std::vector<uint8_t> zeros(bytes - values.size());
  auto copy = [&](size_t first, llvm::ArrayRef<uint8_t> part) {
    if (part.empty())
      return SYMC_STATUS_OK;
    symc_status status = symc_cuda_device.copy(static_cast<char *>(memory) + first, part.data(),
                                               part.size(), SYMC_COPY_TO_DEVICE, nullptr);
    return status ? status : symc_cuda_device.synchronize(nullptr);
  };
  symc_status status = copy(0, values);
  if (status == SYMC_STATUS_OK)
    status = copy(values.size(), zeros);
  if (status)
    return failureOf(status);
  return memory;
}

namespace {

/// Copies from one place of the device to another that take it some time.
class Delay {
public:
  /// Measures one.
  llvm::Error open(DeviceMemory &memory);
  /// Puts copies in the stream for as long as starting so many kernels takes.
  llvm::Error put(int64_t launches);

private:
  static constexpr size_t bytes = 32 << 20;
  CUresult measure();
  CUresult copy() {
    return cuda::driver().cuMemcpyDtoDAsync_v2(uintptr_t(target), uintptr_t(source), bytes,
                                               nullptr);
  }
  void *source = nullptr, *target = nullptr;
  double microseconds = 0; // of one
};

} // namespace

CUresult Delay::measure() {
  const cuda::Driver &driver = cuda::driver();
  CUevent begin = nullptr, end = nullptr;
  CUresult result = driver.cuEventCreate(&begin, 0);
  if (result != cuda::Success)
    return result;
  llvm::scope_exit destroyBegin([&] { driver.cuEventDestroy_v2(begin); });
  result = driver.cuEventCreate(&end, 0);
  if (result != cuda::Success)
    return result;
  llvm::scope_exit destroyEnd([&] { driver.cuEventDestroy_v2(end); });
  float milliseconds = 0;
  auto check = [&](CUresult next) { result = result == cuda::Success ? next : result; };
  check(copy()); // the first is not measured
  check(driver.cuEventRecord(begin, nullptr));
  check(copy());
  check(driver.cuEventRecord(end, nullptr));
  check(driver.cuEventSynchronize(end));
  check(driver.cuEventElapsedTime(&milliseconds, begin, end));
  microseconds = std::max(1.0, 1e3 * milliseconds);
  return result;
}

llvm::Error Delay::open(DeviceMemory &memory) {
  for (void **place : {&source, &target}) {
    llvm::Expected<void *> made = memory.allocate(bytes, {});
    if (!made)
      return made.takeError();
    *place = *made;
  }
  CUresult result = measure();
  return result == cuda::Success ? llvm::Error::success() : failureOf(result);
}

llvm::Error Delay::put(int64_t launches) {
  constexpr double ofStart = 8; // microseconds, with its event and a second round
  constexpr double most = 256;
  int copies = int(std::min(most, std::ceil(ofStart * double(launches) / microseconds)));
  for (int i = 0; i < copies; ++i)
    if (CUresult result = copy())
      return failureOf(result);
  return llvm::Error::success();
}

DeviceTimes::~DeviceTimes() {
  if (isOpen)
    symc_cuda_device.close(ordinal, nullptr, 0);
}

llvm::Expected<int> DeviceTimes::open() {
  char error[512] = "";
  if (symc_cuda_device.open(ordinal, nullptr, 0, error, sizeof error))
    return failure(error);
  isOpen = true;
  CUdevice device = 0;
  int32_t architecture = 0;
  CUresult result = cuda::driver().cuDeviceGet(&device, ordinal);
  if (result == cuda::Success)
    result = cuda::ask_architecture(device, architecture);
  if (result != cuda::Success)
    return failureOf(result);
  return architecture;
}

std::vector<std::pair<std::string, const void *>> DeviceTimes::functions() {
  return {{"symc_cuda_run", reinterpret_cast<const void *>(&symc_cuda_run)},
          {"symc_cuda_device", &symc_cuda_device}};
}

// Floats from -1 to 1; of other types zeros, which are indices that there are.
static std::vector<uint8_t> drawnValues(const codegen::TensorInfo &tensor) {
  std::vector<uint8_t> bytes(tensor.maxBytes);
  std::mt19937 numbers(1);
  std::uniform_real_distribution<float> value(-1, 1);
  if (tensor.dtype == SYMC_F32)
    for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      float drawn = value(numbers);
      std::copy_n(reinterpret_cast<const uint8_t *>(&drawn), 4, &bytes[i]);
    }
  return bytes;
}

// Inputs, states as found, outputs, states as left.
static llvm::Error allocateTensors(const codegen::ModelInfo &info, DeviceMemory &memory,
                                   std::vector<void *> &io) {
  auto add = [&](const codegen::TensorInfo &tensor, llvm::ArrayRef<uint8_t> values) {
    llvm::Expected<void *> place = memory.allocate(tensor.maxBytes, values);
    if (place)
      io.push_back(*place);
    return place.takeError();
  };
  for (const codegen::TensorInfo &tensor : info.inputs)
    if (llvm::Error error = add(tensor, drawnValues(tensor)))
      return error;
  for (const codegen::StateInfo &state : info.states)
    if (llvm::Error error = add(state.tensor, {}))
      return error;
  for (const codegen::TensorInfo &tensor : info.outputs)
    if (llvm::Error error = add(tensor, {}))
      return error;
  for (const codegen::StateInfo &state : info.states)
    if (llvm::Error error = add(state.tensor, {}))
      return error;
  return llvm::Error::success();
}

// With the code of the programs on the device.
static llvm::Expected<std::vector<std::vector<double>>>
measureOpened(const TimedPrograms &work, llvm::ArrayRef<const symc_cuda_program *> programs) {
  DeviceMemory memory;
  std::vector<void *> io;
  llvm::Expected<void *> arena = memory.allocate(work.arenaBytes, {});
  if (!arena)
    return arena.takeError();
  llvm::Expected<void *> weights = memory.allocate(work.weights.size(), work.weights);
  if (!weights)
    return weights.takeError();
  if (llvm::Error error = allocateTensors(work.info, memory, io))
    return std::move(error);
  Delay delay;
  if (llvm::Error error = delay.open(memory))
    return std::move(error);
  std::vector<int64_t> sizes;
  for (const codegen::DimInfo &dim : work.info.dims)
    sizes.push_back(dim.max);
  char error[512] = "";
  symc_frame frame = {};
  frame.arena = static_cast<uint8_t *>(*arena);
  frame.weights = static_cast<const uint8_t *>(*weights);
  frame.io = io.data();
  frame.dims = sizes.data();
  frame.error = error;
  frame.error_bytes = sizeof error;
  frame.ordinal = ordinal;
  cuda::Profile *profile = cuda::open_profile(nullptr, "", ordinal);
  if (!profile)
    return failureOf(SYMC_STATUS_OUT_OF_MEMORY);
  llvm::scope_exit close([&] { cuda::close_profile(profile); });
  for (int round = 0; round <= work.rounds; ++round) { // the first does not count
    if (!work.next(round))
      return codegen::cancelled();
    for (auto [number, program] : llvm::enumerate(programs)) {
      if (llvm::Error error = delay.put(program->n_launches))
        return std::move(error);
      symc_status status =
          cuda::profile_kernels(*profile, frame, *program, *program->modules[ordinal]);
      if (CUresult failed = cuda::failure_of(*profile); failed || status)
        return failure(llvm::Twine(failed ? cuda::words_of(failed) : error) + ", in a program of " +
                       work.describe(number));
    }
  }
  std::vector<std::vector<double>> times;
  for (const symc_cuda_program *program : programs) {
    const float *shortest = cuda::shortest_times(*profile, *program);
    times.emplace_back();
    for (int32_t i = 0; i < program->n_launches; ++i)
      times.back().push_back(1e3 * shortest[i]);
  }
  return times;
}

llvm::Expected<std::vector<std::vector<double>>> DeviceTimes::measure(const TimedPrograms &work) {
  std::vector<const symc_cuda_program *> programs;
  for (const std::unique_ptr<codegen::InProcess> &program : work.programs) {
    const void *table = program->model()->variants[0].programs[0];
    programs.push_back(static_cast<const symc_cuda_program *>(table));
  }
  char error[512] = "";
  auto tables = reinterpret_cast<const void *const *>(programs.data());
  if (symc_cuda_device.open(ordinal, tables, programs.size(), error, sizeof error))
    return failure(error);
  llvm::scope_exit close([&] { symc_cuda_device.close(ordinal, tables, programs.size()); });
  void *previous = nullptr;
  if (symc_status status = symc_cuda_device.enter(ordinal, &previous))
    return failureOf(status);
  llvm::scope_exit leave([&] { symc_cuda_device.leave(previous); });
  return measureOpened(work, programs);
}
