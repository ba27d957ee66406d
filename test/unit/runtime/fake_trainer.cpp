// fake_trainer.cpp: see fake_trainer.h.
#include "fake_trainer.h"

#include "runtime/train/training.h"

#include <cmath>
#include <cstring>
#include <unistd.h>

FakeTraining fakeTraining;
int64_t fakeBadOutput = -1, fakeBadGradient = -1, fakeKill = -1;

static const int64_t dataShape[] = {fakeBatch, fakeData}, labelShape[] = {fakeBatch},
                     outputShape[] = {fakeBatch, fakeClasses},
                     weightShape[] = {fakeClasses, fakeData}, biasShape[] = {fakeClasses};
symc_tensor_info fakeInputs[70] = {
    {"data", dataShape, sizeof(float) * fakeBatch * fakeData, 2, SYMC_F32, 0, 0},
    {"softmax_label", labelShape, sizeof(float) * fakeBatch, 1, SYMC_F32, 0, 0}};
symc_tensor_info fakeOutput = {
    "softmax_output", outputShape, sizeof(float) * fakeBatch *fakeClasses, 2, SYMC_F32, 0, 0};
int32_t fakeInputCount = 2;
bool fakeHasMomentum = true;
static const symc_tensor_info parameters[] = {
    {"fc_weight", weightShape, sizeof(float) * fakeClasses * fakeData, 2, SYMC_F32, 0, 0},
    {"fc_bias", biasShape, sizeof(float) * fakeClasses, 1, SYMC_F32, 0, 0}};
static constexpr size_t biasAt = 32; // in the gradients; 24 floats of weight before it

static int32_t runNothing(const symc_frame *) { return 0; }

const symc_model &fakeTrainer() {
  static symc_variant variant;
  static symc_model model;
  variant = {};
  variant.isa = "x86-64";
  variant.arena_bytes = 64;
  variant.run = runNothing;
  model = {};
  model.magic = SYMC_MODEL_MAGIC;
  model.abi_version = SYMC_ABI_VERSION;
  model.name = "fake";
  model.compiler = "by hand";
  model.triple = "x86_64-linux-gnu";
  model.inputs = fakeInputs;
  model.outputs = &fakeOutput;
  model.parameters = parameters;
  model.n_inputs = 2;
  model.n_outputs = 1;
  model.n_parameters = 2;
  model.variants = &variant;
  model.n_variants = 1;
  return model;
}

static std::vector<float> *valuesOf(const char *name) {
  return strcmp(name, "fc_weight") == 0 ? &fakeTraining.weight
         : strcmp(name, "fc_bias") == 0 ? &fakeTraining.bias
                                        : nullptr;
}
static float *gradientOf(const char *name) {
  return fakeTraining.gradients.data() + (strcmp(name, "fc_bias") == 0 ? biasAt : 0);
}

// data * weight + bias, then softmax.
static void forward(const float *data, float *output) {
  for (int row = 0; row < fakeBatch; ++row) {
    float sum = 0;
    for (int c = 0; c < fakeClasses; ++c) {
      float value = fakeTraining.bias[c];
      for (int k = 0; k < fakeData; ++k)
        value += data[row * fakeData + k] * fakeTraining.weight[c * fakeData + k];
      sum += output[row * fakeClasses + c] = std::exp(value);
    }
    for (int c = 0; c < fakeClasses; ++c)
      output[row * fakeClasses + c] /= sum;
  }
}

int32_t symc_is_trainer(const symc_model *) { return 1; }
int32_t symc_train_input_count(const symc_model *) { return fakeInputCount; }
const symc_tensor_info *symc_train_input(const symc_model *, int32_t index) {
  return &fakeInputs[index];
}
int32_t symc_train_output_count(const symc_model *) { return 1; }
const symc_tensor_info *symc_train_output(const symc_model *, int32_t index) {
  return index == 0 ? &fakeOutput : nullptr;
}
int64_t symc_train_input_classes(const symc_model *, int32_t index) {
  return index == 1 ? fakeClasses : 0;
}
int32_t symc_parameter_trains(const symc_model *, int32_t) { return 1; }

