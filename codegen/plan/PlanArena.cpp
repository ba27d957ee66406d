// PlanArena.cpp: see PlanArena.h.
//
//   1. liveness: a buffer lives from the first to the last step that touches it,
//      through any chain of views. What forward writes and backward reads lives to the end of
//      the program, and nothing is written over it: backward may run again;
//   2. sharing: where an input of a step dies and the step's output is born with
//      the same bytes walked alike, both become one group;
//   3. packing: groups one by one, each into the smallest gap that holds it between
//      the placed groups alive at the same time, else behind them; in several
//      orders (by size, by size times life, by birth), of which the best counts. Where
//      there are thousands of groups, by birth alone, from a list of what is free: comparing
//      each with all others would take hours for a hundred thousand.
//
// Apart (ArenaPlacement.h) there is neither sharing nor packing: buffers lie one behind the
// other in pages of their own,
//
//   | unused | buffer 0 ... | unused | buffer 1 ... | unused |
#include "codegen/plan/PlanArena.h"

#include "codegen/kernel/ViewOrigin.h"
#include "ir/Inference.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <map>
#include <set>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

// " of node 'conv0'", or nothing where it has no name.
static std::string ofNode(Operation *op) {
  StringRef name = sg::nodeName(op);
  return name.empty() ? "" : " of node '" + name.str() + "'";
}

namespace {

// So many groups are compared with each other.
constexpr size_t mostCompared = 8192;

/// Buffers that share their bytes: one, or a chain of inputs and outputs.
struct Group {
  SmallVector<kernel::BufferOp, 2> buffers;
  int64_t first = INT64_MAX, last = -1; // steps
  bool isKept = false;                  // for further runs of backward
  int64_t bytes = 0;
  int64_t offset = -1;
};

class Planner {
public:
  explicit Planner(kernel::ProgramOp program, ArenaPlacement placement = ArenaPlacement::Packed)
      : program(program), placement(placement) {}
  LogicalResult run();
  LogicalResult runApart(int64_t first);
  int64_t largestLiveBytes();
  std::vector<PlacedBuffer> placedBuffers();

private:
  void addScratch();
  void addCalledPrograms(kernel::ScratchInterface step);
  LogicalResult findLiveness();
  LogicalResult shareInPlace();
  LogicalResult shareStep(kernel::StepInterface step, int64_t number);
  int64_t place(ArrayRef<Group *> order);
  int64_t placeByBirth(ArrayRef<Group *> order);
  LogicalResult pack();

  kernel::ProgramOp program;
  SymbolTableCollection symbols;
  ArenaPlacement placement;
  SmallVector<kernel::StepInterface> steps;
  std::vector<Group> groups;
  llvm::MapVector<Operation *, unsigned> groupOf; // buffer -> group
};

} // namespace

// What the step runs works at the end of its scratch; those programs are planned before.
void Planner::addCalledPrograms(kernel::ScratchInterface step) {
  auto interface = dyn_cast<kernel::StepInterface>(step.getOperation());
  ArrayAttr bodies = interface ? interface.getCalledPrograms() : ArrayAttr();
  if (!bodies)
    return;
  int64_t most = 0;
  for (auto body : bodies.getAsRange<FlatSymbolRefAttr>())
    if (auto callee =
            symbols.lookupNearestSymbolFrom<kernel::ProgramOp>(program->getParentOp(), body))
      most = std::max<int64_t>(most, callee.getArenaBytes().value_or(0));
  // Each is at most mostBytes.
  int64_t alignment = placement == ArenaPlacement::Packed ? arenaAlignment : apartPage;
  step.setScratchBytes(llvm::alignTo(step.getScratchBytes(), alignment) +
                       llvm::alignTo(most, arenaAlignment));
}

void Planner::addScratch() {
  SmallVector<kernel::ScratchInterface> calls(
      program.getBody().front().getOps<kernel::ScratchInterface>());
  for (kernel::ScratchInterface step : calls) {
    if (step.getScratch())
      continue;
    addCalledPrograms(step);
    if (step.getScratchBytes() == 0)
      continue;
    OpBuilder b(step);
    auto type = MemRefType::get({(int64_t)step.getScratchBytes()}, b.getI8Type());
    auto buffer =
        kernel::BufferOp::create(b, step.getLoc(), type, ValueRange(), ValueRange(), IntegerAttr());
    step.getScratchMutable().assign(buffer.getResult());
  }
}

