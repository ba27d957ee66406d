/* A library with one operator that SCHEMA describes; MORE are other fields. */
#include <symc/custom_op.h>

#ifndef MORE
#define MORE .flags = SYMC_OP_ELEMENTWISE
#endif
static const symc_op_value data[] = {{"data", 0, 0}, {0}};
static const symc_op_param one[] = {{"one", SYMC_OP_INT, 0, "1", 0, 0, 0, 0}, {0}};
SYMC_OP_EXPORT int32_t by_line_f32(const symc_op_call *call) { return 0; }
static const symc_op_kernel kernels[] = {SYMC_OP_KERNEL(SYMC_OP_FLOAT32, by_line_f32), {0}};
static const symc_op by_line = {.bytes = sizeof(symc_op),
                                .summary = "is described by one line",
                                .kernels = kernels,
                                .schema = SCHEMA,
                                MORE};
SYMC_OPERATORS(&by_line)
