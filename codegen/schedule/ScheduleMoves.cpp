// ScheduleMoves.cpp: nodes that only move data. A reshape is another name for the
// same bytes, or of the same view; a transpose and a part with whole rows are views of them
// until somebody needs rows; concat and other parts are strided copies, between blocks of 16
// channels where values are blocked. What repeats is a view with steps of 0. A part of a blocked
// image that begins at a block is a view, with its steps as strides: nothing is copied.
#include "codegen/schedule/Schedule.h"
#include "ir/Clips.h"
#include "ir/ops/Patches.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static int64_t normalised(int64_t axis, size_t rank) {
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

// A view for those who can read with strides; a blocked image goes straight to rows.
static bool moveTranspose(TransposeOp op, Tensors &t) {
  Value data = op.getData(), result = op.getOutput();
  SmallVector<int64_t> order = op.getOrder();
  bool fromBlocks = t.hasBlocked(data) && !t.hasPlain(data);
  if (!fromBlocks && !t.headMemory.count(result)) {
    ViewSpec from = t.stridedView(data, op.getLoc()), permuted = from;
    for (auto [i, axis] : llvm::enumerate(order)) {
      permuted.sizes[i] = from.sizes[axis];
      permuted.strides[i] = from.strides[axis];
    }
    t.setStrided(result, permuted);
    return true;
  }
  ViewSpec to = t.createPlain(result, op.getLoc()), permuted = to;
  for (auto [i, axis] : llvm::enumerate(order)) {
    permuted.sizes[axis] = to.sizes[i];
    permuted.strides[axis] = to.strides[i];
  }
  if (!fromBlocks) {
    t.copy(t.stridedView(data, op.getLoc()), permuted, op.getLoc());
    return true;
  }
  if (permuted.sizes.size() == 3) {
    permuted.sizes.insert(permuted.sizes.begin() + 2, t.constant(1));
    permuted.strides.insert(permuted.strides.begin() + 2, t.constant(0));
  }
  t.pairPlanarBlocked(
      permuted, t.blockedView(data, {}, op.getLoc()),
      cast<AffineConstantExpr>(extentsOf(data)[1]).getValue(),
      [&](const ViewSpec &rows, const ViewSpec &blocks) { t.copy(blocks, rows, op.getLoc()); });
  return true;
}

// Channels [first, first + count) of `from` to those from `to` on, both blocked and
// counted from the views' first blocks: at most two runs of lanes meet.
static void copyChannels(const ViewSpec &from, const ViewSpec &to, int64_t channel, int64_t count,
                         Tensors &t, Location location) {
  auto lanes = [&](ViewSpec view, int64_t first, int64_t blocks, int64_t width) {
    view.offset = view.offset + view.strides[1] * (first / t.blockWidth) +
                  view.strides[4] * (first % t.blockWidth);
    view.sizes[1] = t.constant(blocks);
    view.sizes[4] = t.constant(width);
    return view;
  };
  auto run = [&](int64_t first, int64_t blocks, int64_t width) {
    if (blocks && width > 0)
      t.copy(lanes(from, first, blocks, width), lanes(to, channel + first, blocks, width),
             location);
  };
  int64_t whole = count / t.blockWidth, tail = count % t.blockWidth, shift = channel % t.blockWidth;
  run(0, whole, t.blockWidth - shift);
  run(t.blockWidth - shift, whole, shift);
  run(whole * t.blockWidth, 1, std::min(tail, t.blockWidth - shift));
  run(whole * t.blockWidth + t.blockWidth - shift, 1, tail - (t.blockWidth - shift));
}

