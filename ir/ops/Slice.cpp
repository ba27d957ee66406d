// Slice.cpp: shapes, types and parameter checks of joints and parts; the numbered
// constraints are those of Slice.td.
#include "ir/ops/Slice.h"
#include "ir/Axes.h"
#include "ir/Clips.h"
#include "ir/Conditions.h"
#include "ir/NumpyShapes.h"
#include "ir/ReshapeCodes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Slice.cpp.inc"

void symc::sg::registerSliceOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Slice.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// concat, stack
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferShape(ShapeScope &scope) {
  Shape common; // what all agree on, along all axes but dim
  for (size_t i = 0; i < scope.numInputs() && !common.isRanked(); ++i)
    common = scope.input(i);
  if (!common.isRanked())
    common = scope.output(0);
  if (!common.isRanked())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getDim(), common, "data0"); // C1
  if (failed(axis))
    return failure();
  auto gather = [&](const Shape &shape) {
    if (shape.isRanked() && shape.rank() == common.rank())
      for (size_t d = 0; d < shape.rank(); ++d)
        if (!common[d].isKnown())
          common[d] = shape[d];
  };
  for (size_t i = 0; i < scope.numInputs(); ++i)
    gather(scope.input(i));
  gather(scope.output(0));
  common[*axis] = Dim();
  std::string because = "to lie along axis " + std::to_string(*axis);
  Dim sum = scope.dim(0), known = scope.dim(0);
  std::optional<size_t> unknown;
  bool several = false;
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    if (failed(scope.refineInput(i, common, because))) // C2
      return failure();
    Dim extent = scope.input(i)[*axis];
    sum = sum + extent;
    if (extent.isKnown()) {
      known = known + extent;
    } else {
      several = unknown.has_value();
      unknown = i;
    }
  }
  common[*axis] = sum;
  if (failed(scope.refineOutput(0, common, because))) // C3
    return failure();
  if (!unknown || several || !scope.output(0)[*axis].isKnown())
    return success();
  common[*axis] = scope.output(0)[*axis] - known;
  return scope.refineInput(*unknown, common, because);
}

LogicalResult StackOp::inferShape(ShapeScope &scope) {
  Shape part;
  for (size_t i = 0; i < scope.numInputs() && !part.isRanked(); ++i)
    part = scope.input(i);
  if (part.isRanked()) {
    for (size_t i = 0; i < scope.numInputs(); ++i)
      if (failed(scope.refineInput(i, part))) // C2
        return failure();
    int64_t rank = part.rank() + 1, axis = getAxis();
    if (axis < -rank || axis >= rank) // C1
      return scope.error() << "axis " << axis << " is outside the result's rank " << rank;
    SmallVector<Dim> dims(scope.input(0).list());
    dims.insert(dims.begin() + (axis < 0 ? axis + rank : axis), scope.dim(scope.numInputs()));
    if (failed(scope.refineOutput(0, Shape(dims)))) // C3
      return failure();
  }
  const Shape &output = scope.output(0);
  if (!output.isRanked())
    return success();
  FailureOr<int64_t> place = normalAxis(scope, getAxis(), output, "output"); // C1
  if (failed(place))
    return failure();
  SmallVector<Dim> dims(output.list());
  dims.erase(dims.begin() + *place);
  for (size_t i = 0; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, Shape(dims)))) // C2
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// slice_channel, split_v2
//===----------------------------------------------------------------------===//

int64_t SliceChannelOp::countResults(const ParamView &params) {
  return params.getInt("num_outputs");
}

