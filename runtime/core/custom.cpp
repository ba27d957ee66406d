// custom.cpp: how generated code calls the kernel of a custom operator: the arguments as
// custom_op.h describes them, whatever abi.h makes of its own, and what a kernel reports of its
// failure. Apart from run.cpp, so that models without such operators do not link it.
#include "symc/custom_op.h"
#include "text.h"

using namespace symc;

static symc_op_tensor tensor_of(const symc_tensor &tensor) {
  return {tensor.data, tensor.shape, tensor.rank, tensor.dtype};
}

int32_t symc_call_custom(int32_t (*kernel)(const symc_op_call *call),
                         const symc_kernel_args *args) {
  symc_op_tensor tensors[2 * SYMC_OP_MAX_VALUES]; // a gradient has twice as many as its operator
  char message[SYMC_OP_MESSAGE_BYTES];
  message[0] = 0;
  int32_t count = args->n_inputs + args->n_outputs; // what the compiler has checked
  for (int32_t i = 0; i < count; ++i)
    tensors[i] =
        tensor_of(i < args->n_inputs ? args->inputs[i] : args->outputs[i - args->n_inputs]);
  symc_op_call call = {
      tensors,        tensors + args->n_inputs, args->params, args->scratch, args->scratch_bytes,
      args->n_inputs, args->n_outputs,          message};
  int32_t status = kernel(&call);
  if (status == 0)
    return SYMC_STATUS_OK;
  if (args->frame && args->frame->error) {
    message[SYMC_OP_MESSAGE_BYTES - 1] = 0;
    Text text(args->frame->error, size_t(args->frame->error_bytes));
    if (message[0])
      text << message;
    else
      text << "the kernel of its operator failed with status " << status;
  }
  return SYMC_STATUS_RUN_FAILED;
}
