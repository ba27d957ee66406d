/* optimizer.h: what a step of training and the functions that change parameters agree on.
 *
 * An optimizer is a row, `symc_optimizer_<id>`, of the file runtime/train/optimizers/<id>.cpp. A
 * trainer links the row that it was compiled with, as bitcode: its loops get vectors of the weakest
 * instruction set that the file is for. Functions see ranges of elements of one parameter, in any
 * order and on any thread; what they write must not depend on how ranges are cut, or on threads.
 * They compute in MXNet 1.9.1's order of float operations, and nothing here can fail. */
#ifndef SYMC_RUNTIME_TRAIN_OPTIMIZER_H
#define SYMC_RUNTIME_TRAIN_OPTIMIZER_H

#include "symc/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SYMC_MAX_STATES = 4,      /* arrays beside a parameter, of as many elements */
  SYMC_MAX_HYPER = 20,      /* values of a row */
  SYMC_MAX_SUMS = 4,        /* of one pass */
  SYMC_MAX_PASSES = 3,      /* over a parameter in one update */
  SYMC_MAX_DERIVED = 8,     /* numbers that prepare leaves for the passes */
  SYMC_UPDATE_RANGE = 16384 /* elements of a range, but for the last of a parameter */
};

/* Places in `values`; an optimizer's own begin at SYMC_HYPER_OWN, in the order of
 * symc/optimizers.def. */
enum {
  SYMC_HYPER_LEARNING_RATE = 0, /* times the parameter's lr_mult */
  SYMC_HYPER_WD = 1,            /* times its wd_mult */
  SYMC_HYPER_RESCALE_GRAD = 2,
  SYMC_HYPER_CLIP_GRADIENT = 3, /* no clipping where it is not positive */
  SYMC_HYPER_OWN = 4
};

/* One update of one parameter, before its elements are visited: on one thread, parameter after
 * parameter in the order of the table. */
typedef struct symc_update_begin {
  const char *name; /* of the parameter */
  int64_t count;    /* its elements */
  int64_t step;     /* t of MXNet: 1 in the first update */
  const double *values;
  double *derived;  /* out: SYMC_MAX_DERIVED numbers for the passes */
  double *schedule; /* in and out: SYMC_SCHEDULE_NUMBERS numbers of the optimizer, which begin as
                       the row's function `begin` sets them (0 without one) and are kept */
  int64_t rows;     /* its first extent */
} symc_update_begin;

/* A range of elements of one parameter. */
typedef struct symc_update_args {
  float *weight; /* the range's first element, as in the other arrays */
  const float *gradient;
  float *states[SYMC_MAX_STATES]; /* NULL behind those that the row counts */
  float *scratch;        /* where the row has one: memory that the next pass of this update reads */
  int64_t first, count;  /* of the range: its first element in the parameter; its length */
  const double *values;  /* hyper-parameters of this parameter */
  const double *derived; /* of prepare */
  int64_t step;          /* 1 in the first update */
  const double *sums;    /* of the pass before, over the whole parameter: ranges added in order */
  double *partial;       /* out: SYMC_MAX_SUMS sums of this range, zeros where not set */
  uint64_t seed;         /* of the context; with `step`, `stream` and an element's place they are */
  uint64_t stream;       /* where random numbers come from. stream: number of the parameter */
} symc_update_args;

typedef void (*symc_update_fn)(const symc_update_args *args);

/* A hyper-parameter of an optimizer's own (symc/optimizers.def). */
typedef struct symc_hyper_info {
  const char *optimizer, *name;
  double value, least, most;
} symc_hyper_info;

typedef struct symc_optimizer_row {
  const char *name;           /* "sgd" */
  int32_t n_values;           /* those of all optimizers included */
  int32_t n_passes;           /* at least 1 */
  const symc_hyper_info *own; /* n_values - SYMC_HYPER_OWN of them */
  /* How many states a parameter has with these values, those that the model was compiled with. */
  int32_t (*count_states)(const double *values);
  /* Sets `schedule` for a new training. NULL: zeros. */
  void (*begin)(const double *values, double *schedule);
  /* Gives a range of the states its values before the first update. NULL: zeros. */
  symc_update_fn create;
  void (*prepare)(const symc_update_begin *begin); /* NULL: nothing to do */
  symc_update_fn passes[SYMC_MAX_PASSES];          /* one after the other, each over all ranges */
  int32_t needs_scratch; /* 1: memory of a parameter's elements from one pass to the next */
  int32_t reserved;
} symc_optimizer_row;

#ifdef __cplusplus
}
#endif
#endif