symc_status symc_gradients(symc_context *, const symc_tensor *in, int32_t, const symc_tensor *out,
                           int32_t) {
  const float *data = static_cast<const float *>(in[0].data),
              *label = static_cast<const float *>(in[1].data);
  float *output = static_cast<float *>(out[0].data);
  int64_t number = int64_t(fakeTraining.batches.size());
  fakeTraining.batches.emplace_back(data, data + fakeBatch * fakeData);
  ++fakeTraining.iteration;
  forward(data, output);
  std::vector<float> &gradients = fakeTraining.gradients;
  gradients.assign(biasAt + 16, 0);
  for (int row = 0; row < fakeBatch; ++row)
    for (int c = 0; c < fakeClasses; ++c) {
      float d = output[row * fakeClasses + c] - float(int(label[row]) == c);
      gradients[biasAt + c] += d;
      for (int k = 0; k < fakeData; ++k)
        gradients[c * fakeData + k] += d * data[row * fakeData + k];
    }
  if (number == fakeBadOutput)
    output[1] = NAN;
  if (number == fakeBadGradient)
    gradients[biasAt + 1] = INFINITY;
  return SYMC_STATUS_OK;
}

symc_status symc_update(symc_context *, const symc_hyper *hyper) {
  double rate = std::isnan(hyper->learning_rate) ? fakeTraining.learningRate : hyper->learning_rate;
  fakeTraining.rates.push_back(rate);
  for (const char *name : {"fc_weight", "fc_bias"}) {
    std::vector<float> &value = *valuesOf(name);
    std::vector<float> &momentum = fakeTraining.momenta[name[3] == 'b'];
    double decay = name[3] == 'w' ? fakeTraining.decay : 0;
    for (size_t i = 0; i < value.size(); ++i) {
      momentum[i] = float(fakeTraining.momentum) * momentum[i] - float(rate * decay) * value[i] -
                    float(rate) * (float(fakeTraining.rescale) * gradientOf(name)[i]);
      value[i] += momentum[i];
    }
  }
  if (fakeTraining.step++ == fakeKill)
    _exit(77);
  return SYMC_STATUS_OK;
}

symc_status symc_train_step(symc_context *context, const symc_tensor *in, int32_t n,
                            const symc_tensor *out, int32_t m, const symc_hyper *hyper) {
  ++fakeTraining.wholeSteps;
  symc_gradients(context, in, n, out, m);
  return symc_update(context, hyper);
}

symc_status symc_choose_updates(symc_context *, symc_updates updates) {
  fakeTraining.updates = updates;
  return SYMC_STATUS_OK;
}
int32_t symc_updates_in_backward(const symc_context *, size_t *bytes) {
  *bytes = 0;
  return 0;
}

symc_status symc_predict(symc_context *, const symc_tensor *in, int32_t, const symc_tensor *out,
                         int32_t) {
  forward(static_cast<const float *>(in[0].data), static_cast<float *>(out[0].data));
  return SYMC_STATUS_OK;
}

symc_status symc_initialize(symc_context *, const char *, uint64_t seed) {
  fakeTraining.weight.assign(fakeClasses * fakeData, 0);
  fakeTraining.bias.assign(fakeClasses, 0);
  fakeTraining.momenta[0].assign(fakeClasses * fakeData, 0);
  fakeTraining.momenta[1].assign(fakeClasses, 0);
  for (size_t i = 0; i < fakeTraining.weight.size(); ++i)
    fakeTraining.weight[i] = float((i * 37 + seed * 11) % 17) / 100;
  fakeTraining.step = 0;
  return SYMC_STATUS_OK;
}