LogicalResult Planner::findLiveness() {
  int64_t forwardSteps = 0;
  for (Operation &op : program.getBody().front()) {
    if (isa<kernel::ForwardEndOp>(op))
      forwardSteps = steps.size();
    if (auto buffer = dyn_cast<kernel::BufferOp>(op)) {
      FailureOr<ViewOrigin> origin = kernel::traceView(buffer.getResult());
      if (failed(origin))
        return failure();
      Group group;
      sg::CheckedSize bytes = kernel::largestBytes(*origin, program);
      if (bytes > kernel::mostBytes)
        return buffer.emitError("a buffer")
               << ofNode(buffer) << " would take more than " << kernel::mostBytes << " bytes";
      group.bytes = bytes.get();
      group.buffers.push_back(buffer);
      groupOf[buffer] = groups.size();
      groups.push_back(group);
    }
    auto step = dyn_cast<kernel::StepInterface>(op);
    if (!step)
      continue;
    int64_t number = steps.size();
    steps.push_back(step);
    for (Value operand : op.getOperands()) {
      if (!isa<MemRefType>(operand.getType()))
        continue;
      FailureOr<ViewOrigin> origin = kernel::traceView(operand);
      if (failed(origin))
        return failure();
      if (auto buffer = origin->root.getDefiningOp<kernel::BufferOp>()) {
        Group &group = groups[groupOf[buffer]];
        group.first = std::min(group.first, number);
        group.last = std::max(group.last, number);
      }
    }
  }
  for (Group &group : groups)
    if (group.first < forwardSteps && group.last >= forwardSteps) {
      group.isKept = true;
      group.last = int64_t(steps.size()) - 1;
    }
  return success();
}

LogicalResult Planner::shareStep(kernel::StepInterface step, int64_t number) {
  OperandRange candidates = step.getOverwritableInputs();
  for (Value output : step.getOutputs()) {
    FailureOr<ViewOrigin> out = kernel::traceView(output);
    auto outBuffer = out->root.getDefiningOp<kernel::BufferOp>();
    if (!outBuffer)
      continue;
    for (Value input : candidates) {
      FailureOr<ViewOrigin> in = kernel::traceView(input);
      auto inBuffer = in->root.getDefiningOp<kernel::BufferOp>();
      if (!inBuffer || in->offset != out->offset || in->sizes != out->sizes ||
          in->strides != out->strides ||
          kernel::elementBytes(in->elementType) != kernel::elementBytes(out->elementType))
        continue;
      // No other operand may look at the bytes that are written over.
      unsigned from = groupOf[inBuffer], to = groupOf[outBuffer];
      auto touches = [&](Value operand, unsigned group) {
        if (!isa<MemRefType>(operand.getType()) || operand == input || operand == output)
          return false;
        auto root = kernel::traceView(operand)->root.getDefiningOp<kernel::BufferOp>();
        return root && groupOf[root] == group;
      };
      bool alone = llvm::none_of(step->getOperands(), [&](Value operand) {
        return touches(operand, from) || touches(operand, to);
      });
      bool once = llvm::count(step->getOperands(), input) == 1;
      Group &source = groups[from], &target = groups[to];
      if (from == to || !alone || !once || source.last != number || target.first != number ||
          source.isKept)
        continue;
      source.last = target.last;
      source.isKept = target.isKept;
      source.bytes = std::max(source.bytes, target.bytes);
      for (kernel::BufferOp buffer : target.buffers)
        groupOf[buffer] = from;
      source.buffers.append(target.buffers);
      target.buffers.clear();
      break;
    }
  }
  return success();
}

LogicalResult Planner::shareInPlace() {
  for (auto [number, step] : llvm::enumerate(steps))
    if (failed(shareStep(step, number)))
      return failure();
  return success();
}

// Places the groups in that order and returns the bytes that they take.
int64_t Planner::place(ArrayRef<Group *> order) {
  int64_t arenaBytes = 0;
  SmallVector<Group *> placed; // by offset
  for (Group *group : order) {
    int64_t bytes = llvm::alignTo(group->bytes, arenaAlignment);
    int64_t best = -1, bestGap = INT64_MAX, end = 0;
    for (Group *other : placed) {
      if (other->last < group->first || group->last < other->first)
        continue;
      int64_t gap = other->offset - end;
      if (gap >= bytes && gap < bestGap) {
        best = end;
        bestGap = gap;
      }
      end = std::max<int64_t>(end, other->offset + llvm::alignTo(other->bytes, arenaAlignment));
    }
    group->offset = best >= 0 ? best : end;
    arenaBytes = std::max(arenaBytes, group->offset + bytes);
    placed.insert(
        llvm::upper_bound(placed, group, [](Group *a, Group *b) { return a->offset < b->offset; }),
        group);
  }
  return arenaBytes;
}

