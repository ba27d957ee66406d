// PlanChecker.cpp: see PlanChecker.h. Every step is looked at once for every
// corner of the symbolic sizes with which the program may run (all smallest, all largest and,
// for few sizes, every mix), with plain numbers of bytes.
#include "codegen/plan/PlanChecker.h"

#include "codegen/kernel/Groups.h"
#include "ir/Clips.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace mlir;
using namespace symc;

namespace {

/// A view in plain numbers.
struct Place {
  Value root;
  int64_t elementBytes = 0;
  int64_t offset = 0; // elements from the root's start
  SmallVector<int64_t> sizes, strides;

  /// Bytes from the root's start: [first, second); equal when empty.
  std::pair<int64_t, int64_t> bytes() const {
    int64_t low = offset, high = offset;
    for (auto [size, stride] : llvm::zip(sizes, strides)) {
      if (size <= 0)
        return {offset * elementBytes, offset * elementBytes};
      (stride < 0 ? low : high) += (size - 1) * stride;
    }
    return {low * elementBytes, (high + 1) * elementBytes};
  }
  bool sameBytesPerIndex(const Place &other) const {
    return elementBytes == other.elementBytes && sizes == other.sizes && strides == other.strides;
  }
};

struct Touch {
  Place place;
  bool reads, writes;
  bool sameIndex; // read, for each index, before that index is written
};

struct BufferLife {
  int64_t offset, bytes;
  int64_t first, last;
};

class Checker {
public:
  Checker(kernel::ProgramOp program, ArrayRef<int64_t> sizes) : program(program), sizes(sizes) {}
  LogicalResult run();

private:
  FailureOr<int64_t> number(Value index);
  FailureOr<SmallVector<int64_t>> numbers(ArrayRef<OpFoldResult> values);
  FailureOr<Place> place(Value view);
  FailureOr<Place> rootPlace(Value root);
  FailureOr<SmallVector<Touch>> touches(Operation *step);
  LogicalResult collectLives();
  LogicalResult checkInside(Operation *step, const Touch &touch);
  void startStep(int64_t now);
  LogicalResult checkWrites(Operation *step, int64_t step_number, ArrayRef<Touch> all);
  LogicalResult checkWithin(Operation *step, ArrayRef<Touch> all);
  LogicalResult checkParts();
  LogicalResult checkPrepared();
  LogicalResult checkPart(Operation *step, bool isForward, ArrayRef<Touch> all);
  std::optional<std::pair<int64_t, int64_t>> arenaBytes(const Place &place);

  kernel::ProgramOp program;
  ArrayRef<int64_t> sizes;
  SmallVector<Operation *> steps;
  SmallVector<SmallVector<Touch>> touched; // by step
  llvm::MapVector<Value, BufferLife> lives;
  llvm::DenseMap<int64_t, SmallVector<Value, 1>> startingAt, endingAt; // by step
  std::multimap<int64_t, Value> needed;                                // by offset
  bool apart = true;
  int64_t forwardSteps = 0; // of a program with gradients
};

} // namespace

static int64_t bytesOf(Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits < 8 ? 1 : bits / 8;
}

//===----------------------------------------------------------------------===//
// Views in numbers
//===----------------------------------------------------------------------===//

FailureOr<int64_t> Checker::number(Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    unsigned first = program.getSizes().front().getArgNumber();
    return sizes[argument.getArgNumber() - first];
  }
  Operation *op = index.getDefiningOp();
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return constant.getInt();
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return op->emitError("internal error: plan check: cannot evaluate this size");
    FailureOr<int64_t> value = number(operand);
    if (failed(value))
      return failure();
    operands.push_back(IntegerAttr::get(operand.getType(), *value));
  }
  SmallVector<OpFoldResult> folded;
  if (succeeded(op->fold(operands, folded)) && folded.size() == 1) {
    if (auto attribute = dyn_cast<Attribute>(folded[0]))
      return cast<IntegerAttr>(attribute).getInt();
    if (cast<Value>(folded[0]).getDefiningOp() != op) // a map that picks an operand
      return number(cast<Value>(folded[0]));
  }
  return op->emitError("internal error: plan check: cannot evaluate this size");
}

