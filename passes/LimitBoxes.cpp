// LimitBoxes.cpp: sg-limit-boxes.
//
//   slice_axis(box_nms(x), axis = -2, begin = 0, end = 100)
//       ->  slice_axis(box_nms(x) {rows = 100}, axis = -2, begin = 0, end = 100)
//
// Detectors keep the best boxes of many: who orders and holds them against each other need not go
// on behind the last one that is read.
#include "ir/GraphDialect.h"
#include "ir/ops/Detection.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace symc {
#define GEN_PASS_DEF_LIMITBOXES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

// The place that a slice's `end` names along an axis, at most `extent`; `extent` where it is not
// known.
static int64_t placeOf(std::optional<int64_t> end, int64_t extent) {
  if (!end || *end == kNoneElement)
    return extent;
  int64_t place = *end < 0 ? *end + extent : *end;
  return place < 0 ? extent : std::min(place, extent);
}

// How many of the first places along `axis` of `data` its reader reads.
static int64_t placesRead(Operation *reader, const Shape &data, int64_t axis) {
  const int64_t extent = data[axis].get(), rank = data.rank();
  return llvm::TypeSwitch<Operation *, int64_t>(reader)
      .Case([&](SliceAxisOp op) {
        int64_t cut = op.getAxis();
        return (cut < 0 ? cut + rank : cut) == axis ? placeOf(op.getEnd(), extent) : extent;
      })
      .Case([&](SliceOp op) {
        if (axis >= int64_t(op.getEnd().size()) ||
            (!op.getStep().empty() && op.getStep()[axis] < 0))
          return extent;
        return placeOf(op.getEnd()[axis], extent);
      })
      .Default(extent);
}

namespace {

struct LimitBoxes : symc::impl::LimitBoxesBase<LimitBoxes> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      for (auto nms : graph.getBlock().getOps<BoxNmsOp>())
        limit(nms);
  }

  static void limit(BoxNmsOp nms) {
    Value boxes = nms.getOutput0();
    Shape shape = shapeOf(boxes.getType());
    int64_t axis = shape.rank() - 2;
    if (!shape[axis].isStatic() || boxes.use_empty())
      return;
    int64_t rows = 0;
    for (Operation *reader : boxes.getUsers())
      rows = std::max(rows, placesRead(reader, shape, axis));
    if (rows == shape[axis].get())
      return;
    nms.setRows(rows);
    remark::passed(nms.getLoc(), remark::RemarkOpts::name("rows")
                                     .category("sg-limit-boxes")
                                     .function(nms->getParentOfType<GraphOp>().getSymName()))
        << ("'" + nodeName(nms) + "' ends behind " + Twine(rows) + " boxes of " +
            Twine(shape[axis].get()) + ", those that are read")
               .str();
  }
};

} // namespace
