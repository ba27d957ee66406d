// sizes.h: the extents and the values of inputs that no file gives: one rule for compiled programs
// and for symc-run. An open extent takes what --shape or a given array has for it, else the
// largest.
#ifndef SYMC_RUNTIME_MAIN_SIZES_H
#define SYMC_RUNTIME_MAIN_SIZES_H

#include "problem.h"
#include "symc/runtime.h"

namespace symc {

class Sizes {
public:
  ~Sizes();
  bool start(const symc_model &model, Problem &problem);
  // Takes a word of --shape, NAME=D,D,...; every extent has to fit.
  bool take(const char *word, Problem &problem);
  // Takes the shape of an array that is given; what does not fit is left to the run.
  void take(int32_t input, const int64_t *shape, int32_t rank);
  // The extent of a dimension of an input.
  int64_t extent(int32_t input, int32_t dimension) const;
  // Whether an open extent of the input takes its largest value for want of another.
  bool isLargest(int32_t input) const;

private:
  bool takeOne(int32_t input, int32_t dimension, int64_t extent, Problem &problem);
  const symc_model *model = nullptr;
  int64_t *chosen = nullptr; // of each dim; -1: nothing was chosen
};

// Fills `data` with drawn values: floats from -1 to 1, integers from 0 to 3, in every type the same
// numbers for a seed.
void draw_values(void *data, int32_t dtype, int64_t count, uint64_t seed);

} // namespace symc
#endif