FailureOr<SmallVector<int64_t>> Checker::numbers(ArrayRef<OpFoldResult> values) {
  SmallVector<int64_t> result;
  for (OpFoldResult value : values) {
    if (auto attribute = dyn_cast<Attribute>(value)) {
      result.push_back(cast<IntegerAttr>(attribute).getInt());
      continue;
    }
    FailureOr<int64_t> known = number(cast<Value>(value));
    if (failed(known))
      return failure();
    result.push_back(*known);
  }
  return result;
}

// A whole root; extents that nobody states (of dynamic inputs) are -1.
FailureOr<Place> Checker::rootPlace(Value root) {
  auto type = cast<MemRefType>(root.getType());
  Place result{root, bytesOf(type.getElementType()), 0, {}, {}};
  SmallVector<int64_t> dynamic;
  if (auto buffer = root.getDefiningOp<kernel::BufferOp>()) {
    SmallVector<OpFoldResult> given(buffer.getSizes());
    FailureOr<SmallVector<int64_t>> known = numbers(given);
    if (failed(known))
      return failure();
    dynamic = *known;
  } else if (auto argument = dyn_cast<BlockArgument>(root)) {
    dynamic.assign(type.getNumDynamicDims(), -1);
    if (AffineMap map = program.shapeOfArgument(argument.getArgNumber())) {
      dynamic.clear();
      for (auto [extent, expr] : llvm::zip(type.getShape(), map.getResults()))
        if (ShapedType::isDynamic(extent))
          dynamic.push_back(sg::intervalOf(expr, {sizes, sizes}).max);
    }
  }
  int64_t next = 0;
  for (int64_t extent : type.getShape())
    result.sizes.push_back(ShapedType::isDynamic(extent) ? dynamic[next++] : extent);
  int64_t stride = 1;
  result.strides.resize(result.sizes.size());
  for (size_t d = result.sizes.size(); d-- > 0; stride *= result.sizes[d])
    result.strides[d] = stride;
  return result;
}

FailureOr<Place> Checker::place(Value view) {
  Operation *op = view.getDefiningOp();
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
    return place(cast.getSource());
  if (auto recast = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
    FailureOr<Place> source = place(recast.getSource());
    auto offset = numbers(recast.getMixedOffsets());
    auto extents = numbers(recast.getMixedSizes());
    auto strides = numbers(recast.getMixedStrides());
    if (failed(source) || failed(offset) || failed(extents) || failed(strides))
      return failure();
    return Place{source->root, source->elementBytes, offset->front(), *extents, *strides};
  }
  if (auto subview = dyn_cast_or_null<memref::SubViewOp>(op)) {
    FailureOr<Place> source = place(subview.getSource());
    auto offsets = numbers(subview.getMixedOffsets());
    auto extents = numbers(subview.getMixedSizes());
    auto strides = numbers(subview.getMixedStrides());
    if (failed(source) || failed(offsets) || failed(extents) || failed(strides))
      return failure();
    Place result{source->root, source->elementBytes, source->offset, {}, {}};
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    for (size_t d = 0; d < extents->size(); ++d) {
      result.offset += (*offsets)[d] * source->strides[d];
      if (!dropped.test(d)) {
        result.sizes.push_back((*extents)[d]);
        result.strides.push_back((*strides)[d] * source->strides[d]);
      }
    }
    return result;
  }
  return rootPlace(view);
}

std::optional<std::pair<int64_t, int64_t>> Checker::arenaBytes(const Place &place) {
  auto life = lives.find(place.root);
  auto [first, end] = place.bytes();
  if (life == lives.end() || first == end)
    return std::nullopt;
  return std::make_pair(first + life->second.offset, end + life->second.offset);
}

//===----------------------------------------------------------------------===//
// The checks
//===----------------------------------------------------------------------===//

