// Detection.cpp: shapes and parameter checks of the operators on boxes; the numbered
// constraints are those of Detection.td.
#include "ir/ops/Detection.h"
#include "ir/Conditions.h"
#include "ir/RowScratch.h"
#include "ir/ValueSizes.h"

#include "ir/Windows.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Detection.cpp.inc"

void symc::sg::registerDetectionOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Detection.cpp.inc"
      >();
}

static std::string floatsText(ArrayRef<double> values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "(";
  llvm::interleaveComma(values, stream, [&](double value) { stream << llvm::format("%g", value); });
  stream << ")";
  return text;
}

static std::string badFloats(StringRef name, const ParamView &params, StringRef needs) {
  return ("parameter '" + name + "' is " + floatsText(params.getFloats(name)) + ", needs " + needs)
      .str();
}

static std::string checkVariances(const ParamView &params) {
  if (params.getFloats("variances").size() == 4)
    return {};
  return badFloats("variances", params, "four numbers");
}

static LogicalResult checkAtLeast(ShapeScope &scope, StringRef name, const Shape &shape,
                                  size_t axis, int64_t least) {
  if (!shape.isRanked())
    return success();
  return scope.need(atLeast(shape[axis], least), [&](raw_ostream &message) {
    message << name << " has shape " << shape.str() << ", needs at least " << least
            << " along axis " << axis;
  });
}

static LogicalResult checkLeastRank(ShapeScope &scope, size_t operand, StringRef name,
                                    size_t rank) {
  const Shape &shape = scope.input(operand);
  if (!shape.isRanked() || shape.rank() >= rank)
    return success();
  return scope.error() << name << " has shape " << shape.str() << ", needs a rank of at least "
                       << rank;
}

// Bytes of one piece of scratch: elements of `bytes` each, rounded up as the kernels do.
static CheckedSize piece(CheckedSize count, int64_t bytes) { return alignTo(count * bytes, 64); }

// Boxes that stay, in groups of 32 (runtime/kernels/irregular/suppression.h): edges and area, kind.
static CheckedSize staying(CheckedSize count, int64_t bytes) {
  count = alignTo(count, 32);
  return 5 * piece(count, bytes) + piece(count, 4);
}

// Lists: what stands before the last two extents.
static CheckedSize rowsOf(const LargestShapes &shapes) {
  CheckedSize rows = 1;
  for (CheckedSize extent : ArrayRef(shapes.operands[0]).drop_back(2))
    rows *= extent;
  return rows;
}

//===----------------------------------------------------------------------===//
// multibox_prior, multibox_target, multibox_detection
//===----------------------------------------------------------------------===//

std::string MultiBoxPriorOp::checkParams(const ParamView &params) { // C1
  for (StringRef name : {"sizes", "ratios"})
    if (params.getFloats(name).empty())
      return badFloats(name, params, "at least one number");
  ArrayRef<double> steps = params.getFloats("steps"), offsets = params.getFloats("offsets");
  if (steps.size() != 2 || steps[0] * steps[1] < 0)
    return badFloats("steps", params, "two numbers of one sign");
  if (offsets.size() != 2 || llvm::any_of(offsets, [](double at) { return !(at >= 0 && at <= 1); }))
    return badFloats("offsets", params, "two numbers between 0 and 1");
  return {};
}

LogicalResult MultiBoxPriorOp::inferShape(ShapeScope &scope) {
  if (failed(checkLeastRank(scope, 0, "data", 4))) // C2
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  for (size_t axis : {2, 3})
    if (failed(checkAtLeast(scope, "data", data, axis, 1))) // C2
      return failure();
  int64_t anchors = getSizes().size() + getRatios().size() - 1;
  return scope.refineOutput(0, Shape({scope.dim(1), data[2] * data[3] * anchors, scope.dim(4)}));
}

// anchor is [1, A, 4].
static LogicalResult refineAnchor(ShapeScope &scope, size_t operand, Dim anchors) {
  if (failed(scope.refineInput(operand, Shape({scope.dim(1), anchors, scope.dim(4)}))))
    return failure();
  return checkAtLeast(scope, "anchor", scope.input(operand), 1, 1);
}

