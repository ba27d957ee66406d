// shim_contexts.cpp: the digit classifier for CUDA on the shim's driver, as an application uses a
// device: asynchronously in a stream of its own over memory of the device, and in two contexts at
// once. Prints "equal" where every answer has the bits of a plain run.
#include "symc/runtime.h"

#include "net.h"
#include "tools/cuda-shim/Driver.h"
#include <cstdio>
#include <cstring>
#include <thread>

static float picture[784], expected[10];
static const int64_t pictureShape[] = {1, 1, 28, 28}, answerShape[] = {1, 10};

static bool same(const float *answers) { return memcmp(answers, expected, sizeof expected) == 0; }

// Two runs in one stream, which nobody waits for in between; the second has another picture.
static bool asynchronous() {
  CUcontext device;
  CUdeviceptr in, out;
  CUstream stream;
  if (cuInit(0) || cuDevicePrimaryCtxRetain(&device, 0) || cuCtxSetCurrent(device) ||
      cuStreamCreate(&stream, 0) || cuMemAlloc_v2(&in, sizeof picture) ||
      cuMemAlloc_v2(&out, sizeof expected))
    return false;
  symc_options options = {};
  options.flags = SYMC_ASYNCHRONOUS;
  options.stream = stream;
  symc_context *context;
  if (net_create(&options, &context))
    return false;
  symc_tensor data = {reinterpret_cast<void *>(in), pictureShape, 4, SYMC_F32, SYMC_DEVICE_CUDA, 0};
  symc_tensor answer = {
      reinterpret_cast<void *>(out), answerShape, 2, SYMC_F32, SYMC_DEVICE_CUDA, 0};
  float answers[10], blank[784] = {};
  bool right = true;
  const float *pictures[] = {blank, picture};
  for (const float *from : pictures)
    right &= !cuMemcpyHtoDAsync_v2(in, from, sizeof picture, stream) &&
             !net_run(context, &data, 1, &answer, 1);
  right &= !cuStreamSynchronize(stream) && !cuMemcpyDtoH_v2(answers, out, sizeof answers);
  right &= same(answers);
  net_destroy(context);
  return right && !cuMemFree_v2(in) && !cuMemFree_v2(out) && !cuStreamDestroy_v2(stream) &&
         !cuDevicePrimaryCtxRelease_v2(0);
}

static void work(bool *right) {
  symc_context *context;
  if (!(*right = net_create(nullptr, &context) == 0))
    return;
  for (int i = 0; i < 4; ++i) {
    float answers[10] = {};
    *right &= net_predict(context, picture, answers) == 0 && same(answers);
  }
  net_destroy(context);
}

static bool atOnce() {
  bool right[2];
  std::thread first(work, &right[0]), second(work, &right[1]);
  first.join();
  second.join();
  return right[0] && right[1];
}

int main() {
  for (int i = 0; i < 784; ++i)
    picture[i] = float(i % 29) / 29;
  symc_context *alone;
  if (net_create(nullptr, &alone) || net_predict(alone, picture, expected))
    return 1;
  net_destroy(alone);
  printf("asynchronous: %s\n", asynchronous() ? "equal" : "different");
  printf("two contexts: %s\n", atOnce() ? "equal" : "different");
  return 0;
}
