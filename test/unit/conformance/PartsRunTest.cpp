// PartsRunTest.cpp: symc-conformance runs each case of training by its parts as well. If this
// fails, it passes a model whose parts compute something else than one run of both.
#include "tools/conformance/PartsRun.h"

#include "gtest/gtest.h"

using namespace symc::conformance;

namespace {

enum class Wrong { Nothing, Forward, ReadsInput, Overwrites, State, Fails };
Wrong wrong;
bool isWhole; // the run of both is always right

// io: x, mean, y, grad:x, next mean. y = x + 1, kept; grad:x = x; mean counts.
int32_t forward(const symc_frame *frame) {
  float x = *static_cast<float *>(frame->io[0]), *arena = reinterpret_cast<float *>(frame->arena);
  *arena = x;
  *static_cast<float *>(frame->io[2]) = x + (wrong == Wrong::Forward && !isWhole ? 2 : 1);
  return 0;
}
int32_t backward(const symc_frame *frame) {
  float *arena = reinterpret_cast<float *>(frame->arena);
  bool readsInput = wrong == Wrong::ReadsInput && !isWhole;
  *static_cast<float *>(frame->io[3]) = readsInput ? *static_cast<float *>(frame->io[0]) : *arena;
  if (wrong == Wrong::Overwrites)
    *arena = 7;
  *static_cast<float *>(frame->io[4]) =
      *static_cast<float *>(frame->io[1]) + (wrong == Wrong::State && !isWhole ? 2 : 1);
  return wrong == Wrong::Fails && !isWhole ? SYMC_STATUS_RUN_FAILED : 0;
}
int32_t both(const symc_frame *frame) {
  isWhole = true;
  forward(frame);
  int32_t status = backward(frame);
  isWhole = false;
  return status;
}

std::string problemOf(Wrong what) {
  static const int64_t shape[] = {1};
  alignas(64) static const float weights[16] = {};
  symc_tensor_info input = {"x", shape, 4, 1, SYMC_F32, 0, 0};
  symc_tensor_info outputs[] = {{"y", shape, 4, 1, SYMC_F32, 0, 0},
                                {"grad:x", shape, 4, 1, SYMC_F32, SYMC_TENSOR_BACKWARD, 0}};
  symc_state_info state = {{"mean", shape, 4, 1, SYMC_F32, SYMC_TENSOR_BACKWARD, 0}, 0};
  symc_variant variant = {"x86-64", 0,       64,      both,    SYMC_DEVICE_CPU,
                          0,        nullptr, nullptr, forward, backward};
  symc_model model = {};
  model.magic = SYMC_MODEL_MAGIC;
  model.abi_version = SYMC_ABI_VERSION;
  model.name = "parts";
  model.inputs = &input;
  model.outputs = outputs;
  model.states = &state;
  model.variants = &variant;
  model.weights = reinterpret_cast<const uint8_t *>(weights);
  model.weights_bytes = sizeof weights;
  model.n_inputs = model.n_states = model.n_variants = 1;
  model.n_outputs = 2;
  float x = 3, y = 0, gradient = 0;
  std::vector<symc_tensor> in = {{&x, shape, 1, SYMC_F32, 0, 0}},
                           out = {{&y, shape, 1, SYMC_F32, 0, 0},
                                  {&gradient, shape, 1, SYMC_F32, 0, 0}};
  symc_context *context = nullptr;
  EXPECT_EQ(symc_create(&model, nullptr, &context), SYMC_STATUS_OK);
  wrong = what;
  EXPECT_EQ(symc_run(context, in.data(), 1, out.data(), 2), SYMC_STATUS_OK);
  std::string problem = runParts(context, in, out);
  symc_destroy(context);
  return problem;
}

} // namespace

TEST(PartsRun, FindsWhatIsWrong) {
  EXPECT_EQ(problemOf(Wrong::Nothing), "");
  EXPECT_EQ(problemOf(Wrong::Forward),
            "forward by itself gives other bits of its output 0 than a run of both parts");
  EXPECT_EQ(problemOf(Wrong::ReadsInput),
            "backward by itself gives other bits of its output 0 than a run of both parts");
  EXPECT_EQ(
      problemOf(Wrong::Overwrites),
      "a second backward by itself gives other bits of its output 0 than a run of both parts");
  EXPECT_EQ(problemOf(Wrong::State),
            "state 'mean' has other bits after both parts than after a run of both");
  EXPECT_EQ(problemOf(Wrong::Fails), "backward: a step failed: a step of the model failed");
}
