/* refusals.h: why kernels refuse the values or extents that they find. A kernel returns the number
 * of its reason with a status, wherever it runs: symc_ref_<op>_<type> (element.h) makes a sentence
 * of it on the CPU, the runtime's part of CUDA behind the run. */
#ifndef SYMC_RUNTIME_CORE_REFUSALS_H
#define SYMC_RUNTIME_CORE_REFUSALS_H

#include "symc/runtime.h"

/* Reason, number, status, sentence. Numbers stay below 2^23. */
#define SYMC_REFUSAL_LIST(X)                                                                       \
  X(SCRATCH, 1, BAD_ARGUMENT, "internal error: a kernel needs more scratch than its step has")     \
  X(LAPACK_ARGUMENT, 2, RUN_FAILED, "internal error: LAPACK refuses an argument")                  \
  X(OUTSIDE, 3, RUN_FAILED, "an index lies outside of the data")                                   \
  X(NO_ELEMENT, 4, RUN_FAILED, "the data has no element to choose from")                           \
  X(NO_PIXEL, 5, RUN_FAILED, "an image without pixels has nothing to interpolate")                 \
  X(CROP, 6, BAD_SHAPE, "the window of a crop lies outside of the image")                          \
  X(PART, 7, RUN_FAILED, "a part of the data lies outside of it")                                  \
  X(STEPS, 8, BAD_SHAPE, "two inputs of a loop have different numbers of steps")                   \
  X(NO_STEP, 9, RUN_FAILED, "a sequence has length 0, so that it has no last step")                \
  X(LENGTH, 10, RUN_FAILED, "a length lies outside of the data or the labels")                     \
  X(LABEL, 11, RUN_FAILED, "a label lies outside of the classes")                                  \
  X(BOX, 12, BAD_ARGUMENT, "a box ends before it begins, or has no extent, with aligned = true")   \
  X(POINTS, 13, RUN_FAILED, "a window of a box has more than 4194304 points")                      \
  X(PERCENTILE, 14, RUN_FAILED, "a percentile lies outside of 0 to 100")                           \
  X(NEGATIVE, 15, RUN_FAILED, "a number to count is negative")                                     \
  X(CHANCES, 16, RUN_FAILED, "the probabilities have a sum above 1")                               \
  X(MARK, 17, RUN_FAILED, "a mark lies outside of the kinds")                                      \
  X(MINING, 18, BAD_ARGUMENT,                                                                      \
    "negative mining finds fewer anchors of the background than it needs")                         \
  X(ROW, 19, BAD_ARGUMENT, "a row of labels has class -1 and numbers other than -1 behind it")     \
  X(IM_INFO, 20, BAD_ARGUMENT, "im_info has a larger image than the one that cls_prob is of")      \
  X(HISTOGRAM, 21, RUN_FAILED, "a histogram has too few counts that are positive")                 \
  X(INFINITE, 22, RUN_FAILED, "a matrix to decompose holds an element that is not finite")         \
  X(NOT_DEFINITE, 23, RUN_FAILED, "a matrix is not positive definite")                             \
  X(SINGULAR, 24, RUN_FAILED, "a matrix to invert is singular")                                    \
  X(EQUATIONS, 25, RUN_FAILED, "a matrix of linear equations is singular")                         \
  X(NOT_REAL, 26, RUN_FAILED, "a matrix has eigenvalues that are not real")                        \
  X(EIGENVALUES, 27, RUN_FAILED, "LAPACK finds no eigenvalues of a matrix")                        \
  X(SINGULAR_VALUES, 28, RUN_FAILED, "LAPACK finds no singular values of a matrix")

#ifdef __cplusplus
extern "C" {
#endif

/* The sentence of a reason; NULL for 0 and numbers that are none. */
const char *symc_refusal_sentence(int32_t number);

#ifdef __cplusplus
}

namespace symc {

constexpr int32_t kRefusalBits = 8; // of a status

// What a kernel returns for a reason: its status, and the number above it.
enum class Refusal : int32_t {
#define SYMC_REFUSAL_RETURNED(name, number, status, sentence)                                      \
  name = SYMC_STATUS_##status | number << kRefusalBits,
  SYMC_REFUSAL_LIST(SYMC_REFUSAL_RETURNED)
#undef SYMC_REFUSAL_RETURNED
};

constexpr int32_t refuse(Refusal why) { return int32_t(why); }

// Of what a kernel returns: the status, and the number of the reason, 0 for none.
constexpr int32_t status_of_refusal(int32_t returned) {
  return returned > 0 ? returned & ((1 << kRefusalBits) - 1) : returned;
}
constexpr int32_t number_of_refusal(int32_t returned) {
  return returned > 0 ? returned >> kRefusalBits : 0;
}

} // namespace symc
#endif

#endif
