/* train.h: how an application trains a model that `symc train` compiled, in C11 and C++.
 *
 * A context of such a model owns what training changes: parameters, row-major float32 as MXNet has
 * them; their gradients; the optimizer's states; auxiliary states. A step computes outputs and
 * gradients, and changes parameters and states only after all of that has succeeded: a call that
 * fails changes nothing. Bits do not depend on the number of threads.
 *
 * symc_parameter_count, symc_parameter and symc_find_parameter of symc/runtime.h list the
 * parameters; symc_state and its kin the auxiliary states, which symc_get_state and symc_set_state
 * copy, too. Rules of symc/runtime.h hold here: one context serves one thread at a time; pointers
 * must not be NULL unless the text allows it; symc_last_error has the sentence of what failed. */
#ifndef SYMC_TRAIN_H
#define SYMC_TRAIN_H

#include "symc/types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct symc_tensor_info;

/* Whether symc train compiled the model. The functions below return NO_TRAINING for others. */
int32_t symc_is_trainer(const symc_model *model);

/* What a step takes (data and labels, in the order of the graph) and gives (the graph's outputs),
 * without parameters and gradients. NULL where index is out of range, -1 where there is no such
 * name; no inputs and outputs for a model that is no trainer. */
int32_t symc_train_input_count(const symc_model *model);
const struct symc_tensor_info *symc_train_input(const symc_model *model, int32_t index);
int32_t symc_find_train_input(const symc_model *model, const char *name);
int32_t symc_train_output_count(const symc_model *model);
const struct symc_tensor_info *symc_train_output(const symc_model *model, int32_t index);
/* The integers that an input stands for: values from 0 to this number minus 1, as of a label of
 * SoftmaxOutput or a word of an Embedding; 0 where it takes any numbers. */
int64_t symc_train_input_classes(const symc_model *model, int32_t index);
/* The name of a parameter and the bytes of its array; NULL and 0 where index is out of range. */
const char *symc_parameter_name(const symc_model *model, int32_t index);
uint64_t symc_parameter_bytes(const symc_model *model, int32_t index);
/* Whether training changes the parameter: 0 of those that --freeze names. */
int32_t symc_parameter_trains(const symc_model *model, int32_t index);

/* --- Steps --------------------------------------------------------------- */

/* One training step: outputs, gradients, update. Inputs in the order of symc_train_input, all of
 * them. Outputs in the order of symc_train_output, or none (n_outputs 0); those whose data is NULL
 * are not copied out. `hyper`: NULL, or the rates of this step. Every parameter must have a value,
 * from the file, symc_initialize or symc_set_parameter: NO_WEIGHTS.
 * BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT, NO_TRAINING, or the status of a
 * step of the program. */
symc_status symc_train_step(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                            const symc_tensor *outputs, int32_t n_outputs, const symc_hyper *hyper);

/* When the steps that follow change parameters: symc_updates in symc/types.h. BAD_ARGUMENT for
 * another number. */
symc_status symc_choose_updates(symc_context *context, symc_updates updates);
/* Of the last symc_train_step: how many parameters changed before backward had ended; and, if
 * `bytes` is not NULL, the memory that its gradients took. 0 before there is one. */
int32_t symc_updates_in_backward(const symc_context *context, size_t *bytes);

/* The same without the update: gradients stay in the context until the next call of this kind.
 * Moving statistics change as in a step. */
symc_status symc_gradients(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                           const symc_tensor *outputs, int32_t n_outputs);

/* Changes parameters and optimizer states by the gradients that the context holds, of the last
 * symc_gradients, symc_train_step or symc_set_gradient. NO_GRADIENTS where there are none yet. */
symc_status symc_update(symc_context *context, const symc_hyper *hyper);

/* Outputs in prediction mode, with the parameters and states of now: Dropout passes on, norms take
 * moving statistics. Inputs as for a step, of which labels may have data NULL. */
symc_status symc_predict(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                         const symc_tensor *outputs, int32_t n_outputs);

/* --- Parameters ---------------------------------------------------------- */

/* Begins a training anew: values for all parameters and auxiliary states, those that the file has
 * and, for the others, drawn ones; optimizer states and the number of updates as at first.
 * `initializer`: "xavier", "xavier,magnitude=2,factor_type=in", "normal,sigma=0.01", ...; NULL: the
 * one that was compiled in. A parameter's name decides as in MXNet: biases and betas are 0, gammas
 * 1, weights are drawn; a variable's attribute __init__ comes first. A name that ends in none of
 * MXNet's suffixes is BAD_ARGUMENT. Numbers depend on `seed`, names and shapes alone. */
