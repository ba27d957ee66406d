// prepare.cpp: prepared weights from raw parameters, by the function that a model brings
// for it. Its frame is made here: pointers of the parameters where a run has inputs, and
// an arena that lives as long as the call.
#include "context.h"
#include "memory.h"

namespace symc {

symc_status run_prepare(const symc_model &model, const symc_allocator *hooks, symc_pool *pool,
                        const symc_tensor *parameters, uint8_t *prepared) {
  size_t arena = (size_t(model.prepare_arena_bytes) + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
  size_t bytes = arena + size_t(model.n_parameters) * sizeof(void *);
  void *memory = allocate(hooks, bytes, SYMC_ALIGN);
  if (!memory)
    return SYMC_STATUS_OUT_OF_MEMORY;
  void **io = reinterpret_cast<void **>(static_cast<uint8_t *>(memory) + arena);
  for (int32_t i = 0; i < model.n_parameters; ++i)
    io[i] = parameters[i].data;
  symc_frame frame = {};
  frame.arena = static_cast<uint8_t *>(memory);
  frame.weights = prepared;
  frame.io = io;
  frame.pool = pool;
  symc_status status = symc_status(model.prepare(&frame));
  release(hooks, memory, bytes);
  return status;
}

} // namespace symc

symc_status symc_prepare(const symc_model *model, const symc_tensor *parameters,
                         uint8_t *prepared) {
  if (!model || (model->n_parameters && !parameters) || (model->weights_bytes && !prepared))
    return SYMC_STATUS_BAD_ARGUMENT;
  if (uintptr_t(prepared) % SYMC_ALIGN)
    return SYMC_STATUS_BAD_ALIGNMENT;
  if (!model->prepare)
    return SYMC_STATUS_NO_PREPARE;
  return symc::run_prepare(*model, nullptr, nullptr, parameters, prepared);
}
