// updates_test.cpp: breaks if a step changes a parameter that the program has not reported, before
// its gradient is final, twice or not at all; if a step that fails changes something; or if two
// gradients that are needed at once share memory.
#include "train/training.h"

#include "fake_model.h"

#include <gtest/gtest.h>

extern "C" const symc_training_work symc_train_work;

namespace {
constexpr int parameters = 3, large = 20000; // more elements than what waits for others

// What the fake program does in a step: it fills gradients, and reports.
struct Act {
  enum { Fill, Report } what;
  int32_t number;
  float value = 0;
};
std::vector<Act> acts;
std::vector<std::vector<float>> seen; // of each act: the parameters' first elements
int32_t ends = 0;
int64_t counts[parameters] = {large * 4, 100, large * 5};

int32_t run(const symc_frame *frame) {
  // io: data, the parameters; the head, gradients.
  for (const Act &act : acts) {
    if (act.what == Act::Report)
      symc_report_step(frame, act.number);
    else
      std::fill_n(static_cast<float *>(frame->io[5 + act.number]), counts[act.number], act.value);
    seen.emplace_back();
    for (int i = 0; i < parameters; ++i)
      seen.back().push_back(*static_cast<float *>(frame->io[1 + i]));
  }
  return ends;
}

// weight -= gradient + number of prepared parameters; the state counts updates.
int32_t one_state(const double *) { return 1; }
void prepare(const symc_update_begin *begin) { begin->derived[0] = ++begin->schedule[0]; }
void create(const symc_update_args *args) {
  std::fill(args->states[0], args->states[0] + args->count, 5);
}
void pass(const symc_update_args *args) {
  for (int64_t i = 0; i < args->count; ++i) {
    args->weight[i] -= args->gradient[i] + float(args->derived[0]);
    ++args->states[0][i];
  }
}
const symc_optimizer_row row = {"fake", SYMC_HYPER_OWN, 1,      nullptr, one_state, nullptr,
                                create, prepare,        {pass}, 0,       0};

int32_t finalOf(int parameter) { return 1 + parameter; } // outputs: the head, gradients
int32_t updateOf(int parameter) { return -2 - 2 * finalOf(parameter); }
int32_t beginOf(int parameter) { return -3 - 2 * finalOf(parameter); }

struct UpdatesOfSteps : testing::Test {
  UpdatesOfSteps() {
    acts.clear();
    seen.clear();
    ends = 0;
    for (int i = 0; i < parameters; ++i) {
      shapes[i] = counts[i];
      inputs[1 + i] = {names[i], &shapes[i], counts[i] * 4, 1, SYMC_F32, 0, 0};
      outputs[1 + i] = {names[i], &shapes[i], counts[i] * 4, 1, SYMC_F32, SYMC_TENSOR_BACKWARD, 0};
      trained[i] = {1 + i, 0, 1, 1, -1, nullptr, "", 0, 0};
      sources[1 + i] = {SYMC_FROM_PARAMETER, i};
    }
    inputs[0] = {"data", &one, 4, 1, SYMC_F32, 0, 0};
    outputs[0] = {"head", &one, 4, 1, SYMC_F32, 0, 0};
    variant = {"x86-64", 0, 64, run};
    model.magic = SYMC_MODEL_MAGIC;
    model.abi_version = SYMC_ABI_VERSION;
    model.name = "fake";
    model.inputs = inputs;
    model.outputs = outputs;
    model.parameters = inputs + 1;
    model.variants = &variant;
    model.n_inputs = model.n_outputs = 4;
    model.n_parameters = 3;
    model.n_variants = 1;
    model.training = &training;
    training.prediction = &model;
    training.parameters = trained;
    training.inputs = inputs;
    training.sources = sources;
    training.optimizer = &row;
    training.values = values;
    training.work = &symc_train_work;
    training.n_inputs = training.n_heads = 1;
    training.n_values = SYMC_HYPER_OWN;
  }
  void SetUp() override {
    ASSERT_EQ(symc_create(&model, nullptr, &context), SYMC_STATUS_OK);
    std::vector<float> first(size_t(large) * 5, 100);
    for (int i = 0; i < parameters; ++i)
      ASSERT_EQ(symc_set_parameter(context, names[i], first.data(), size_t(counts[i]) * 4),
                SYMC_STATUS_OK);
  }
  void TearDown() override { symc_destroy(context); }
  symc_status step() {
    seen.clear();
    float data = 0;
    symc_tensor tensor = {&data, &one, 1, SYMC_F32, 0, 0};
    return symc_train_step(context, &tensor, 1, nullptr, 0, nullptr);
  }
  // All elements of a parameter, which are equal.
  float valueOf(int parameter) {
    std::vector<float> all(static_cast<size_t>(counts[parameter]));
    EXPECT_EQ(symc_get_parameter(context, names[parameter], all.data(), all.size() * 4),
              SYMC_STATUS_OK);
    EXPECT_EQ(std::count(all.begin(), all.end(), all[0]), counts[parameter]);
    return all[0];
  }
  float stateOf(int parameter) {
    std::vector<float> all(static_cast<size_t>(counts[parameter]));
    EXPECT_EQ(symc_get_optimizer_state(context, names[parameter], 0, all.data(), all.size() * 4),
              SYMC_STATUS_OK);
    EXPECT_EQ(std::count(all.begin(), all.end(), all[0]), counts[parameter]);
    return all[0];
  }
  const char *names[parameters] = {"a", "b", "c"};
  int64_t one = 1, shapes[parameters];
  symc_tensor_info inputs[4], outputs[4];
  symc_trained trained[parameters];
  symc_source sources[4] = {{SYMC_FROM_CALLER, 0}};
  double values[SYMC_MAX_HYPER] = {};
  symc_variant variant;
  symc_training training = {};
  symc_model model = {};
  symc_context *context = nullptr;
};

std::vector<Act> wholeStep() {
  return {{Act::Report, beginOf(0)},  {Act::Fill, 0, 1},          {Act::Report, finalOf(0)},
          {Act::Report, updateOf(0)}, {Act::Report, beginOf(1)},  {Act::Fill, 1, 2},
          {Act::Report, finalOf(1)},  {Act::Report, updateOf(1)}, {Act::Report, beginOf(2)},
          {Act::Fill, 2, 3},          {Act::Report, finalOf(2)},  {Act::Report, updateOf(2)}};
}
} // namespace

