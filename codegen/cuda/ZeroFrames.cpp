// ZeroFrames.cpp: see ZeroFrames.h.
#include "codegen/cuda/ZeroFrames.h"

#include "codegen/cuda/steps/ConvViews.h"
#include "codegen/kernel/ViewOrigin.h"

using namespace mlir;

namespace symc::codegen::cuda {

constexpr int64_t mostTaps = 32; // bits of a mask

bool leavesOutZeros(kernel::ConvOp conv) {
  kernel::Padding zero = kernel::paddingOf(conv.getZerosAttr());
  auto data = cast<MemRefType>(conv.getData().getType());
  return zero.top + zero.bottom + zero.left + zero.right > 0 && !data.isDynamicDim(2) &&
         !data.isDynamicDim(3) && conv.getKernel()[0] * conv.getKernel()[1] <= mostTaps &&
         !hasOnePixel(conv);
}

namespace {

using Place = kernel::KnownView;

/// Rows and columns of an image, all of them in every channel.
struct Box {
  int64_t top, bottom, left, right; // the ends exclusive
  bool meets(const Box &other) const {
    return top < other.bottom && other.top < bottom && left < other.right && other.left < right;
  }
};

/// All that touches a buffer.
struct Accesses {
  SmallVector<kernel::FillOp> fills = {};
  SmallVector<OpOperand *> reads = {};
};

} // namespace

// Of a view, in the rows and columns of data [N, B, H, W, L]: where axes are those of the data.
static std::optional<Box> boxOf(const Place &view, const Place &data) {
  int64_t row = data.strides[2], column = data.strides[3], at = view.offset - data.offset;
  if (at < 0 || row < data.sizes[3] * column)
    return std::nullopt;
  Box box{at / row, at / row + 1, at % row / column, at % row / column + 1};
  if (at % row % column != 0 || box.top >= data.sizes[2] || box.left >= data.sizes[3])
    return std::nullopt;
  for (auto [size, stride] : llvm::zip(view.sizes, view.strides)) {
    if (size == 1)
      continue;
    if (stride == row)
      box.bottom += size - 1;
    else if (stride == column)
      box.right += size - 1;
    else if (stride != data.strides[0] && stride != data.strides[1] && stride != data.strides[4])
      return std::nullopt;
  }
  return box;
}

// Strides of which a view's axes can be told.
static bool hasDistinctAxes(const Place &data) {
  for (unsigned a : {2u, 3u})
    for (unsigned b = 0; b < 5; ++b)
      if (a != b && data.sizes[b] != 1 && data.strides[a] == data.strides[b])
        return false;
  return data.sizes.size() == 5 && data.strides[3] > 0;
}

static bool findAccesses(Value value, Accesses &found) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (kernel::isView(user)) {
      if (!findAccesses(user->getResult(0), found))
        return false;
      continue;
    }
    auto step = dyn_cast<kernel::StepInterface>(user);
    if (!step)
      return false;
    auto fill = dyn_cast<kernel::FillOp>(user);
    auto zero = fill ? dyn_cast<FloatAttr>(fill.getValue()) : FloatAttr();
    auto none = fill ? dyn_cast<IntegerAttr>(fill.getValue()) : IntegerAttr();
    if ((zero && zero.getValue().isPosZero()) || (none && none.getValue().isZero()))
      found.fills.push_back(fill);
    else if (llvm::is_contained(step.getInputs(), use.get()))
      found.reads.push_back(&use);
  }
  return true;
}

// The step whose data is read and that leaves zeros out; null of any other read.
static kernel::ConvOp readerOf(OpOperand *read) {
  auto conv = dyn_cast<kernel::ConvOp>(read->getOwner());
  bool leavesOut = conv && *read == conv.getDataMutable() && leavesOutZeros(conv);
  return leavesOut ? conv : kernel::ConvOp();
}

static bool touches(OpOperand *read, const Box &frame, const Place &data) {
  std::optional<Place> place = kernel::traceKnownView(read->get());
  if (!place)
    return true;
  if (kernel::ConvOp conv = readerOf(read); conv && *place == data) {
    kernel::Padding zero = kernel::paddingOf(conv.getZerosAttr());
    return frame.meets(
        {zero.top, data.sizes[2] - zero.bottom, zero.left, data.sizes[3] - zero.right});
  }
  std::optional<Box> box = boxOf(*place, data);
  return !box || frame.meets(*box);
}

static void dropFill(kernel::FillOp fill) {
  Operation *view = fill.getTarget().getDefiningOp();
  fill.erase();
  if (kernel::isView(view) && view->use_empty())
    view->erase();
}

static void dropFrames(kernel::BufferOp buffer) {
  Accesses all;
  if (!findAccesses(buffer, all))
    return;
  auto reader = llvm::find_if(all.reads, [](OpOperand *read) { return bool(readerOf(read)); });
  std::optional<Place> data;
  if (reader != all.reads.end())
    data = kernel::traceKnownView((*reader)->get());
  if (!data || !hasDistinctAxes(*data))
    return;
  for (kernel::FillOp fill : all.fills) {
    std::optional<Place> place = kernel::traceKnownView(fill.getTarget());
    std::optional<Box> frame = place ? boxOf(*place, *data) : std::nullopt;
    if (frame &&
        llvm::none_of(all.reads, [&](OpOperand *read) { return touches(read, *frame, *data); }))
      dropFill(fill);
  }
}

void dropFrames(kernel::ProgramOp program) {
  SmallVector<kernel::BufferOp> buffers(program.getBody().getOps<kernel::BufferOp>());
  for (kernel::BufferOp buffer : buffers)
    dropFrames(buffer);
}

} // namespace symc::codegen::cuda