// Channels of a convolution's rows that lie one behind the other (a fully
// connected layer's), or of what is split for it, are one extent: lanes beyond the last are never
// touched.
static void trimChannels(Operation *step, unsigned number, Place &place) {
  if (place.sizes.size() != 5 || place.strides[1] != place.sizes[4] * place.strides[4])
    return;
  auto conv = dyn_cast<kernel::ConvOp>(step);
  auto split = dyn_cast<kernel::SplitBytesOp>(step);
  int64_t channels = 0;
  if (conv && cast<MemRefType>(conv->getOperand(number).getType()).isDynamicDim(1))
    return; // whole blocks
  auto groups = conv ? kernel::ChannelGroups::of(conv) : std::nullopt;
  if (conv && number != 1)
    channels =
        number == 0
            ? llvm::divideCeil(conv.getInChannels() * (groups ? groups->count : 1) * place.sizes[4],
                               conv.getInputLanes()) // of words two inputs each
            : conv.getOutChannels();
  else if (split && number == 0)
    channels = llvm::alignTo(split.getChannels(), 4); // whole quads
  if (!channels)
    return;
  place.sizes[1] = 1;
  place.sizes[4] = channels;
}

// Whether a walk over rows reads inputs behind the one that writes over them.
static bool readsAfterSaving(kernel::ReduceOp op) {
  std::optional<uint64_t> saving = op.getSaves();
  if (!saving)
    return false;
  SmallVector<Region *> later{&op.getElements()};
  for (size_t pass = *saving + 1; pass < op.getPasses().size(); ++pass)
    later.push_back(&op.getPasses()[pass]);
  return llvm::any_of(later, [&](Region *region) {
    for (size_t i = 0; i < op.getIns().size(); ++i)
      if (!region->getArgument(2 + i).use_empty())
        return true;
    return false;
  });
}

FailureOr<SmallVector<Touch>> Checker::touches(Operation *step) {
  auto interface = cast<kernel::StepInterface>(step);
  unsigned firstOutput = interface.getOutputs().getBeginOperandIndex();
  unsigned endOutput = firstOutput + interface.getOutputs().size();
  // Operands before these are read at other indices than the one written.
  unsigned firstSameIndex =
      isa<kernel::LoopsOp>(step)  ? 0
      : isa<kernel::PoolOp>(step) ? 1
      : isa<kernel::ConvOp, kernel::WinogradOp, kernel::StrassenOp, kernel::DepthwiseOp>(step)
          ? 2
          : ~0u;
  if (auto reduce = dyn_cast<kernel::ReduceOp>(step))
    firstSameIndex = readsAfterSaving(reduce) ? ~0u : 0;
  if (auto call = dyn_cast<kernel::CallOp>(step); call && call.getInPlace())
    firstSameIndex = 0; // as its library declares
  SmallVector<Touch> result;
  for (OpOperand &operand : step->getOpOperands()) {
    FailureOr<Place> where = place(operand.get());
    if (failed(where))
      return failure();
    unsigned number = operand.getOperandNumber();
    trimChannels(step, number, *where);
    bool writes = number >= firstOutput && number < endOutput;
    result.push_back({*where, !writes, writes, number >= firstSameIndex && number < endOutput});
  }
  return result;
}

// P1, P3
LogicalResult Checker::collectLives() {
  int64_t arena = program.getArenaBytes().value_or(-1);
  for (Operation &op : program.getBody().front()) {
    if (auto buffer = dyn_cast<kernel::BufferOp>(op)) {
      if (!buffer.getOffset())
        return buffer.emitError("internal error: plan check P1: the buffer has no offset");
      FailureOr<Place> whole = rootPlace(buffer.getResult());
      if (failed(whole))
        return failure();
      int64_t offset = *buffer.getOffset(), bytes = whole->bytes().second;
      if (offset % 64 != 0 || offset < 0)
        return buffer.emitError("internal error: plan check P1: offset ")
               << offset << " is no multiple of 64";
      bool used = !buffer->use_empty();
      if (used && offset + bytes > arena)
        return buffer.emitError("internal error: plan check P1: the buffer ends at byte ")
               << offset + bytes << " of an arena of " << arena;
      lives[buffer.getResult()] = {offset, bytes, -1, -1};
    }
    if (isa<kernel::ForwardEndOp>(op))
      forwardSteps = steps.size();
    if (!isa<kernel::StepInterface>(op))
      continue;
    int64_t number = steps.size();
    FailureOr<SmallVector<Touch>> all = touches(&op);
    if (failed(all))
      return failure();
    for (const Touch &touch : *all) {
      auto life = lives.find(touch.place.root);
      if (life == lives.end())
        continue;
      // Of a buffer without bytes there is nothing to write.
      if (life->second.first < 0 && touch.reads && life->second.bytes > 0)
        return op.emitError(
            "internal error: plan check P3: reads a buffer that no step has written");
    }
    for (const Touch &touch : *all) {
      auto life = lives.find(touch.place.root);
      if (life == lives.end())
        continue;
      if (life->second.first < 0)
        life->second.first = number;
      life->second.last = number;
    }
    steps.push_back(&op);
    touched.push_back(*all);
  }
  for (auto &[root, life] : lives)
    if (life.first < forwardSteps && life.last >= forwardSteps)
      life.last = steps.size(); // another run of backward needs it
  return success();
}

