// TileKernel.cpp: see TileKernel.h. The innermost loop of a tile of V vectors by
// P pixels is V weight loads, P broadcast loads and V * P multiply-adds:
//
//   for block, kernel row, kernel column:          data and weight pointers advance
//     for channel of the block:                    one step
//       w[v] = load weights + ...
//       acc[p][v] += broadcast(load data + pixel p) * w[v]
//
// A last vector of 512 bits of which at most half is channels is one of 256: cores
// that take 512 bits through 256-bit pipes are done with it in half the time.
#include "codegen/lower/TileKernel.h"

#include "codegen/kernel/Groups.h"
#include "codegen/lower/products/MatrixTile.h"
#include "codegen/lower/products/ProductEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// The row by which the step's types are multiplied; the check of the step refuses others.
static const ProductRow *productOf(Emission &e, const ConvSite &site) {
  if (site.product)
    return site.product;
  const ProductRow *row = productRowOf(e.target(), site.data.elementType, site.weights.elementType);
  assert(row && "types without a product");
  return row;
}

namespace {
class TileEmitter {
public:
  TileEmitter(Emission &e, const ConvSite &site, const TileExtent &extent)
      : e(e), site(site), extent(extent), row(*productOf(e, site)), element(site.data.elementType),
        panelElement(site.weights.elementType), sumType(row.accumulator(e.builder().getContext())),
        inputsAStep(row.termsPerStep), elementsAStep(row.elementsPerStep),
        lanes(row.lanes(e.target())), vectors(llvm::divideCeil(extent.channels, lanes)),
        metByTap(0, extent.columns) {
    if (row.matrixPixels)
      matrix.emplace(e, site, extent, row);
    else
      products = productEmitter(row, e, lanes, site.shifted);
  }

  void emit(const TilePosition &position) {
    OpFoldResult zero = e.constant(0);
    Value data =
        e.at(site.data, {position.image, zero, e.mul(position.row, e.constant(site.strides[0])),
                         e.mul(position.column, e.constant(site.strides[1])), zero});
    Value weights = e.at(site.weights, {site.groups ? findGroups(position) : position.block});
    if (site.imageStep)
      weights = e.offset(weights, panelElement, e.mul(position.image, site.imageStep));
    aheadLines = position.aheadLines;
    ahead = position.ahead;
    prefetchEpilogue(position);
    rowTaps = metTaps(0, position.row, extent.rows, site.zeros.top, site.zeros.bottom);
    columnTaps = metTaps(1, position.column, extent.columns, site.zeros.left, site.zeros.right);
    if (isConstant(position.column, 0) && isConstant(site.out.sizes[3], extent.columns))
      columnsOfTaps = metColumns();
    SmallVector<Value> start, sums;
    for (int64_t v = 0; v < vectors; ++v)
      start.push_back(startOf(v, position));
    if (matrix) {
      matrix->begin(site.start ? ArrayRef(start) : ArrayRef<Value>());
      reduceMatrices(data, weights);
      sums = matrix->finish();
    } else {
      for (int64_t p = 0; p < extent.rows * extent.columns; ++p)
        llvm::append_range(sums, start);
      sums = reduceBlocks(data, weights, sums);
    }
    SmallVector<SmallVector<Value>> pixels;
    for (int64_t p = 0; p < extent.rows * extent.columns; ++p) {
      pixels.emplace_back(ArrayRef<Value>(sums).slice(p * vectors, vectors));
      pixels.back().back() = widen(pixels.back().back());
    }
    emitEpilogue(e, site.out, site.extras, *site.body, position, extent, pixels);
  }

  SmallVector<Value> add(Value data, Value weights, ArrayRef<Value> sums) {
    assert(!matrix && "sums are not in vectors");
    return reduceBlocks(data, weights, sums);
  }