symc_status symc_initialize(symc_context *context, const char *initializer, uint64_t seed);

/* Copy a parameter's value, row-major float32, or an auxiliary state's. `bytes` is that of the
 * whole array. Setting and getting gives the same bits. BAD_ARGUMENT, BAD_NAME, BAD_SHAPE. */
symc_status symc_get_parameter(symc_context *context, const char *name, void *data, size_t bytes);
symc_status symc_set_parameter(symc_context *context, const char *name, const void *data,
                               size_t bytes);

/* The same of a parameter's gradient: the sum over the batch, not yet multiplied by rescale_grad.
 * A frozen parameter has none: BAD_NAME. */
symc_status symc_get_gradient(symc_context *context, const char *name, void *data, size_t bytes);
symc_status symc_set_gradient(symc_context *context, const char *name, const void *data,
                              size_t bytes);
/* The gradients where they lie, each aligned to 64 bytes, in one region in the order of parameters;
 * lanes between them are zeros. For sums over processes. NULL for a model that is no trainer. */
float *symc_gradient_memory(symc_context *context, size_t *bytes);

/* Called by the thread that makes the run while symc_gradients computes backward: `n` numbers of
 * the gradients' memory, from number `first` on, are final. n is 0 behind other steps of backward,
 * so that what is under way goes on. All numbers come once, but those that are final when
 * symc_gradients returns. */
typedef void (*symc_gradients_fn)(void *user, size_t first, size_t n);
/* Sets who is called in the runs that follow: sums over processes may begin before backward ends
 * (symc_world_ready). NULL, as at first: nobody. */
symc_status symc_watch_gradients(symc_context *context, symc_gradients_fn watcher, void *user);

/* --- The optimizer ------------------------------------------------------- */

/* "sgd"; NULL for a model that is no trainer. */
const char *symc_optimizer_name(const symc_model *model);
/* Arrays that it keeps beside each parameter that trains, as MXNet orders them. */
int32_t symc_optimizer_state_count(const symc_context *context);
symc_status symc_get_optimizer_state(symc_context *context, const char *name, int32_t index,
                                     void *data, size_t bytes);
symc_status symc_set_optimizer_state(symc_context *context, const char *name, int32_t index,
                                     const void *data, size_t bytes);
/* How many updates were done: MXNet's num_update. Formulas that count (Adam's) take it. */
int64_t symc_get_step(const symc_context *context);
symc_status symc_set_step(symc_context *context, int64_t step);
/* Numbers of the optimizer that outlive a step (Nadam's schedule); SYMC_SCHEDULE_NUMBERS of them.
 */
symc_status symc_get_schedule(symc_context *context, double *numbers);
symc_status symc_set_schedule(symc_context *context, const double *numbers);

/* Hyper-parameters by MXNet's names: learning_rate, wd, rescale_grad, clip_gradient, and the
 * optimizer's own. What is set holds for the updates that follow; symc_hyper comes before it.
 * BAD_NAME; BAD_ARGUMENT where the value is out of range, or needs states that the model was
 * compiled without (a momentum where it was 0). */
int32_t symc_hyper_count(const symc_model *model);
const char *symc_hyper_name(const symc_model *model, int32_t index);
symc_status symc_get_hyper(symc_context *context, const char *name, double *value);
symc_status symc_set_hyper(symc_context *context, const char *name, double value);

/* Where processes share a batch: how many of its rows this context has in a step, and how many
 * stand before them. Random operators whose results begin with so many rows then draw what one
 * process with the whole batch would draw; others draw alike in all processes. It holds until it is
 * set again; rows 0, as at first: nothing is shared. BAD_ARGUMENT for numbers below 0. */
symc_status symc_share_rows(symc_context *context, int64_t rows, int64_t first_row);

/* Number of the runs of random operators with the seed (symc_set_seed), to go on where a training
 * was left. */
uint64_t symc_get_iteration(const symc_context *context);
symc_status symc_set_iteration(symc_context *context, uint64_t iteration);

#ifdef __cplusplus
}
#endif
#endif
