// CHeaderTexts.cpp: see CHeaderTexts.h.
#include "codegen/emit/CHeaderTexts.h"

// What all headers of models share: the files symc/types.h and symc/spans.h, whole.
const char symc::codegen::typesText[] =
#include "model_types.inc"
    ;
const char symc::codegen::spansText[] =
#include "model_spans.inc"
    ;

const char symc::codegen::createText[] = R"header(
/* Makes a context; `options` may be NULL. On failure *context is NULL. Any thread.
 * Returns SYMC_STATUS_OK (0), or BAD_ARGUMENT, BAD_ALIGNMENT, BAD_MODEL, BAD_ISA, UNSUPPORTED_CPU,
 * OUT_OF_MEMORY, ARENA_TOO_SMALL, BAD_WEIGHTS, NO_THREADS, NO_LIBRARY; of another device than the
 * CPU NO_DRIVER, OLD_DRIVER, NO_DEVICE, BAD_ORDINAL, NO_CODE, NO_DEVICE_MEMORY, DEVICE_LOST,
 * DRIVER_FAILED. */
int32_t @_create(const symc_options *options, symc_context **context);

/* Frees everything that the context owns; NULL is allowed. */
void @_destroy(symc_context *context);
)header";

const char symc::codegen::runText[] = R"header(
/* Runs the model once: one thread at a time for a context. Inputs and outputs in the order
 * above; optional inputs may be left out all together. An output that overlaps another tensor is
 * refused. Returns SYMC_STATUS_OK, or BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT,
 * NO_WEIGHTS, BAD_DEVICE (nothing is written then), RUN_FAILED, those of a device, or a kernel's
 * status (outputs are undefined and states unchanged then). */
int32_t @_run(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@             const symc_tensor *outputs, int32_t n_outputs);

/* The same on pictures. Of an input that was compiled with --preprocess, u8 tensors are pixels,
 * [H, W], [H, W, C] or [N, H, W, C] with 1, 3 or 4 channels (gray, RGB, RGBA; [C, H, W] with the
 * step nchw), or, with --images, [bytes] of one PNG or JPEG file. They become the input as the
 * steps prescribe, in memory that the context keeps. Other tensors are taken as @_run takes
 * them. Returns BAD_PICTURE, OUT_OF_MEMORY, or what @_run does. */
int32_t @_run_image(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                   const symc_tensor *outputs, int32_t n_outputs);
)header";

const char symc::codegen::errorText[] = R"header(
/* The sentence of the last failing call on this context, which names the tensor, the
 * dimension and both values. It lives until the next call on the context. */
const char *@_last_error(const symc_context *context);
)header";

const char symc::codegen::extentsText[] = R"header(
/* The extents of all outputs, one after the other, for inputs of these shapes (their data is
 * not read), into extents[0..capacity-1]. Returns SYMC_STATUS_OK, BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE
 * or BAD_SHAPE. */
int32_t @_infer_outputs(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                       int64_t *extents, int32_t capacity);

/* The same as the last run gave them: where values decide an extent, a run takes an output of
 * the largest, and its elements stand at the front. Returns SYMC_STATUS_OK or BAD_ARGUMENT. */
int32_t @_run_extents(symc_context *context, int64_t *extents, int32_t capacity);
)header";

const char symc::codegen::statesText[] = R"header(
/* The states of a context: copies one out to value->data or in from it, or gives one (all: name
 * is NULL) the value of the weights again, or no rows to one that grows. The next run reads what
 * the last one left. state_extents writes the extents that one has now, as many as its rank;
 * truncate_state leaves one that grows (all: name is NULL) its first rows. Returns
 * SYMC_STATUS_OK, BAD_ARGUMENT, BAD_NAME, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT, NO_WEIGHTS or
 * BAD_DEVICE. */
int32_t @_get_state(symc_context *context, const char *name, const symc_tensor *value);
int32_t @_set_state(symc_context *context, const char *name, const symc_tensor *value);
int32_t @_state_extents(symc_context *context, const char *name, int64_t *extents,
@                       int32_t capacity);
int32_t @_truncate_state(symc_context *context, const char *name, int64_t rows);
int32_t @_reset_state(symc_context *context, const char *name);

/* Sets the seed of random operators, 0 at first, and begins their numbers anew: the runs that
 * follow draw those of any other context with this seed, whatever its threads. Returns
 * SYMC_STATUS_OK or BAD_ARGUMENT. */
