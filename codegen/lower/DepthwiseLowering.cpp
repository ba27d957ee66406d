// DepthwiseLowering.cpp: kernel.depthwise as rows of pixels over one block of channels.
// The window's weights of a block stay in registers where they fit (3x3 with 32
// registers), else those of one kernel row, else each is read when it is needed.
// Some pixels of a row are summed side by side, each in the order kernel rows,
// kernel columns. The halo is in the buffer: no borders.
// Of groups of several channels each channel of the group goes to all lanes of it, by a shuffle
// within the vector, which all taps of a kernel row share, or by a broadcast where the group has as
// many channels as a vector or more. Sums of a kernel row go channel by channel then.
// Bytes are widened to the 32 bits of their sums as they are read, a pair of 16 bits of which one
// is zero: a product of pairs takes fewer instructions than one of 32 bits.
#include "codegen/kernel/DepthwiseBytes.h"
#include "codegen/lower/SumStart.h"
#include "codegen/lower/TileKernel.h"
#include "codegen/lower/products/BytePairs.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t maxHeldWeights = 9; // vectors of a 3x3 window

namespace {
class DepthwiseNest {
public:
  DepthwiseNest(kernel::DepthwiseOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), data(operands[0]), weights(operands[1]),
        extras(operands.slice(2, operands.size() - 3)), out(operands.back()),
        element(sumsBytes(op) ? Type(e.builder().getI32Type()) : weights.elementType),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))), rows(out.sizes[2]),
        columns(out.sizes[3]), start(op.getBody(), extras),
        bytes(e, lanes, op->hasAttr(kernel::shiftedName)) {
    window = op.getKernel()[0] * op.getKernel()[1];
    // Accumulators, weights and the inputs that a kernel row shares fill the registers; without
    // a multiply-add that reads memory, so do products on their way or inputs, which LLVM
    // loads early.
    int64_t passing = e.target().fmaReadsMemory ? 0 : e.target().fma ? 12 : 2;
    int64_t registers = e.target().vectorRegisters - passing;
    int64_t kernelColumns = op.getKernel()[1];
    group = op.getGroupChannels();
    hold = group == 1 && window <= maxHeldWeights && registers > 2 * window;
    holdRow = group == 1 && !hold && registers - 2 * kernelColumns - 1 >= 4;
    tile = registers - (hold ? window + 2 : holdRow ? 2 * kernelColumns + 1 : 3);
    if (group >= lanes) // LLVM loads some early
      tile = e.target().vectorRegisters - (e.target().fma ? 8 : 10);
    else if (group > 1)
      tile = tileOfGroups();
    tile = std::min<int64_t>(tile, 14);
    if (auto known = constantOf(columns))
      tile = evenly(std::max<int64_t>(1, *known), tile);

    // A task is some rows of one image and block, or some of these.
    kernel::DepthwiseTasksAttr cut = op.getCutAttr();
    OpFoldResult planes = e.mul(out.sizes[0], out.sizes[1]);
    planesPerTask = e.constant(cut.getPlanes());
    if (int64_t most = cut.getPlaneChunks()) {
      planesPerTask = e.max(planesPerTask, e.ceilDiv(planes, e.constant(most)));
      planesPerTask = e.max(e.min(planesPerTask, planes), e.constant(1));
    }
    rowsPerTask = cut.getRows() ? e.constant(cut.getRows()) : rows;
    planeChunks = e.ceilDiv(planes, planesPerTask);
    rowChunks = e.ceilDiv(rows, e.max(rowsPerTask, e.constant(1)));
    allPlanes = planes;
  }

  OpFoldResult countTasks() { return e.mul(planeChunks, rowChunks); }

  void lower(Value task) {
    SmallVector<OpFoldResult> chunk = e.delinearize(task, {planeChunks, rowChunks});
    OpFoldResult plane = e.mul(chunk[0], planesPerTask), row = e.mul(chunk[1], rowsPerTask);
    OpFoldResult planeEnd = e.min(e.add(plane, planesPerTask), allPlanes);
    OpFoldResult rowEnd = e.min(e.add(row, rowsPerTask), rows);
    loop(plane, planeEnd, [&](Value p) {
      SmallVector<OpFoldResult> at = e.delinearize(p, {out.sizes[0], out.sizes[1]});
      for (int64_t v = 0; v < e.blockWidth() / lanes; ++v)
        emitPlane(at[0], at[1], v * lanes, row, rowEnd);
    });
  }