// P2
LogicalResult Checker::checkInside(Operation *step, const Touch &touch) {
  FailureOr<Place> root = rootPlace(touch.place.root);
  if (failed(root) || llvm::is_contained(root->sizes, -1))
    return failed(root) ? failure() : success();
  auto [first, end] = touch.place.bytes();
  int64_t limit = root->bytes().second;
  if (first != end && (first < 0 || end > limit))
    return step->emitError("internal error: plan check P2: a view covers bytes ")
           << first << " to " << end << " of an object of " << limit;
  return success();
}

static bool overlap(std::pair<int64_t, int64_t> a, std::pair<int64_t, int64_t> b) {
  return a.first < b.second && b.first < a.second;
}

// What is needed behind a step, by offset. In a sound plan these lie apart, and the neighbours
// of what is written decide; as soon as two overlap, all are compared.
void Checker::startStep(int64_t now) {
  for (Value root : endingAt.lookup(now)) {
    auto [first, end] = needed.equal_range(lives[root].offset);
    auto place = std::find_if(first, end, [&](auto &entry) { return entry.second == root; });
    if (place != end)
      needed.erase(place);
  }
  for (Value root : startingAt.lookup(now)) {
    const BufferLife &life = lives[root];
    if (life.last <= now || life.bytes == 0)
      continue;
    auto place = needed.insert({life.offset, root}), behind = std::next(place);
    auto endOf = [&](auto entry) { return entry->first + lives[entry->second].bytes; };
    apart &= place == needed.begin() || endOf(std::prev(place)) <= life.offset;
    apart &= behind == needed.end() || endOf(place) <= behind->first;
  }
}

// P4
LogicalResult Checker::checkWrites(Operation *step, int64_t now, ArrayRef<Touch> all) {
  for (const Touch &touch : all) {
    auto bytes = arenaBytes(touch.place);
    if (!touch.writes || !bytes)
      continue;
    auto first = needed.begin();
    if (apart) {
      first = needed.lower_bound(bytes->first);
      if (first != needed.begin())
        --first;
    }
    for (auto it = first; it != needed.end() && it->first < bytes->second; ++it) {
      const BufferLife &life = lives[it->second];
      if (it->second != touch.place.root &&
          overlap(*bytes, {life.offset, life.offset + life.bytes})) {
        InFlightDiagnostic error = step->emitError("internal error: plan check P4: step ")
                                   << now << " writes bytes " << bytes->first << " to "
                                   << bytes->second << ", which meet a buffer at offset "
                                   << life.offset << " that ";
        if (life.last == int64_t(steps.size()))
          return error << "another run of backward needs";
        return error << "step " << life.last << " still needs";
      }
    }
  }
  return success();
}