namespace {
/// The bytes of an arena that no placed group needs, as gaps that do not touch.
class FreeBytes {
public:
  /// Takes the smallest gap that is large enough, else the end of the arena.
  int64_t take(int64_t bytes) {
    auto gap = bySize.lower_bound({bytes, 0});
    if (gap != bySize.end()) {
      auto [size, offset] = *gap;
      remove(offset, size);
      add(offset + bytes, size - bytes);
      return offset;
    }
    int64_t offset = end;
    if (!byOffset.empty() && byOffset.rbegin()->first + byOffset.rbegin()->second == end) {
      offset = byOffset.rbegin()->first;
      remove(offset, end - offset);
    }
    end = offset + bytes;
    return offset;
  }
  void release(int64_t offset, int64_t bytes) {
    auto next = byOffset.lower_bound(offset);
    if (next != byOffset.end() && next->first == offset + bytes) {
      bytes += next->second;
      remove(next->first, next->second);
    }
    auto before = byOffset.lower_bound(offset);
    if (before != byOffset.begin() &&
        std::prev(before)->first + std::prev(before)->second == offset) {
      auto [first, size] = *std::prev(before);
      remove(first, size);
      offset = first;
      bytes += size;
    }
    add(offset, bytes);
  }
  int64_t size() const { return end; }

private:
  void add(int64_t offset, int64_t bytes) {
    if (bytes == 0)
      return;
    byOffset[offset] = bytes;
    bySize.insert({bytes, offset});
  }
  void remove(int64_t offset, int64_t bytes) {
    byOffset.erase(offset);
    bySize.erase({bytes, offset});
  }
  std::map<int64_t, int64_t> byOffset;
  std::set<std::pair<int64_t, int64_t>> bySize;
  int64_t end = 0;
};
} // namespace

// The same for groups in the order of their births.
int64_t Planner::placeByBirth(ArrayRef<Group *> order) {
  FreeBytes arena;
  std::multimap<int64_t, Group *> alive; // by last step
  for (Group *group : order) {
    while (!alive.empty() && alive.begin()->first < group->first) {
      Group *dead = alive.begin()->second;
      arena.release(dead->offset, llvm::alignTo(dead->bytes, arenaAlignment));
      alive.erase(alive.begin());
    }
    group->offset = arena.take(llvm::alignTo(group->bytes, arenaAlignment));
    alive.insert({group->last, group});
  }
  return arena.size();
}

LogicalResult Planner::pack() {
  SmallVector<Group *> order;
  sg::CheckedSize all = 0; // no arithmetic on offsets below goes beyond
  for (Group &group : groups)
    if (!group.buffers.empty()) {
      order.push_back(&group);
      all += alignTo(sg::CheckedSize(group.bytes), arenaAlignment);
    }
  auto tooLarge = [&] {
    InFlightDiagnostic error = program.emitError("the arena would take more than ")
                               << kernel::mostBytes << " bytes";
    Group *largest =
        *llvm::max_element(order, [](Group *a, Group *b) { return a->bytes < b->bytes; });
    kernel::BufferOp buffer = largest->buffers.front();
    error.attachNote(buffer.getLoc())
        << "the largest buffer" << ofNode(buffer) << " takes " << largest->bytes << " bytes";
    return error;
  };
  if (all.isTooLarge())
    return tooLarge();
  auto life = [](Group *group) { return group->last - group->first + 1; };
  const std::function<bool(Group *, Group *)> orders[] = {
      [](Group *a, Group *b) { return a->bytes > b->bytes; },
      [&](Group *a, Group *b) {
        return sg::CheckedSize(a->bytes) * life(a) > sg::CheckedSize(b->bytes) * life(b);
      },
      [&](Group *a, Group *b) {
        return std::pair(-life(a), -a->bytes) < std::pair(-life(b), -b->bytes);
      },
      [](Group *a, Group *b) {
        return std::pair(a->first, -a->bytes) < std::pair(b->first, -b->bytes);
      },
      [](Group *a, Group *b) {
        return std::pair(-a->last, -a->bytes) < std::pair(-b->last, -b->bytes);
      }};
  int64_t best = INT64_MAX;
  auto take = [&](int64_t bytes) {
    if (bytes >= best)
      return;
    best = bytes;
    for (Group *group : order)
      for (kernel::BufferOp buffer : group->buffers)
        buffer.setOffset(group->offset);
  };
  if (order.size() > mostCompared) {
    llvm::stable_sort(order, [](Group *a, Group *b) { return a->first < b->first; });
    take(placeByBirth(order));
  } else {
    for (const auto &before : orders) {
      SmallVector<Group *> sorted = order; // equal ones stay in program order
      llvm::stable_sort(sorted, before);
      take(place(sorted));
    }
  }
  if (best > kernel::mostBytes)
    return tooLarge();
  program.setArenaBytes(best);
  return success();
}

