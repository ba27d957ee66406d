// training.h: what a context of a trainer holds beside that of any model (core/context.h), for the
// files of runtime/train.
#ifndef SYMC_RUNTIME_TRAIN_TRAINING_H
#define SYMC_RUNTIME_TRAIN_TRAINING_H

#include "../core/context.h"
#include "optimizer.h"
#include "symc/train.h"

namespace symc {

// One parameter. Arrays are aligned to SYMC_ALIGN, and zeros stand behind their last element up to
// the next such address.
struct Parameter {
  const symc_tensor_info *info; // name and shape
  const symc_trained *trained;
  int64_t count; // elements
  float *weight;
  float *gradient; // NULL: the parameter is frozen
  float *computed; // where the gradient of the step at hand lies: there, or in another's place
  float *states[SYMC_MAX_STATES];
  float *scratch; // of the optimizer, where its row requires it
  bool hasValue;  // of the file, an initialiser or symc_set_parameter
};

// What a parameter's tasks of an update read and write.
struct UpdateOfOne {
  double values[SYMC_MAX_HYPER];
  double derived[SYMC_MAX_DERIVED];
  double sums[SYMC_MAX_SUMS];
  int64_t firstTask;                    // of those of all parameters
  enum { Computed, Final, Done } phase; // of its gradient and it, in the step at hand
};

// A parameter of the next passes.
struct Waiting {
  int32_t parameter;
  int64_t firstTask; // in these passes
};

// Memory of gradients that one has while it is needed.
struct Place {
  size_t first, bytes;
  int32_t parameter;
};

// The updates of one step (update.cpp).
struct Updates {
  symc_updates chosen;
  bool isOpen; // parameters may change while the program runs
  bool shares; // and gradients take each other's memory
  int32_t nPlaces;
  Place *places; // that are taken, by addresses; room for all parameters
  int32_t nWaiting;
  Waiting *waiting; // room for all parameters
  int64_t waitingElements;
  double schedule[SYMC_SCHEDULE_NUMBERS]; // as the step found it
  int32_t inBackward;                     // parameters that changed before backward had ended
  size_t takenBytes;                      // of memory of gradients
};

// What the run that checks each step has found (watched.cpp).
struct Watched {
  const char *nodes; // of the step that made the first number that is not finite
  int64_t entry;     // of that step in its table
  const char *node;  // which of them
  // A constant of the graph is infinite, as masks are: from there on only NaN counts.
  bool hasInfinite;
};

struct Training {
  size_t bytes; // of this block, with its arrays
  int32_t nParameters, nStates;
  Parameter *parameters;
  UpdateOfOne *updates; // one a parameter
  Updates updating;
  int32_t *parameterOf; // of each output of the training program whose gradient it is, or -1
  int64_t nTasks;       // of a pass of an update
  double *partial;      // SYMC_MAX_SUMS numbers a task
  void **heads;         // where the graph's outputs go that a call leaves out
  float *gradients;     // of all parameters, in their order
  size_t gradientBytes;
  bool gapsAreZero;              // between gradients
  double values[SYMC_MAX_HYPER]; // hyper-parameters: as compiled, or as symc_set_hyper set them
  double schedule[SYMC_SCHEDULE_NUMBERS];
  int64_t step;      // updates done
  bool hasGradients; // symc_update may run
  bool hasStates;    // states have their first values
  void *memory;      // parameters, gradients, states, scratch, outputs that a call leaves out
  size_t memoryBytes;
  size_t headsAt;            // where the outputs begin, the last part
  symc_gradients_fn watcher; // of symc_watch_gradients, or NULL
  void *watcherUser;
  // Of a batch that processes share (shared_rows.cpp).
  int64_t rows, firstRow;
  const char *sharingError; // buffer of the frames whose runs share it
  Training *nextSharing;
  Watched watched;
  uint64_t predictions;    // by the steps of training
  symc_context *predictor; // of a prediction program, made by the first symc_predict
  symc_tensor *predicted;  // its inputs, then what its weights are prepared of
};

// The context's, or NULL with the sentence of NO_TRAINING. Clears the last error.
Training *training_of(symc_context *context);

// The parameter of that name, or NULL with a sentence, and in `status` why.
Parameter *find_parameter(symc_context &context, const char *name, symc_status &status);

// What is as in a new context: first values of the file, others without one, zeros in the
// optimizer's states, no updates done, auxiliary states of the file.
symc_status begin_training(symc_context &context);

// The hyper-parameters of an update: what the context has, and what `hyper` has in its place.
symc_status take_hyper(symc_context &context, const symc_hyper *hyper, double *values);

// One step's updates. begin_updates computes what all of them take of rates and schedules, and the
// program may run behind it: parameters that it reports change at once. finish_updates changes the
// others; false where join of `pieces` fails, without pieces it cannot fail. abandon_updates, in
// its place where the program failed, leaves all as it was.
struct UpdatePieces;
void begin_updates(symc_context &context, const double *values, bool shares = false);
bool finish_updates(symc_context &context, const UpdatePieces *pieces = nullptr);
void abandon_updates(Training &training);
// While the program runs: the gradient at an output will be touched; is final; its parameter may
// change.
void begin_gradient(symc_context &context, int32_t output);
void note_gradient(symc_context &context, int32_t output);
void update_behind(symc_context &context, int32_t output);

// An update of some of its tasks, where processes divide them (--shard-states).
struct UpdatePieces {
  const int32_t *owners; // of each task
  int32_t own;           // the owner that this process is
  // Between passes: brings what each task's owner has of SYMC_MAX_SUMS numbers a task. False: it
  // failed.
  bool (*join)(void *user, double *partial, int64_t tasks);
  void *user;
};
// symc_update, of these pieces; of all where `pieces` is NULL. RUN_FAILED where join fails.
symc_status update_pieces(symc_context *context, const symc_hyper *hyper,
                          const UpdatePieces *pieces);

// Behind symc_gradients with numbers that are not finite: computes them again, with a look at what
// each step leaves, and writes which node made the first one. False where none is found. What
// outputs and gradients hold is lost; parameters and states are as before.
bool find_watched_node(symc_context *context, char *what, size_t bytes);

// Takes the training from those that share rows, if it is there.
void forget_rows(Training &training);

// Makes zeros of the lanes between gradients, which whoever adds them up counts.
void clear_gaps(Training &training);

// Whether a value may be that of hyper-parameter `index`; a sentence where not.
symc_status check_hyper(symc_context &context, int32_t index, const double *values);

} // namespace symc

// Behind a step: `output` is an output that no later step touches, or -1; or -2 - 2 * output where
// the parameter may change whose gradient that is, and -3 - 2 * output where the next step touches
// the gradient first.
extern "C" void symc_report_step(const symc_frame *frame, int32_t output);
#endif