// In blocks: what does not lie in its place already is copied there.
static bool concatBlocked(ConcatOp op, Tensors &t) {
  Value result = op.getOutput();
  if (t.placements.lookup(result).step > 1)
    return true; // depth_to_space has it
  ViewSpec out = t.hasBlocked(result) ? t.blockedView(result, {}, op.getLoc())
                                      : t.createBlocked(result, op.getLoc());
  bool ofImages = Scheduler::joinedAxis(op) == 0;
  int64_t image = 0, channel = 0;
  for (Value part : op->getOperands()) {
    int64_t count = cast<AffineConstantExpr>(extentsOf(part)[1]).getValue();
    auto place = t.placements.find(part);
    bool there = t.isInPlace(part) && place->second.whole == result &&
                 place->second.image == image && place->second.channel == channel;
    if (!there && channel % t.blockWidth == 0 && !t.hasBlocked(part)) {
      ViewSpec slot = out;
      slot.offset =
          slot.offset + slot.strides[0] * image + slot.strides[1] * (channel / t.blockWidth);
      slot.sizes[0] = t.imageShape(part)[0];
      t.pairPlanarBlocked(
          t.imageView(part, op.getLoc()), slot, count,
          [&](const ViewSpec &from, const ViewSpec &to) { t.copy(from, to, op.getLoc()); });
    } else if (!there) {
      ViewSpec from = t.blockedView(part, {}, op.getLoc()), slot = out;
      slot.offset = slot.offset + slot.strides[0] * image;
      slot.sizes[0] = from.sizes[0];
      copyChannels(from, slot, channel, count, t, op.getLoc());
    }
    if (ofImages)
      image += shapeOf(part.getType())[0].get();
    else
      channel += count;
  }
  return true;
}

// A view: the blocks of an image, and the images, lie behind each other.
static bool moveUnfold(UnfoldImagesOp op, Tensors &t, bool blocked) {
  Value data = op.getData(), result = op.getOutput();
  Location location = op.getLoc();
  auto unfold = [&](ViewSpec view) {
    view.sizes[0] = extentsOf(result)[0];
    view.sizes[1] = view.sizes[1] * op.getSize();
    view.strides[0] = view.strides[0] * op.getStep();
    return view;
  };
  if (!blocked) {
    ViewSpec windows = unfold(t.plainView(data, location));
    if (t.headMemory.count(result))
      t.copy(windows, t.createPlain(result, location), location);
    else
      t.setStrided(result, windows);
    return true;
  }
  ViewSpec images = t.blockedView(data, {}, location);
  if (images.strides[0] != images.strides[1] * images.sizes[1]) { // among other channels
    t.copy(images, t.createBlocked(data, location), location);
    images = t.blockedView(data, {}, location);
  }
  t.setBlocked(result, unfold(images), t.blockedHalo(data));
  return true;
}

static bool moveConcat(ConcatOp op, Tensors &t, bool blocked) {
  if (blocked)
    return concatBlocked(op, t);
  int64_t axis = normalised(op.getDim(), extentsOf(op.getOutput()).size());
  ViewSpec out = t.createPlain(op.getOutput(), op.getLoc());
  for (Value part : op->getOperands()) {
    ViewSpec from = t.stridedView(part, op.getLoc()), to = out;
    to.sizes[axis] = from.sizes[axis];
    t.copy(from, to, op.getLoc());
    out.offset = out.offset + out.strides[axis] * from.sizes[axis];
  }
  return true;
}

// Blocks of channels to the places of a block of pixels, or back: of `depth`, [N, b, b, C, H, W],
// each element lies where it does in `space`, [N, C, H, b, W, b].
static bool moveBetweenSpaceAndDepth(Operation *op, int64_t block, Tensors &t, bool blocked) {
  Location location = op->getLoc();
  bool toSpace = isa<DepthToSpaceOp>(op);
  Value data = op->getOperand(0), result = op->getResult(0);
  if (t.placements.lookup(data).step > 1) { // its parts are there, or go there now
    for (Value part : data.getDefiningOp()->getOperands())
      t.blockedView(part, {}, location);
    return true;
  }
  auto viewOf = [&](Value value, bool isRead) {
    if (blocked)
      return isRead ? t.blockedView(value, {}, location) : t.createBlocked(value, location);
    return isRead ? t.plainView(value, location) : t.createPlain(value, location);
  };
  ViewSpec read = viewOf(data, true), written = viewOf(result, false);
  ViewSpec &depth = toSpace ? read : written, &space = toSpace ? written : read;
  AffineExpr count = t.constant(block), channels = space.sizes[1]; // or blocks of them
  AffineExpr height = depth.sizes[2], width = depth.sizes[3];
  auto split = [&](ViewSpec view, AffineExpr row, AffineExpr column, int64_t step) {
    ArrayRef<AffineExpr> strides = view.strides;
    ViewSpec parts{view.base,
                   view.offset,
                   {view.sizes[0], count, count, channels, height, width},
                   {strides[0], row, column, strides[1], strides[2] * step, strides[3] * step}};
    if (blocked) {
      parts.sizes.push_back(view.sizes[4]);
      parts.strides.push_back(strides[4]);
    }
    return parts;
  };
  ViewSpec ofSpace = split(space, space.strides[2], space.strides[3], block);
  AffineExpr group = depth.strides[1] * channels;
  ViewSpec ofDepth = split(depth, group * block, group, 1);
  t.copy(toSpace ? ofDepth : ofSpace, toSpace ? ofSpace : ofDepth, location);
  return true;
}