// Whether two parts of one object have no element in common, as parts that lie beside each other
// have in every image, or in every block of channels: counted modulo a stride of either, the
// elements of both lie in ranges that do not meet.
static bool haveNoCommonElement(const Place &a, const Place &b) {
  if (a.root != b.root || a.elementBytes != b.elementBytes)
    return false;
  auto areApart = [&](int64_t modulus) {
    // Where the elements begin modulo `modulus`, and how many places from there on they may take.
    auto rangeOf = [&](const Place &place) {
      int64_t low = place.offset, count = 1;
      for (auto [size, stride] : llvm::zip(place.sizes, place.strides)) {
        if (stride % modulus == 0)
          continue;
        low += stride < 0 ? (size - 1) * stride : 0;
        count += (size - 1) * std::abs(stride);
      }
      return std::pair(low, count);
    };
    auto [first, firstCount] = rangeOf(a);
    auto [second, secondCount] = rangeOf(b);
    int64_t distance = ((second - first) % modulus + modulus) % modulus;
    return firstCount <= distance && secondCount <= modulus - distance;
  };
  return llvm::any_of(llvm::concat<const int64_t>(a.strides, b.strides),
                      [&](int64_t stride) { return stride != 0 && areApart(std::abs(stride)); });
}

// P5
LogicalResult Checker::checkWithin(Operation *step, ArrayRef<Touch> all) {
  for (const Touch &output : all) {
    auto written = arenaBytes(output.place);
    if (!output.writes || !written)
      continue;
    for (const Touch &other : all) {
      auto bytes = arenaBytes(other.place);
      if (&other == &output || !bytes || !overlap(*written, *bytes))
        continue;
      if (other.writes && other.place.root == output.place.root)
        continue; // two parts of one buffer; the schedule keeps them apart
      if (haveNoCommonElement(other.place, output.place))
        continue;
      if (other.reads && other.sameIndex && other.place.sameBytesPerIndex(output.place) &&
          bytes->first == written->first)
        continue;
      return step->emitError("internal error: plan check P5: an operand's bytes ")
             << bytes->first << " to " << bytes->second << " meet the output's " << written->first
             << " to " << written->second;
    }
  }
  return success();
}

// P6
LogicalResult Checker::checkPart(Operation *step, bool isForward, ArrayRef<Touch> all) {
  for (const Touch &touch : all) {
    StringRef other = isForward ? "backward" : "forward";
    if (!program.isArgumentOf(touch.place.root, other))
      continue;
    unsigned number = cast<BlockArgument>(touch.place.root).getArgNumber();
    return step->emitError("internal error: plan check P6: a step of ")
           << (isForward ? "forward" : "backward") << " touches argument " << number
           << ", which is " << other << "'s";
  }
  return success();
}

// P6, P7
LogicalResult Checker::checkParts() {
  if (!program.getParts())
    return success();
  if (!program.getForwardEnd())
    return program.emitError(
        "internal error: plan check P6: the program has parts, but no end of forward");
  llvm::DenseMap<Value, SmallVector<Place>> written; // by forward
  llvm::DenseSet<Value> read;                        // by backward
  for (auto [number, step] : llvm::enumerate(steps)) {
    bool isForward = int64_t(number) < forwardSteps;
    if (failed(checkPart(step, isForward, touched[number])))
      return failure();
    for (const Touch &touch : touched[number])
      if (isForward && touch.writes)
        written[touch.place.root].push_back(touch.place);
      else if (!isForward && touch.reads)
        read.insert(touch.place.root);
  }
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (int64_t(number) < forwardSteps)
      continue;
    for (const Touch &touch : touched[number]) {
      if (!touch.writes || !read.contains(touch.place.root))
        continue;
      for (const Place &before : written.lookup(touch.place.root))
        if (overlap(before.bytes(), touch.place.bytes()) &&
            !haveNoCommonElement(before, touch.place))
          return step->emitError("internal error: plan check P7: step ")
                 << number << " writes over what forward left for backward";
    }
  }
  return success();
}

// P8
LogicalResult Checker::checkPrepared() {
  if (program.getSymName() != "prepare_program")
    return success();
  llvm::StringSet<> written;
  for (const auto &ofStep : touched)
    for (const Touch &touch : ofStep)
      if (auto weight = touch.place.root.getDefiningOp<kernel::WeightOp>(); weight && touch.writes)
        written.insert(weight.getName());
  for (auto prepared : program->getParentOfType<ModuleOp>().getOps<kernel::PreparedOp>()) {
    if (written.contains(prepared.getSymName()))
      continue;
    InFlightDiagnostic error =
        prepared.emitError("internal error: plan check P8: no step writes the weight '")
        << prepared.getSymName() << "'";
    if (kernel::FormAttr form = prepared.getFormAttr())
      error << " in the form " << form;
    return error;
  }
  return success();
}