int32_t @_set_seed(symc_context *context, uint64_t seed);
)header";

const char symc::codegen::parametersText[] = R"header(
/* Replaces the weights by prepared forms of raw parameters, and the states by values among
 * them. Returns SYMC_STATUS_OK, BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT,
 * BAD_DEVICE, OUT_OF_MEMORY, or NO_PREPARE: compiled without the function that prepares. */
int32_t @_set_parameters(symc_context *context, const symc_tensor *parameters,
@                        int32_t n_parameters);
)header";

const char symc::codegen::statusText[] = R"header(
/* "SYMC_STATUS_BAD_SHAPE", and the sentence of a status. */
const char *@_status_name(int32_t status);
const char *@_status_message(int32_t status);

/* Threads to share between contexts: `threads` of them, the caller's included, or the
 * application's own through parallel_for. Contexts of other models, from other libraries, may use
 * it, too. A pool outlives its contexts. A shared library whose code makes threads stays in memory
 * after dlclose. Returns SYMC_STATUS_OK, BAD_ARGUMENT, OUT_OF_MEMORY or NO_THREADS. */
int32_t @_pool_create(int32_t threads, symc_pool **pool);
int32_t @_pool_wrap(symc_parallel_for_fn parallel_for, void *user, int32_t threads,
@                   symc_pool **pool);
void @_pool_destroy(symc_pool *pool);
)header";

const char symc::codegen::gradientText[] = R"header(
/* The two parts of a run. @_forward computes the outputs without the gradients and keeps what
 * @_backward needs in the context: inputs and outputs may go or change before that runs.
 * @_backward computes the gradients of the last @_forward from those of the outputs that are
 * no losses, and may run again, with others; random operators draw what they drew in
 * @_forward. Inputs and outputs are those that the lists above name for each, in order.
 * Both return what @_run does; @_backward returns NO_FORWARD without @_forward before it, or
 * with @_run, a @_forward that failed or @_set_parameters between. */
int32_t @_forward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                 const symc_tensor *outputs, int32_t n_outputs);
int32_t @_backward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                  const symc_tensor *outputs, int32_t n_outputs);

/* Where processes make the same runs on parts of a batch: nodes that take statistics over all of
 * them (SyncBatchNorm with ndev above 1, in training) call `gather`, on the thread that makes the
 * run, which collects `bytes` bytes of every process in `all`, in the order of ranks, and returns 0,
 * or another number with a sentence in `error`. symc_world_gather (symc/symc.h) is one. */
int32_t @_join_ranks(symc_context *context, int32_t ranks,
@                    int32_t (*gather)(void *user, const void *own, void *all, size_t bytes,
@                                      char *error, size_t error_bytes),
@                    void *user);
)header";

const char symc::codegen::trainingText[] = R"header(
/* One training step: outputs, gradients, update of all parameters. Inputs in the order above, all
 * of them; outputs likewise, or none (n_outputs 0), or with data NULL where nobody needs one.
 * `hyper`: NULL, or rates of this step in the place of those that were compiled or set:
 * symc_hyper_defaults() with some of its numbers set. Every parameter needs a value: those of a
 * parameter file are there, @_initialize draws others. A step that fails changes nothing.
 * SYMC_STATUS_OK, BAD_ARGUMENT, BAD_COUNT, BAD_NAME, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT,
 * NO_WEIGHTS (a parameter has no value), RUN_FAILED or a kernel's status. */
int32_t @_train_step(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                    const symc_tensor *outputs, int32_t n_outputs, const symc_hyper *hyper);

/* When @_train_step changes a parameter; bits are the same. SYMC_UPDATES_FUSED, as at first: as soon
 * as the step has its gradient and does not read it any more. SYMC_UPDATES_DEFERRED: behind backward.
 * SYMC_UPDATES_WITHOUT_GRADIENTS: fused, and gradients take each other's memory, so that there are
 * none behind the step. */
int32_t @_choose_updates(symc_context *context, symc_updates updates);
/* Of the last @_train_step: parameters that changed before backward had ended, and the bytes that
 * gradients took. */
int32_t @_updates_in_backward(const symc_context *context, size_t *bytes);

/* The same in two calls, with gradients that @_get_gradient shows and @_set_gradient changes
 * between them. @_update returns NO_GRADIENTS where there are none. */