// A view where nobody wants the result elsewhere and its rows fill vectors, else a copy.
static void setPart(Value result, const ViewSpec &part, Tensors &t, Location location) {
  bool fillsVectors = !part.sizes.empty() && part.strides.back() == t.constant(1) &&
                      t.rangeOf(part.sizes.back()).min >= t.blockWidth;
  if (fillsVectors && !t.headMemory.count(result))
    t.setStrided(result, part);
  else
    t.copy(part, t.createPlain(result, location), location);
}

// The part of `data` from `first` by `step` along each axis, as large as `result`.
static void movePart(Value data, Value result, ArrayRef<AffineExpr> first, ArrayRef<int64_t> step,
                     Tensors &t, Location location) {
  size_t rank = first.size();
  auto channel = rank > 1 ? dyn_cast<AffineConstantExpr>(first[1]) : AffineConstantExpr();
  if (t.hasBlocked(data) && channel && channel.getValue() % t.blockWidth == 0 && step[1] == 1 &&
      isa<AffineConstantExpr>(extentsOf(result)[1])) {
    ViewSpec part = t.blockedView(data, {}, location);
    SmallVector<AffineExpr, 4> image = t.imageShape(result);
    int64_t blocks = llvm::divideCeil(cast<AffineConstantExpr>(image[1]).getValue(), t.blockWidth);
    part.sizes = {image[0], t.constant(blocks), image[2], image[3], t.constant(t.blockWidth)};
    for (size_t i = 0; i < rank; ++i) {
      size_t axis = rank == 3 && i == 2 ? 3 : i; // a rank of 3 has one row
      part.offset =
          part.offset + part.strides[axis] * (i == 1 ? first[i].floorDiv(t.blockWidth) : first[i]);
      part.strides[axis] = part.strides[axis] * step[i];
    }
    bool whole = true; // all of each image, in some channels
    for (unsigned axis : {2u, 3u})
      whole &= part.sizes[axis] == t.imageShape(data)[axis];
    return t.setBlocked(result, part, whole ? t.blockedHalo(data) : Halo());
  }
  ViewSpec from = t.stridedView(data, location);
  SmallVector<AffineExpr, 4> extents = extentsOf(result);
  from.sizes.assign(extents.begin(), extents.end());
  for (size_t i = 0; i < rank; ++i) {
    from.offset = from.offset + from.strides[i] * first[i];
    from.strides[i] = from.strides[i] * step[i];
  }
  setPart(result, from, t, location);
}

// The place where a part begins; negative places count from the end.
static AffineExpr firstOf(int64_t begin, AffineExpr extent, Tensors &t) {
  if (begin == kNoneElement)
    return t.constant(0);
  auto known = dyn_cast<AffineConstantExpr>(extent);
  if (!known)
    return begin < 0 ? extent + begin : t.constant(begin);
  int64_t count = known.getValue();
  return t.constant(std::clamp<int64_t>(begin < 0 ? begin + count : begin, 0, count));
}

// The same by MXNet's rule where parts are clipped; null where the graph has no size for it.
static AffineExpr clippedFirst(SliceOp op, unsigned axis, AffineExpr extent, Tensors &t) {
  if (isa<AffineConstantExpr>(extent) || !Clipping::isOn(op, extent))
    return firstOf(op.getBegin()[axis], extent, t);
  return Clipping(op, /*mayAdd=*/false)
      .begin(extent, op.getBegin()[axis], /*step=*/1, axis)
      .getExpr();
}

