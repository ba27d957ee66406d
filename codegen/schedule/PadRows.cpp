// PadRows.cpp: see PadRows.h.
#include "codegen/schedule/PadRows.h"

#include "codegen/kernel/AttentionOps.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/Tensors.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t lineBytes = 64;
static constexpr int64_t setsBytes = 2048; // lines so far apart share two sets of L1
static constexpr int64_t fewRows = 8;      // that a set holds in all processors of a target

// Of a matrix in row-major order: elements of a row.
static int64_t rowOf(kernel::BufferOp buffer) {
  ArrayRef<int64_t> shape = cast<MemRefType>(buffer.getType()).getShape();
  return shape.empty() || ShapedType::isDynamic(shape.back()) ? 0 : shape.back();
}

// Whether the layer reads many rows of the matrix at once, one pixel each.
static bool readsRows(kernel::ConvOp conv, int64_t row) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto data = cast<MemRefType>(conv.getData().getType());
  if (failed(data.getStridesAndOffset(strides, offset)))
    return false;
  int64_t pixels = data.getDimSize(3);
  return strides[3] == row && (ShapedType::isDynamic(pixels) || pixels > fewRows);
}

// Steps whose code follows the strides of what they read and write.
static bool followsStrides(Operation *step) {
  return isa<kernel::ConvOp, kernel::ReduceOp, kernel::AttentionOp, kernel::LoopsOp, kernel::CopyOp,
             kernel::FillOp>(step);
}

// The view of the same elements once a row takes `padded`: each extent walks inside of a row, or
// from row to row.
static std::optional<ViewSpec> spread(const kernel::ViewOrigin &view, int64_t row, int64_t padded) {
  ViewSpec spec{view.root, view.offset, {}, {}};
  int64_t last = 0; // element of a row that is reached
  auto offset = dyn_cast<AffineConstantExpr>(view.offset);
  if (!offset)
    return std::nullopt;
  last = offset.getValue() % row;
  spec.offset =
      getAffineConstantExpr(offset.getValue() / row * padded + last, view.offset.getContext());
  for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides)) {
    spec.sizes.push_back(size);
    if (stride.isMultipleOf(row)) {
      spec.strides.push_back(stride.floorDiv(row) * padded);
      continue;
    }
    auto step = dyn_cast<AffineConstantExpr>(stride), count = dyn_cast<AffineConstantExpr>(size);
    if (!step || !count)
      return std::nullopt;
    last += step.getValue() * (count.getValue() - 1);
    spec.strides.push_back(stride);
  }
  return last < row ? std::optional(spec) : std::nullopt;
}

static void padRowsOf(kernel::BufferOp buffer, const Target &target) {
  int64_t row = rowOf(buffer);
  int64_t bytes = kernel::elementBytes(cast<MemRefType>(buffer.getType()).getElementType());
  if (row == 0 || row * bytes % setsBytes != 0)
    return;
  SmallVector<Value> views;
  SmallVector<OpOperand *> accesses;
  if (!kernel::collectAccesses(buffer.getResult(), views, accesses))
    return;
  kernel::ConvOp reader;
  for (OpOperand *access : accesses)
    if (auto conv = dyn_cast<kernel::ConvOp>(access->getOwner());
        conv && *access == conv.getDataMutable() && readsRows(conv, row))
      reader = conv;
  if (!reader)
    return;
  int64_t padded = row + lineBytes / bytes;
  SmallVector<ViewSpec> specs;
  for (OpOperand *access : accesses) {
    if (!followsStrides(access->getOwner()))
      return;
    FailureOr<kernel::ViewOrigin> view = kernel::traceView(access->get());
    std::optional<ViewSpec> spec;
    if (succeeded(view))
      spec = spread(*view, row, padded);
    if (!spec)
      return;
    specs.push_back(*spec);
  }
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = padded;
  buffer.getResult().setType(MemRefType::get(shape, type.getElementType()));
  for (auto [access, spec] : llvm::zip_equal(accesses, specs)) {
    Operation *step = access->getOwner();
    OpBuilder builder(step);
    Tensors t(builder, buffer->getParentOfType<kernel::ProgramOp>(), target);
    access->set(t.materialise(spec, step->getLoc()));
  }
  for (Value view : llvm::reverse(ArrayRef(views).drop_front()))
    view.getDefiningOp()->erase();
  std::string text =
      llvm::formatv("rows of its data lie {0} bytes apart instead of {1}, at which they "
                    "share one or two sets of L1",
                    padded * bytes, row * bytes);
  remark::passed(reader.getLoc(), remark::RemarkOpts::name("rows").category("kernel-pad-rows"))
      << text;
}

void symc::codegen::padRows(kernel::ProgramOp program, const Target &target) {
  SmallVector<kernel::BufferOp> buffers(program.getBody().front().getOps<kernel::BufferOp>());
  for (kernel::BufferOp buffer : buffers)
    padRowsOf(buffer, target);
}
