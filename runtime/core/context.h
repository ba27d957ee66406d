// context.h: what a context holds. One block of memory holds the context and its
// small arrays; arena, weights and pool are the context's own only where the
// options gave none.
#ifndef SYMC_RUNTIME_CORE_CONTEXT_H
#define SYMC_RUNTIME_CORE_CONTEXT_H

#include "text.h"

namespace symc {

enum class WeightsFrom { None, Embedded, SideFile, Supplied, Parameters };

struct Weights {
  const uint8_t *data = nullptr;
  WeightsFrom from = WeightsFrom::None;
  bool verified = false;   // the bytes have the model's hash
  void *mapping = nullptr; // of the side file
  size_t mappingBytes = 0;
  void *shared = nullptr; // side_file.cpp's copy, which other contexts may use, too
  void *owned = nullptr;  // prepared from parameters, read or copied for this context
};

// Finds the weights as the options, the environment and the model say. On failure writes a
// sentence and leaves nothing open.
symc_status open_weights(const symc_model &model, const symc_options &options, Text &error,
                         Weights &weights);
void close_weights(const symc_allocator *hooks, uint64_t bytes, Weights &weights);

// Allocates the states of a context and, where there are weights, gives them their first values.
symc_status open_states(Text &error, symc_context &context);
// Gives all states the values of the context's weights.
symc_status reset_states(symc_context &context);
// Makes what a run left of the states what the next one finds.
void advance_states(symc_context &context);

// Runs the model's function that prepares weights, with arena and pointers of its own.
symc_status run_prepare(const symc_model &model, const symc_allocator *hooks, symc_pool *pool,
                        const symc_tensor *parameters, uint8_t *prepared);

// The variant to run: by name if `isa` is given, else the best that the processor runs.
// `device`: NULL, or functions that stand for a device which the table may lack.
symc_status choose_variant(const symc_model &model, const char *isa, const char *isaFrom,
                           const symc_device *device, Text &error, const symc_variant **variant);

// Memory of the context's device, SYMC_ALIGN-aligned; that of the CPU by the caller's hooks.
void *allocate_on_device(symc_context &context, size_t bytes);
void release_on_device(symc_context &context, void *memory, size_t bytes);
// Where the device is not the CPU: copies the weights to its memory.
symc_status upload_weights(Text &error, symc_context &context);

} // namespace symc

struct symc_context {
  const symc_model *model;
  const symc_variant *variant;
  const symc_device *device;
  int32_t ordinal;
  symc_frame frame;
  symc_allocator allocator;
  size_t bytes; // of this block
  symc_pool *ownPool;
  void *ownArena;
  size_t ownArenaBytes;
  symc::Weights weights; // in memory of the CPU
  void *deviceWeights;   // their copy on another device, or NULL
  void **io;             // as symc_frame.io says
  void *ownStates;       // each state twice: as a run finds it, and room for what it leaves
  size_t ownStatesBytes;
  int64_t *dims;    // n_dims
  int64_t *extents; // of all outputs
  int32_t nExtents;
  char error[512];
  char failure[SYMC_FAILURE_BYTES]; // of the run that failed last

  void **inputs() { return io; }
  void **states() { return io + model->n_inputs; }
  void **outputs() { return states() + model->n_states; }
  void **nextStates() { return outputs() + model->n_outputs; }
};

#endif