TEST_F(UpdatesOfSteps, ChangeParametersWhereTheyAreReported) {
  size_t bytes;
  EXPECT_EQ(symc_updates_in_backward(context, &bytes), 0);
  acts = wholeStep();
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(seen[2], (std::vector<float>{100, 100, 100}));
  EXPECT_EQ(seen[3], (std::vector<float>{98, 100, 100}));  // 1 and 1 for the first
  EXPECT_EQ(seen[10], (std::vector<float>{98, 100, 100})); // the small one waits for others
  EXPECT_EQ(seen[11], (std::vector<float>{98, 96, 94}));
  EXPECT_EQ(symc_updates_in_backward(context, &bytes), 3);
  EXPECT_EQ(bytes, size_t(large) * 36 + 448);
  ASSERT_EQ(symc_choose_updates(context, SYMC_UPDATES_DEFERRED), SYMC_STATUS_OK);
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(seen[11], (std::vector<float>{98, 96, 94}));
  EXPECT_EQ(valueOf(0), 93); // the schedule went on: 1 and 4
  EXPECT_EQ(valueOf(1), 89);
  EXPECT_EQ(valueOf(2), 85);
  EXPECT_EQ(stateOf(1), 7); // 5 at first
  EXPECT_EQ(symc_updates_in_backward(context, nullptr), 0);
  EXPECT_EQ(symc_choose_updates(context, symc_updates(3)), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context), "updates: expected 0 to 2, got 3");
}

TEST_F(UpdatesOfSteps, WaitForTheGradientAndComeOnce) {
  acts = {{Act::Fill, 0, 1},          {Act::Report, updateOf(0)}, // not final yet
          {Act::Fill, 0, 2},          {Act::Fill, 2, 3},          {Act::Report, finalOf(2)},
          {Act::Report, updateOf(2)}, {Act::Report, updateOf(2)}, {Act::Report, finalOf(2)},
          {Act::Report, updateOf(2)}, {Act::Fill, 1, 4}}; // of the second nothing is reported
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(seen.back(), (std::vector<float>{100, 100, 94}));
  EXPECT_EQ(valueOf(0), 97);
  EXPECT_EQ(valueOf(1), 94);
  EXPECT_EQ(valueOf(2), 94);
  EXPECT_EQ(stateOf(2), 6);
  EXPECT_EQ(symc_updates_in_backward(context, nullptr), 1);
}

// The program reports new values of states, too, whose numbers lie behind those of the table.
TEST_F(UpdatesOfSteps, TakeNoStateForAGradient) {
  acts = {{Act::Fill, 0, 1}, {Act::Report, 1 << 24}, {Act::Fill, 1, 1}, {Act::Fill, 2, 1}};
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(symc_updates_in_backward(context, nullptr), 0);
  EXPECT_EQ(valueOf(0), 98);
}