LogicalResult SliceChannelOp::inferShape(ShapeScope &scope) {
  int64_t count = getNumOutputs();
  const Shape &data = scope.input(0);
  if (data.isRanked()) {
    FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data); // C1
    if (failed(axis))
      return failure();
    auto wrong = [&](raw_ostream &message) { // C2
      message << "data has shape " << data.str() << ": the extent " << data[*axis].str()
              << " along axis " << *axis << " must be "
              << (getSqueezeAxis() ? "" : "a multiple of ") << "num_outputs = " << count
              << (getSqueezeAxis() ? " with squeeze_axis" : "");
    };
    FailureOr<Dim> part = scope.dim(1);
    if (getSqueezeAxis() && failed(scope.need(equals(data[*axis], count), wrong)))
      return failure();
    if (!getSqueezeAxis())
      part = divideEvenly(scope, data[*axis], count, wrong);
    if (failed(part))
      return failure();
    SmallVector<Dim> dims(data.list());
    if (getSqueezeAxis())
      dims.erase(dims.begin() + *axis);
    else
      dims[*axis] = *part;
    for (size_t i = 0; i < scope.numOutputs(); ++i)
      if (failed(scope.refineOutput(i, Shape(dims)))) // C3
        return failure();
  }
  for (size_t i = 0; i < scope.numOutputs(); ++i) {
    if (!scope.output(i).isRanked())
      continue;
    SmallVector<Dim> dims(scope.output(i).list());
    int64_t rank = dims.size() + (getSqueezeAxis() ? 1 : 0), axis = getAxis();
    if (axis < -rank || axis >= rank) // C1
      return scope.error() << "axis " << axis << " is outside data's rank " << rank;
    axis = axis < 0 ? axis + rank : axis;
    if (getSqueezeAxis())
      dims.insert(dims.begin() + axis, scope.dim(count));
    else
      dims[axis] = dims[axis] * count;
    if (data.isRanked() && int64_t(data.rank()) == rank && data[axis].isKnown())
      dims[axis] = data[axis]; // which C2 has looked at
    if (failed(scope.refineInput(0, Shape(dims))))
      return failure();
  }
  return success();
}

int64_t SplitV2Op::countResults(const ParamView &params) {
  int64_t sections = params.getInt("sections");
  return sections > 0 ? sections : params.getTuple("indices").size();
}

std::string SplitV2Op::checkParams(const ParamView &params) {
  if (params.getInt("sections") > 0)
    return {};
  ArrayRef<int64_t> indices = params.getTuple("indices");
  if (indices.empty())
    return "parameter 'indices' is empty and 'sections' is 0, needs one of them";
  for (size_t i = 0; i < indices.size(); ++i) // C2
    if (indices[i] < (i ? indices[i - 1] : 0))
      return "parameter 'indices' has " + std::to_string(indices[i]) + " at place " +
             std::to_string(i) + ", needs numbers from 0 that do not fall";
  return {};
}