  // The lines that the epilogue reads for each pixel (a residual), and those that it
  // writes: the reduction hides their way from beyond L2 (1x1 64>256@56 with a
  // residual, Zen 4: 88 -> 104 GF/s). Not where the reduction is shorter than that way.
  void prefetchEpilogue(const TilePosition &position) {
    constexpr int64_t leastSteps = 32;
    int64_t steps = site.inChannels / inputsAStep * site.kernel[0] * site.kernel[1];
    if (steps < leastSteps)
      return;
    int64_t blocks = llvm::divideCeil(extent.channels, e.blockWidth());
    auto lines = [&](const View &view, bool write) {
      Value origin = e.at(
          view, {position.image, position.block, position.row, position.column, e.constant(0)});
      for (int64_t b = 0; b < blocks; ++b)
        for (int64_t y = 0; y < extent.rows; ++y)
          for (int64_t x = 0; x < extent.columns; ++x) {
            OpFoldResult at = e.add(e.mul(view.strides[1], e.constant(b)),
                                    e.add(e.mul(view.strides[2], e.constant(y)),
                                          e.mul(view.strides[3], e.constant(x))));
            e.prefetch(e.offset(origin, view.elementType, at), 3, write);
          }
    };
    for (const View &extra : site.extras)
      if (isConstant(extra.strides[4], 1) && !isConstant(extra.strides[3], 0))
        lines(extra, false);
    // An output that fits L2 is there since the step before, or soon.
    int64_t outBytes = site.out.elementType.getIntOrFloatBitWidth() / 8;
    for (OpFoldResult size : site.out.sizes)
      outBytes *= constantOf(size).value_or(0);
    if (outBytes > e.target().l2Bytes)
      lines(site.out, true);
  }

private:
  // The lanes of vector v of the tile.
  int64_t widthOf(int64_t v) {
    constexpr int64_t leastBytes = 32; // narrower registers gain nothing
    bool half =
        row.halves && extent.channels - v * lanes <= lanes / 2 && lanes / 2 * 4 >= leastBytes;
    return half ? lanes / 2 : lanes;
  }

  // Taps of the kernel along an axis; no end: all.
  struct Taps {
    OpFoldResult first = {}, end = {};
  };
  // Those that meet the image, between so many zeros before and behind, at some pixel of the tile.
  // Of taps side by side only rows are left out, for one row of pixels: others would save less
  // than the comparison takes.
  Taps metTaps(int axis, OpFoldResult at, int64_t pixels, int64_t before, int64_t behind) {
    int64_t count = site.kernel[axis], apart = site.dilations[axis];
    bool sideBySide = apart == 1 && (axis == 1 || pixels != 1);
    if (count == 1 || before + behind == 0 || sideBySide)
      return {};
    OpFoldResult first = e.mul(at, e.constant(site.strides[axis])),
                 last = e.add(first, e.constant((pixels - 1) * site.strides[axis])),
                 left = e.sub(site.data.sizes[2 + axis], e.add(first, e.constant(behind)));
    if (apart != 1)
      left = e.ceilDiv(e.max(e.constant(0), left), e.constant(apart));
    OpFoldResult hidden = e.max(e.constant(0), e.sub(e.constant(before), last));
    return {e.ceilDiv(hidden, e.constant(apart)), e.min(e.constant(count), left)};
  }

  // Of a tile of whole rows the columns of pixels that each tap of a kernel row meets, first and
  // end; none where almost all are met: taps are unrolled for it. It is worth that where a small
  // image is convolved with a large border, as gradients of data are (LeNet's 8x8 to 12x12 by 5x5:
  // two thirds of the products).
  SmallVector<std::pair<int64_t, int64_t>> metColumns() {
    constexpr double mostMet = 0.85;
    constexpr int64_t mostTaps = 8;
    int64_t taps = site.kernel[1], met = 0;
    auto width = constantOf(site.data.sizes[3]);
    if (!row.taps || !width || taps > mostTaps || columnTaps.end)
      return {};
    SmallVector<std::pair<int64_t, int64_t>> columns;
    int64_t stride = site.strides[1];
    for (int64_t tap = 0; tap < taps; ++tap) {
      int64_t before = tap * site.dilations[1];
      int64_t hidden = std::max<int64_t>(site.zeros.left - before, 0);
      int64_t shown = std::max<int64_t>(*width - site.zeros.right - before, 0);
      int64_t first = llvm::divideCeil(hidden, stride);
      int64_t end = std::min<int64_t>(llvm::divideCeil(shown, stride), extent.columns);
      columns.push_back({first, std::max(first, end)});
      met += columns.back().second - first;
    }
    if (met > mostMet * taps * extent.columns)
      return {};
    return columns;
  }

  // What the sums of vector v begin with.
  Value startOf(int64_t v, const TilePosition &position) {
    if (!site.start)
      return e.splat(e.builder().getZeroAttr(sumType), widthOf(v));
    return cut(readCommon(e, site.extras[*site.start], position, extent, v * lanes, lanes), v);
  }

