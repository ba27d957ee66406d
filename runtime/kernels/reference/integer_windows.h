// integer_windows.h: sums of products of quantised images and filters, one output
// channel at a time: exact in 32 bits, wrapping beyond.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_INTEGER_WINDOWS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_INTEGER_WINDOWS_H

#include "quantized.h"

namespace symc::ref {

struct IntegerWindows {
  Image data, weight, output; // channels first
  Triple stride, dilate, pad;
  int64_t groups;

  template <class Params>
  IntegerWindows(const symc_kernel_args *args, const Params &params)
      : data(args->inputs[0], false), weight(args->inputs[1], false),
        output(args->outputs[0], false), stride(params.stride, args->inputs[0].rank - 2, 1),
        dilate(params.dilate, args->inputs[0].rank - 2, 1),
        pad(params.pad, args->inputs[0].rank - 2, 0), groups(params.num_group) {}

  int64_t plane() const { return output.extent[0] * output.extent[1] * output.extent[2]; }
  int64_t filter_count() const {
    return weight.channels * weight.extent[0] * weight.extent[1] * weight.extent[2];
  }

  // The output places along axis 2 whose tap `at` lies in the image: [first, last).
  void bounds(int64_t at, int64_t *first, int64_t *last) const {
    int64_t shift = pad.by[2] - at * dilate.by[2];
    *first = shift > 0 ? (shift + stride.by[2] - 1) / stride.by[2] : 0;
    int64_t end = data.extent[2] + shift; // o * stride < end
    *last = end > 0 ? (end + stride.by[2] - 1) / stride.by[2] : 0;
    *last = *last < output.extent[2] ? *last : output.extent[2];
  }

  static int32_t sum_of(int32_t sum, int64_t term) {
    // 32 bits: a quantised sum.
    return int32_t(uint32_t(sum) + uint32_t(term));
  }

  // Sums of image `n`, less `zero`, under `filter`, the integers of output channel `f`, added to
  // `sums`.
  template <class E>
  void add(const typename E::Storage *in, const int8_t *filter, int64_t n, int64_t f, int32_t *sums,
           int64_t zero = 0) const {
    int64_t base = f / (output.channels / groups) * weight.channels;
    for (int64_t c = 0; c < weight.channels; ++c)
      for (Walk k(3, weight.extent); k.more; k.step()) {
        int32_t tap = *filter++;
        int64_t first, last;
        bounds(k.at[2], &first, &last);
        for (int64_t z = 0; tap && z < output.extent[0]; ++z) {
          int64_t depth = z * stride.by[0] + k.at[0] * dilate.by[0] - pad.by[0];
          for (int64_t y = 0; depth >= 0 && depth < data.extent[0] && y < output.extent[1]; ++y) {
            int64_t row = y * stride.by[1] + k.at[1] * dilate.by[1] - pad.by[1];
            if (row < 0 || row >= data.extent[1])
              continue;
            int64_t place[3] = {depth, row, 0};
            int64_t line = data.at(n, base + c, place) + k.at[2] * dilate.by[2] - pad.by[2];
            int32_t *to = sums + (z * output.extent[1] + y) * output.extent[2];
            for (int64_t x = first; x < last; ++x)
              to[x] = sum_of(to[x], tap * (in[line + x * stride.by[2]] - zero));
          }
        }
      }
  }
};

} // namespace symc::ref
#endif