static symc_status copy(std::vector<float> &values, void *out, const void *in, size_t bytes) {
  if (bytes != values.size() * sizeof(float))
    return SYMC_STATUS_BAD_SHAPE;
  if (out)
    memcpy(out, values.data(), bytes);
  else
    memcpy(values.data(), in, bytes);
  return SYMC_STATUS_OK;
}
symc_status symc_get_parameter(symc_context *, const char *name, void *data, size_t bytes) {
  return copy(*valuesOf(name), data, nullptr, bytes);
}
symc_status symc_set_parameter(symc_context *, const char *name, const void *data, size_t bytes) {
  return copy(*valuesOf(name), nullptr, data, bytes);
}
symc_status symc_get_gradient(symc_context *, const char *name, void *data, size_t bytes) {
  memcpy(data, gradientOf(name), bytes);
  return SYMC_STATUS_OK;
}
float *symc_gradient_memory(symc_context *, size_t *bytes) {
  fakeTraining.gradients.resize(biasAt + 16);
  *bytes = fakeTraining.gradients.size() * sizeof(float);
  return fakeTraining.gradients.data();
}

const char *symc_optimizer_name(const symc_model *) { return "sgd"; }
int32_t symc_optimizer_state_count(const symc_context *) { return 1; }
symc_status symc_get_optimizer_state(symc_context *, const char *name, int32_t, void *data,
                                     size_t bytes) {
  return copy(fakeTraining.momenta[name[3] == 'b'], data, nullptr, bytes);
}
symc_status symc_set_optimizer_state(symc_context *, const char *name, int32_t, const void *data,
                                     size_t bytes) {
  return copy(fakeTraining.momenta[name[3] == 'b'], nullptr, data, bytes);
}
int64_t symc_get_step(const symc_context *) { return fakeTraining.step; }
symc_status symc_set_step(symc_context *, int64_t step) {
  fakeTraining.step = step;
  return SYMC_STATUS_OK;
}
symc_status symc_get_schedule(symc_context *, double *numbers) {
  for (int i = 0; i < SYMC_SCHEDULE_NUMBERS; ++i)
    numbers[i] = i;
  return SYMC_STATUS_OK;
}
symc_status symc_set_schedule(symc_context *, const double *) { return SYMC_STATUS_OK; }

static const char *const hyperNames[] = {"learning_rate", "wd", "rescale_grad", "clip_gradient",
                                         "momentum"};
int32_t symc_hyper_count(const symc_model *) { return fakeHasMomentum ? 5 : 4; }
const char *symc_hyper_name(const symc_model *, int32_t index) { return hyperNames[index]; }
static double *hyperOf(const char *name) {
  static double clip;
  double *const values[] = {&fakeTraining.learningRate, &fakeTraining.decay, &fakeTraining.rescale,
                            &clip, &fakeTraining.momentum};
  for (int i = 0; i < 5; ++i)
    if (strcmp(hyperNames[i], name) == 0)
      return values[i];
  return nullptr;
}
symc_status symc_get_hyper(symc_context *, const char *name, double *value) {
  *value = *hyperOf(name);
  return SYMC_STATUS_OK;
}
symc_status symc_set_hyper(symc_context *, const char *name, double value) {
  *hyperOf(name) = value;
  return SYMC_STATUS_OK;
}
symc_status symc_share_rows(symc_context *, int64_t, int64_t) { return SYMC_STATUS_OK; }
// Of several processes, which the fake never is.
symc_status symc_watch_gradients(symc_context *, symc_gradients_fn, void *) {
  return SYMC_STATUS_RUN_FAILED;
}
symc_status symc::update_pieces(symc_context *, const symc_hyper *, const UpdatePieces *) {
  return SYMC_STATUS_RUN_FAILED;
}
uint64_t symc_get_iteration(const symc_context *) { return fakeTraining.iteration; }
symc_status symc_set_iteration(symc_context *, uint64_t iteration) {
  fakeTraining.iteration = iteration;
  return SYMC_STATUS_OK;
}

bool symc::find_watched_node(symc_context *, char *, size_t) { return false; }