LogicalResult SplitV2Op::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data); // C1
  if (failed(axis))
    return failure();
  Dim extent = data[*axis];
  int64_t sections = getSections();
  for (size_t i = 0; i < scope.numOutputs(); ++i) {
    Dim part;
    if (sections > 0 && failed(scope.need(atLeast(extent, sections), [&](raw_ostream &message) {
          message << "data has shape " << data.str() << ": the extent " << extent.str() // C2
                  << " along axis " << *axis << " does not make sections = " << sections
                  << " parts";
        })))
      return failure();
    auto within = [&](int64_t index) { // C2
      return scope.need(atLeast(extent, index), [&](raw_ostream &message) {
        message << "index " << index << " lies outside the extent " << extent.str()
                << " of data along axis " << *axis;
      });
    };
    if (sections > 0 && extent.isStatic()) {
      part = scope.dim(beginOfSection(extent.get(), sections, i + 1) -
                       beginOfSection(extent.get(), sections, i));
    } else if (sections > 0) {
      part = lengthOfSection(extent, sections, i);
    } else if (i + 1 < getIndices().size()) {
      part = scope.dim(getIndices()[i + 1] - getIndices()[i]);
      if (failed(within(getIndices()[i + 1])))
        return failure();
    } else {
      part = extent - getIndices()[i];
      if (failed(within(getIndices()[i])))
        return failure();
    }
    SmallVector<Dim> dims(data.list());
    if (getSqueezeAxis()) {
      if (failed(scope.need(equals(part, 1), [&](raw_ostream &message) { // C3
            message << "part " << i << " has the extent " << part.str() << " along axis " << *axis
                    << ", needs 1 with squeeze_axis";
          })))
        return failure();
      dims.erase(dims.begin() + *axis);
    } else {
      dims[*axis] = part;
    }
    if (failed(scope.refineOutput(i, Shape(dims))))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// slice, slice_axis, slice_like
//===----------------------------------------------------------------------===//

static std::string checkPlaces(const ParamView &params) {
  ArrayRef<int64_t> begin = params.getTuple("begin"), end = params.getTuple("end");
  ArrayRef<int64_t> step = params.getTuple("step");
  if (begin.size() != end.size())
    return "parameter 'begin' has " + std::to_string(begin.size()) + " places and 'end' " +
           std::to_string(end.size()) + ", needs as many";
  if (!step.empty() && step.size() != begin.size())
    return "parameter 'step' has " + std::to_string(step.size()) + " steps and 'begin' " +
           std::to_string(begin.size()) + " places, needs as many";
  if (llvm::is_contained(step, 0))
    return "parameter 'step' has a step of 0, needs steps other than 0";
  return {};
}

std::string SliceOp::checkParams(const ParamView &params) { return checkPlaces(params); } // C1
std::string SliceAssignOp::checkParams(const ParamView &params) {
  return checkPlaces(params);
} // C1
std::string SliceAssignScalarOp::checkParams(const ParamView &params) { // C1
  return checkPlaces(params);
}

// The elements from begin to end by step along an extent; unknown if the extent is,
// nothing if it is symbolic and the places are not counted from its ends in a way in which the
// part never shrinks where it grows.
static std::optional<Dim> sliceExtent(Dim extent, int64_t begin, int64_t end, int64_t step) {
  if (!extent.isKnown())
    return Dim();
  if (!extent.isStatic()) {
    bool fromStart = begin == kNoneElement || begin == 0, toEnd = end == kNoneElement;
    if (step != 1)
      return std::nullopt;
    if (!toEnd && end >= 0) { // both from the start, or none
      if (begin < 0 && !fromStart)
        return std::nullopt;
      return Dim::constant(end - (fromStart ? 0 : begin), extent.getExpr().getContext());
    }
    Dim last = toEnd ? extent : extent + end;
    if (fromStart)
      return last;
    if (begin < 0) // both from the end
      return Dim::constant((toEnd ? 0 : end) - begin, extent.getExpr().getContext());
    return last - begin;
  }
  int64_t count = extent.get();
  auto clamp = [&](int64_t place, int64_t low, int64_t high) {
    return std::min(std::max(place < 0 ? place + count : place, low), high);
  };
  MLIRContext *context = extent.getExpr().getContext();
  if (step > 0) {
    int64_t first = begin == kNoneElement ? 0 : clamp(begin, 0, count);
    int64_t last = end == kNoneElement ? count : clamp(end, 0, count);
    return Dim::constant(llvm::divideCeilSigned(last - first, step), context);
  }
  int64_t first = begin == kNoneElement ? count - 1 : clamp(begin, -1, count - 1);
  int64_t last = end == kNoneElement ? -1 : clamp(end, -1, count - 1);
  return Dim::constant(llvm::divideCeilSigned(first - last, -step), context);
}

// Places outside of an extent move to its ends, which no expression over sizes gives. Where nothing
// may be clipped:
static Need holdsPlaces(Dim extent, int64_t begin, int64_t end) {
  Need inside = atLeast(extent, 0);
  for (int64_t place : {begin, end})
    if (place != kNoneElement)
      inside = inside & atLeast(extent, std::abs(place));
  return inside;
}

// Whether a place that counts from the start lies at the end of a symbolic extent or behind it,
// whatever the extent is.
static bool isBehindEnd(ShapeScope &scope, Dim extent, int64_t place) {
  SmallVector<Need::Term> open;
  return place != kNoneElement && place >= 0 && extent.isKnown() && !extent.isStatic() &&
         scope.conditions->judge(atMost(extent, place), open) == Conditions::Verdict::Holds;
}

// The extent of a part of an axis whose extent has a range: places outside are moved in the run.
static FailureOr<Dim> clippedExtent(ShapeScope &scope, StringRef what, int64_t axis, int64_t begin,
                                    int64_t end, int64_t step) {
  const Shape &data = scope.input(0);
  Clipping clipping(scope.operation(), /*mayAdd=*/true);
  Dim first = clipping.begin(data[axis], begin, step, axis),
      last = clipping.end(data[axis], end, step, axis);
  auto isEmpty = [&](raw_ostream &message) {
    message << "the part along axis " << axis << " of " << what << "'s shape " << data.str()
            << " is empty";
  };
  Dim length = step > 0 ? last - first : first - last;
  bool mayBeEmpty = what == "data" && hasNumpyShapes(scope);
  if (!mayBeEmpty && failed(scope.need(atLeast(length, 1), isEmpty)))
    return failure();
  return clipping.count(first, last, step, axis);
}

// The shape of a part of the first operand, called `what` in messages.
static FailureOr<Shape> partShape(ShapeScope &scope, StringRef what, ArrayRef<int64_t> begin,
                                  ArrayRef<int64_t> end, ArrayRef<int64_t> step) {
  const Shape &data = scope.input(0);
  if (begin.size() > data.rank())
    return scope.error() << "begin and end name " << begin.size() << " axes but " << what
                         << " has shape " << data.str();
  Shape part = data;
  for (size_t i = 0; i < begin.size(); ++i) {
    int64_t by = step.empty() || step[i] == kNoneElement ? 1 : step[i];
    if (!data[i].isStatic() && Clipping::isOn(scope.operation(), data[i])) {
      FailureOr<Dim> extent = clippedExtent(scope, what, i, begin[i], end[i], by);
      if (failed(extent))
        return failure();
      part[i] = *extent;
      continue;
    }
    int64_t last = isBehindEnd(scope, data[i], end[i]) ? kNoneElement : end[i];
    std::optional<Dim> extent = sliceExtent(data[i], begin[i], last, by);
    if (!extent)
      return scope.error() << what << " has the extent " << data[i].str() << " along axis " << i
                           << ", which is known only at run time; these places need a fixed one";
    bool mayBeEmpty = what == "data" && hasNumpyShapes(scope);
    if (mayBeEmpty && extent->isStatic() && extent->get() < 0)
      extent = scope.dim(0);
    if (failed(scope.need(atLeast(*extent, mayBeEmpty ? 0 : 1), [&](raw_ostream &message) {
          message << "the part along axis " << i << " of " << what << "'s shape " << data.str()
                  << " is empty";
        })))
      return failure();
    if (!data[i].isStatic() &&
        failed(scope.need(holdsPlaces(data[i], begin[i], last), [&](raw_ostream &message) {
          message << "the places";
          if (begin[i] != kNoneElement)
            message << " from " << begin[i];
          last == kNoneElement ? message << " on" : message << " to " << last;
          message << " along axis " << i << " of " << what << "'s shape " << data.str()
                  << " lie partly outside, which needs an extent that is fixed";
        })))
      return failure();
    part[i] = *extent;
  }
  return part;
}

LogicalResult SliceOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Shape> part = partShape(scope, "data", getBegin(), getEnd(), getStep()); // C2, C3
  return failed(part) ? failure() : scope.refineOutput(0, *part);                    // C1
}