int32_t @_gradients(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                   const symc_tensor *outputs, int32_t n_outputs);
int32_t @_update(symc_context *context, const symc_hyper *hyper);

/* Outputs in prediction mode with the parameters and states of now; labels may have data NULL. */
int32_t @_predict(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
@                 const symc_tensor *outputs, int32_t n_outputs);

/* Begins a training anew: values of the parameter file, and drawn ones for parameters that it
 * lacks, by "xavier,magnitude=2" or its kin, or by the initializer that was compiled where it is
 * NULL. BAD_ARGUMENT for a name that ends in none of MXNet's suffixes. */
int32_t @_initialize(symc_context *context, const char *initializer, uint64_t seed);

/* Parameters by name, row-major float32, and auxiliary states. `bytes`: of the whole array.
 * BAD_ARGUMENT, BAD_NAME, BAD_SHAPE. */
int32_t @_parameter_count(void);
const char *@_parameter_name(int32_t index);
uint64_t @_parameter_bytes(int32_t index);
int32_t @_get_parameter(symc_context *context, const char *name, void *data, size_t bytes);
int32_t @_set_parameter(symc_context *context, const char *name, const void *data, size_t bytes);

/* The gradient of a parameter: the sum over the batch, not yet times rescale_grad; and all of them
 * as they lie in memory. */
int32_t @_get_gradient(symc_context *context, const char *name, void *data, size_t bytes);
int32_t @_set_gradient(symc_context *context, const char *name, const void *data, size_t bytes);
float *@_gradient_memory(symc_context *context, size_t *bytes);
/* Who is called while @_gradients computes backward, by the thread that makes the run: `n` numbers of
 * that memory, from number `first` on, are final; n is 0 behind other steps. Sums over processes
 * may begin before backward ends: symc_world_ready (symc/symc.h). NULL, as at first: nobody. */
int32_t @_watch_gradients(symc_context *context,
@                         void (*watcher)(void *user, size_t first, size_t n), void *user);

/* The optimizer: states beside each parameter, updates done, numbers of its own that outlive a step
 * (SYMC_SCHEDULE_NUMBERS of them), hyper-parameters by MXNet's names, number of runs of random
 * operators: what a checkpoint needs. */
int32_t @_optimizer_state_count(const symc_context *context);
int32_t @_get_optimizer_state(symc_context *context, const char *name, int32_t index, void *data,
@                             size_t bytes);
int32_t @_set_optimizer_state(symc_context *context, const char *name, int32_t index,
@                             const void *data, size_t bytes);
int64_t @_get_step(const symc_context *context);
int32_t @_set_step(symc_context *context, int64_t step);
int32_t @_get_schedule(symc_context *context, double *numbers);
int32_t @_set_schedule(symc_context *context, const double *numbers);
int32_t @_get_hyper(symc_context *context, const char *name, double *value);
int32_t @_set_hyper(symc_context *context, const char *name, double value);
uint64_t @_get_iteration(const symc_context *context);
int32_t @_set_iteration(symc_context *context, uint64_t iteration);

/* Where processes share a batch: rows of it in a step of this one, and rows before them; random
 * operators count from there. */
int32_t @_share_rows(symc_context *context, int64_t rows, int64_t first_row);

/* Where processes make the same runs on parts of a batch: nodes that take statistics over all of
 * them (SyncBatchNorm with ndev above 1, in training) call `gather`, on the thread that makes the
 * run, which collects `bytes` bytes of every process in `all`, in the order of ranks, and returns 0,
 * or another number with a sentence in `error`. symc_world_gather (symc/symc.h) is one. */
int32_t @_join_ranks(symc_context *context, int32_t ranks,
@                    int32_t (*gather)(void *user, const void *own, void *all, size_t bytes,
@                                      char *error, size_t error_bytes),
@                    void *user);
)header";

const char symc::codegen::prepareText[] = R"header(
/* Makes prepared weights (@_WEIGHTS_BYTES bytes, aligned to 64) from raw parameters in the
 * order above. Returns SYMC_STATUS_OK, BAD_ARGUMENT, BAD_ALIGNMENT, OUT_OF_MEMORY, or a kernel's
 * status. */
int32_t @_prepare(const symc_tensor *parameters, uint8_t *prepared);
)header";