  // The first lanes of a broadcast, as many as vector v has.
  ProductEmitter::Factor narrow(const ProductEmitter::Factor &x, int64_t v) {
    if (widthOf(v) == widthOf(0))
      return x;
    auto some = [&](Value part) { return part ? cut(part, v) : part; };
    return {some(x.whole), some(x.even), some(x.odd)};
  }

  Value cut(Value x, int64_t v) {
    if (cast<VectorType>(x.getType()).getNumElements() == widthOf(v))
      return x;
    int64_t zero[] = {0}, one[] = {1}, width[] = {widthOf(v)};
    return vector::ExtractStridedSliceOp::create(e.builder(), e.location(), x, zero, width, one);
  }

  // A sum of the last vector as the epilogue takes it: what is missing is zero.
  Value widen(Value sum) {
    if (widthOf(vectors - 1) == lanes)
      return sum;
    int64_t zero[] = {0}, one[] = {1};
    Value zeros = e.splat(e.builder().getZeroAttr(sumType), lanes);
    return vector::InsertStridedSliceOp::create(e.builder(), e.location(), sum, zeros, zero, one);
  }

  using Sums = SmallVector<Value>;
  using Iteration =
      function_ref<Sums(Value index, Value data, Value weights, ArrayRef<Value> sums)>;

  // A reduction loop that carries the two pointers and the sums. The pointers
  // that `iteration` starts from advance by these elements each time.
  Sums reduce(OpFoldResult count, OpFoldResult dataStep, int64_t weightStep, Value data,
              Value weights, ArrayRef<Value> sums, Iteration iteration) {
    SmallVector<Value> carried{data, weights};
    llvm::append_range(carried, sums);
    SmallVector<Value> result = e.forLoop(
        e.constant(0), count, e.constant(1), carried, [&](Value induction, ValueRange now) {
          SmallVector<Value> values(now);
          Sums next =
              iteration(induction, values[0], values[1], ArrayRef<Value>(values).drop_front(2));
          SmallVector<Value> yielded{e.offset(values[0], element, dataStep),
                                     e.offset(values[1], panelElement, e.constant(weightStep))};
          llvm::append_range(yielded, next);
          return yielded;
        });
    return Sums(ArrayRef<Value>(result).drop_front(2));
  }

  // The groups that the tile's block has outputs of; returns the panel of the first one
  // (kernel::ChannelGroups::panels).
  OpFoldResult findGroups(const TilePosition &position) {
    int64_t outputs = site.outChannels / site.groups;
    kernel::ChannelGroups groups{site.groups, site.parts};
    OpFoldResult first = e.mul(position.block, e.constant(e.blockWidth()));
    OpFoldResult last =
        e.min(e.add(first, e.constant(e.blockWidth() - 1)), e.constant(site.outChannels - 1));
    firstGroup = e.floorDiv(first, e.constant(outputs));
    groupsOfBlock = e.add(e.sub(e.floorDiv(last, e.constant(outputs)), firstGroup), e.constant(1));
    OpFoldResult aligned =
        e.floorDiv(first, e.constant(groups.apart(site.outChannels, e.blockWidth())));
    return e.sub(e.add(position.block, firstGroup), aligned);
  }

  // Elements from data's first channel to one of the layer's.
  OpFoldResult channelOffset(OpFoldResult channel) {
    OpFoldResult parts = e.constant(site.parts), width = e.constant(e.blockWidth());
    if (site.parts > 1)
      channel = e.add(
          e.mul(e.rem(channel, parts), e.constant(site.inChannels * site.groups / site.parts)),
          e.floorDiv(channel, parts));
    return e.add(e.mul(e.floorDiv(channel, width), site.data.strides[1]),
                 e.mul(e.rem(channel, width), site.data.strides[4]));
  }