LogicalResult SliceAssignOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))) || // C2
      failed(scope.refineInput(0, scope.output(0))))
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Shape> part = partShape(scope, "lhs", getBegin(), getEnd(), getStep()); // C1
  return failed(part) ? failure() : scope.refineInput(1, *part);                    // C2
}

LogicalResult SliceAssignScalarOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineAllSame())) // C2
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  return partShape(scope, "data", getBegin(), getEnd(), getStep()); // C1
}

LogicalResult SliceAxisOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data); // C1
  if (failed(axis))
    return failure();
  Dim extent = data[*axis];
  int64_t begin = getBegin();
  int64_t end = getEnd() ? static_cast<int64_t>(*getEnd()) : kNoneElement;
  Dim first = begin < 0 ? extent + begin : scope.dim(begin);
  Dim last = end == kNoneElement ? extent : end < 0 ? extent + end : scope.dim(end);
  Need inside = atLeast(first, 0) & atLeast(last - 1, first) & atLeast(extent, last);
  if (extent.isKnown() && failed(scope.need(inside, [&](raw_ostream &message) { // C2
        message << "begin and end give the places from " << first.str() << " to " << last.str()
                << " along axis " << *axis << ", needs a range within the extent " << extent.str();
      })))
    return failure();
  std::optional<Dim> part = sliceExtent(extent, begin, end, 1);
  if (!part && Clipping::isOn(scope.operation(), extent))
    part = Clipping(scope.operation(), /*mayAdd=*/true).count(first, last, 1, *axis);
  if (!part) // C3
    return scope.error() << "data has the extent " << extent.str() << " along axis " << *axis
                         << ", which is known only at run time; these places need a fixed one";
  Shape output = data;
  output[*axis] = *part;
  return scope.refineOutput(0, output);
}