private:
  void loop(OpFoldResult first, OpFoldResult end, function_ref<void(Value)> body) {
    e.forLoop(first, end, e.constant(1), {}, [&](Value induction, ValueRange) {
      body(induction);
      return SmallVector<Value>();
    });
  }

  // The widest tile whose copies leave the smallest rest.
  static int64_t evenly(int64_t extent, int64_t limit) {
    int64_t pieces = llvm::divideCeil(extent, limit);
    return llvm::divideCeil(extent, pieces);
  }

  // `lanes` channels from `lane` on of one image and block.
  void emitPlane(OpFoldResult image, OpFoldResult block, int64_t lane, OpFoldResult row,
                 OpFoldResult rowEnd) {
    OpFoldResult zero = e.constant(0);
    SmallVector<OpFoldResult> at(weights.sizes.size(), zero);
    at.front() = block;
    at.back() = e.constant(lane);
    Value panel = e.at(weights, at);
    SmallVector<Value> held;
    if (hold)
      for (int64_t k = 0; k < window; ++k)
        held.push_back(weight(panel, k));
    OpFoldResult step = e.constant(tile);
    loop(row, rowEnd, [&](Value y) {
      OpFoldResult whole = e.mul(e.floorDiv(columns, step), step);
      auto piece = [&](OpFoldResult x, int64_t count) {
        emitPixels({image, block, y, x}, lane, panel, held, count);
      };
      e.forLoop(zero, whole, step, {}, [&](Value x, ValueRange) {
        piece(x, tile);
        return SmallVector<Value>();
      });
      OpFoldResult rest = e.rem(columns, step);
      if (auto count = constantOf(rest)) {
        if (*count)
          piece(whole, *count);
      } else {
        loop(whole, columns, [&](Value x) { piece(x, 1); });
      }
    });
  }

  // `lanes` channels so many elements behind the pointer.
  Value loadData(Value pointer, OpFoldResult elements) {
    Value place = e.offset(pointer, data.elementType, elements);
    Value loaded = e.load(place, data.elementType, lanes);
    if (!sumsBytes(op))
      return e.convert(loaded, element);
    OpBuilder &b = e.builder();
    if (op->hasAttr(kernel::shiftedName)) // plus 128, without a sign
      loaded =
          arith::XOrIOp::create(b, e.location(), loaded, e.splat(b.getI8IntegerAttr(-128), lanes));
    return arith::ExtUIOp::create(b, e.location(), VectorType::get({lanes}, element), loaded);
  }

  Value loadWeight(Value pointer, OpFoldResult elements) {
    Value place = e.offset(pointer, weights.elementType, elements);
    Value loaded = e.load(place, weights.elementType, lanes);
    if (!sumsBytes(op))
      return loaded;
    return arith::ExtSIOp::create(e.builder(), e.location(), VectorType::get({lanes}, element),
                                  loaded);
  }

  Value add(Value x, Value weight, Value sum) {
    if (!sumsBytes(op))
      return e.multiplyAdd(x, weight, sum);
    Value product =
        bytes.products(bytes.as(x, 2 * lanes, bitsInHalf), bytes.as(weight, 2 * lanes, bitsInHalf));
    return arith::AddIOp::create(e.builder(), e.location(), sum, product);
  }

  Value weight(Value panel, int64_t k) {
    OpFoldResult elements = e.add(e.mul(weights.strides[1], e.constant(k / op.getKernel()[1])),
                                  e.mul(weights.strides[2], e.constant(k % op.getKernel()[1])));
    return loadWeight(panel, elements);
  }

  // `count` pixels of a row. Without held weights, kernel elements are loops.
  void emitPixels(const TilePosition &position, int64_t lane, Value panel, ArrayRef<Value> held,
                  int64_t count) {
    ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
    Value origin =
        e.at(data, {position.image, position.block, e.mul(position.row, e.constant(strides[0])),
                    e.mul(position.column, e.constant(strides[1])), e.constant(lane)});
    TileExtent extent{lanes, 1, count};
    SmallVector<View> shiftedViews = shiftedExtras(lane);
    Value first = start.extra()
                      ? readCommon(e, shiftedViews[*start.extra()], position, extent, 0, lanes)
                      : e.splat(e.builder().getZeroAttr(element), lanes);
    SmallVector<Value> sums(count, first);
    int64_t kernelRows = op.getKernel()[0], kernelColumns = op.getKernel()[1];
    OpFoldResult rowStep = e.mul(data.strides[2], e.constant(dilations[0]));
    OpFoldResult columnStep = e.mul(data.strides[3], e.constant(dilations[1]));
    auto input = [&](Value line, int64_t x) {
      OpFoldResult elements = e.mul(data.strides[3], e.constant(x * strides[1]));
      return loadData(line, elements);
    };
    if (hold) {
      // Pixel by pixel within a kernel row, so that an input lives for the few
      // kernel columns that share it.
      for (int64_t ky = 0; ky < kernelRows; ++ky) {
        Value line = e.offset(origin, data.elementType, e.mul(rowStep, e.constant(ky)));
        for (int64_t x = 0; x < count; ++x)
          for (int64_t kx = 0; kx < kernelColumns; ++kx) {
            Value column = e.offset(line, data.elementType, e.mul(columnStep, e.constant(kx)));
            sums[x] = add(input(column, x), held[ky * kernelColumns + kx], sums[x]);
          }
      }
    } else {
      OpFoldResult zero = e.constant(0), one = e.constant(1);
      sums = e.forLoop(zero, e.constant(kernelRows), one, sums, [&](Value ky, ValueRange now) {
        Value line = e.offset(origin, data.elementType, e.mul(rowStep, ky));
        Value weightLine = e.offset(panel, weights.elementType, e.mul(weights.strides[1], ky));
        if (holdRow)
          return rowOfWindow(line, weightLine, now, input);
        if (group > 1)
          return group < lanes ? rowOfGroups(line, weightLine, now)
                               : rowOfWideGroups(line, weightLine, lane, now);
        auto columnsOf = [&](Value kx, ValueRange now) {
          Value column = e.offset(line, data.elementType, e.mul(columnStep, kx));
          SmallVector<Value> next(now);
          Value w = loadWeight(weightLine, e.mul(weights.strides[2], kx));
          for (int64_t x = 0; x < count; ++x)
            next[x] = add(input(column, x), w, next[x]);
          return next;
        };
        return e.forLoop(zero, e.constant(kernelColumns), one, now, columnsOf);
      });
    }
    SmallVector<SmallVector<Value>> pixels;
    for (Value sum : sums)
      pixels.push_back({sum});
    emitEpilogue(e, shifted(out, lane), shiftedViews, start.body(), position, extent, pixels);
  }

  // The pixels of a row that `count` outputs read in one kernel row, and where: each with the
  // outputs and the kernel columns.
  using Readers = std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>>;
  Readers readersOf(int64_t count) {
    Readers readers;
    for (int64_t x = 0; x < count; ++x)
      for (int64_t kx = 0; kx < op.getKernel()[1]; ++kx)
        readers[x * op.getStrides()[1] + kx * op.getDilations()[1]].push_back({x, kx});
    return readers;
  }

  // So many sums, their inputs and the weights of a kernel row and a channel fit the registers.
  int64_t tileOfGroups() {
    constexpr int64_t passing = 3; // a shuffled input, its indices, one on its way
    int64_t most = 14, free = e.target().vectorRegisters - passing - op.getKernel()[1];
    while (most > 1 && most + int64_t(readersOf(most).size()) > free)
      --most;
    return most;
  }

  // One kernel row of groups within a vector.
  SmallVector<Value> rowOfGroups(Value line, Value weightLine, ValueRange now) {
    SmallVector<Value> inputs;
    Readers readers = readersOf(now.size());
    for (const auto &[place, outputs] : readers)
      inputs.push_back(loadData(line, e.mul(data.strides[3], e.constant(place))));
    auto addChannel = [&](OpFoldResult channel, ValueRange now, auto spread) {
      SmallVector<Value> row, sums(now);
      for (int64_t kx = 0; kx < op.getKernel()[1]; ++kx)
        row.push_back(groupWeight(
            e.offset(weightLine, element, e.mul(weights.strides[2], e.constant(kx))), channel));
      for (auto [input, reader] : llvm::zip(inputs, readers)) {
        Value own = spread(input);
        for (auto [x, kx] : reader.second)
          sums[x] = e.multiplyAdd(own, row[kx], sums[x]);
      }
      return sums;
    };
    if (permutes())
      return e.forLoop(
          e.constant(0), e.constant(group), e.constant(1), now, [&](Value channel, ValueRange now) {
            Value places = placesOfChannel(channel);
            return addChannel(channel, now, [&](Value input) { return permuted(input, places); });
          });
    SmallVector<Value> sums(now);
    for (int64_t channel = 0; channel < group; ++channel)
      sums = addChannel(e.constant(channel), sums,
                        [&](Value input) { return shuffled(input, channel); });
    return sums;
  }

  Value groupWeight(Value panel, OpFoldResult channel) {
    return e.load(e.offset(panel, element, e.mul(weights.strides[3], channel)), element, lanes);
  }

  // A channel of each lane's group, to all lanes of it.
  Value shuffled(Value input, int64_t channel) {
    SmallVector<int64_t> from;
    for (int64_t i = 0; i < lanes; ++i)
      from.push_back(i / group * group + channel);
    return vector::ShuffleOp::create(e.builder(), e.location(), input, input, from);
  }

  // Whether the shuffle crosses parts of 128 bits of a vector of 512: LLVM makes two instructions
  // and a spill of those of one input, where it has their places.
  bool permutes() const {
    constexpr int64_t part = 4, parts = 4;
    return e.target().architecture() == "x86_64" && lanes == parts * part && group > part;
  }
  Value placesOfChannel(Value channel) {
    OpBuilder &b = e.builder();
    // 32 bits: channels of a vector.
    SmallVector<int32_t> first;
    for (int64_t i = 0; i < lanes; ++i)
      first.push_back(i / group * group);
    auto type = VectorType::get({lanes}, b.getI32Type());
    Value firsts = arith::ConstantOp::create(
        // 32 bits: channels of a vector.
        b, e.location(), DenseElementsAttr::get(type, ArrayRef<int32_t>(first)));
    // 32 bits: a channel of a vector.
    Value number = arith::IndexCastOp::create(b, e.location(), b.getI32Type(), channel);
    return arith::AddIOp::create(b, e.location(), firsts,
                                 vector::BroadcastOp::create(b, e.location(), type, number));
  }
  Value permuted(Value input, Value places) {
    return LLVM::CallIntrinsicOp::create(
               e.builder(), e.location(), input.getType(),
               e.builder().getStringAttr("llvm.x86.avx512.permvar.sf.512"),
               ValueRange{input, places})
        .getResult(0);
  }

  // The same of groups of a vector or more: a weight for all pixels, whose channels lie `lane`
  // before what `line` has.
  SmallVector<Value> rowOfWideGroups(Value line, Value weightLine, int64_t lane, ValueRange now) {
    auto addChannel = [&](Value channel, ValueRange now) {
      SmallVector<Value> sums(now);
      Value from = e.offset(e.offset(line, data.elementType, OpFoldResult(channel)),
                            data.elementType, e.constant(-(lane % group)));
      for (int64_t kx = 0; kx < op.getKernel()[1]; ++kx) {
        Value w = groupWeight(
            e.offset(weightLine, element, e.mul(weights.strides[2], e.constant(kx))), channel);
        for (auto [x, sum] : llvm::enumerate(sums)) {
          int64_t place = int64_t(x) * op.getStrides()[1] + kx * op.getDilations()[1];
          Value pixel = e.offset(from, data.elementType, e.mul(data.strides[3], e.constant(place)));
          Value one = e.convert(e.load(pixel, data.elementType, 1), element);
          sum = e.multiplyAdd(e.broadcast(one, lanes), w, sum);
        }
      }
      return sums;
    };
    return e.forLoop(e.constant(0), e.constant(group), e.constant(1), now, addChannel);
  }

  // One kernel row with its weights in registers.
  SmallVector<Value> rowOfWindow(Value line, Value weightLine, ValueRange now,
                                 function_ref<Value(Value line, int64_t x)> input) {
    SmallVector<Value> row, sums(now);
    OpFoldResult columnStep = e.mul(data.strides[3], e.constant(op.getDilations()[1]));
    for (int64_t kx = 0; kx < op.getKernel()[1]; ++kx)
      row.push_back(loadWeight(weightLine, e.mul(weights.strides[2], e.constant(kx))));
    for (size_t x = 0; x < sums.size(); ++x)
      for (auto [kx, w] : llvm::enumerate(row)) {
        Value column = e.offset(line, data.elementType, e.mul(columnStep, e.constant(kx)));
        sums[x] = add(input(column, x), w, sums[x]);
      }
    return sums;
  }

  // The view from channel `lane` of each block on.
  View shifted(const View &view, int64_t lane) {
    View result = view;
    result.pointer =
        e.offset(view.pointer, view.elementType, e.mul(view.strides[4], e.constant(lane)));
    return result;
  }
  SmallVector<View> shiftedExtras(int64_t lane) {
    SmallVector<View> views;
    for (const View &extra : extras)
      views.push_back(shifted(extra, lane));
    return views;
  }

  Emission e;
  kernel::DepthwiseOp op;
  View data, weights;
  ArrayRef<View> extras;
  View out;
  Type element;
  int64_t lanes, window, group, tile; // group: channels of one
  bool hold, holdRow;
  OpFoldResult rows, columns, allPlanes;
  SumStart start;
  BytePairs bytes;
  OpFoldResult planesPerTask, rowsPerTask, planeChunks, rowChunks;
};
} // namespace

static bool takesHalves(kernel::DepthwiseOp op, OpOperand &operand) {
  return operand != op.getWeightsMutable() && !sumsBytes(op);
}

static LogicalResult checkDepthwise(kernel::DepthwiseOp op, ArrayRef<View> operands,
                                    const TargetDescription &) {
  if (sumsBytes(op))
    return success();
  bool narrow = op->hasAttr(kernel::narrowName);
  for (auto [number, view] : llvm::enumerate(operands))
    if (!view.elementType.isF32() && (!narrow || number == 1))
      return op.emitError("internal error: depthwise of ")
             << view.elementType << "; it needs 'f32'";
  return success();
}

namespace symc::codegen {
void registerDepthwiseLowering(DialectRegistry &registry) {
  addEmitter<kernel::DepthwiseOp, DepthwiseNest, checkDepthwise, takesHalves>(registry);
}
} // namespace symc::codegen