  Sums reduceBlocks(Value data, Value weights, ArrayRef<Value> sums) {
    int64_t rows = *constantOf(site.weights.sizes[4]),
            perBlock = rows / elementsAStep * inputsAStep;
    if (site.groups)
      return reduce(groupsOfBlock, e.constant(0),
                    rows * e.blockWidth() * site.kernel[0] * site.kernel[1], data, weights, sums,
                    [&](Value group, Value data, Value weights, ArrayRef<Value> sums) {
                      firstChannel = e.mul(e.add(firstGroup, group), e.constant(site.inChannels));
                      return reduceWindow(e.constant(site.inChannels), rows * e.blockWidth(), data,
                                          weights, sums);
                    });
    int64_t most = llvm::divideCeil(site.inChannels, perBlock);
    int64_t last = site.inChannels - (most - 1) * perBlock;
    int64_t panel = rows * e.blockWidth();
    bool isOpen = !constantOf(site.data.sizes[1]); // all channels of its blocks count
    OpFoldResult blocks = isOpen ? site.data.sizes[1] : e.constant(most);
    return reduce(
        blocks, site.data.strides[1], panel * site.kernel[0] * site.kernel[1], data, weights, sums,
        [&](Value block, Value data, Value weights, ArrayRef<Value> sums) {
          // The reduction stops at the real channel count.
          OpFoldResult channels = e.constant(perBlock);
          if (last != perBlock)
            channels = e.min(channels, e.sub(e.constant(site.inChannels), e.mul(block, channels)));
          if (isConstant(blocks, 1))
            channels = e.constant(last);
          if (site.kernel[0] * site.kernel[1] == 1 && !isConstant(blocks, 1) && !rowsOfChannels())
            prefetchPixels(e.offset(data, element, site.data.strides[1]));
          return reduceWindow(channels, panel, data, weights, sums);
        });
  }

  // The same of a row of matrices, which hold the sums. The last block, or pair of blocks, of
  // channels stands behind the loop over the others where it has fewer channels.
  void reduceMatrices(Value data, Value weights) {
    int64_t perBlock = *constantOf(site.weights.sizes[4]), channels = matrix->channelsAtOnce();
    int64_t panel = perBlock * e.blockWidth(), blocks = channels / perBlock;
    bool isOpen = !constantOf(site.data.sizes[1]), last = false;
    OpFoldResult dataStep = e.mul(site.data.strides[1], e.constant(blocks));
    int64_t weightStep = blocks * panel * site.kernel[0] * site.kernel[1];
    auto iteration = [&](Value, Value data, Value weights, ArrayRef<Value>) {
      if (site.kernel[0] * site.kernel[1] == 1 && !last && !rowsOfChannels())
        prefetchPixels(e.offset(data, element, site.data.strides[1]));
      for (int64_t block = 1; block < blocks; ++block)
        prefetchWeights(e.offset(weights, panelElement, e.constant(block * panel)));
      return reduceWindow(e.constant(channels), panel, data, weights, {});
    };
    int64_t whole = site.inChannels / channels, rest = site.inChannels % channels;
    last = !isOpen && site.inChannels <= channels;
    if (isOpen || whole)
      reduce(isOpen ? site.data.sizes[1] : e.constant(whole), dataStep, weightStep, data, weights,
             {}, iteration);
    if (isOpen || rest == 0)
      return;
    last = true;
    blocks = llvm::divideCeil(rest, perBlock);
    channels = rest;
    iteration({}, e.offset(data, element, e.mul(dataStep, e.constant(whole))),
              e.offset(weights, panelElement, e.constant(whole * weightStep)), {});
  }

  // Of the whole layer.
  int64_t weightBytes() {
    int64_t bytes = panelElement.getIntOrFloatBitWidth() / 8;
    for (OpFoldResult size : site.weights.sizes)
      bytes *= *constantOf(size);
    return bytes;
  }

  // Blocks that follow each other in memory (fully connected rows).
  bool rowsOfChannels() { return isConstant(site.data.strides[1], e.blockWidth()); }

  // Whether taps share no lines of data, and the tile's weights come from beyond L2: where a border
  // of zeros leaves taps out, no hardware prefetcher follows either (3x3 2048>256@40 dilated by 12,
  // 24 and 36 on Zen 5: 204 -> 104 ms).
  bool readsFarApart() {
    int64_t weightBytes = site.inChannels * extent.channels * site.kernel[0] * site.kernel[1] *
                          (row.rhs(e.builder().getContext()).getIntOrFloatBitWidth() / 8);
    return site.dilations[0] * site.dilations[1] > 1 && weightBytes > e.target().l2Bytes;
  }