LogicalResult SliceLikeOp::inferType(TypeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult SliceLikeOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &like = scope.input(1);
  if (!data.isRanked() || !like.isRanked())
    return success();
  Shape output = data;
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  if (getAxes().empty()) {
    if (data.rank() != like.rank()) // C1
      return scope.error() << "data has shape " << data.str() << " and shape_like " << like.str()
                           << ", needs equal ranks without axes";
    for (size_t i = 0; i < data.rank(); ++i)
      pairs.push_back({i, i});
  }
  for (int64_t axis : getAxes()) {
    FailureOr<int64_t> own = normalAxis(scope, axis, data); // C1
    FailureOr<int64_t> other = failed(own) ? own : normalAxis(scope, axis, like, "shape_like");
    if (failed(own) || failed(other))
      return failure();
    pairs.push_back({*own, *other});
  }
  for (auto [ownAxis, otherAxis] : pairs) {
    int64_t own = ownAxis, other = otherAxis;
    if (failed(scope.need(atLeast(data[own], like[other]), [&](raw_ostream &message) { // C2
          message << "data has shape " << data.str() << " and shape_like " << like.str()
                  << ", which is larger along axis " << own;
        })))
      return failure();
    output[own] = like[other];
  }
  return scope.refineOutput(0, output);
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t ConcatOp::getRowAxis(RowScope &rows) {
  for (unsigned i = 0; i < rows.count(); ++i)
    if (!rows.needsRows(i))
      return kNoRows;
  return rows.apart(getDim()) ? rows.all(rows.axis()) : kNoRows;
}

int64_t StackOp::getRowAxis(RowScope &rows) {
  for (unsigned i = 0; i < rows.count(); ++i)
    if (!rows.needsRows(i) || !rows.at(i, rows.axis()))
      return kNoRows;
  return rows.axis() + (rows.normal(getAxis(), rows.rank() + 1) <= rows.axis());
}

template <typename Op> static int64_t rowsOfParts(Op op, RowScope &rows) {
  if (!rows.apart(op.getAxis()))
    return kNoRows;
  return op.getSqueezeAxis() ? rows.without(op.getAxis()) : rows.axis();
}
int64_t SliceChannelOp::getRowAxis(RowScope &rows) { return rowsOfParts(*this, rows); }
int64_t SplitV2Op::getRowAxis(RowScope &rows) { return rowsOfParts(*this, rows); }

int64_t SliceOp::getRowAxis(RowScope &rows) {
  ArrayRef<int64_t> steps = getStep();
  int64_t step = rows.axis() < int64_t(steps.size()) ? steps[rows.axis()] : 1;
  if (step < 0 && step != kNoneElement)
    return rows.mixed("it reverses the order of the rows of the batch");
  return rows.axis();
}
