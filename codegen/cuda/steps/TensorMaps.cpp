// TensorMaps.cpp: see TensorMaps.h.
//
// Inputs [images, blocks, rows, columns, lanes] are a tensor of five axes for the engine: lanes,
// columns, rows, images, blocks. A copy walks over the pixels of a tile along columns, rows and
// images, from those of the first one on, in the strides of the layer, and takes 16 lanes of each:
// it ends rows and images by itself, where a corner of the map says, and a tap is an offset that
// all pixels get. Filters are rows of 16 outputs, a term each: a copy brings a slice's of all
// outputs of the tile.
//
//   inputs[stage]    twice 16 terms of all pixels, a row of 32 bytes each
//   filters[stage]   for each 16 outputs 32 rows of 32 bytes, a term each
//
// In 8 rows of 32 bytes the engine lets the halves of the last four change places, which is the
// swizzle of 32 bytes that wgmma reads.
//
// A barrier of each stage counts bytes: its phases end when a slice is there. All threads wait for
// it, and then for each other: the stage of the slice before the last one is free then, and one
// thread asks for the next slice to go there.
#include "codegen/cuda/steps/TensorMaps.h"

using namespace mlir;

namespace symc::codegen::cuda {

constexpr int64_t blockLanes = 16, rowBytes = 32, sliceTerms = 2 * cudaSlice;

static std::string text(int64_t value) { return std::to_string(value); }

namespace {
struct ConvMaps {
  CudaTensorMap inputs, filters; // but for their boxes
  kernel::Padding zeros;         // around the image, which nobody wrote
};
} // namespace

// Of an axis of pixels: the last tap and the corners, within what copies of five axes have bits
// for.
static bool fitsWindow(int64_t kernel, int64_t dilation, int64_t step, int64_t lower,
                       int64_t upper) {
  constexpr int64_t mostOffset = 31, leastCorner = -16, mostCorner = 15, mostStep = 8;
  return (kernel - 1) * dilation <= mostOffset && step <= mostStep && lower >= leastCorner &&
         upper >= leastCorner && upper <= mostCorner;
}

// The memory `elements` of 16 bits behind a view's first one; none where it is no multiple of 16
// bytes, as the engine asks.
static std::optional<CudaArgument> placeBehind(const View &view, int64_t elements) {
  if (!view.memory)
    return std::nullopt;
  CudaArgument place = *view.memory;
  place.index += 2 * elements;
  return place.index % 16 == 0 ? std::optional<CudaArgument>(place) : std::nullopt;
}

// Bytes between elements of an axis; of one that has a single element the engine never adds any.
static bool setStride(CudaTensorMap &map, int64_t axis, int64_t elements) {
  int64_t bytes = map.sizes[axis] == 1 ? rowBytes : 2 * elements;
  map.strides[axis - 1] = bytes;
  return bytes > 0 && bytes % 16 == 0;
}

static bool describeInputs(ConvViews &c, ConvMaps &maps) {
  std::optional<kernel::KnownView> data = kernel::traceKnownView(c.op.getData()),
                                   out = kernel::traceKnownView(c.op.getOut());
  if (!data || !out || c.lanes % blockLanes != 0 || data->strides[4] != 1)
    return false;
  // Lanes that no channel has are zeros, if they end the first axis, and the filters' rows for
  // them.
  int64_t channels = c.op.getInChannels(), lanes = std::min(c.lanes, channels);
  bool whole = data->sizes[1] * c.lanes == channels;
  if (!whole &&
      (data->sizes[1] > 1 || !c.weights.memory || c.weights.memory->kind != CudaArgument::Weights))
    return false;
  if (c.leavesOut)
    maps.zeros = kernel::paddingOf(c.op.getZerosAttr());
  const kernel::Padding &zeros = maps.zeros;
  CudaTensorMap &map = maps.inputs;
  map.axes = 5, map.isWindow = true;
  int64_t columns = data->sizes[3] - zeros.left - zeros.right,
          rows = data->sizes[2] - zeros.top - zeros.bottom;
  const int64_t sizes[] = {lanes, columns, rows, data->sizes[0], data->sizes[1]};
  const int64_t strides[] = {data->strides[3], data->strides[2], data->strides[0],
                             data->strides[1]};
  std::optional<CudaArgument> first =
      placeBehind(c.data, zeros.top * data->strides[2] + zeros.left * data->strides[3]);
  if (!first || columns < 1 || rows < 1)
    return false;
  map.memory = *first;
  std::copy(std::begin(sizes), std::end(sizes), map.sizes);
  for (uint32_t axis = 1; axis < map.axes; ++axis)
    if (!setStride(map, axis, strides[axis - 1]))
      return false;
  const int64_t before[] = {zeros.left, zeros.top}, count[] = {out->sizes[3], out->sizes[2]};
  for (int64_t axis : {0, 1}) { // columns, rows
    int64_t step = c.op.getStrides()[1 - axis], lower = -before[axis],
            upper = lower + (count[axis] - 1) * step - (sizes[1 + axis] - 1);
    if (!fitsWindow(c.op.getKernel()[1 - axis], c.op.getDilations()[1 - axis], step, lower, upper))
      return false;
    map.steps[1 + axis] = step, map.lower[axis] = lower, map.upper[axis] = upper;
  }
  return true;
}

static bool describeFilters(ConvViews &c, ConvMaps &maps) {
  std::optional<kernel::KnownView> weights = kernel::traceKnownView(c.op.getWeights());
  std::optional<CudaArgument> first = placeBehind(c.weights, 0);
  if (!weights || !first || c.block != blockLanes)
    return false;
  CudaTensorMap &map = maps.filters;
  map.axes = 4;
  map.memory = *first;
  const int64_t sizes[] = {blockLanes, c.terms, c.outputBlocks,
                           c.eachImage ? weights->sizes[0] : 1};
  std::copy(std::begin(sizes), std::end(sizes), map.sizes);
  return setStride(map, 1, blockLanes) && setStride(map, 2, c.terms * blockLanes) &&
         setStride(map, 3, c.eachImage ? weights->strides[0] : 0);
}

static std::optional<ConvMaps> mapsOf(ConvViews &c) {
  ConvMaps maps;
  if (!c.problem.halves || !describeInputs(c, maps) || !describeFilters(c, maps))
    return std::nullopt;
  return maps;
}

bool hasTensorMaps(ConvViews &conv) { return mapsOf(conv).has_value(); }

void writeTensorMaps(ConvViews &c, const CudaTile &tile) {
  ConvMaps maps = *mapsOf(c);
  KernelWriter &w = c.w;
  maps.inputs.box[0] = blockLanes, maps.inputs.box[1] = tile.pixels;
  const int64_t box[] = {blockLanes, sliceTerms, tile.outputs / blockLanes, 1};
  std::copy(std::begin(box), std::end(box), maps.filters.box);
  w.map(maps.inputs, "inputMap");
  w.map(maps.filters, "filterMap");
  std::string stages = text(tile.stages);
  w.line("#ifdef SYMC_TENSOR_MAPS");
  w.line("__shared__ __align__(8) unsigned long long arrived[" + stages + "];");
  w.line("int before = 0;"); // slices of earlier tiles
  w.open("if (threadIdx.x == 0)");
  w.line("prefetch_map(&inputMap);");
  w.line("prefetch_map(&filterMap);");
  w.line("for (int i = 0; i < " + stages + "; ++i)");
  w.line("  open_arrival(&arrived[i]);");
  w.line("publish_copies();"); // the barriers, to the engine
  w.close();
  w.line("__syncthreads();");
  w.line("#endif");
}

// One thread asks for slice `fetched`.
static void writeFetch(ConvViews &c, const CudaTile &tile, ArrayRef<std::string> first) {
  KernelWriter &w = c.w;
  int64_t inputWords = tile.pixels * cudaSlice, filterWords = tile.outputs * cudaSlice;
  w.line("const int place = (before + fetched) % " + text(tile.stages) + ";");
  w.line("expect_bytes(&arrived[place], " + text(4 * (inputWords + filterWords)) + ");");
  std::string number = "fetched";
  if (c.problem.parts > 1)
    number = "(fetched + portion * " + text(c.problem.termsOfPart() / sliceTerms) + ")";
  w.line("#pragma unroll");
  w.open("for (int i = 0; i < 2; ++i)");
  int64_t ofTap = c.lanes / blockLanes;
  w.line("const int block = " + number + " * 2 + i, tap = block / " + text(ofTap) +
         ", lane = block % " + text(ofTap) + " * " + text(blockLanes) + ";");
  c.writeTap();
  w.line("fetch_pixels(inputs + place * " + text(inputWords) + " + i * " + text(inputWords / 2) +
         ", &inputMap, lane, x0, y0, " + first[0] + ", part, " +
         times("column", c.op.getDilations()[1]) + ", " + times("row", c.op.getDilations()[0]) +
         ", &arrived[place]);");
  w.close();
  w.line("fetch_filters(filters + place * " + text(filterWords) + ", &filterMap, " + number +
         " * " + text(sliceTerms) + ", outputs, " + (c.eachImage ? "image" : "0") +
         ", &arrived[place]);");
}

void writeSumsByMaps(ConvViews &c, const CudaTile &tile, StringRef precision, int64_t slices) {
  KernelWriter &w = c.w;
  kernel::Padding zeros = mapsOf(c)->zeros;
  SmallVector<std::string> first = c.pixel("first");
  auto corner = [&](unsigned axis, int64_t outside) {
    return times(first[1 + axis], c.op.getStrides()[axis]) + " - " + text(outside);
  };
  w.line("const int x0 = " + corner(1, zeros.left) + ", y0 = " + corner(0, zeros.top) + ";");
  std::string stages = text(tile.stages), ahead = text(tile.ahead());
  int64_t inputWords = tile.pixels * cudaSlice, filterWords = tile.outputs * cudaSlice;
  w.open("for (int fetched = 0; fetched < " + text(slices + tile.ahead()) + "; ++fetched)");
  w.line("const int slice = fetched - " + ahead + ";");
  w.open("if (slice >= 0)");
  w.line("const int place = (before + slice) % " + stages + ";");
  w.line("wait_arrival(&arrived[place], (before + slice) / " + stages + " % 2);");
  w.line("__syncthreads();");
  w.line("start_blocks_" + precision + "<" + text(inputWords / 2) + ">(sum[0], inputs + place * " +
         text(inputWords) + " + warp / 4 * 512, filters + place * " + text(filterWords) + ");");
  w.close();
  w.open("if (fetched < " + text(slices) + " && thread == 0)");
  writeFetch(c, tile, first);
  w.close();
  w.line("__syncwarp();");
  w.line("wait_groups<1>(sum[0]);");
  w.close();
  w.line("wait_groups<0>(sum[0]);");
  w.line("before += " + text(slices) + ";");
}

} // namespace symc::codegen::cuda