  // The lines that the next channel block of a 1x1 kernel reads: blocks lie an
  // image apart, which no hardware prefetcher follows (1x1 256>64@56: 77 -> 98 GF/s on Zen 4).
  void prefetchPixels(Value data) {
    constexpr int64_t lineBytes = 64;
    int64_t every = 1;
    if (matrix && isConstant(e.mul(site.data.strides[3], e.constant(site.strides[1])),
                             e.blockWidth())) // a line holds several pixels
      every = lineBytes * 8 / (e.blockWidth() * element.getIntOrFloatBitWidth());
    for (int64_t p = 0; p < extent.rows * extent.columns; p += every)
      e.prefetch(e.offset(data, element, pixelOffset(p)));
  }

  // The tile's share of the weights that a later tile reads, one panel at a time.
  void prefetchWeights(Value weights) {
    if (aheadLines == 0)
      return;
    Value place = e.offset(weights, panelElement, ahead);
    int64_t blocks = llvm::divideCeil(extent.channels, e.blockWidth());
    for (int64_t b = 0; b < blocks; ++b)
      for (int64_t line = 0; line < aheadLines; ++line)
        e.prefetch(e.offset(place, panelElement,
                            e.add(e.mul(site.weights.strides[0], e.constant(b)),
                                  e.constant(line * e.blockWidth()))),
                   2);
  }

  // The lines of the tile's panels at `weights`.
  void prefetchPanels(Value weights, int64_t panel) {
    int64_t blocks = llvm::divideCeil(extent.channels, e.blockWidth());
    for (int64_t b = 0; b < blocks; ++b)
      for (int64_t line = 0; line < panel; line += e.blockWidth())
        e.prefetch(e.offset(weights, panelElement,
                            e.add(e.mul(site.weights.strides[0], e.constant(b)), e.constant(line))),
                   3);
  }

  // Elements from the tile's first input pixel to that of output pixel p.
  OpFoldResult pixelOffset(int64_t p) {
    auto coordinate = [&](int64_t at, unsigned d) {
      return e.mul(site.data.strides[2 + d], e.constant(at * site.strides[d]));
    };
    return e.add(coordinate(p / extent.columns, 0), coordinate(p % extent.columns, 1));
  }

  Sums reduceWindow(OpFoldResult channels, int64_t panel, Value data, Value weights,
                    ArrayRef<Value> sums) {
    OpFoldResult rowStep = e.mul(site.data.strides[2], e.constant(site.dilations[0]));
    OpFoldResult columnStep = e.mul(site.data.strides[3], e.constant(site.dilations[1]));
    // The number of taps along an axis; skips those before them.
    auto select = [&](int axis, const Taps &taps, OpFoldResult dataStep, int64_t weightStep) {
      if (!taps.end)
        return e.constant(site.kernel[axis]);
      data = e.offset(data, element, e.mul(dataStep, taps.first));
      weights = e.offset(weights, panelElement, e.mul(e.constant(weightStep), taps.first));
      return e.sub(taps.end, taps.first);
    };
    int64_t rowPanels = panel * site.kernel[1];
    OpFoldResult rows = select(0, rowTaps, rowStep, rowPanels);
    OpFoldResult columns = select(1, columnTaps, columnStep, panel);
    auto overChannels = [&](Value, Value data, Value weights, ArrayRef<Value> sums) {
      prefetchWeights(weights);
      if (readsFarApart()) {
        prefetchPixels(e.offset(data, element, site.data.strides[1]));
        prefetchPanels(
            e.offset(weights, panelElement, e.constant(panel * site.kernel[0] * site.kernel[1])),
            panel);
      }
      if (matrix) {
        matrix->step(data, weights, *constantOf(channels));
        return Sums();
      }
      if (site.groups)
        return reduce(channels, e.constant(0), e.blockWidth(), data, weights, sums,
                      [&](Value channel, Value data, Value weights, ArrayRef<Value> sums) {
                        OpFoldResult at = channelOffset(e.add(firstChannel, channel));
                        if (weightBytes() > e.target().l1Bytes) // the next panel
                          e.prefetch(e.offset(weights, panelElement, e.constant(panel)));
                        return step(e.offset(data, element, at), weights, sums);
                      });
      OpFoldResult dataStep = e.mul(site.data.strides[4], e.constant(elementsAStep));
      int64_t weightStep = e.blockWidth() * elementsAStep;
      auto overSteps = [&](OpFoldResult steps, ArrayRef<Value> sums) {
        return reduce(steps, dataStep, weightStep, data, weights, sums,
                      [&](Value, Value data, Value weights, ArrayRef<Value> sums) {
                        return step(data, weights, sums);
                      });
      };
      OpFoldResult perStep = e.constant(inputsAStep);
      if (site.inChannels % inputsAStep == 0 || !products->partsOfOne())
        return overSteps(e.ceilDiv(channels, perStep), sums);
      assert(inputsAStep == 2 && "more than one term may be left");
      OpFoldResult whole = e.floorDiv(channels, perStep);
      Sums most = isConstant(whole, 0) ? Sums(sums) : overSteps(whole, sums);
      data = e.offset(data, element, e.mul(dataStep, whole));
      weights = e.offset(weights, panelElement, e.mul(e.constant(weightStep), whole));
      return reduce(e.rem(channels, perStep), e.constant(0), 0, data, weights, most,
                    [&](Value, Value data, Value weights, ArrayRef<Value> sums) {
                      return step(data, weights, sums, /*one=*/true);
                    });
    };
    return reduce(rows, rowStep, rowPanels, data, weights, sums,
                  [&](Value, Value data, Value weights, ArrayRef<Value> given) {
                    if (columnsOfTaps.empty())
                      return reduce(columns, columnStep, panel, data, weights, given, overChannels);
                    Sums sums(given);
                    for (auto [tap, met] : llvm::enumerate(columnsOfTaps)) {
                      metByTap = met;
                      if (met.first < met.second)
                        sums = overChannels(
                            {}, e.offset(data, element, e.mul(columnStep, e.constant(tap))),
                            e.offset(weights, panelElement, e.constant(tap * panel)), sums);
                    }
                    metByTap = {0, extent.columns};
                    return sums;
                  });
  }