LogicalResult Planner::run() {
  addScratch();
  if (failed(findLiveness()) || failed(shareInPlace()))
    return failure();
  return pack();
}

//===----------------------------------------------------------------------===//
// Apart
//===----------------------------------------------------------------------===//

// Where `bytes` lie in pages of their own that begin at `page`, which moves behind them and
// the unused page that follows.
static int64_t takePages(int64_t bytes, ArenaPlacement placement, int64_t &page) {
  int64_t first = page, end = first + llvm::alignTo(bytes, apartPage);
  page = end + apartPage;
  return placement == ArenaPlacement::ApartAtEnd
             ? end - int64_t(llvm::alignTo(bytes, arenaAlignment))
             : first;
}

LogicalResult Planner::runApart(int64_t first) {
  addScratch();
  if (failed(findLiveness()))
    return failure();
  int64_t page = first + apartPage;
  for (Group &group : groups)
    for (kernel::BufferOp buffer : group.buffers)
      buffer.setOffset(takePages(group.bytes, placement, page));
  program.setArenaBytes(page);
  return success();
}

static void spreadPrepared(ModuleOp module, ArenaPlacement placement) {
  int64_t page = apartPage;
  for (auto prepared : module.getOps<kernel::PreparedOp>()) {
    auto type = cast<MemRefType>(prepared.getType());
    int64_t bytes = type.getNumElements() * kernel::elementBytes(type.getElementType());
    prepared.setOffset(takePages(bytes, placement, page));
  }
}

// The programs of a module outside of variants, or of a variant.
static LogicalResult planPrograms(Operation *root, ArrayRef<kernel::ProgramOp> programs,
                                  ArenaPlacement placement) {
  if (placement == ArenaPlacement::Packed)
    return success(llvm::all_of(
        programs, [](kernel::ProgramOp program) { return succeeded(planArena(program)); }));
  llvm::StringSet<> called;
  root->walk([&](kernel::StepInterface step) {
    if (ArrayAttr bodies = step.getCalledPrograms())
      for (auto body : bodies.getAsRange<FlatSymbolRefAttr>())
        called.insert(body.getValue());
  });
  int64_t behindCalled = 0;
  for (kernel::ProgramOp program : programs) {
    bool isCalled = called.contains(program.getSymName());
    if (failed(Planner(program, placement).runApart(isCalled ? behindCalled : 0)))
      return failure();
    if (isCalled)
      behindCalled = *program.getArenaBytes();
  }
  return success();
}

LogicalResult symc::codegen::planArenas(ModuleOp module, ArenaPlacement placement) {
  if (placement != ArenaPlacement::Packed)
    spreadPrepared(module, placement);
  for (auto variant : module.getOps<kernel::VariantOp>()) {
    SmallVector<kernel::ProgramOp> programs(variant.getBody().getOps<kernel::ProgramOp>());
    if (failed(planPrograms(variant, programs, placement)))
      return failure();
  }
  SmallVector<kernel::ProgramOp> programs(module.getOps<kernel::ProgramOp>());
  return planPrograms(module, programs, placement);
}

int64_t Planner::largestLiveBytes() {
  if (failed(findLiveness()))
    return 0;
  int64_t largest = 0;
  for (size_t step = 0; step < steps.size(); ++step) {
    SmallVector<std::pair<int64_t, int64_t>> ranges; // of the arena, begin and end
    for (Group &group : groups)
      if (group.first <= int64_t(step) && int64_t(step) <= group.last) {
        int64_t begin = group.buffers.front().getOffset().value_or(0);
        ranges.push_back({begin, begin + group.bytes});
      }
    llvm::sort(ranges);
    int64_t sum = 0, end = 0;
    for (auto [first, last] : ranges) {
      sum += std::max<int64_t>(0, last - std::max(first, end));
      end = std::max(end, last);
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

std::vector<PlacedBuffer> Planner::placedBuffers() {
  std::vector<PlacedBuffer> placed;
  if (failed(findLiveness()))
    return placed;
  for (Group &group : groups) {
    kernel::BufferOp buffer = group.buffers.front();
    if (group.last >= 0)
      placed.push_back(
          {buffer, int64_t(buffer.getOffset().value_or(0)), group.bytes, group.first, group.last});
  }
  return placed;
}

std::vector<PlacedBuffer> symc::codegen::placedBuffers(kernel::ProgramOp program) {
  return Planner(program).placedBuffers();
}

int64_t symc::codegen::largestLiveBytes(kernel::ProgramOp program) {
  return Planner(program).largestLiveBytes();
}

LogicalResult symc::codegen::planArena(kernel::ProgramOp program) { return Planner(program).run(); }
