// vision.cpp: reference kernels of resampling, cropping, padding and regions of images.
// Positions are computed in the arithmetic of data's type, as MXNet does, since a position
// decides between pixels.
#include "symc/generated/op_params/Vision.h"
#include "regions.h"
#include "sampling.h"
#include "spatial.h"

using namespace symc::ref;

namespace {

template <class E> int32_t upsampling_nearest(const symc_kernel_args *args, bool sum) {
  const symc_tensor &output = args->outputs[0];
  int64_t height = output.shape[2], width = output.shape[3];
  auto *out = target_of<E>(output);
  int64_t first = 0; // of the channels of output
  for (int32_t k = 0; k < args->n_inputs; ++k) {
    const symc_tensor &image = args->inputs[k];
    int64_t channels = image.shape[1], rows = image.shape[2], columns = image.shape[3];
    const auto *in = data_of<E>(image);
    const int64_t lines[3] = {output.shape[0], channels, height};
    // A sum's elements are those of the same part of each operand.
    each_row_in(3, lines, width, [&](const Walk &walk, int64_t, int64_t x) {
      int64_t n = walk.at[0], c = walk.at[1], y = walk.at[2];
      auto value =
          in[((n * channels + c) * rows + y * rows / height) * columns + x * columns / width];
      auto &place = out[((n * output.shape[1] + first + c) * height + y) * width + x];
      place = sum && k > 0 ? E::store(E::load(place) + E::load(value)) : value;
    });
    first += sum ? 0 : channels;
  }
  return SYMC_STATUS_OK;
}

// A deconvolution of each channel by its own window.
template <class E> int32_t upsampling_bilinear(const symc_kernel_args *args, int64_t scale) {
  const symc_tensor &data = args->inputs[0], &weight = args->inputs[1], &output = args->outputs[0];
  int64_t channels = data.shape[1], rows = data.shape[2], columns = data.shape[3];
  int64_t kernel = weight.shape[2], pad = scale / 2; // ceil((scale - 1) / 2)
  const auto *in = data_of<E>(data), *taps = data_of<E>(weight);
  auto *out = target_of<E>(output);
  return each_place(args, 4, output.shape, kernel * kernel, [&](const Walk &o, int64_t element) {
    double sum = 0;
    for (int64_t ky = 0; ky < kernel; ++ky)
      for (int64_t kx = 0; kx < kernel; ++kx) {
        int64_t y = o.at[2] + pad - ky, x = o.at[3] + pad - kx;
        if (y < 0 || x < 0 || y % scale || x % scale || y / scale >= rows || x / scale >= columns)
          continue;
        sum += double(E::load(
                   in[((o.at[0] * channels + o.at[1]) * rows + y / scale) * columns + x / scale])) *
               double(E::load(taps[(o.at[1] * kernel + ky) * kernel + kx]));
      }
    out[element] = E::store(sum);
  });
}

template <class E> int32_t upsampling(const symc_kernel_args *args) {
  const auto &params = params_of<symc_upsampling_params>(args);
  if (params.sample_type == SYMC_UPSAMPLING_SAMPLE_TYPE_BILINEAR)
    return upsampling_bilinear<E>(args, params.scale);
  return upsampling_nearest<E>(args,
                               params.multi_input_mode == SYMC_UPSAMPLING_MULTI_INPUT_MODE_SUM);
}

int32_t crop(const symc_kernel_args *args) {
  const auto &params = params_of<symc_crop_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t first[2];
  for (int axis = 0; axis < 2; ++axis) {
    int64_t rest = data.shape[2 + axis] - output.shape[2 + axis];
    first[axis] = params.center_crop ? rest / 2 : params.offset.v[axis];
    if (first[axis] > rest || rest < 0)
      return refuse(Refusal::CROP);
  }
  int64_t bytes = symc_dtype_bytes(data.dtype), rows = output.shape[2], length = output.shape[3];
  const char *from =
      static_cast<const char *>(data.data) + (first[0] * data.shape[3] + first[1]) * bytes;
  char *to = static_cast<char *>(output.data);
  move_runs(product(output.shape, 0, 3), length, bytes, [=](int64_t n) {
    int64_t row = n / rows * data.shape[2] + n % rows;
    return Run{to + n * length * bytes, from + row * data.shape[3] * bytes};
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t pad(const symc_kernel_args *args) {
  const auto &params = params_of<symc_pad_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  Strides strides(data);
  int32_t last = data.rank - 1;
  int64_t length = output.shape[last], before = params.pad_width.v[2 * last],
          own = data.shape[last];
  bool constant = params.mode == SYMC_PAD_MODE_CONSTANT;
  auto value = E::store(params.constant_value);
  bool border = false; // is what is looked at outside of the data
  auto place = [&](int32_t axis, int64_t at) {
    int64_t extent = data.shape[axis];
    bool outside = at < 0 || at >= extent;
    border = border || outside;
    if (outside && params.mode == SYMC_PAD_MODE_REFLECT)
      at = at < 0 ? -at : 2 * (extent - 1) - at;
    return at < 0 ? 0 : at >= extent ? extent - 1 : at;
  };
  auto *out = target_of<E>(output);
  if constexpr (kOnDevice) {
    each_in(data.rank, output.shape, [&](const Walk &o, int64_t n) {
      const auto *from = data_of<E>(data);
      border = false;
      for (int32_t axis = 0; axis < data.rank; ++axis)
        from += place(axis, o.at[axis] - params.pad_width.v[2 * axis]) * strides.by[axis];
      out[n] = constant && border ? value : *from;
    });
    return SYMC_STATUS_OK;
  }
  for (Walk o(last, output.shape); o.more; o.step(), out += length) {
    const auto *row = data_of<E>(data);
    border = false;
    for (int32_t axis = 0; axis < last; ++axis)
      row += place(axis, o.at[axis] - params.pad_width.v[2 * axis]) * strides.by[axis];
    bool outside = constant && border;
    for (int64_t x = 0; x < length; ++x)
      if (x == before && own > 0 && !outside) { // all of the data's row
        __builtin_memcpy(out + x, row, size_t(own) * sizeof *out);
        x += own - 1;
      } else {
        out[x] = constant ? value : row[place(last, x - before)];
      }
  }
  return SYMC_STATUS_OK;
}

// Where a row (column) of the result lies between two rows of the source; in 32-bit floats for
// every element type, as in MXNet.
struct Between {
  int64_t low, high;
  float part; // of high

  Between(int64_t place, int64_t from, int64_t to, bool corners) {
    float scale = 0;
    if (to > 1)
      scale = corners ? float(from - 1) / float(to - 1) : float(from) / float(to);
    float source =
        corners ? scale * float(place) : float(double(scale) * (double(place) + 0.5) - 0.5);
    source = source < 0 ? 0 : source;
    low = int64_t(source);
    low = low < from ? low : from - 1; // where the scale was rounded up
    high = low < from - 1 ? low + 1 : low;
    part = source - float(low);
  }
};

template <class E> int32_t bilinear_resize(const symc_kernel_args *args) {
  using N = typename E::Number;
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t rows = data.shape[2], columns = data.shape[3];
  if (rows == output.shape[2] && columns == output.shape[3])
    return copy_elements(data, output);
  if (count_of(data) == 0 && count_of(output) > 0)
    return refuse(Refusal::NO_PIXEL);
  bool corners = params_of<symc_bilinear_resize_params>(args).align_corners;
  const int64_t height = output.shape[2], width = output.shape[3];
  if constexpr (kOnDevice) {
    each_in(4, output.shape, [&](const Walk &o, int64_t n) {
      Between x(o.at[3], columns, width, corners), y(o.at[2], rows, height, corners);
      N part = N(x.part), down = N(y.part);
      auto interpolated = [&](int64_t row) {
        const auto *from = data_of<E>(data) + (n / width / height * rows + row) * columns;
        return E::load(from[x.low]) * (1 - part) + E::load(from[x.high]) * part;
      };
      N above = interpolated(y.low), below = interpolated(y.high);
      target_of<E>(output)[n] = E::store(above * (1 - down) + below * down);
    });
    return SYMC_STATUS_OK;
  }
  // A row of the source is interpolated along itself once for all rows of output that lie between
  // it and a neighbour, a piece of the columns at a time.
  constexpr int64_t kTogether = 128;
  Rows each = {output.shape[0] * output.shape[1] * height, 4 * width};
  return run_rows(args, each, [&](const RowRange &range) -> int32_t {
    int64_t low[kTogether], high[kTogether], held[2];
    N part[kTogether], along[2][kTogether];
    for (int64_t begin = 0; begin < width; begin += kTogether) {
      int64_t many = width - begin < kTogether ? width - begin : kTogether;
      for (int64_t i = 0; i < many; ++i) {
        Between x(begin + i, columns, width, corners);
        low[i] = x.low, high[i] = x.high, part[i] = N(x.part);
      }
      held[0] = held[1] = -1;
      auto interpolated = [&](int64_t row) { // neighbours have different parities
        N *to = along[row % 2];
        if (held[row % 2] == row)
          return to;
        held[row % 2] = row;
        const auto *from = data_of<E>(data) + row * columns;
        for (int64_t i = 0; i < many; ++i)
          to[i] = E::load(from[low[i]]) * (1 - part[i]) + E::load(from[high[i]]) * part[i];
        return to;
      };
      for (int64_t row = range.first; row < range.end; ++row) {
        Between y(row % height, rows, height, corners);
        int64_t image = row / height * rows;
        const N *above = interpolated(image + y.low), *below = interpolated(image + y.high);
        auto *out = target_of<E>(output) + row * width + begin;
        N down = N(y.part);
        for (int64_t i = 0; i < many; ++i)
          out[i] = E::store(above[i] * (1 - down) + below[i] * down);
      }
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t roi_pooling(const symc_kernel_args *args) {
  const auto &params = params_of<symc_roi_pooling_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  const auto *in = data_of<E>(data), *rois = data_of<E>(args->inputs[1]);
  auto *out = target_of<E>(output);
  int64_t pixels = data.shape[2] * data.shape[3];
  const typename E::Number scale(params.spatial_scale);
  return each_place(args, 4, output.shape, 32, [&](const Walk &o, int64_t element) {
    PooledPixels<E> window(rois + o.at[0] * 5, scale, data, output, o.at[2], o.at[3]);
    out[element] = E::store(int64_t(0));
    if (!window.has_pixels())
      return;
    const auto *plane = in + (window.image * data.shape[1] + o.at[1]) * pixels;
    out[element] = plane[window.greatest(plane)];
  });
}

template <class E> int32_t grid_generator(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  bool affine = params_of<symc_grid_generator_params>(args).transform_type ==
                SYMC_GRID_GENERATOR_TRANSFORM_TYPE_AFFINE;
  int64_t rows = output.shape[2], columns = output.shape[3];
  int64_t lines = output.shape[0] * 2 * rows;
  return run_rows(args, {lines, 4 * columns}, [&](const RowRange &range) -> int32_t {
    for (int64_t line = range.first; line < range.end; ++line) {
      int64_t n = line / rows / 2, y = line % rows;
      bool axis = line / rows % 2 != 0;
      auto *out = target_of<E>(output) + line * columns;
      if (affine) {
        Affine<E, GridPlaces<E>> place(data_of<E>(data) + n * 6, axis, y, rows, columns);
        for (int64_t x = 0; x < columns; ++x)
          out[x] = E::store(place(x));
      } else {
        const auto *flow = data_of<E>(data) + (out - target_of<E>(output));
        for (int64_t x = 0; x < columns; ++x)
          out[x] = E::store(moved_place<E>(E::load(flow[x]), axis ? y : x, axis ? rows : columns));
      }
    }
    return SYMC_STATUS_OK;
  });
}

// Every pixel of the output is the data's at place(n, pixel, to), x before y, in all channels.
template <class E, class Place> int32_t sample(const symc_kernel_args *args, Place place) {
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t rows = data.shape[2], columns = data.shape[3], pixels = output.shape[2] * output.shape[3];
  constexpr int64_t kTogether = kOnDevice ? 1 : 64; // pixels that all channels take in turn
  int64_t groups = (pixels + kTogether - 1) / kTogether;
  Rows each = {output.shape[0] * groups, kTogether * (8 + 4 * data.shape[1])};
  return run_rows(args, each, [&](const RowRange &range) -> int32_t {
    Neighbours around[kTogether];
    for (int64_t group = range.first; group < range.end; ++group) {
      int64_t n = group / groups, first = group % groups * kTogether;
      int64_t many = pixels - first < kTogether ? pixels - first : kTogether;
      for (int64_t i = 0; i < many; ++i) {
        typename E::Number to[2];
        place(n, first + i, to);
        around[i].find(Around<E>(rows, columns, to[0], to[1]));
      }
      for (int64_t c = n * data.shape[1]; c < (n + 1) * data.shape[1]; ++c) {
        const auto *plane = data_of<E>(data) + c * rows * columns;
        auto *out = target_of<E>(output) + c * pixels + first;
        for (int64_t i = 0; i < many; ++i) {
          const Neighbours &own = around[i];
          double sum = 0;
          if (own.count == 4)
            for (int k = 0; k < 4; ++k)
              sum += own.part[k] * double(E::load(plane[own.at[k]]));
          else
            for (int64_t k = 0; k < own.count; ++k)
              sum += own.part[k] * double(E::load(plane[own.at[k]]));
          out[i] = E::store(sum);
        }
      }
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t bilinear_sampler(const symc_kernel_args *args) {
  const symc_tensor &output = args->outputs[0];
  return sample<E>(args,
                   PlacesOfGrid<E>{data_of<E>(args->inputs[1]), output.shape[2] * output.shape[3]});
}

template <class E> int32_t spatial_transformer(const symc_kernel_args *args) {
  const symc_tensor &output = args->outputs[0];
  return sample<E>(
      args, PlacesOfMatrix<E>{data_of<E>(args->inputs[1]), output.shape[2], output.shape[3]});
}

} // namespace

SYMC_REFERENCE_FLOATS(upsampling, upsampling)
SYMC_REFERENCE_ANY(crop, crop)
SYMC_REFERENCE_NUMBERS(pad, pad)
SYMC_REFERENCE_FLOATS(bilinear_resize, bilinear_resize)
SYMC_REFERENCE_FLOATS(roi_pooling, roi_pooling)
SYMC_REFERENCE_FLOATS(grid_generator, grid_generator)
SYMC_REFERENCE_FLOATS(bilinear_sampler, bilinear_sampler)
SYMC_REFERENCE_FLOATS(spatial_transformer, spatial_transformer)

SYMC_ON_GRID(upsampling, crop, pad, bilinear_resize, roi_pooling, grid_generator)
SYMC_ON_GRID(bilinear_sampler, spatial_transformer)