  // One step of the row at one kernel element, or its first term.
  Sums step(Value data, Value weights, ArrayRef<Value> sums, bool one = false) {
    Sums next(sums);
    int64_t parts = one ? *products->partsOfOne() : products->parts();
    for (int64_t part = 0; part < parts; ++part)
      addPart(part, data, weights, next, one);
    return next;
  }

  void addPart(int64_t part, Value data, Value weights, Sums &next, bool one) {
    using Factor = ProductEmitter::Factor;
    // The part's row of the panel, for the outputs of vector v.
    auto weight = [&](int64_t v) {
      int64_t channel = v * lanes, inRow = channel % e.blockWidth();
      if (row.sideBySide)
        inRow *= elementsAStep;
      OpFoldResult elements =
          e.add(e.mul(site.weights.strides[0], e.constant(channel / e.blockWidth())),
                e.constant(products->rowOf(part) * e.blockWidth() + inRow));
      return products->loadRhs(e.offset(weights, panelElement, elements), part, widthOf(v));
    };
    auto pixel = [&](int64_t p) {
      OpFoldResult elements =
          e.add(pixelOffset(p), e.mul(site.data.strides[4], e.constant(products->elementOf(part))));
      Value pointer = e.offset(data, element, elements);
      return one ? products->loadOne(pointer, part, widthOf(0))
                 : products->loadLhs(pointer, part, widthOf(0));
    };
    int64_t pixels = extent.rows * extent.columns;
    auto multiplyAdd = [&](int64_t p, int64_t v, const Factor &x, const Factor &w) {
      Value &sum = next[p * vectors + v];
      sum = products->accumulate(sum, narrow(x, v), w);
    };
    auto isMet = [&](int64_t p) {
      int64_t column = p % extent.columns;
      return metByTap.first <= column && column < metByTap.second;
    };
    // The shorter side stays in registers, the longer one passes through.
    SmallVector<Factor> held;
    if (vectors <= pixels || products->holdsWeights()) {
      for (int64_t v = 0; v < vectors; ++v)
        held.push_back(weight(v));
      for (int64_t p = 0; p < pixels; ++p) {
        if (!isMet(p))
          continue;
        Factor x = pixel(p);
        for (int64_t v = 0; v < vectors; ++v)
          multiplyAdd(p, v, x, held[v]);
      }
    } else {
      for (int64_t p = 0; p < pixels; ++p)
        held.push_back(isMet(p) ? pixel(p) : Factor());
      for (int64_t v = 0; v < vectors; ++v) {
        Factor w = weight(v);
        for (int64_t p = 0; p < pixels; ++p)
          if (isMet(p))
            multiplyAdd(p, v, held[p], w);
      }
    }
  }

