// conv.cpp: reference kernels of convolution and deconvolution. Each element of the
// result is one sum in double, over the channels of its group and the taps of the
// window that lie in the image.
#include "spatial.h"
#include "symc/generated/op_params/Nn.h"

using namespace symc::ref;

namespace {

template <class E> double bias_at(const symc_kernel_args *args, int64_t channel) {
  return args->n_inputs > 2 ? double(E::load(data_of<E>(args->inputs[2])[channel])) : 0;
}

template <class E> int32_t convolution(const symc_kernel_args *args) {
  const auto &params = params_of<symc_convolution_params>(args);
  bool last = params.has_layout && params.layout >= SYMC_CONVOLUTION_LAYOUT_NWC;
  int32_t spatial = args->inputs[0].rank - 2;
  Image data(args->inputs[0], last), weight(args->inputs[1], last), output(args->outputs[0], last);
  Triple stride(params.stride, spatial, 1), dilate(params.dilate, spatial, 1),
      pad(params.pad, spatial, 0);
  const auto *in = data_of<E>(args->inputs[0]), *taps = data_of<E>(args->inputs[1]);
  auto *out = target_of<E>(args->outputs[0]);
  int64_t group_filters = output.channels / params.num_group;
  // Parts of the channels that are read in turn.
  int64_t parts = params.shuffle.n > 0 ? params.shuffle.v[0] : 1;
  each_pixel(output, [&](int64_t n, int64_t f, const int64_t *at) {
    double sum = 0;
    for (int64_t c = 0; c < weight.channels; ++c) {
      int64_t channel = f / group_filters * weight.channels + c;
      channel = channel % parts * (data.channels / parts) + channel / parts;
      for (Walk k(3, weight.extent); k.more; k.step()) {
        int64_t place[3];
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) {
          place[axis] = at[axis] * stride.by[axis] + k.at[axis] * dilate.by[axis] - pad.by[axis];
          inside = inside && place[axis] >= 0 && place[axis] < data.extent[axis];
        }
        if (inside)
          sum += double(E::load(in[data.at(n, channel, place)])) *
                 double(E::load(taps[weight.at(f, c, k.at)]));
      }
    }
    out[output.at(n, f, at)] = E::store(sum + bias_at<E>(args, f));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t deconvolution(const symc_kernel_args *args) {
  const auto &params = params_of<symc_deconvolution_params>(args);
  bool last = params.has_layout && params.layout >= SYMC_DECONVOLUTION_LAYOUT_NHWC;
  int32_t spatial = args->inputs[0].rank - 2;
  Image data(args->inputs[0], last), weight(args->inputs[1], last), output(args->outputs[0], last);
  Triple stride(params.stride, spatial, 1), dilate(params.dilate, spatial, 1),
      pad(params.pad, spatial, 0), target(params.target_shape, spatial, 0);
  if (target.by[0] || target.by[1] || target.by[2])
    for (int axis = 0; axis < 3; ++axis) {
      int64_t total = (data.extent[axis] - 1) * stride.by[axis] +
                      (weight.extent[axis] - 1) * dilate.by[axis] + 1;
      pad.by[axis] = (total - output.extent[axis] + 1) / 2;
    }
  const auto *in = data_of<E>(args->inputs[0]), *taps = data_of<E>(args->inputs[1]);
  auto *out = target_of<E>(args->outputs[0]);
  int64_t group_channels = data.channels / params.num_group;
  each_pixel(output, [&](int64_t n, int64_t f, const int64_t *at) {
    double sum = 0;
    int64_t first = f / weight.channels * group_channels;
    for (int64_t c = first; c < first + group_channels; ++c)
      for (Walk k(3, weight.extent); k.more; k.step()) {
        int64_t place[3];
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) {
          int64_t spread = at[axis] + pad.by[axis] - k.at[axis] * dilate.by[axis];
          place[axis] = spread / stride.by[axis];
          inside = inside && spread >= 0 && spread % stride.by[axis] == 0 &&
                   place[axis] < data.extent[axis];
        }
        if (inside)
          sum += double(E::load(in[data.at(n, c, place)])) *
                 double(E::load(taps[weight.at(c, f % weight.channels, k.at)]));
      }
    out[output.at(n, f, at)] = E::store(sum + bias_at<E>(args, f));
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(convolution, convolution)
SYMC_REFERENCE_FLOATS(deconvolution, deconvolution)

SYMC_ON_GRID(convolution, deconvolution)
