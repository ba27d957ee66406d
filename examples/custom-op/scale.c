/* scale.c: three operators for symc. my_limit and my_scale are functions of single elements:
 * one line describes my_limit, lists describe my_scale and its parameters. my_row_norm has a
 * weight whose shape follows from the data, a choice among its parameters, and a row that it
 * cannot work on. docs/custom-operators.md tells what each field means. */
#include <math.h>
#include <stdio.h>
#include <symc/custom_op.h>

static int64_t count(const symc_op_tensor *tensor) {
  int64_t elements = 1;
  for (int32_t d = 0; d < tensor->rank; ++d)
    elements *= tensor->shape[d];
  return elements;
}

/* --- my_limit: data between two numbers ----------------------------------- */

typedef struct limit_params { /* as the schema has them, 8 bytes each */
  double least;
  int64_t has_most; /* of `float?` */
  double most;
} limit_params;

SYMC_OP_EXPORT int32_t my_limit_f32(const symc_op_call *call) {
  const limit_params *params = call->params;
  const float *data = call->inputs[0].data;
  float *output = call->outputs[0].data; /* may be data */
  for (int64_t i = 0, n = count(&call->inputs[0]); i < n; ++i) {
    float value = data[i] < (float)params->least ? (float)params->least : data[i];
    output[i] = params->has_most && value > (float)params->most ? (float)params->most : value;
  }
  return 0;
}

static const symc_op_kernel limit_kernels[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, my_limit_f32), {0}};
static const symc_op limit = {
    .bytes = sizeof(symc_op),
    .summary = "data between a least and, perhaps, a largest value",
    .kernels = limit_kernels,
    .flags = SYMC_OP_ELEMENTWISE,
    .schema = "my_limit(Tensor data, *, float least=0.0, float? most=None) -> Tensor"};

/* --- my_scale: alpha * data + beta --------------------------------------- */

typedef struct scale_params { /* as scale_param_list has them, 8 bytes each */
  double alpha, beta;
} scale_params;
static const symc_op_param scale_param_list[] = {
    {"alpha", SYMC_OP_FLOAT, 0, "1.0", "factor", NULL, NULL, NULL},
    {"beta", SYMC_OP_FLOAT, 0, "0.0", "added", NULL, NULL, NULL},
    {0}};

#define SCALE_KERNEL(name, T)                                                                      \
  SYMC_OP_EXPORT int32_t name(const symc_op_call *call) {                                          \
    const scale_params *params = call->params;                                                     \
    const T *data = call->inputs[0].data;                                                          \
    T *output = call->outputs[0].data; /* may be data */                                           \
    for (int64_t i = 0, n = count(&call->inputs[0]); i < n; ++i)                                   \
      output[i] = (T)params->alpha * data[i] + (T)params->beta;                                    \
    return 0;                                                                                      \
  }
SCALE_KERNEL(my_scale_f32, float)
SCALE_KERNEL(my_scale_f64, double)

static const symc_op_value data_alone[] = {{"data", 0, 0}, {0}};
static const symc_op_value output[] = {{"output", 0, 0}, {0}};
static const symc_op_kernel scale_kernels[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, my_scale_f32),
                                               SYMC_OP_KERNEL(SYMC_OP_FLOAT64, my_scale_f64),
                                               {0}};
static const symc_op scale = {.bytes = sizeof(symc_op),
                              .name = "my_scale",
                              .summary = "a multiple of data and a number",
                              .inputs = data_alone,
                              .outputs = output,
                              .params = scale_param_list,
                              .kernels = scale_kernels,
                              .flags = SYMC_OP_ELEMENTWISE};

/* --- my_row_norm: rows of data [N, C] over their norm, times gamma [C] --- */

enum { NORM_L1, NORM_L2 };
typedef struct norm_params {
  int64_t norm;
} norm_params;
static const char *const norm_names[] = {"l1", "l2", NULL};
static const symc_op_param norm_param_list[] = {
    {"norm", SYMC_OP_CHOICE, 0, "l2", "of a row", NULL, NULL, norm_names}, {0}};
static const symc_op_value norm_inputs[] = {{"data", 0, 0}, {"gamma", SYMC_OP_INFERRED, 0}, {0}};

static int32_t norm_shape(symc_op_inference *node) {
  const symc_op_shape *data = &node->input_shapes[0];
  if (data->rank != 2) {
    snprintf(node->message, SYMC_OP_MESSAGE_BYTES, "data has rank %d, needs rows and columns",
             data->rank);
    return 1;
  }
  node->input_shapes[1] = (symc_op_shape){.rank = 1, .extents = {data->extents[1]}};
  node->output_shapes[0] = *data;
  return 0;
}

SYMC_OP_EXPORT int32_t my_row_norm_f32(const symc_op_call *call) {
  const norm_params *params = call->params;
  const float *data = call->inputs[0].data, *gamma = call->inputs[1].data;
  float *output = call->outputs[0].data;
  int64_t rows = call->inputs[0].shape[0], columns = call->inputs[0].shape[1];
  for (int64_t n = 0; n < rows; ++n, data += columns, output += columns) {
    double sum = 0;
    for (int64_t c = 0; c < columns; ++c)
      sum += params->norm == NORM_L2 ? (double)data[c] * data[c] : fabs(data[c]);
    if (sum == 0) {
      snprintf(call->message, SYMC_OP_MESSAGE_BYTES, "row %lld of data is zero", (long long)n);
      return 1;
    }
    double norm = params->norm == NORM_L2 ? sqrt(sum) : sum;
    for (int64_t c = 0; c < columns; ++c)
      output[c] = (float)(data[c] / norm) * gamma[c];
  }
  return 0;
}

static const symc_op_kernel norm_kernels[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, my_row_norm_f32),
                                              {0}};
static const symc_op row_norm = {.bytes = sizeof(symc_op),
                                 .name = "my_row_norm",
                                 .summary = "rows over their norm, times a weight",
                                 .inputs = norm_inputs,
                                 .outputs = output,
                                 .params = norm_param_list,
                                 .kernels = norm_kernels,
                                 .flags = SYMC_OP_ROWS,
                                 .infer_shape = norm_shape};

SYMC_OPERATORS(&scale, &row_norm, &limit)