  Emission &e;
  const ConvSite &site;
  const TileExtent &extent;
  const ProductRow &row; // of the types of data and weights
  Type element, panelElement, sumType;
  int64_t inputsAStep;   // input channels that one step of the reduction takes
  int64_t elementsAStep; // of data or of an output's weights
  int64_t lanes, vectors;
  std::unique_ptr<ProductEmitter> products;               // of vectors
  std::optional<MatrixTile> matrix;                       // else
  Taps rowTaps, columnTaps;                               // of the kernel
  SmallVector<std::pair<int64_t, int64_t>> columnsOfTaps; // metColumns()
  std::pair<int64_t, int64_t> metByTap;                   // columns of pixels that are summed
  int64_t aheadLines = 0;
  OpFoldResult ahead;
  // Where the site has groups: those that the tile sums, and the first channel of one of them.
  OpFoldResult firstGroup, groupsOfBlock, firstChannel;
};
} // namespace

void symc::codegen::emitTile(Emission &e, const ConvSite &site, const TilePosition &position,
                             const TileExtent &extent) {
  TileEmitter(e, site, extent).emit(position);
}

int64_t symc::codegen::tileVectors(Emission &e, const TileExtent &extent) {
  return extent.rows * extent.columns *
         llvm::divideCeil(extent.channels, productRowNamed("Fma")->lanes(e.target()));
}

SmallVector<Value> symc::codegen::addProducts(Emission &e, const ConvSite &site,
                                              const TileExtent &extent, Value data, Value weights,
                                              ArrayRef<Value> sums) {
  return TileEmitter(e, site, extent).add(data, weights, sums);
}

void symc::codegen::prefetchTile(Emission &e, const ConvSite &site, const TilePosition &position,
                                 const TileExtent &extent) {
  TileEmitter(e, site, extent).prefetchEpilogue(position);
}

// Elements from the tile's first one to that of a channel and pixel of the tile.
static OpFoldResult elementsTo(Emission &e, const View &view, int64_t channel, OpFoldResult y,
                               OpFoldResult x) {
  OpFoldResult elements = e.mul(view.strides[1], e.constant(channel / e.blockWidth()));
  elements = e.add(elements, e.mul(view.strides[4], e.constant(channel % e.blockWidth())));
  elements = e.add(elements, e.mul(view.strides[2], y));
  return e.add(elements, e.mul(view.strides[3], x));
}

static Value originOf(Emission &e, const View &view, const TilePosition &position) {
  return e.at(view, {position.image, position.block, position.row, position.column, e.constant(0)});
}

// `lanes` channels of an extra at `pointer`, of which the first `active` exist.
static Value loadExtra(Emission &e, const View &extra, Value pointer, int64_t lanes,
                       int64_t active) {
  OpFoldResult stride = extra.strides[4];
  if (isConstant(stride, 0))
    return e.loadBroadcast(pointer, extra.elementType, lanes);
  if (active == lanes)
    return e.loadStrided(pointer, extra.elementType, stride, lanes);
  if (isConstant(stride, 1))
    return e.loadMasked(pointer, extra.elementType, e.mask(e.constant(active), lanes));
  return e.loadStridedMasked(pointer, extra.elementType, stride, lanes, active);
}

// The same as a body takes it.
static Value readExtra(Emission &e, const View &extra, Value pointer, int64_t lanes,
                       int64_t active) {
  Value value = loadExtra(e, extra, pointer, lanes, active);
  return kernel::isHalf(extra.elementType) ? e.convert(value, e.builder().getF32Type()) : value;
}

Value symc::codegen::readCommon(Emission &e, const View &extra, const TilePosition &position,
                                const TileExtent &extent, int64_t channel, int64_t lanes) {
  Value pointer = e.offset(originOf(e, extra, position), extra.elementType,
                           elementsTo(e, extra, channel, e.constant(0), e.constant(0)));
  return readExtra(e, extra, pointer, lanes, std::min(lanes, extent.channels - channel));
}