LogicalResult Checker::run() {
  if (failed(collectLives()) || failed(checkParts()) || failed(checkPrepared()))
    return failure();
  for (auto &[root, life] : lives)
    if (life.first >= 0) {
      startingAt[life.first].push_back(root);
      endingAt[life.last].push_back(root);
    }
  for (auto [number, step] : llvm::enumerate(steps)) {
    startStep(number);
    for (const Touch &touch : touched[number])
      if (failed(checkInside(step, touch)))
        return failure();
    if (failed(checkWrites(step, number, touched[number])) ||
        failed(checkWithin(step, touched[number])))
      return failure();
  }
  return success();
}

static bool holds(IntegerSet set, ArrayRef<int64_t> sizes) {
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    sg::Interval value = sg::intervalOf(set.getConstraint(i), {sizes, sizes});
    if (set.isEq(i) ? value.min > 0 || value.max < 0 : value.max < 0)
      return false;
  }
  return true;
}

namespace {
// The conditions of a program, and by size those that read no other one.
struct PlanConditions {
  explicit PlanConditions(kernel::ProgramOp program, size_t sizes) : alone(sizes) {
    if (!program.getConditions())
      return;
    for (auto attribute : program.getConditions()->getAsRange<IntegerSetAttr>()) {
      all.push_back(attribute.getValue());
      std::optional<unsigned> first;
      bool several = false;
      all.back().walkExprs([&](AffineExpr part) {
        auto symbol = dyn_cast<AffineSymbolExpr>(part);
        several |= symbol && first.value_or(symbol.getPosition()) != symbol.getPosition();
        if (symbol)
          first = symbol.getPosition();
      });
      if (first && !several)
        alone[*first].push_back(all.back());
    }
  }
  SmallVector<IntegerSet> all;
  SmallVector<SmallVector<IntegerSet, 1>> alone;
};
} // namespace

static bool allHold(ArrayRef<IntegerSet> sets, ArrayRef<int64_t> sizes) {
  return llvm::all_of(sets, [&](IntegerSet set) { return holds(set, sizes); });
}

// Moves an end of a size's range to the next value with which the program may run.
static void narrow(const PlanConditions &conditions, MutableArrayRef<int64_t> sizes, unsigned size,
                   int64_t step, int64_t end) {
  const int64_t most = 4096; // steps; conditions hold from a window's extent on
  for (int64_t i = 0; i < most && sizes[size] != end && !allHold(conditions.alone[size], sizes);
       ++i)
    sizes[size] += step;
}

LogicalResult symc::codegen::checkPlan(kernel::ProgramOp program) {
  SmallVector<int64_t> low(program.getDimMin().value_or(ArrayRef<int64_t>()));
  SmallVector<int64_t> high(program.getDimMax().value_or(ArrayRef<int64_t>()));
  size_t count = low.size();
  PlanConditions conditions(program, count);
  SmallVector<sg::Clip> clips = sg::clipsOf(program); // which have no range of their own
  SmallVector<unsigned> free;
  for (unsigned i = 0; i < count; ++i)
    if (llvm::none_of(clips, [&](const sg::Clip &clip) { return clip.size == i; }))
      free.push_back(i);
  for (unsigned i : free) {
    narrow(conditions, low, i, 1, high[i]);
    narrow(conditions, high, i, -1, low[i]);
  }
  auto check = [&](SmallVector<int64_t> sizes) -> LogicalResult {
    sg::setClips(clips, sizes);
    return allHold(conditions.all, sizes) ? Checker(program, sizes).run() : success();
  };
  if (free.size() > 6) // the two ends only
    return failure(failed(check(low)) || failed(check(high)));
  for (unsigned corner = 0; corner < (1u << free.size()); ++corner) {
    SmallVector<int64_t> sizes(low);
    for (auto [bit, i] : llvm::enumerate(free))
      if (corner >> bit & 1)
        sizes[i] = high[i];
    if (failed(check(sizes)))
      return failure();
  }
  return success();
}