std::string MultiBoxTargetOp::checkParams(const ParamView &params) { // C1
  double thresh = params.getFloat("negative_mining_thresh");
  if (params.getFloat("negative_mining_ratio") > 0 && !(thresh > 0))
    return "parameter 'negative_mining_thresh' is " + floatsText({thresh}) +
           ", needs a number above 0 with negative_mining_ratio";
  return checkVariances(params);
}

LogicalResult MultiBoxTargetOp::inferShape(ShapeScope &scope) {
  const Shape &classes = scope.input(2), &label = scope.input(1);
  Dim anchors = classes.isRanked() && classes.rank() == 3 ? classes[2] : Dim();
  if (failed(refineAnchor(scope, 0, anchors))) // C2
    return failure();
  anchors = scope.input(0)[1];
  Dim items = classes.isRanked() ? classes[0] : Dim();
  if (failed(scope.refineInput(1, Shape({items, Dim(), Dim()}))) || // C3
      failed(checkAtLeast(scope, "label", label, 1, 1)) ||
      failed(checkAtLeast(scope, "label", label, 2, 5)))
    return failure();
  items = label[0];
  if (failed(scope.refineInput(2, Shape({items, Dim(), anchors})))) // C4
    return failure();
  for (unsigned i : {0, 1})
    if (failed(scope.refineOutput(i, Shape({items, anchors * 4}))))
      return failure();
  return scope.refineOutput(2, Shape({items, anchors}));
}

CheckedSize MultiBoxTargetOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize anchors = shapes.operands[0][1], labels = shapes.operands[1][1];
  // Overlaps; for each anchor two numbers, three places and its state; a flag of each label.
  return rowScratchBytes(shapes, shapes.operands[1][0],
                         piece(anchors * labels, 4) + 2 * piece(anchors, 4) +
                             3 * piece(anchors, 8) + piece(anchors, 1) + piece(labels, 1));
}

std::string MultiBoxDetectionOp::checkParams(const ParamView &params) {
  return checkVariances(params); // C1
}

LogicalResult MultiBoxDetectionOp::inferShape(ShapeScope &scope) {
  const Shape &scores = scope.input(0);
  Dim anchors = scores.isRanked() && scores.rank() == 3 ? scores[2] : Dim();
  if (failed(refineAnchor(scope, 2, anchors))) // C2
    return failure();
  anchors = scope.input(2)[1];
  if (failed(scope.refineInput(0, Shape({Dim(), Dim(), anchors}))) || // C3
      failed(scope.refineInput(1, Shape({scores[0], anchors * 4}))))
    return failure();
  return scope.refineOutput(0, Shape({scores[0], anchors, scope.dim(6)}));
}

CheckedSize MultiBoxDetectionOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize anchors = shapes.operands[0][2];
  // Rows, those that stay, and twice their order.
  return rowScratchBytes(shapes, shapes.operands[0][0],
                         piece(anchors * 6, 8) + staying(anchors, 8) + 2 * piece(anchors, 8));
}

//===----------------------------------------------------------------------===//
// proposal
//===----------------------------------------------------------------------===//

int64_t ProposalOp::countResults(const ParamView &params) {
  return params.getBool("output_score") ? 2 : 1;
}

std::string ProposalOp::checkParams(const ParamView &params) { // C1
  for (StringRef name : {"scales", "ratios"}) {
    ArrayRef<double> values = params.getFloats(name);
    if (values.empty() || llvm::any_of(values, [](double value) { return !(value > 0); }))
      return badFloats(name, params, "at least one number, all above 0");
  }
  return {};
}