// Whether the body's functions have more constants than the tile's sums leave registers: these then
// wait on the stack, and one copy of the body serves all pixels (erf behind 128 x 768 by 3072 on a
// Zen 5: 2.55 -> 2.40 ms).
static bool fillsRegisters(Region &body) {
  return llvm::any_of(body.getOps(), [](Operation &op) {
    return isa<math::ErfOp, math::TanhOp, kernel::LogisticOp>(op);
  });
}

void symc::codegen::emitEpilogue(Emission &e, const View &out, ArrayRef<View> extras, Region &body,
                                 const TilePosition &position, const TileExtent &extent,
                                 ArrayRef<SmallVector<Value>> accumulators) {
  auto type = cast<VectorType>(accumulators[0][0].getType());
  int64_t lanes = type.getNumElements();
  int64_t vectors = llvm::divideCeil(extent.channels, lanes);
  SmallVector<Value> origins;
  for (const View &extra : extras)
    origins.push_back(originOf(e, extra, position));
  Value outOrigin = originOf(e, out, position);

  auto read = [&](unsigned index, int64_t v, OpFoldResult y, OpFoldResult x) {
    const View &extra = extras[index];
    Value pointer =
        e.offset(origins[index], extra.elementType, elementsTo(e, extra, v * lanes, y, x));
    return readExtra(e, extra, pointer, lanes, std::min(lanes, extent.channels - v * lanes));
  };
  // An extra that is the same for all pixels (a bias) is read once.
  auto readCommonOnes = [&](int64_t v) {
    SmallVector<Value> common(extras.size());
    for (unsigned i = 0; i < extras.size(); ++i)
      if (isConstant(extras[i].strides[2], 0) && isConstant(extras[i].strides[3], 0))
        common[i] = read(i, v, e.constant(0), e.constant(0));
    return common;
  };
  auto maskOf = [&](int64_t v) {
    int64_t active = std::min(lanes, extent.channels - v * lanes);
    return active < lanes ? e.mask(e.constant(active), lanes) : Value();
  };
  auto finish = [&](Value sum, int64_t v, OpFoldResult y, OpFoldResult x, Value mask,
                    ArrayRef<Value> common) {
    SmallVector<Value> arguments{sum};
    for (unsigned i = 0; i < extras.size(); ++i)
      arguments.push_back(common[i] ? common[i] : read(i, v, y, x));
    Value result = e.vectoriseBody(body, arguments, lanes).front();
    if (kernel::isHalf(out.elementType))
      result = e.convert(result, out.elementType);
    Value pointer = e.offset(outOrigin, out.elementType, elementsTo(e, out, v * lanes, y, x));
    if (mask)
      e.storeMasked(result, pointer, mask);
    else
      e.store(result, pointer);
  };

  // Sums wait on the stack for one copy of a long body.
  int64_t pixels = extent.rows * extent.columns;
  if (pixels > 1 && fillsRegisters(body)) {
    Type element = type.getElementType();
    Value kept = e.stack(element, pixels * vectors * lanes);
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t v = 0; v < vectors; ++v)
        e.store(accumulators[p][v], e.offset(kept, element, e.constant((p * vectors + v) * lanes)));
    auto loop = [&](int64_t count, function_ref<void(OpFoldResult)> at) {
      if (count == 1)
        return at(e.constant(0));
      e.forLoop(e.constant(0), e.constant(count), e.constant(1), {}, [&](Value index, ValueRange) {
        at(OpFoldResult(index));
        return SmallVector<Value>();
      });
    };
    for (int64_t v = 0; v < vectors; ++v) {
      Value mask = maskOf(v);
      SmallVector<Value> common = readCommonOnes(v);
      loop(extent.rows, [&](OpFoldResult y) {
        loop(extent.columns, [&](OpFoldResult x) {
          OpFoldResult place =
              e.mul(e.add(e.mul(y, e.constant(extent.columns)), x), e.constant(vectors * lanes));
          Value sum =
              e.load(e.offset(kept, element, e.add(place, e.constant(v * lanes))), element, lanes);
          finish(sum, v, y, x, mask, common);
        });
      });
    }
    return;
  }
  for (int64_t v = 0; v < vectors; ++v) {
    Value mask = maskOf(v);
    SmallVector<Value> common = readCommonOnes(v);
    for (int64_t p = 0; p < pixels; ++p)
      finish(accumulators[p][v], v, e.constant(p / extent.columns), e.constant(p % extent.columns),
             mask, common);
  }
}
