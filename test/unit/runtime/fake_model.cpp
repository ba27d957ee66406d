// fake_model.cpp: see fake_model.h.
#include "fake_model.h"

#include "core/hash.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <stdlib.h>
#include <string.h>

int32_t fakeRunStatus, fakePrepareStatus, fakeDecides;
symc_frame fakePrepareFrame;

static void scaleRow(const symc_frame *frame, int64_t row) {
  const float *data = static_cast<const float *>(frame->io[0]) + row * 4;
  const float *weights = reinterpret_cast<const float *>(frame->weights);
  float *output = static_cast<float *>(frame->io[3]) + row * 4;
  float *scratch = reinterpret_cast<float *>(frame->arena) + row * 4;
  for (int i = 0; i < 4; ++i)
    scratch[i] = data[i] * weights[i];
  for (int i = 0; i < 4; ++i)
    output[i] = scratch[i];
}

static int32_t run(const symc_frame *frame) {
  const float *data = static_cast<const float *>(frame->io[0]);
  const float *before = static_cast<const float *>(frame->io[2]);
  float *mean = static_cast<float *>(frame->io[4]);
  for (int j = 0; j < 4; ++j) {
    mean[j] = before[j];
    for (int64_t i = 0; i < frame->dims[0]; ++i)
      mean[j] += data[i * 4 + j];
  }
  if (fakeRunStatus) {
    int32_t status = fakeRunStatus;
    fakeRunStatus = 0;
    return status;
  }
  symc_parallel(frame, scaleRow, frame->dims[0]);
  if (fakeDecides) { // written by tests of one thread only
    frame->dims[0] = fakeDecides;
    fakeDecides = 0;
  }
  return 0;
}

static void outputShapes(const int64_t *dims, int64_t *extents) {
  extents[0] = dims[0];
  extents[1] = 4;
}

static int32_t prepare(const symc_frame *frame) {
  if (fakePrepareStatus) {
    int32_t status = fakePrepareStatus;
    fakePrepareStatus = 0;
    return status;
  }
  fakePrepareFrame = *frame;
  uint8_t *prepared = const_cast<uint8_t *>(frame->weights);
  memset(prepared, 0, 64);
  prepared[19] = 0x40;          // the state's first value: 2, 0, 0, 0
  memset(frame->arena, 1, 100); // all of it is there
  memcpy(prepared, frame->io[0], 16);
  return 0;
}

FakeModel::FakeModel() {
  inputs[0] = {"data", dataShape, 128, 2, SYMC_F32, 0, 0};
  inputs[1] = {"label", labelShape, 32, 1, SYMC_F32, SYMC_TENSOR_OPTIONAL, 0};
  outputs[0] = {"fc_output", outputShape, 128, 2, SYMC_F32, 0, 0};
  outputs[1] = {"mean", meanShape, 16, 1, SYMC_F32, 0, 0};
  states[0] = {outputs[1], 16};
  parameters[0] = {"scale", meanShape, 16, 1, SYMC_F32, 0, 0};
  dims[0] = {"data[0]", 1, 8};
  variants[0] = {"future", 99, 65536, run};
  variants[1] = {"x86-64", 0, 128, run};
  model = {};
  model.magic = SYMC_MODEL_MAGIC;
  model.abi_version = SYMC_ABI_VERSION;
  model.name = "fake";
  model.compiler = "symc 0.1.0";
  model.triple = "x86_64-linux-gnu";
  model.inputs = inputs;
  model.outputs = outputs;
  model.parameters = parameters;
  model.dims = dims;
  model.variants = variants;
  model.output_shapes = outputShapes;
  model.prepare = prepare;
  model.prepare_arena_bytes = 100;
  model.weights = reinterpret_cast<const uint8_t *>(weights);
  model.weights_bytes = sizeof weights;
  model.weights_hash = symc::xxh3_64(weights, sizeof weights);
  model.n_inputs = 2;
  model.n_outputs = 1; // tests raise it
  model.states = states;
  model.n_states = 1;
  model.n_parameters = 1;
  model.n_dims = 1;
  model.n_variants = 2;
}

Tensor::Tensor(std::vector<int64_t> shape, float value, int32_t dtype)
    : shape(shape), dtype(dtype) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  data.assign(size_t(count), value);
}

symc_tensor Tensor::view() { return {data.data(), shape.data(), int32_t(shape.size()), dtype}; }

ScopedContext::ScopedContext(const symc_model &model, symc_options options) {
  options.error = error;
  options.error_bytes = sizeof error;
  status = symc_create(&model, &options, &handle);
}

Hooks::~Hooks() { EXPECT_EQ(wrong, ""); }

symc_allocator Hooks::table() {
  return {[](void *user, size_t bytes, size_t alignment) -> void * {
            Hooks *hooks = static_cast<Hooks *>(user);
            if (hooks->calls++ >= hooks->failAt)
              return nullptr;
            if (bytes == 0 || alignment == 0 || (alignment & (alignment - 1)) || bytes % alignment)
              hooks->wrong +=
                  "allocate " + std::to_string(bytes) + " for " + std::to_string(alignment);
            void *memory = aligned_alloc(alignment, bytes);
            hooks->held += bytes;
            hooks->blocks[memory] = bytes;
            return memory;
          },
          [](void *user, void *memory, size_t bytes) {
            Hooks *hooks = static_cast<Hooks *>(user);
            auto found = hooks->blocks.find(memory);
            if (found == hooks->blocks.end()) {
              hooks->wrong += "release of memory of another owner";
              return;
            }
            if (found->second != bytes)
              hooks->wrong +=
                  "release " + std::to_string(bytes) + ", got " + std::to_string(found->second);
            hooks->held -= found->second;
            hooks->blocks.erase(found);
            free(memory);
          },
          this};
}

ScopedVariable::ScopedVariable(const char *name, const char *value) : name(name) {
  setenv(name, value, 1);
}
ScopedVariable::~ScopedVariable() { unsetenv(name); }

ScopedFolder::ScopedFolder() {
  char text[] = "/tmp/symc-unit-XXXXXX";
  path = mkdtemp(text);
}
ScopedFolder::~ScopedFolder() { std::filesystem::remove_all(path); }

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
