// describe_model.cpp: what --describe prints: everything that the model's table contains.
#include "program.h"

#include <stdio.h>

namespace symc {

static void print_tensor(const symc_model &model, const symc_tensor_info &info,
                         const char *remark) {
  printf("  %s: %s [", info.name, symc_dtype_name(info.dtype));
  bool output = &info >= model.outputs && &info < model.outputs + model.n_outputs;
  for (int32_t i = 0; i < info.rank; ++i) {
    printf("%s", i ? ", " : "");
    if (output && i == 0 && model.batches &&
        model.batches->row_bytes[model.n_inputs + (&info - model.outputs)]) {
      int64_t places = info.shape[0] / model.dims[0].max;
      printf(places == 1 ? "N" : "%lldN", (long long)places);
      continue;
    }
    if (info.shape[i] >= 0) {
      printf("%lld", (long long)info.shape[i]);
      continue;
    }
    const symc_dim_info &dim = model.dims[-(info.shape[i] + 1)];
    if (model.batches)
      printf("N");
    else
      printf("%lld..%lld", (long long)dim.min, (long long)dim.max);
  }
  printf("]%s\n", remark);
}

static void print_state(const symc_model &model, const symc_state_info &state) {
  const symc_tensor_info &info = state.tensor;
  if (!state.capacity)
    return print_tensor(model, info, "");
  printf("  %s: %s [", info.name, symc_dtype_name(info.dtype));
  for (int32_t i = 0; i < info.rank; ++i)
    if (i == state.axis)
      printf("%s0..%lld", i ? ", " : "", (long long)state.capacity);
    else
      printf("%s%lld", i ? ", " : "", (long long)info.shape[i]);
  printf("]  (grows)\n");
}

static void print_weights(const symc_model &model) {
  printf("weights: %llu bytes, ", (unsigned long long)model.weights_bytes);
  if (model.weights || model.weights_bytes == 0)
    printf("embedded\n");
  else if (model.weights_file)
    printf("in the side file %s\n", model.weights_file);
  else
    printf("supplied by the caller\n");
}

static void print_preprocess(const symc_model &model) {
  static const char *const orders[] = {"rgb", "bgr", "gray"};
  static const char *const resizes[] = {"", ", resize", ", resize and crop"};
  for (int32_t i = 0; model.pictures && i < model.n_inputs; ++i) {
    const symc_preprocess &spec = model.pictures->inputs[i];
    if (!spec.enabled)
      continue;
    printf("preprocess %s: %s%s, ", model.inputs[i].name, orders[spec.order], resizes[spec.resize]);
    if (spec.mean_image) {
      printf("(pixel - mean image) * %g / std", spec.scale);
      for (int32_t c = 0; c < spec.channels; ++c)
        printf("%s%g", c ? ", " : ", std ", spec.std[c]);
    } else {
      printf("(pixel * %g - mean) / std", spec.scale);
      for (int32_t c = 0; c < spec.channels; ++c)
        printf("%s%g/%g", c ? ", " : ", mean/std ", spec.mean[c], spec.std[c]);
    }
    printf("\n");
  }
}

// Sentences state what is wrong where a condition does not hold.
static void print_conditions(const symc_model &model) {
  if (model.n_conditions)
    printf("sizes are refused where:\n");
  for (int32_t i = 0; i < model.n_conditions; ++i) {
    const symc_condition &condition = model.conditions[i];
    printf("  %s", condition.sentence);
    for (int32_t k = 0; k < condition.n_sizes; ++k)
      printf("%ss%d is %s", k ? ", " : " (", condition.sizes[k],
             model.dims[condition.sizes[k]].name);
    printf(condition.n_sizes ? ")\n" : "\n");
  }
}

void describe(const symc_model &model, const symc_program *program) {
  printf("%s, compiled by %s for %s\n", model.name, model.compiler, model.triple);
  printf("inputs:\n");
  for (int32_t i = 0; i < model.n_inputs; ++i)
    print_tensor(model, model.inputs[i],
                 model.inputs[i].flags & SYMC_TENSOR_OPTIONAL ? "  (optional)" : "");
  printf("outputs:\n");
  for (int32_t i = 0; i < model.n_outputs; ++i)
    print_tensor(model, model.outputs[i], "");
  if (model.n_states)
    printf("states that a run changes:\n");
  for (int32_t i = 0; i < model.n_states; ++i)
    print_state(model, model.states[i]);
  if (model.batches) {
    printf("N: any sum of batch sizes out of");
    for (int32_t i = model.batches->n_sizes - 1; i >= 0; --i)
      printf(" %lld", (long long)model.batches->sizes[i]);
    printf("\n");
  }
  print_conditions(model);
  printf("instruction sets:\n");
  for (int32_t i = 0; i < model.n_variants; ++i)
    printf("  %s: arena %lld bytes%s\n", model.variants[i].isa,
           (long long)model.variants[i].arena_bytes,
           model.n_dims && !model.batches ? ", for the largest sizes" : "");
  print_weights(model);
  print_preprocess(model);
  if (program && program->n_labels)
    printf("labels: %lld\n", (long long)program->n_labels);
}

} // namespace symc
