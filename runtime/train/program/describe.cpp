// describe.cpp: what --describe of a trainer prints: everything that its table contains.
#include "trainer.h"

#include "../optimizer.h"
#include "symc/train.h"

#include <stdio.h>

namespace symc::train {

static void print_tensor(const symc_tensor_info &info, const char *remark) {
  printf("  %s: %s [", info.name, symc_dtype_name(info.dtype));
  for (int32_t i = 0; i < info.rank; ++i)
    printf("%s%lld", i ? ", " : "", (long long)info.shape[i]);
  printf("]%s", remark);
}

void describe_trainer(const symc_model &model) {
  const symc_training &training = *model.training;
  printf("%s, a trainer compiled by %s for %s\n", model.name, model.compiler, model.triple);
  printf("inputs of a step:\n");
  for (int32_t i = 0; i < training.n_inputs; ++i) {
    print_tensor(training.inputs[i], "");
    if (training.classes[i])
      printf("  (integers below %lld)", (long long)training.classes[i]);
    printf("\n");
  }
  printf("outputs:\n");
  for (int32_t i = 0; i < training.n_heads; ++i) {
    print_tensor(model.outputs[i], "");
    printf("\n");
  }
  printf("parameters:\n");
  int64_t count = 0;
  for (int32_t i = 0; i < model.n_parameters; ++i) {
    const symc_trained &one = training.parameters[i];
    print_tensor(model.parameters[i], one.is_state         ? "  (a state that no step changes)"
                                      : one.gradient < 0   ? "  (frozen)"
                                      : one.wd_mult == 0.0 ? "  (no decay)"
                                                           : "");
    if (one.lr_mult != 1)
      printf("  (learning_rate times %g)", one.lr_mult);
    if (one.wd_mult != 0 && one.wd_mult != 1)
      printf("  (wd times %g)", one.wd_mult);
    printf("\n");
    count += one.gradient >= 0 ? model.parameters[i].max_bytes / 4 : 0;
  }
  if (model.n_states)
    printf("states that a step changes:\n");
  for (int32_t i = 0; i < model.n_states; ++i) {
    print_tensor(model.states[i].tensor, "");
    printf("\n");
  }
  printf("optimizer: %s", training.optimizer->name);
  for (int32_t i = 0; i < training.n_values; ++i)
    printf(", %s=%g", symc_hyper_name(&model, i), training.values[i]);
  int32_t states = training.optimizer->count_states(training.values);
  printf("\nnumbers that train: %lld, with %d more each in states of the optimizer\n",
         (long long)count, states);
  printf("instruction sets:\n");
  for (int32_t i = 0; i < model.n_variants; ++i)
    printf("  %s: arena %lld bytes\n", model.variants[i].isa,
           (long long)model.variants[i].arena_bytes);
}

} // namespace symc::train
