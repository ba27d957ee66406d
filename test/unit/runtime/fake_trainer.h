// fake_trainer.h: a trainer written by hand, for tests of the trainer's program: the functions of
// symc/train.h for a classifier of three classes over eight numbers, softmax(data * weight + bias),
// batches of four rows, trained by sgd with momentum. One such training exists at a time.
#ifndef SYMC_TEST_UNIT_RUNTIME_FAKE_TRAINER_H
#define SYMC_TEST_UNIT_RUNTIME_FAKE_TRAINER_H

#include "symc/runtime.h"
#include "symc/train.h"

#include <string>
#include <vector>

constexpr int fakeBatch = 4, fakeData = 8, fakeClasses = 3;

// What the training holds, as a test may look at it.
struct FakeTraining {
  std::vector<float> weight, bias; // [3, 8], [3]
  std::vector<float> gradients;    // both, each at a multiple of 64 bytes
  std::vector<float> momenta[2];
  double learningRate, decay, momentum, rescale;
  int64_t step;
  uint64_t iteration, seed;
  std::vector<std::vector<float>> batches; // data of each symc_gradients
  std::vector<double> rates;               // of each update
  symc_updates updates = SYMC_UPDATES_FUSED;
  int wholeSteps = 0; // calls of symc_train_step
};
extern FakeTraining fakeTraining;
// The call of symc_gradients, from 0 on, that gives a number that is not finite: in the output, or
// in the gradient of the bias alone. -1: none.
extern int64_t fakeBadOutput, fakeBadGradient;
// The update, from 0 on, behind which the process ends at once. -1: none.
extern int64_t fakeKill;

// What the table holds of an input or the output, for tests that change it. Number of inputs, which
// are copies of the first behind the label. Whether the optimizer has a momentum.
extern symc_tensor_info fakeInputs[], fakeOutput;
extern int32_t fakeInputCount;
extern bool fakeHasMomentum;

const symc_model &fakeTrainer();

#endif
