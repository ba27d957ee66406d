/* gradient_operator.c: two operators with the same kernel for outputs, product and sum of two
 * inputs; one of them has gradient kernels, which work in scratch. */
#include <string.h>
#include <symc/custom_op.h>

typedef struct params {
  double factor;
} params;

static int64_t count(const symc_op_tensor *tensor) {
  int64_t elements = 1;
  for (int32_t d = 0; d < tensor->rank; ++d)
    elements *= tensor->shape[d];
  return elements;
}

SYMC_OP_EXPORT int32_t pair_f32(const symc_op_call *call) {
  float factor = (float)((const params *)call->params)->factor;
  const float *a = call->inputs[0].data, *b = call->inputs[1].data;
  float *product = call->outputs[0].data, *sum = call->outputs[1].data;
  for (int64_t i = 0, n = count(&call->inputs[0]); i < n; ++i) {
    product[i] = factor * a[i] * b[i];
    sum[i] = a[i] + b[i];
  }
  return 0;
}
/* In training sums are negated, so that one sees which kernel it was. */
SYMC_OP_EXPORT int32_t pair_training_f32(const symc_op_call *call) {
  int32_t status = pair_f32(call);
  float *sum = call->outputs[1].data;
  for (int64_t i = 0, n = count(&call->inputs[0]); i < n; ++i)
    sum[i] = -sum[i];
  return status;
}
SYMC_OP_EXPORT int32_t lone_f32(const symc_op_call *call) { return pair_f32(call); }

/* Inputs are a, b, product, sum and the gradients of the last two. */
SYMC_OP_EXPORT int32_t pair_gradient_f32(const symc_op_call *call) {
  float factor = (float)((const params *)call->params)->factor;
  int64_t n = count(&call->inputs[0]);
  if (call->n_inputs != 6 || call->n_outputs != 2 ||
      call->scratch_bytes < n * (int64_t)sizeof(float)) {
    strcpy(call->message, "not called as a gradient");
    return 1;
  }
  const float *a = call->inputs[0].data, *b = call->inputs[1].data;
  const float *by_product = call->inputs[4].data, *by_sum = call->inputs[5].data;
  float *of_a = call->outputs[0].data, *of_b = call->outputs[1].data, *scaled = call->scratch;
  for (int64_t i = 0; i < n; ++i)
    scaled[i] = factor * by_product[i];
  for (int64_t i = 0; i < n; ++i) {
    of_a[i] = scaled[i] * b[i] - by_sum[i];
    of_b[i] = scaled[i] * a[i] - by_sum[i];
  }
  return 0;
}
static int64_t scratch(symc_op_inference *call) {
  int64_t bytes = sizeof(float);
  for (int32_t d = 0; d < call->input_shapes[0].rank; ++d)
    bytes *= call->input_shapes[0].extents[d];
  return bytes;
}

static const symc_op_kernel pair_kernels[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, pair_f32), {0}};
static const symc_op_kernel training[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, pair_training_f32), {0}};
static const symc_op_kernel lone_kernels[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, lone_f32), {0}};
static const symc_op_kernel gradients[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, pair_gradient_f32), {0}};
static const symc_op pair = {.bytes = sizeof(symc_op),
                             .summary = "product and sum",
                             .kernels = pair_kernels,
                             .schema = "pair(Tensor a, Tensor b, *, float factor=1.0)"
                                       " -> (Tensor product, Tensor sum)",
                             .gradient_kernels = gradients,
                             .gradient_scratch_bytes = scratch,
                             .training_kernels = training};
/* As a library that was made before gradients: its structure ends before them. */
static const symc_op lone = {.bytes = offsetof(symc_op, gradient_kernels),
                             .summary = "product and sum",
                             .kernels = lone_kernels,
                             .schema = "lone(Tensor a, Tensor b, *, float factor=1.0)"
                                       " -> (Tensor product, Tensor sum)"};
SYMC_OPERATORS(&pair, &lone)
