// RowStep.cpp: see RowStep.h.
#include "codegen/schedule/RowStep.h"

#include "codegen/kernel/ViewOrigin.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// A reduction that has fewer rows than this is cut into chunks of `leastChunk` elements or more,
// so many at most. Chunks depend on extents alone.
static constexpr int64_t enoughRows = 16, leastChunk = 16384, mostChunks = 64;
static constexpr int64_t columnsTogether = 64; // rows that lie side by side and are one task's

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Type symc::codegen::computeTypeOf(Type element) {
  MLIRContext *context = element.getContext();
  if (element.isF16() || element.isBF16())
    return Float32Type::get(context);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(context, integer.getWidth() == 64 ? 64 : 32);
  return element;
}

Value RowBody::real(double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, int64_t(value)));
}

Value RowBody::wide(Value element, bool isUnsigned) {
  if (element.getType() == type)
    return element;
  if (isa<FloatType>(type) &&
      element.getType().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(b, loc, type, element);
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, type, element);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, type, element);
  return arith::ExtSIOp::create(b, loc, type, element);
}

Value RowBody::narrow(Value value, Type element) {
  Type have = value.getType();
  if (have == element)
    return value;
  bool wider = element.getIntOrFloatBitWidth() > have.getIntOrFloatBitWidth();
  if (isa<FloatType>(element))
    return wider ? arith::ExtFOp::create(b, loc, element, value).getResult()
                 : arith::TruncFOp::create(b, loc, element, value).getResult();
  return arith::TruncIOp::create(b, loc, element, value);
}

Value RowBody::number(Value integer, Type to) {
  if (isa<FloatType>(to))
    return arith::SIToFPOp::create(b, loc, to, integer);
  if (integer.getType() == to)
    return integer;
  if (to.getIntOrFloatBitWidth() < integer.getType().getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, loc, to, integer);
  return arith::ExtSIOp::create(b, loc, to, integer);
}

