// check.h: compares tensors that the application hands over with the model's table.
// Nothing is changed but the context's sizes and its sentence.
#ifndef SYMC_RUNTIME_CORE_CHECK_H
#define SYMC_RUNTIME_CORE_CHECK_H

#include "context.h"

namespace symc {

// What a list of tensors is called in sentences, and which of the model's it may leave out.
struct List {
  const char *kind;   // "argument", "output", "parameter"
  const char *plural; // "inputs", "outputs", "parameters"
  const symc_tensor_info *infos;
  int32_t count;
  uint32_t mayLeaveOut;    // flags
  int32_t device, ordinal; // in whose memory the data lies; or in that of the CPU
};

// The tensor of each of the list's infos: given[i], or NULL where it is left out. `given` has
// either all or only those that may not be left out; anything else is BAD_COUNT.
class Selection {
public:
  Selection(const List &list, const symc_tensor *given, int32_t n);
  symc_status check(Text &error) const;
  // Visits infos in order: next(i) for i = 0, 1, ... count-1.
  const symc_tensor *next(int32_t index);

private:
  const List &list;
  const symc_tensor *given;
  int32_t n, required = 0, used = 0;
};

// Writes the sentence of condition `number` with the values of what it is about (condition.cpp).
void say_condition(const symc_context &context, int32_t number, Text &error);

// Checks all inputs, and what the model needs of their sizes; sets context.dims and, if `needData`,
// context.io.
symc_status check_inputs(symc_context &context, const symc_tensor *inputs, int32_t n,
                         bool needData);

// Whether the code of a model can compute so many rows: at least one, and a sum of its sizes.
bool is_sum_of_batches(const symc_batches &batches, int64_t rows);

// What a run takes and gives; both lie in the memory of the context's device, or of the CPU.
List input_list(const symc_context &context);
List output_list(const symc_context &context);

// Sets context.extents from context.dims.
void infer_extents(symc_context &context);

// Which of the model's inputs and outputs a run takes and gives.
struct IoRange {
  int32_t firstInput, endInput, firstOutput, endOutput;
};
IoRange whole_range(const symc_model &model);

// Checks that no output of a run lies in the memory of an input or of another output. All of them
// are in context.io, with the sizes that check_inputs and infer_extents have set.
symc_status check_overlaps(symc_context &context, const IoRange &range);

// Checks that the context has weights.
symc_status check_weights(symc_context &context);

// Checks one tensor against fixed extents.
symc_status check_tensor(const List &list, const symc_tensor_info &info, const int64_t *extents,
                         const symc_tensor &tensor, Text &error);

} // namespace symc
#endif
