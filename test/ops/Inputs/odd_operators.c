/* One operator, whose functions answer as its parameter `how` says: soundly, with a mistake, or
 * with nonsense. Its kernel copies a float of data, or fails. */
#include <string.h>
#include <symc/custom_op.h>

enum {
  same,
  twice,
  half,
  negative,
  deep,
  unset,
  changed,
  refused,
  silent,
  odd_type,
  no_type,
  wide
};
static const char *const hows[] = {"same",    "twice",   "half",    "negative", "deep",
                                   "unset",   "changed", "refused", "silent",   "odd_type",
                                   "no_type", "wide",    0};
static const symc_op_param params[] = {
    {"how", SYMC_OP_CHOICE, 0, "same", "what is answered", 0, 0, hows},
    {"count", SYMC_OP_INT, 0, "1", "of something", "0", "9", 0},
    {0}};
typedef struct odd_params {
  int64_t how, count;
} odd_params;

static int32_t shape(symc_op_inference *node) {
  symc_op_shape *data = node->input_shapes, *output = node->output_shapes;
  *output = *data;
  switch (((const odd_params *)node->params)->how) {
  case twice:
    output->extents[0] *= 2;
    return 0;
  case half:
    output->extents[0] /= 2;
    return 0;
  case negative:
    output->extents[0] = -3;
    return 0;
  case deep:
    output->rank = 9;
    return 0;
  case unset:
    output->rank = SYMC_OP_UNKNOWN;
    return 0;
  case changed:
    data->extents[0] = 4;
    return 0;
  case refused:
    strcpy(node->message, "data is too plain");
    return 1;
  case silent:
    return 7;
  case wide:
    output->extents[0] = INT64_MAX;
    return 0;
  }
  return 0;
}

static int32_t type(symc_op_inference *node) {
  node->output_types[0] = node->input_types[0];
  switch (((const odd_params *)node->params)->how) {
  case odd_type:
    node->output_types[0] = 99;
    return 0;
  case no_type:
    strcpy(node->message, "data is of a type that nobody likes");
    return 1;
  }
  return 0;
}

SYMC_OP_EXPORT int32_t odd_f32(const symc_op_call *call) {
  if (((const odd_params *)call->params)->count == 9)
    return 5;
  if (((const odd_params *)call->params)->count == 8) {
    strcpy(call->message, "eight are too many");
    return 1;
  }
  float *output = call->outputs[0].data;
  int64_t elements = 1;
  for (int32_t d = 0; d < call->outputs[0].rank; ++d)
    elements *= call->outputs[0].shape[d];
  for (int64_t i = 0; i < elements; ++i)
    output[i] = *(const float *)call->inputs[0].data;
  return 0;
}

static const symc_op_value data[] = {{"data", 0, 0}, {0}}, output[] = {{"output", 0, 0}, {0}};
static const symc_op_kernel kernels[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, odd_f32), {0}};
static const symc_op odd = {.bytes = sizeof(symc_op),
                            .name = "odd",
                            .summary = "answers as it is asked to",
                            .inputs = data,
                            .outputs = output,
                            .params = params,
                            .kernels = kernels,
                            .infer_shape = shape,
                            .infer_type = type};
SYMC_OPERATORS(&odd)