// Slices with steps forwards; others go to the reference kernel.
static bool moveSlice(SliceOp op, Tensors &t) {
  SmallVector<AffineExpr, 4> extents = extentsOf(op.getData());
  SmallVector<AffineExpr, 4> first(extents.size(), t.constant(0));
  SmallVector<int64_t, 4> step(extents.size(), 1);
  for (size_t i = 0; i < op.getBegin().size(); ++i) {
    first[i] = clippedFirst(op, i, extents[i], t);
    if (!first[i])
      return false;
    if (!op.getStep().empty() && op.getStep()[i] != kNoneElement)
      step[i] = op.getStep()[i];
    if (step[i] < 1)
      return false;
  }
  movePart(op.getData(), op.getOutput(), first, step, t, op.getLoc());
  return true;
}

static bool moveSliceAxis(SliceAxisOp op, Tensors &t) {
  SmallVector<AffineExpr, 4> extents = extentsOf(op.getData());
  SmallVector<AffineExpr, 4> first(extents.size(), t.constant(0));
  int64_t axis = normalised(op.getAxis(), extents.size());
  first[axis] = firstOf(op.getBegin(), extents[axis], t);
  movePart(op.getData(), op.getOutput(), first, SmallVector<int64_t, 4>(extents.size(), 1), t,
           op.getLoc());
  return true;
}

static bool moveSplit(SliceChannelOp op, Tensors &t) {
  SmallVector<AffineExpr, 4> extents = extentsOf(op.getData());
  if (!op.getSqueezeAxis()) {
    int64_t axis = normalised(op.getAxis(), extents.size());
    AffineExpr place = t.constant(0);
    for (Value result : op->getResults()) {
      SmallVector<AffineExpr, 4> first(extents.size(), t.constant(0));
      first[axis] = place;
      movePart(op.getData(), result, first, SmallVector<int64_t, 4>(extents.size(), 1), t,
               op.getLoc());
      place = place + extentsOf(result)[axis];
    }
    return true;
  }
  ViewSpec from = t.stridedView(op.getData(), op.getLoc());
  int64_t axis = normalised(op.getAxis(), extents.size());
  AffineExpr step = from.strides[axis]; // parts have an extent of 1, which results do without
  from.sizes.erase(from.sizes.begin() + axis);
  from.strides.erase(from.strides.begin() + axis);
  for (Value result : op->getResults()) {
    setPart(result, from, t, op.getLoc());
    from.offset = from.offset + step;
  }
  return true;
}

// Extents of 1 that repeat: a view for those who can read with strides, where the last one does
// not.
static bool moveBroadcast(Operation *op, Tensors &t) {
  Value data = op->getOperand(0), result = op->getResult(0);
  SmallVector<AffineExpr, 4> wanted = extentsOf(result), have = extentsOf(data);
  if (wanted.empty() || wanted.size() != have.size())
    return false;
  ViewSpec view = t.plainView(data, op->getLoc());
  for (size_t i = 0; i < wanted.size(); ++i)
    if (have[i] != wanted[i]) {
      if (have[i] != t.constant(1))
        return false;
      view.sizes[i] = wanted[i];
      view.strides[i] = t.constant(0);
    }
  if (t.headMemory.count(result) || wanted.back() != have.back())
    t.copy(view, t.createPlain(result, op->getLoc()), op->getLoc());
  else
    t.setStrided(result, view);
  return true;
}