LogicalResult ProposalOp::inferShape(ShapeScope &scope) {
  int64_t anchors = getRatios().size() * getScales().size();
  Dim items = getMulti() ? Dim() : scope.dim(1);
  if (failed(scope.refineInput(0, Shape({items, scope.dim(2 * anchors), Dim(), Dim()}), // C2
                               "with " + std::to_string(anchors) + " anchors")))
    return failure();
  const Shape &scores = scope.input(0);
  for (size_t axis : {2, 3})
    if (failed(checkAtLeast(scope, "cls_prob", scores, axis, 1)))
      return failure();
  if (failed(
          scope.refineInput(1, Shape({scores[0], scope.dim(4 * anchors), scores[2], scores[3]}))) ||
      failed(scope.refineInput(2, Shape({scores[0], scope.dim(3)})))) // C3
    return failure();
  Dim boxes = scores[0] * static_cast<int64_t>(getRpnPostNmsTopN());
  if (failed(scope.refineOutput(0, Shape({boxes, scope.dim(5)}))))
    return failure();
  return scope.numOutputs() > 1 ? scope.refineOutput(1, Shape({boxes, scope.dim(1)})) : success();
}

CheckedSize ProposalOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize boxes = shapes.operandCount(1) / 4 / std::max<CheckedSize>(shapes.operands[1][0], 1);
  // Boxes, scores, boxes that stay, twice the order.
  return rowScratchBytes(shapes, shapes.operands[1][0],
                         piece(boxes * 4, 4) + piece(boxes, 4) + staying(boxes, 4) +
                             2 * piece(boxes, 8));
}

//===----------------------------------------------------------------------===//
// box_nms, box_iou, box_encode, box_decode, bipartite_matching
//===----------------------------------------------------------------------===//

LogicalResult BoxNmsOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineAllSame()) || failed(checkLeastRank(scope, 0, "data", 2))) // C1
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  Dim width = data.list().back();
  int64_t first = getCoordStart();
  auto check = [&](StringRef name, int64_t place) -> LogicalResult { // C2
    auto outside = [&](raw_ostream &message) {
      message << "parameter '" << name << "' is " << place
              << ", needs a place in a row of data's shape " << data.str();
    };
    if (place < 0)
      return scope.refuse(outside);
    if (failed(scope.need(atLeast(width - 1, place), outside)))
      return failure();
    if (place >= first && place < first + 4)
      return scope.error() << "parameter '" << name << "' is " << place
                           << ", needs a place outside of the coordinates, " << first << " to "
                           << first + 3;
    return success();
  };
  auto outside = [&](raw_ostream &message) { // C2
    message << "parameter 'coord_start' is " << first
            << ", needs four places in a row of data's shape " << data.str();
  };
  if (first < 0)
    return scope.refuse(outside);
  if (failed(scope.need(atLeast(width - 4, first), outside)))
    return failure();
  if (failed(check("score_index", getScoreIndex())))
    return failure();
  int64_t id = getIdIndex();
  if (id < 0)
    return success();
  if (id == static_cast<int64_t>(getScoreIndex())) // C2
    return scope.error() << "parameter 'id_index' is " << id
                         << ", needs another place than score_index";
  return check("id_index", id);
}

// Boxes that stay, twice the order.
static CheckedSize suppressionScratch(const LargestShapes &shapes) {
  ArrayRef<CheckedSize> data = shapes.operands[0];
  CheckedSize boxes = data[data.size() - 2];
  return rowScratchBytes(shapes, rowsOf(shapes), staying(boxes, 8) + 2 * piece(boxes, 8));
}
CheckedSize BoxNmsOp::getScratchBytes(const LargestShapes &shapes) {
  return suppressionScratch(shapes);
}

LogicalResult BoxNmsGradientOp::inferShape(ShapeScope &scope) {
  if (failed(checkLeastRank(scope, 0, "data", 2)))
    return failure();
  return scope.refineAllSame(); // C1
}
CheckedSize BoxNmsGradientOp::getScratchBytes(const LargestShapes &shapes) {
  return suppressionScratch(shapes);
}