Value RowBody::plus(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
Value RowBody::minus(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
Value RowBody::times(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
Value RowBody::over(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
Value RowBody::size(Value x) { return math::AbsFOp::create(b, loc, x); }
Value RowBody::root(Value x) { return math::SqrtOp::create(b, loc, x); }
Value RowBody::exponential(Value x) { return math::ExpOp::create(b, loc, x); }
Value RowBody::logarithm(Value x) { return math::LogOp::create(b, loc, x); }

Value RowBody::atLeast(Value x, double least) {
  Value below = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, real(least));
  return arith::SelectOp::create(b, loc, below, real(least), x);
}

Value RowBody::orElse(Value x, double other) {
  Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, loc, none, real(other), x);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static void keepAxes(ViewSpec &view, ArrayRef<unsigned> axes) {
  ViewSpec old = view;
  view.sizes.clear();
  view.strides.clear();
  for (unsigned axis : axes) {
    view.sizes.push_back(old.sizes[axis]);
    view.strides.push_back(old.strides[axis]);
  }
}

bool RowStep::alongRows(Tensors &t) const {
  bool unit = false;
  for (const ViewSpec &view : llvm::concat<const ViewSpec>(ins, outs)) {
    AffineExpr stride = view.strides.back();
    unit |= stride == t.constant(1);
    if (stride != t.constant(1) && stride != t.constant(0))
      return false;
  }
  return unit;
}

// Kept axes first, then reduced ones, each of them in order; one of each kind at least.
void RowStep::arrange(Tensors &t) {
  SmallVector<ViewSpec *> views;
  for (ViewSpec &view : llvm::concat<ViewSpec>(ins, rowOuts, outs))
    views.push_back(&view);
  if (lengths)
    views.push_back(&*lengths);
  SmallVector<unsigned> axes;
  SmallVector<bool> kinds;
  for (bool kind : {false, true}) {
    for (unsigned axis = 0; axis < reduced.size(); ++axis)
      if (reduced[axis] == kind && ins[0].sizes[axis] != t.constant(1)) {
        axes.push_back(axis);
        kinds.push_back(kind);
      }
  }
  AffineExpr one = t.constant(1), zero = t.constant(0);
  for (ViewSpec *view : views)
    keepAxes(*view, axes);
  // An axis of which there is none: the only element has any stride.
  bool hasKept = llvm::is_contained(kinds, false), hasReduced = llvm::is_contained(kinds, true);
  for (ViewSpec *view : views) {
    if (!hasKept) {
      view->sizes.insert(view->sizes.begin(), one);
      view->strides.insert(view->strides.begin(), zero);
    }
    if (!hasReduced) {
      view->sizes.push_back(one);
      view->strides.push_back(hasKept ? zero : one);
    }
  }
  if (!hasKept)
    kinds.insert(kinds.begin(), false);
  if (!hasReduced)
    kinds.push_back(true);
  for (size_t axis = kinds.size(); axis-- > 1;) {
    bool merge = kinds[axis - 1] == kinds[axis] && llvm::all_of(views, [&](ViewSpec *view) {
                   return view->strides[axis - 1] == view->strides[axis] * view->sizes[axis];
                 });
    if (!merge)
      continue;
    for (ViewSpec *view : views)
      kernel::mergeIntoPrevious(*view, axis);
    kinds.erase(kinds.begin() + axis);
  }
  reduced = kinds;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// What counts a row's elements: wider vectors of narrower numbers where they hold all of them.
static Type countType(ArrayRef<AffineExpr> reducedSizes, Tensors &t) {
  sg::CheckedSize count = 1;
  for (AffineExpr size : reducedSizes)
    count *= std::max<int64_t>(constantOf(size) ? *constantOf(size) : t.rangeOf(size).max, 1);
  return count > INT32_MAX ? t.builder.getI64Type() : t.builder.getI32Type();
}

void RowStep::createOne(Tensors &t, Location location) {
  auto materialise = [&](ArrayRef<ViewSpec> views, bool whole) {
    SmallVector<Value> values;
    for (ViewSpec view : views) {
      view.sizes.resize(whole ? view.sizes.size() : kept());
      view.strides.resize(view.sizes.size());
      values.push_back(t.materialise(view, location));
    }
    return values;
  };
  SmallVector<Value> in = materialise(ins, true), rowOut = materialise(rowOuts, false);
  SmallVector<Value> length = lengths ? materialise(*lengths, false) : SmallVector<Value>();
  SmallVector<Value> out = materialise(outs, true);
  SmallVector<StringRef> combiners;
  for (const Pass &pass : passes)
    combiners.push_back(pass.combiner);
  OpBuilder &builder = t.builder;
  auto op = kernel::ReduceOp::create(builder, location, in, lengths ? length.front() : Value(),
                                     rowOut, out, kept(), builder.getStrArrayAttr(combiners),
                                     saves ? builder.getI64IntegerAttr(*saves) : IntegerAttr(),
                                     partials, /*cut=*/{}, passes.size());
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> results;
  Type counted = countType(ArrayRef(ins[0].sizes).drop_front(kept()), t);
  auto fill = [&](Region &region, bool saved, const RowBody::Fill &make) {
    Block *block = builder.createBlock(&region);
    auto argument = [&](Type of) -> Value { return block->addArgument(of, location); };
    auto elementOf = [](Value view) { return cast<MemRefType>(view.getType()).getElementType(); };
    Value position = argument(counted);
    RowBody body{builder, location, type, position, argument(counted), {}, Value(), {}};
    for (Value view : in)
      body.ins.push_back(argument(elementOf(view)));
    if (saved)
      body.saved = argument(elementOf(out.front()));
    for (Type result : results)
      body.results.push_back(argument(result));
    SmallVector<Value> yielded = make ? make(body) : SmallVector<Value>();
    kernel::YieldOp::create(builder, location, yielded);
    return yielded;
  };
  for (auto [number, pass] : llvm::enumerate(passes)) {
    bool after = saves && *saves < int64_t(number);
    SmallVector<Value> yielded = fill(op.getPasses()[number], after, pass.fill);
    if (saves == int64_t(number))
      yielded.pop_back();
    for (Value value : yielded)
      results.push_back(value.getType());
  }
  fill(op.getRows(), false, rows);
  fill(op.getElements(), saves.has_value(), elements);
}

// The least that an extent can be.
static int64_t leastOf(AffineExpr extent, Tensors &t) {
  return constantOf(extent).value_or(t.rangeOf(extent).min);
}

// The longest of the reduced axes is cut; each chunk's results lie side by side in a buffer
// whose first axis counts the chunks, along which they are reduced again.
bool RowStep::createSplit(Tensors &t, Location location) {
  if (passes.size() != 1 || !outs.empty() || lengths || saves)
    return false;
  unsigned axis = 0;
  int64_t rowCount = 1, count = 1, longest = 0;
  for (unsigned i = 0; i < reduced.size(); ++i) {
    std::optional<int64_t> extent = constantOf(ins[0].sizes[i]);
    if (!extent && reduced[i])
      return false;
    // Rows of which there may be few are cut however many there are in a run.
    (reduced[i] ? count : rowCount) *= extent ? *extent : leastOf(ins[0].sizes[i], t);
    if (reduced[i] && *extent > longest) {
      longest = *extent;
      axis = i;
    }
  }
  bool places = passes[0].combiner.starts_with("arg"), pairs = passes[0].combiner == "sums";
  if (places && llvm::count(reduced, true) > 1)
    return false;
  int64_t tasks = alongRows(t) ? rowCount : llvm::divideCeil(rowCount, columnsTogether);
  int64_t chunks =
      std::min({longest, mostChunks / std::max<int64_t>(tasks, 1), rowCount * count / leastChunk});
  if (tasks >= enoughRows || chunks < 2)
    return false;
  int64_t length = llvm::divideCeil(longest, chunks);
  if (length > partials)
    length = llvm::alignTo(length, partials);
  chunks = longest / length;
  int64_t rest = longest % length;
  if (chunks < 1 || (chunks == 1 && !rest))
    return false;

  // One buffer for each value that a pass leaves: [chunks, kept extents].
  unsigned keeps = kept();
  SmallVector<AffineExpr> extents{t.constant(chunks + (rest ? 1 : 0))};
  for (unsigned i = 0; i < keeps; ++i)
    extents.push_back(ins[0].sizes[i]);
  SmallVector<ViewSpec> buffers{t.rowMajor(t.buffer(extents, type, location), extents)};
  Type counted = countType(t.constant(count), t);
  if (places || pairs)
    buffers.push_back(t.rowMajor(t.buffer(extents, places ? counted : type, location), extents));
  auto reduceChunks = [&](int64_t first, int64_t number, int64_t each) {
    RowStep chunk = *this;
    chunk.rowOuts.clear();
    for (ViewSpec &view : chunk.ins) {
      view.offset = view.offset + view.strides[axis] * (first * length);
      view.sizes[axis] = t.constant(each);
      view.sizes.insert(view.sizes.begin(), t.constant(number));
      view.strides.insert(view.strides.begin(), view.strides[axis] * length);
    }
    chunk.reduced.insert(chunk.reduced.begin(), false);
    for (ViewSpec view : buffers) {
      view.offset = view.strides[0] * first;
      view.sizes[0] = t.constant(number);
      view.sizes.resize(chunk.reduced.size(), t.constant(1));
      view.strides.resize(chunk.reduced.size(), t.constant(0));
      chunk.rowOuts.push_back(view);
    }
    chunk.rows = [=](RowBody &body) {
      SmallVector<Value> values(body.results);
      if (places)
        values.back() = body.number(values.back(), counted);
      return values;
    };
    chunk.createOne(t, location);
  };
  reduceChunks(0, chunks, length);
  if (rest)
    reduceChunks(chunks, 1, rest);

  // Reduced axes become the one that counts chunks, which goes last.
  RowStep whole = *this;
  auto overChunks = [&](ViewSpec view, AffineExpr stride) {
    view.sizes.resize(keeps);
    view.strides.resize(keeps);
    view.sizes.push_back(extents[0]);
    view.strides.push_back(stride);
    return view;
  };
  whole.ins.clear();
  for (ViewSpec view : buffers) {
    AffineExpr stride = view.strides[0];
    view.sizes.erase(view.sizes.begin());
    view.strides.erase(view.strides.begin());
    whole.ins.push_back(overChunks(view, stride));
  }
  // Of the others, what all of a row shares: the nodes behind may read it.
  SmallVector<std::optional<size_t>> sharedAt;
  for (const ViewSpec &view : ins) {
    bool shared = llvm::all_of(ArrayRef(view.strides).drop_front(keeps),
                               [&](AffineExpr stride) { return stride == t.constant(0); });
    sharedAt.push_back(shared ? std::optional(whole.ins.size()) : std::nullopt);
    if (shared)
      whole.ins.push_back(overChunks(view, t.constant(0)));
  }
  for (ViewSpec &view : whole.rowOuts)
    view = overChunks(view, t.constant(0));
  whole.reduced.assign(keeps, false);
  whole.reduced.push_back(true);
  int64_t step = length * (count / longest);
  whole.passes[0].fill = [=](RowBody &body) -> SmallVector<Value> {
    if (pairs)
      return {body.ins[0], body.ins[1]};
    if (!places)
      return {body.ins[0]};
    Value each = arith::ConstantOp::create(body.b, body.loc, body.b.getIntegerAttr(counted, step));
    Value first =
        arith::MulIOp::create(body.b, body.loc, body.number(body.position, counted), each);
    return {body.ins[0], arith::AddIOp::create(body.b, body.loc, body.ins[1], first)};
  };
  RowBody::Fill finish = rows;
  whole.rows = [=](RowBody &body) {
    RowBody of = body;
    of.ins.clear();
    for (std::optional<size_t> place : sharedAt)
      of.ins.push_back(place ? body.ins[*place] : Value());
    of.count = arith::ConstantOp::create(body.b, body.loc, body.b.getIntegerAttr(counted, count));
    return finish(of);
  };
  whole.createOne(t, location);
  return true;
}

void RowStep::create(Tensors &t, Location location) {
  arrange(t);
  if (!createSplit(t, location))
    createOne(t, location);
}
