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

// Finds the weights as the options, the environment and the model specify. On failure writes a
// sentence and leaves nothing open.
symc_status open_weights(const symc_model &model, const symc_options &options, Text &error,
                         Weights &weights);
void close_weights(const symc_allocator *hooks, uint64_t bytes, Weights &weights);

// The number of the size that has the length of a state that grows, or -1 of other states.
int32_t size_of_state(const symc_state_info &state);

// Allocates the states of a context and, where there are weights, gives them their first values.
symc_status open_states(Text &error, symc_context &context);
// Gives all states the values of the context's weights, and no rows to those that grow.
symc_status reset_states(symc_context &context);
// Sets the sizes that are lengths of states.
symc_status size_states(symc_context &context, Text &error);
// Makes what a run left of the states what the next one finds: of those that forward changes
// (`part` 0), or backward (SYMC_TENSOR_BACKWARD).
void advance_states(symc_context &context, uint32_t part);

// Runs the model's function that prepares weights, with arena and pointers of its own.
symc_status run_prepare(const symc_model &model, const symc_allocator *hooks, symc_pool *pool,
                        const symc_tensor *parameters, uint8_t *prepared);

// Which variant is requested, by the options or, where they specify none, by the environment.
struct Wanted {
  explicit Wanted(const symc_options &options);
  const char *isa, *isaFrom;       // NULL: the best
  const char *device, *deviceFrom; // "cuda:1"; NULL: the first that works
  const symc_device *functions;    // NULL, or what stands for the functions of any device
  int32_t ordinal;
};
struct Chosen {
  const symc_variant *variant;
  const symc_device *device;
  const struct DeviceWork *work; // NULL on the CPU
  int32_t ordinal;
};

// The variant to run, its device not opened; a file's code for the CPU before that of a device
// which was not requested.
symc_status choose_variant(const symc_model &model, const Wanted &wanted, Text &error,
                           Chosen &chosen);
// The variant to run, its device opened, as runtime.h states at symc_create.
symc_status open_variant(const symc_model &model, const Wanted &wanted, Text &error,
                         Chosen &chosen);
void close_variant(const Chosen &chosen);

// Lets the calling thread use the context's device for the length of a scope.
class DeviceScope {
public:
  explicit DeviceScope(const symc_context &context);
  ~DeviceScope();
  // OK, or writes why the device cannot be used.
  symc_status check(Text &error) const;

private:
  const symc_context &context;
  void *previous = nullptr;
  symc_status status = SYMC_STATUS_OK;
};

// "cuda:1".
Text &say_device(Text &text, const symc_context &context);

// Memory of the context's device, SYMC_ALIGN-aligned; that of the CPU by the caller's hooks. Where
// there is none the sentence states that it would be `bytes` "of `what`".
symc_status allocate_on_device(symc_context &context, size_t bytes, const char *what, Text &error,
                               void **memory);
void release_on_device(symc_context &context, void *memory, size_t bytes);

// Where the device is not the CPU: copies the weights to its memory, or finds the copy that other
// contexts of the model have there.
symc_status upload_weights(Text &error, symc_context &context);

// Runs code of the variant on the values of the frame, and makes a status of what it returns.
symc_status run_code(symc_context &context, int32_t (*code)(const symc_frame *), Text &error);

// Runs all of it, and counts the run where it succeeds.
symc_status run_variant(symc_context &context, Text &error);

// The tensors of a run, checked.
struct RunTensors {
  const symc_tensor *inputs;
  int32_t n_inputs;
  const symc_tensor *outputs;
  int32_t n_outputs;
};

// What only contexts on another device than the CPU do. It is linked with the device, so that
// programs for the CPU are without it.
struct DeviceWork {
  symc_status (*upload_weights)(Text &error, symc_context &context);
  symc_status (*run)(symc_context &context, const RunTensors &tensors, Text &error);
  void (*release_weights)(symc_context &context);
  void (*release_staging)(symc_context &context);
  symc_status (*open_runs)(Text &error, symc_context &context);
  void (*release_runs)(symc_context &context);
};
extern const DeviceWork deviceWork; // runtime/cuda
struct UploadedWeights;
struct DeviceRuns;
struct Training;

} // namespace symc

// What only contexts of trainers do (runtime/train), as the model links it. open is called behind
// all else; close accepts what a failing open left.
struct symc_training_work {
  symc_status (*open)(symc::Text &error, symc_context &context);
  void (*close)(symc_context &context);
};

struct symc_context {
  const symc_model *model;
  const symc_variant *variant;
  const symc_device *device;    // NULL in a half-made context: nothing was allocated there
  const symc::DeviceWork *work; // NULL on the CPU
  int32_t ordinal;
  int32_t flags; // of the options
  symc_frame frame;
  symc_allocator allocator;
  size_t bytes; // of this block
  symc_pool *ownPool;
  void *ownArena;
  size_t ownArenaBytes;
  symc::Weights weights; // in memory of the CPU
  void *deviceWeights;   // their copy on another device, of this context alone, or NULL
  symc::UploadedWeights *sharedWeights; // their copy there that contexts share, or NULL
  void *staging;                        // on another device, for tensors of the CPU
  size_t stagingBytes;
  symc_host host;  // where the device is another one: what its steps on the CPU work in
  void **io;       // as in symc_frame.io
  void *ownStates; // each state twice: as a run finds it, and room for what it leaves
  size_t ownStatesBytes;
  int64_t *lengths; // of each state that grows, rows
  uint64_t *ends;   // of the last run's inputs and outputs in memory: addresses
  int64_t *dims;    // n_dims
  int64_t *extents; // of all outputs, and behind them the next lengths of states that grow
  int32_t nExtents;
  char error[512];
  void *pictures; // memory of symc_run_image, or NULL
  size_t picturesBytes;
  symc::DeviceRuns *runs; // what is kept of runs on another device, or NULL
  // Of models with gradients: whether the arena holds what forward left for backward, and the
  // random numbers that forward drew, which backward draws again.
  bool hasForward;
  uint64_t forwardSeed, forwardIteration;
  void *leftOut; // for gradients that a call leaves out, or NULL
  size_t leftOutBytes;
  symc::Training *training; // of a trainer, else NULL
  bool hasChanged;          // its parameters or states, since symc_predict prepared them

  void **inputs() { return io; }
  void **states() { return io + model->n_inputs; }
  void **outputs() { return states() + model->n_states; }
  void **nextStates() { return outputs() + model->n_outputs; }
};

#endif