LogicalResult NonMaxSuppressionOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineInput(0, Shape({Dim(), Dim(), scope.dim(4)}))) || // C1
      failed(scope.refineInput(1, Shape({scope.input(0)[0], Dim(), scope.input(0)[1]}))) ||
      failed(scope.refineInput(0, Shape({scope.input(1)[0], scope.input(1)[2], scope.dim(4)}))))
    return failure();
  const Shape &scores = scope.input(1);
  if (!scores.isFullyKnown())
    return success();
  if (failed(checkDecides(scope))) // C2
    return failure();
  Dim each = scores[2];
  auto most = static_cast<int64_t>(getMost());
  if (!each.isStatic() || each.get() > most)
    each = scope.dim(most);
  return scope.refineOutput(
      0, Shape({sizeOf(*this, scores[0] * scores[1] * each), scope.dim(3)})); // C3
}
LogicalResult NonMaxSuppressionOp::inferType(TypeScope &scope) {
  if (failed(scope.refineInput(1, scope.input(0))) || failed(scope.refineInput(0, scope.input(1))))
    return failure();
  return scope.refineOutput(0, typeFromName("int64", scope.context()));
}
// The places of one list of boxes by score, twice, as they are merged.
CheckedSize NonMaxSuppressionOp::getScratchBytes(const LargestShapes &shapes) {
  return shapes.operands[1][2] * (3 * 8);
}

LogicalResult BoxIouOp::inferShape(ShapeScope &scope) {
  Shape output(size_t(0));
  bool known = true;
  for (size_t i = 0; i < 2; ++i) {
    const Shape &boxes = scope.input(i);
    if (!boxes.isRanked()) {
      known = false;
      continue;
    }
    if (failed(checkLeastRank(scope, i, i == 0 ? "lhs" : "rhs", 2))) // C1
      return failure();
    Shape wanted(boxes.rank());
    wanted[boxes.rank() - 1] = scope.dim(4);
    if (failed(scope.refineInput(i, wanted))) // C1
      return failure();
    for (Dim extent : boxes.list().drop_back())
      output.push_back(extent);
  }
  return known ? scope.refineOutput(0, output) : success();
}

LogicalResult BoxEncodeOp::inferShape(ShapeScope &scope) {
  Dim four = scope.dim(4);
  if (failed(scope.refineInput(2, Shape({Dim(), Dim(), four}))) || // C1
      failed(scope.refineInput(0, Shape({scope.input(2)[0], scope.input(2)[1]}))) ||
      failed(scope.refineInput(1, scope.input(0))) ||
      failed(scope.refineInput(2, Shape({scope.input(1)[0], scope.input(1)[1], four}))) ||
      failed(scope.refineInput(3, Shape({scope.input(2)[0], Dim(), four}))) ||
      failed(checkAtLeast(scope, "refs", scope.input(3), 1, 1)))
    return failure();
  for (unsigned i : {4, 5})
    if (failed(scope.refineInput(i, Shape({four})))) // C2
      return failure();
  for (unsigned i : {0, 1})
    if (failed(scope.refineOutput(i, scope.input(2))))
      return failure();
  return success();
}

LogicalResult BoxDecodeOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &anchors = scope.input(1);
  if (failed(scope.refineInput(0, Shape({Dim(), Dim(), scope.dim(4)}))) || // C1
      failed(scope.refineInput(1, Shape({scope.dim(1), data[1], scope.dim(4)}))) ||
      failed(scope.refineInput(0, Shape({Dim(), anchors[1], scope.dim(4)}))))
    return failure();
  return scope.refineOutput(0, data);
}

LogicalResult BipartiteMatchingOp::inferShape(ShapeScope &scope) {
  if (failed(checkLeastRank(scope, 0, "data", 2))) // C1
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  Shape rows(data.list().drop_back()), columns = rows;
  columns[rows.rank() - 1] = data.list().back();
  if (failed(scope.refineOutput(0, rows)))
    return failure();
  return scope.refineOutput(1, columns);
}

CheckedSize BipartiteMatchingOp::getScratchBytes(const LargestShapes &shapes) {
  ArrayRef<CheckedSize> data = shapes.operands[0];
  // Twice the order of pairs.
  return rowScratchBytes(shapes, rowsOf(shapes), 2 * piece(data[data.size() - 2] * data.back(), 8));
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t BoxNmsOp::getRowAxis(RowScope &rows) {
  return rows.apart(-1) && rows.apart(-2) ? rows.axis() : kNoRows;
}

// Boxes follow from the extents of a picture.
int64_t MultiBoxPriorOp::getRowAxis(RowScope &) { return kNoRows; }