TEST_F(UpdatesOfSteps, LeaveAllAsItWasWhereTheStepFails) {
  acts = {{Act::Fill, 0, 1}, {Act::Report, finalOf(0)}};
  ends = SYMC_STATUS_RUN_FAILED;
  ASSERT_EQ(step(), SYMC_STATUS_RUN_FAILED);
  double schedule[SYMC_SCHEDULE_NUMBERS];
  ASSERT_EQ(symc_get_schedule(context, schedule), SYMC_STATUS_OK);
  EXPECT_EQ(schedule[0], 0);
  EXPECT_EQ(symc_get_step(context), 0);
  EXPECT_EQ(valueOf(0), 100);
  EXPECT_EQ(stateOf(0), 0);
  ends = 0;
  acts = wholeStep();
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(valueOf(0), 98);
  EXPECT_EQ(symc_get_step(context), 1);
}

TEST_F(UpdatesOfSteps, AreBehindBackwardWhereSomebodyWatches) {
  ASSERT_EQ(symc_watch_gradients(context, [](void *, size_t, size_t) {}, nullptr), SYMC_STATUS_OK);
  acts = wholeStep();
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(seen.back(), (std::vector<float>{100, 100, 100}));
  EXPECT_EQ(valueOf(2), 94);
}

TEST_F(UpdatesOfSteps, ShareMemoryOfGradients) {
  ASSERT_EQ(symc_choose_updates(context, SYMC_UPDATES_WITHOUT_GRADIENTS), SYMC_STATUS_OK);
  acts = wholeStep();
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(valueOf(0), 98);
  EXPECT_EQ(valueOf(1), 96);
  EXPECT_EQ(valueOf(2), 94);
  // The first had left when the second came, at the same place; the third lies behind that.
  size_t bytes;
  EXPECT_EQ(symc_updates_in_backward(context, &bytes), 3);
  EXPECT_EQ(bytes, size_t(large) * 20 + 448);
  float value;
  EXPECT_EQ(symc_get_gradient(context, "b", &value, 400), SYMC_STATUS_NO_GRADIENTS);
  EXPECT_EQ(symc_update(context, nullptr), SYMC_STATUS_NO_GRADIENTS);
  // The gap that the first leaves is too small for the third.
  acts = {{Act::Report, beginOf(0)}, {Act::Report, beginOf(1)},  {Act::Fill, 0, 1},
          {Act::Report, finalOf(0)}, {Act::Report, updateOf(0)}, {Act::Fill, 1, 2},
          {Act::Report, beginOf(2)}, {Act::Fill, 2, 3},          {Act::Report, finalOf(2)},
          {Act::Report, finalOf(1)}, {Act::Report, updateOf(1)}, {Act::Report, updateOf(2)}};
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(valueOf(0), 98 - 1 - 4);
  EXPECT_EQ(valueOf(1), 96 - 2 - 5);
  EXPECT_EQ(valueOf(2), 94 - 3 - 6);
  EXPECT_EQ(symc_updates_in_backward(context, &bytes), 3);
  EXPECT_EQ(bytes, size_t(large) * 36 + 448);
  // Two at once: the first is updated behind the second.
  acts = {{Act::Report, beginOf(2)}, {Act::Report, beginOf(0)},  {Act::Fill, 0, 1},
          {Act::Fill, 2, 3},         {Act::Report, finalOf(2)},  {Act::Report, updateOf(2)},
          {Act::Report, beginOf(1)}, {Act::Fill, 1, 2},          {Act::Report, finalOf(0)},
          {Act::Report, finalOf(1)}, {Act::Report, updateOf(0)}, {Act::Report, updateOf(1)}};
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  EXPECT_EQ(valueOf(0), 93 - 1 - 7);
  EXPECT_EQ(valueOf(1), 89 - 2 - 8);
  EXPECT_EQ(valueOf(2), 85 - 3 - 9);
  EXPECT_EQ(symc_updates_in_backward(context, &bytes), 2); // the small one waited for the end
  EXPECT_EQ(bytes, size_t(large) * 36);
  // Behind it gradients are whole again, with zeros between them.
  ASSERT_EQ(symc_choose_updates(context, SYMC_UPDATES_FUSED), SYMC_STATUS_OK);
  acts = wholeStep();
  ASSERT_EQ(step(), SYMC_STATUS_OK);
  const float *gradients = symc_gradient_memory(context, &bytes);
  ASSERT_EQ(bytes, size_t(large) * 36 + 448);
  EXPECT_EQ(gradients[0], 1);
  EXPECT_EQ(gradients[counts[0]], 2);
  for (int64_t i = counts[0] + counts[1]; i < counts[0] + 112; ++i)
    EXPECT_EQ(gradients[i], 0);
  EXPECT_EQ(gradients[counts[0] + 112], 3);
  EXPECT_EQ(valueOf(0), 85 - 1 - 10);
  EXPECT_EQ(valueOf(1), 79 - 2 - 11);
  EXPECT_EQ(valueOf(2), 73 - 3 - 12);
}
