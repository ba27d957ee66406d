/* A library of operators with the mistake MISTAKE; 0 is none. */
#include <symc/custom_op.h>

#define IS(n) (MISTAKE == (n))
static const char *const names[] = {"a", "b", 0}, *const none[] = {0};
static const symc_op_param params[] = {
    {IS(1)    ? "no name"
     : IS(25) ? "op_type"
              : "alpha",
     IS(2) ? 8 : SYMC_OP_FLOAT, 0, IS(3) ? "one" : "1", "factor", IS(4) ? "x" : "0", 0, 0},
    {IS(5) ? "data" : "which", SYMC_OP_CHOICE, 0, "a", 0, 0, 0, IS(6) ? none : names},
    {0}};
static const symc_op_value data[] = {{IS(7) ? "the data" : "data", 0, 0}, {0}};
static const symc_op_value output[] = {{IS(8) ? 0 : "output", 0, 0}, {0}};
static const symc_op_value many[] = {
#define FOUR {"output", 0, 0}, {"output", 0, 0}, {"output", 0, 0}, {"output", 0, 0},
#define SIXTEEN FOUR FOUR FOUR FOUR
    SIXTEEN SIXTEEN SIXTEEN SIXTEEN
#if IS(24)
        FOUR
#endif
    {0}};
SYMC_OP_EXPORT int32_t right_f32(const symc_op_call *call) { return 0; }
static int32_t kept_f32(const symc_op_call *call) { return 0; }
SYMC_OP_EXPORT int32_t symc_f32(const symc_op_call *call) { return 0; }
static const symc_op_kernel kernels[] = {
    {IS(9)    ? 0
     : IS(10) ? "kept_f32"
     : IS(11) ? "symc_f32"
              : "right_f32",
     IS(10)   ? kept_f32
     : IS(11) ? symc_f32
              : right_f32,
     IS(12) ? 13 : SYMC_OP_FLOAT32, 0},
    {"right_f32", right_f32, IS(13) ? SYMC_OP_FLOAT32 : SYMC_OP_INT32, 0},
    {0}};
static int32_t shape(symc_op_inference *node) { return 0; }
#ifdef OLD /* as it was before symc_op had a schema; what follows is the end of the memory */
#define BYTES offsetof(symc_op, schema)
#else
#define BYTES sizeof(symc_op)
#endif
static const symc_op right = {.bytes = IS(14) ? 16 : BYTES,
                              .name = IS(15)   ? "relu"
                                      : IS(16) ? "a name"
                                               : "right",
                              .summary = "is described well",
                              .inputs = data,
                              .outputs = IS(23) || IS(24) ? many : output,
                              .params = params,
                              .kernels = kernels,
                              .flags = SYMC_OP_ELEMENTWISE,
#ifdef OLD
                              .schema = (const char *)1,
                              .inferred = -1,
#endif
                              .infer_shape = IS(17) ? shape : 0};
#if IS(18)
#elif IS(19)
const symc_op_library *symc_operators(void) {
  static const symc_op *const list[] = {&right, 0};
  static const symc_op_library library = {9, 0, list};
  return &library;
}
#elif IS(20)
const symc_op_library *symc_operators(void) { return 0; }
#elif IS(21)
SYMC_OPERATORS(0)
#elif IS(22)
SYMC_OPERATORS(&right, &right)
#else
SYMC_OPERATORS(&right)
#endif