// The view's elements in other extents, where strides have each of them; of extents that are
// known at run time only those that stay.
static std::optional<ViewSpec> reshaped(const ViewSpec &view, ArrayRef<AffineExpr> extents,
                                        Tensors &t) {
  AffineExpr one = t.constant(1);
  ViewSpec result{view.base, view.offset, {extents.begin(), extents.end()}, {}};
  result.strides.assign(extents.size(), t.constant(0));
  size_t from = 0, to = 0, rank = view.sizes.size();
  auto skipOnes = [&] {
    while (from < rank && view.sizes[from] == one)
      ++from;
    while (to < extents.size() && extents[to] == one)
      ++to;
  };
  for (skipOnes(); from < rank && to < extents.size(); skipOnes()) {
    size_t firstFrom = from, firstTo = to; // of extents with one product
    AffineExpr have = view.sizes[from++], want = extents[to++];
    while (have != want) {
      auto known = dyn_cast<AffineConstantExpr>(have), wanted = dyn_cast<AffineConstantExpr>(want);
      if (!known || !wanted ||
          (known.getValue() < wanted.getValue() ? from == rank : to == extents.size()))
        return std::nullopt;
      if (known.getValue() < wanted.getValue())
        have = have * view.sizes[from++];
      else
        want = want * extents[to++];
    }
    for (size_t i = firstFrom; i + 1 < from; ++i)
      if (view.strides[i] != view.strides[i + 1] * view.sizes[i + 1])
        return std::nullopt;
    AffineExpr stride = view.strides[from - 1];
    for (size_t i = to; i-- > firstTo; stride = stride * extents[i])
      result.strides[i] = stride;
  }
  return from == rank && to == extents.size() ? std::optional(result) : std::nullopt;
}

static void moveReshape(ReshapeOp op, Tensors &t) {
  Value data = op.getData(), result = op.getOutput();
  if (t.isStrided(data) && !t.headMemory.count(result))
    if (auto view = reshaped(t.stridedView(data, op.getLoc()), extentsOf(result), t))
      return t.setStrided(result, *view);
  t.alias(result, data, op.getLoc());
}

bool Scheduler::scheduleMove(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    moveReshape(reshape, t);
    return true;
  }
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return moveTranspose(transpose, t);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return moveConcat(concat, t, writesBlocks(op));
  if (auto split = dyn_cast<SliceChannelOp>(op))
    return moveSplit(split, t);
  if (options.referenceOnly)
    return false;
  if (auto unfold = dyn_cast<UnfoldImagesOp>(op))
    return moveUnfold(unfold, t, writesBlocks(op));
  if (auto spread = dyn_cast<DepthToSpaceOp>(op))
    return moveBetweenSpaceAndDepth(op, spread.getBlockSize(), t, writesBlocks(op));
  if (auto gather = dyn_cast<SpaceToDepthOp>(op))
    return moveBetweenSpaceAndDepth(op, gather.getBlockSize(), t, writesBlocks(op));
  if (isa<BroadcastToOp, BroadcastAxisOp>(op))
    return moveBroadcast(op, t);
  if (auto slice = dyn_cast<SliceOp>(op))
    return moveSlice(slice, t);
  if (auto slice = dyn_cast<SliceAxisOp>(op))
    return moveSliceAxis(slice, t);
  return false;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

int64_t Scheduler::bytesOf(Value value) {
  int64_t bytes = elementTypeOf(value.getType()).getIntOrFloatBitWidth() / 8;
  for (AffineExpr extent : extentsOf(value)) {
    auto known = dyn_cast<AffineConstantExpr>(extent);
    bytes *= known ? known.getValue() : 64;
  }
  return bytes;
}

std::optional<int64_t> Scheduler::channelsOf(Value value) {
  SmallVector<AffineExpr, 4> extents = extentsOf(value);
  auto channels = extents.size() == 3 || extents.size() == 4
                      ? dyn_cast<AffineConstantExpr>(extents[1])
                      : AffineConstantExpr();
  return channels ? std::optional<int64_t>(channels.getValue()) : std::nullopt;
}

int64_t Scheduler::joinedAxis(Operation *concat) {
  auto op = cast<ConcatOp>(concat);
  return normalised(op.getDim(), extentsOf(op.getOutput()).size());
}

bool Scheduler::holdsWholeImages(Operation *op) {
  if (isa<UnfoldImagesOp>(op) || channelStart(op, 0))
    return true;
  if (!isa<SliceOp, SliceAxisOp>(op) || !channelsOf(op->getOperand(0)))
    return false;
  SmallVector<AffineExpr, 4> data = extentsOf(op->getOperand(0)),
                             part = extentsOf(op->getResult(0));
  return ArrayRef<AffineExpr>(data).drop_front() == ArrayRef<AffineExpr>(part).drop_front();
}

std::optional<int64_t> Scheduler::channelStart(Operation *op, unsigned result) {
  auto axisIs1 = [&](int64_t axis) {
    return axis == 1 || axis + static_cast<int64_t>(extentsOf(op->getOperand(0)).size()) == 1;
  };
  if (!op->getNumOperands() || !channelsOf(op->getOperand(0)))
    return std::nullopt;
  if (auto split = dyn_cast<SliceChannelOp>(op))
    if (axisIs1(split.getAxis()) && !split.getSqueezeAxis())
      return result * *channelsOf(op->getResult(0));
  if (auto slice = dyn_cast<SliceAxisOp>(op))
    if (axisIs1(slice.getAxis())) {
      int64_t begin = slice.getBegin();
      return begin < 0 ? begin + *channelsOf(op->getOperand(0)) : begin;
    }
  return std::nullopt;
}

// What is joined or cut along channels at whole blocks costs nothing there but for parts of a
// concatenation that begin elsewhere; in rows it is copied.
static RuleForms formsOfMove(Operation *op, const Tensors &t) {
  auto either = [&](bool possible, int64_t costIfBlocked) {
    int64_t bytes = 0;
    for (Value result : op->getResults())
      bytes += Scheduler::bytesOf(result);
    return possible ? RuleForms{RuleForms::Either, 2 * bytes, costIfBlocked} : RuleForms();
  };
  auto isKnown = [](Value value) { return Scheduler::channelsOf(value).has_value(); };
  // Lanes beyond the last channel hold anything: harmless in floats, not as divisors.
  if (!t.layerElements(op->getResult(0)))
    return {};
  if (auto unfold = dyn_cast<UnfoldImagesOp>(op)) {
    bool atBlock =
        isKnown(unfold.getData()) && *Scheduler::channelsOf(unfold.getData()) % t.blockWidth == 0;
    return atBlock ? RuleForms{RuleForms::Either, 0, 0} : RuleForms();
  }
  if (isa<DepthToSpaceOp, SpaceToDepthOp>(op)) {
    Value space = isa<DepthToSpaceOp>(op) ? op->getResult(0) : op->getOperand(0);
    return either(isKnown(space) && *Scheduler::channelsOf(space) % t.blockWidth == 0,
                  2 * Scheduler::bytesOf(op->getResult(0)));
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    int64_t axis = Scheduler::joinedAxis(concat), channel = 0, copied = 0;
    if (axis > 1 || !llvm::all_of(op->getOperands(), isKnown))
      return {};
    if (axis == 0)
      return either(llvm::all_of(op->getOperands(),
                                 [](Value part) { return shapeOf(part.getType())[0].isStatic(); }),
                    0);
    for (Value part : op->getOperands()) {
      copied += channel % t.blockWidth ? Scheduler::bytesOf(part) : 0;
      channel += *Scheduler::channelsOf(part);
    }
    return either(true, 2 * copied);
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    ArrayRef<int64_t> begin = slice.getBegin(), step = slice.getStep();
    bool atBlock = begin.size() < 2 || begin[1] == kNoneElement || begin[1] % t.blockWidth == 0;
    bool dense = step.size() < 2 || step[1] == kNoneElement || step[1] == 1;
    return either(isKnown(slice.getData()) && isKnown(slice.getOutput()) && atBlock && dense, 0);
  }
  std::optional<int64_t> start = Scheduler::channelStart(op, 0);
  return either(start && *start % t.blockWidth == 0 &&
                    *Scheduler::channelsOf(op->getResult(0)) % t.blockWidth == 0,
                0);
}

const Scheduler::Rule Scheduler::moveRule = {
    "move", Rule::Always,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      if (!isa<ReshapeOp, TransposeOp, ConcatOp, SliceChannelOp, BroadcastToOp, BroadcastAxisOp,
               SliceOp, SliceAxisOp, UnfoldImagesOp, DepthToSpaceOp, SpaceToDepthOp>(group.op))
        return std::nullopt;
      return formsOfMove(group.op, s.t);
    },
    [](Scheduler &s, Group &group) { return s.scheduleMove(group.op); }};
