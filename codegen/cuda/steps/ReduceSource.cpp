// ReduceSource.cpp: kernel.reduce in three ways. None of their orders depends on the device.
//
// Rows whose elements lie side by side have T threads each: a warp where a row has at most 256
// elements, four rows a block; else a block of 64 to 1024 threads, so many that a thread has eight
// elements at most, or a group while they are fewer than 256. Elements come in groups of four
// neighbours (one where rows are shorter than 128, their last extent is no multiple of four, or
// elements have 8 bytes): thread t takes groups t, t + T ... and adds their elements one by one.
// Then lane l of a warp adds the value of lane l + 16, l + 8, l + 4, l + 2 and l + 1 by shuffles,
// so that lane 0 has the warp's; those of W warps, through shared memory, become one in the same
// way from l + W / 2 on. Where a thread has eight elements at most, what several passes read stays
// in its registers, so that memory is read once.
//
// Other rows lie side by side themselves: each has a thread, which adds blocks of 64 elements, then
// those. But where they are few and long, and a multiple of eight, eight of them have a block,
// whose warps read 32 bytes of each of four elements: 32 to 128 threads a row, of which thread t
// takes elements t, t + T ...; in each warp l adds l + 2 and l + 1, then the first warp the others
// in order.
#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/VectorWalk.h"
#include "codegen/cuda/steps/ReduceCombine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

constexpr int64_t rowsOfBlock = 4; // of a warp each
constexpr int64_t mostHeld = 8 /* elements of a thread in registers */, mostThreads = 1024;
constexpr int64_t mostBlocks = int64_t(1) << 16;
// Fewer rows with a thread each are not a block for each of the 132 multiprocessors of the largest
// common device.
constexpr int64_t fewRows = 132 * 256, manyElements = 256;

class ReduceSource {
public:
  ReduceSource(kernel::ReduceOp op, KernelWriter &writer) : op(op), w(writer) {}
  LogicalResult write();

private:
  LogicalResult findViews();
  void chooseThreads(AffineExpr rowCount);
  void openRows(AffineExpr count, ArrayRef<AffineExpr> sizes);
  LogicalResult writePass(unsigned number);
  LogicalResult writeRowOuts();
  LogicalResult writeElements();
  void holdInputs();
  void openElements();
  void closeElements();
  /// Whether a region reads input i.
  bool reads(Region &region, unsigned i) { return !region.front().getArgument(2 + i).use_empty(); }
  /// A variable of the thread for each of its elements, as they lie in memory.
  void declareHeld(const View &view, const std::string &name);
  VectorWalk::Access heldAccess(const View &view, const std::string &name);
  std::string heldName(unsigned input) const { return "x" + std::to_string(input) + "_row"; }
  const View &firstOut() { return whole[op.getIns().size()]; }
  /// In each lane of the elements that are open: what a region yields, and what `use` writes of it.
  LogicalResult eachLane(Region &region, bool saved,
                         llvm::function_ref<void(ArrayRef<std::string>)> use);
  /// Names of what a region yields. Its first arguments are position, count, inputs (none where
  /// it reads none), what was saved, results.
  FailureOr<SmallVector<std::string>> run(Region &region, const std::string &position,
                                          VectorWalk &walk,
                                          ArrayRef<std::optional<VectorWalk::Access>> inputs,
                                          const std::optional<VectorWalk::Access> &saved);
  AffineExpr elements() { return w.count(ArrayRef(whole.front().sizes).drop_front(op.getKept())); }
  SmallVector<std::string> place() const {
    SmallVector<std::string> all(kept);
    llvm::append_range(all, reduced);
    return all;
  }

  kernel::ReduceOp op;
  KernelWriter &w;
  SmallVector<View> whole, rows; // ins and outs, row_outs
  std::optional<View> lengths;
  SmallVector<Growing> results;
  SmallVector<std::string> kept, reduced; // indices; the last one of lane 0
  RowTeam team;
  int64_t held = 0;         // groups of a thread, in registers; 0: it has more
  SmallVector<bool> isHeld; // of each input
  VectorWalk lanes{w, 1};
  unsigned opened = 0; // scopes of openElements
};

} // namespace

LogicalResult ReduceSource::findViews() {
  auto find = [&](ValueRange operands, StringRef stem, SmallVector<View> &into) {
    for (auto [i, operand] : llvm::enumerate(operands)) {
      FailureOr<View> view = w.view(operand, (stem + Twine(i)).str());
      if (failed(view))
        return failure();
      into.push_back(*view);
    }
    return success();
  };
  if (failed(find(op.getIns(), "x", whole)) || failed(find(op.getOuts(), "y", whole)) ||
      failed(find(op.getRowOuts(), "row", rows)))
    return failure();
  if (op.getLengths()) {
    FailureOr<View> view = w.view(op.getLengths(), "lengths");
    if (failed(view))
      return failure();
    lengths = *view;
  }
  for (auto [k, region] : llvm::enumerate(op.getPasses())) {
    TypeRange types = region.front().getTerminator()->getOperandTypes();
    StringRef combiner = cast<StringAttr>(op.getCombiners()[k]).getValue();
    results.push_back({combiner,
                       SmallVector<Type>(types.take_front(combiner.starts_with("arg") ? 2 : 1)),
                       "result" + std::to_string(k)});
  }
  return success();
}

void ReduceSource::chooseThreads(AffineExpr rowCount) {
  int64_t most = std::max<int64_t>(1, w.largest(elements()));
  if (whole.front().strides.back() != getAffineConstantExpr(1, op.getContext())) {
    bool whole = rowCount.getLargestKnownDivisor() % RowTeam::columns == 0;
    if (whole && w.largest(rowCount) < fewRows && most >= manyElements) {
      int64_t threads = llvm::bit_floor(uint64_t(most / mostHeld));
      team = {RowTeam::Columns, std::clamp<int64_t>(threads, 32, mostThreads / RowTeam::columns)};
    }
  } else {
    bool narrow = kernel::elementBytes(whole.front().elementType) <= 4;
    bool fours = whole.front().sizes.back().getLargestKnownDivisor() % 4 == 0;
    if (narrow && fours && most >= 4 * RowTeam::warp)
      lanes = VectorWalk(w, 4);
    int64_t groups = llvm::divideCeil(most, lanes.count());
    int64_t threads = std::max<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(most, mostHeld)),
                                        std::min<int64_t>(llvm::PowerOf2Ceil(groups), 256));
    team = {RowTeam::Block, std::min(threads, mostThreads)};
    if (most <= RowTeam::warp * mostHeld)
      team = {RowTeam::Warp, RowTeam::warp};
  }
  if (team.isSeveral() && most <= team.threads * mostHeld)
    held = llvm::divideCeil(most, team.threads * lanes.count());
}

// Each row by a warp or a block, or eight by a block.
void ReduceSource::openRows(AffineExpr count, ArrayRef<AffineExpr> sizes) {
  int64_t together = team.shape == RowTeam::Warp      ? rowsOfBlock
                     : team.shape == RowTeam::Columns ? RowTeam::columns
                                                      : 1;
  StringRef type = w.indexType(count);
  std::string first = times("blockIdx.x", together), by = times("gridDim.x", together);
  if (team.shape == RowTeam::Warp) {
    w.line("const int thread = threadIdx.x % 32;");
    first += " + threadIdx.x / 32";
  } else if (team.shape == RowTeam::Columns) {
    w.line("const int thread = threadIdx.x / 8;");
    first += " + threadIdx.x % 8";
  } else {
    w.line("const int thread = threadIdx.x;");
  }
  for (const Growing &result : results)
    declareShared(w, result, team);
  w.open("for (" + type + " row = " + first + "; row < " + w.size(count) + "; row += " + by + ")");
  kept = w.split("row", sizes);
  int64_t blocks = llvm::divideCeil(std::max<int64_t>(1, w.largest(count)), together);
  w.grid(std::min(blocks, mostBlocks), 1, 1, team.threads * together);
}

// A walk over the elements of the row that are the thread's, up to the lanes of a group.
void ReduceSource::openElements() {
  std::string count = w.size(elements()), first = lanes.isVector() ? "first" : "e";
  std::string threadCount = std::to_string(team.threads), type = w.indexType(elements()).str();
  opened = 1;
  if (!team.isSeveral()) {
    w.open("for (" + type + " e = 0; e < " + count + "; ++e)");
  } else if (held) {
    std::string group = "thread";
    if (held > 1) {
      w.line("#pragma unroll");
      w.open("for (int k = 0; k < " + Twine(held) + "; ++k)");
      ++opened;
      group = "(thread + k * " + threadCount + ")";
    }
    w.open("if (const int " + first + " = " + times(group, lanes.count()) + "; " + first + " < " +
           count + ")");
  } else {
    w.open("for (" + type + " " + first + " = " + times("thread", lanes.count()) + "; " + first +
           " < " + count + "; " + first + " += " + std::to_string(team.threads * lanes.count()) +
           ")");
  }
  reduced = w.split(first, ArrayRef(whole.front().sizes).drop_front(op.getKept()));
}

void ReduceSource::closeElements() {
  for (; opened > 0; --opened)
    w.close();
}

void ReduceSource::declareHeld(const View &view, const std::string &name) {
  std::string extents = held > 1 ? "[" + std::to_string(held) + "]" : "";
  if (lanes.isVector())
    extents += "[" + std::to_string(lanes.count()) + "]";
  w.line(storageType(view.elementType) + " " + name + extents + ";");
}

VectorWalk::Access ReduceSource::heldAccess(const View &view, const std::string &name) {
  return {view, {}, held > 1 ? name + "[k]" : name, lanes.isVector()};
}

// Reads once what several passes, or a pass and the elements, read.
void ReduceSource::holdInputs() {
  for (unsigned i = 0; i < op.getIns().size(); ++i) {
    int64_t readers = reads(op.getElements(), i);
    for (Region &pass : op.getPasses())
      readers += reads(pass, i);
    isHeld.push_back(held && readers > 1);
    if (isHeld.back())
      declareHeld(whole[i], heldName(i));
  }
  if (held && op.getSaves())
    declareHeld(firstOut(), "saved");
  if (!llvm::is_contained(isHeld, true))
    return;
  openElements();
  for (unsigned i = 0; i < op.getIns().size(); ++i) {
    if (!isHeld[i])
      continue;
    VectorWalk::Access to = heldAccess(whole[i], heldName(i));
    if (lanes.isVector() && hasVectors(whole[i])) {
      lanes.fetch(whole[i], place(), to.name);
      continue;
    }
    VectorWalk::Access from = lanes.fetch(whole[i], place());
    lanes.openLanes();
    lanes.setRaw(to, lanes.raw(from));
    lanes.closeLanes();
  }
  closeElements();
}

FailureOr<SmallVector<std::string>>
ReduceSource::run(Region &region, const std::string &position, VectorWalk &walk,
                  ArrayRef<std::optional<VectorWalk::Access>> inputs,
                  const std::optional<VectorWalk::Access> &saved) {
  StringRef counted = valueType(region.front().getArgument(1).getType());
  SmallVector<std::string> arguments{position,
                                     ("(" + counted + ")(" + w.size(elements()) + ")").str()};
  for (const std::optional<VectorWalk::Access> &input : inputs)
    arguments.push_back(input ? walk.value(*input) : "0");
  if (saved)
    arguments.push_back(walk.value(*saved));
  for (const Growing &result : results) {
    if (arguments.size() == region.front().getNumArguments())
      break;
    arguments.push_back(result.name);
    if (result.places())
      arguments.push_back(result.place());
  }
  return writeBody(w, region, arguments);
}

LogicalResult ReduceSource::eachLane(Region &region, bool isSaved,
                                     llvm::function_ref<void(ArrayRef<std::string>)> use) {
  std::vector<std::optional<VectorWalk::Access>> inputs(op.getIns().size());
  std::optional<VectorWalk::Access> saved;
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (reads(region, i))
      inputs[i] = isHeld[i] ? heldAccess(whole[i], heldName(i)) : lanes.fetch(whole[i], place());
  if (isSaved)
    saved = held ? heldAccess(firstOut(), "saved") : lanes.fetch(firstOut(), place());
  lanes.openLanes();
  if (lanes.isVector())
    w.line("const " + w.indexType(elements()) + " e = first + lane;");
  if (lengths)
    w.open("if (e < length)");
  FailureOr<SmallVector<std::string>> values = run(region, "e", lanes, inputs, saved);
  if (failed(values))
    return failure();
  use(*values);
  return success();
}

LogicalResult ReduceSource::writePass(unsigned number) {
  const Growing &result = results[number];
  bool saves = op.getSaves() == number, saved = op.getSaves() && *op.getSaves() < number;
  declare(w, result, false);
  Growing inner = result;
  if (!team.isSeveral()) { // blocks of 64
    inner.name += "_block";
    declare(w, inner, false);
  }
  openElements();
  std::optional<VectorWalk::Access> target;
  if (saves)
    target = held ? heldAccess(firstOut(), "saved") : lanes.target(firstOut(), place());
  auto use = [&](ArrayRef<std::string> values) {
    combine(w, inner, values[0], result.places() ? values[1] : "", false);
    if (saves)
      lanes.set(*target, values.back());
    if (lengths)
      w.close();
    lanes.closeLanes();
  };
  if (failed(eachLane(op.getPasses()[number], saved, use)))
    return failure();
  if (saves && !held)
    lanes.flush(*target);
  if (!team.isSeveral()) {
    w.open("if ((e & 63) == 63)");
    combine(w, result, inner.name, inner.place(), false);
    declare(w, inner, true);
    w.close();
  }
  closeElements();
  if (team.isSeveral())
    combineThreads(w, result, team, number + 1 < results.size() || !op.getOuts().empty());
  else
    combine(w, result, inner.name, inner.place(), false);
  return success();
}

LogicalResult ReduceSource::writeRowOuts() {
  if (rows.empty())
    return success();
  if (team.isSeveral())
    w.open("if (thread == 0)");
  SmallVector<std::string> first(kept);
  first.append(whole.front().sizes.size() - op.getKept(), "0");
  VectorWalk alone(w, 1);
  std::vector<std::optional<VectorWalk::Access>> inputs(op.getIns().size());
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (reads(op.getRows(), i))
      inputs[i] = alone.fetch(whole[i], first);
  FailureOr<SmallVector<std::string>> values = run(op.getRows(), "0", alone, inputs, std::nullopt);
  if (failed(values))
    return failure();
  for (auto [view, value] : llvm::zip_equal(rows, *values))
    w.store(view, kept, value);
  if (team.isSeveral())
    w.close();
  return success();
}

LogicalResult ReduceSource::writeElements() {
  ArrayRef<View> outs = ArrayRef(whole).drop_front(op.getIns().size());
  if (outs.empty())
    return success();
  openElements();
  std::vector<VectorWalk::Access> targets;
  for (const View &view : outs)
    targets.push_back(lanes.target(view, place()));
  auto use = [&](ArrayRef<std::string> values) {
    for (auto [target, value] : llvm::zip_equal(targets, values))
      lanes.set(target, value);
    if (lengths) {
      w.close();
      w.open("else");
      for (const VectorWalk::Access &target : targets)
        lanes.set(target, "0");
      w.close();
    }
    lanes.closeLanes();
  };
  if (failed(eachLane(op.getElements(), op.getSaves().has_value(), use)))
    return failure();
  for (const VectorWalk::Access &target : targets)
    lanes.flush(target);
  closeElements();
  return success();
}

LogicalResult ReduceSource::write() {
  if (failed(findViews()))
    return failure();
  ArrayRef<AffineExpr> keptSizes = ArrayRef(whole.front().sizes).take_front(op.getKept());
  AffineExpr rowCount = w.count(keptSizes);
  chooseThreads(rowCount);
  if (team.isSeveral())
    openRows(rowCount, keptSizes);
  else
    kept = w.walk(keptSizes);
  if (lengths)
    w.line("const long long length = " + w.load(*lengths, kept) + ";");
  holdInputs();
  for (unsigned k = 0; k < results.size(); ++k)
    if (failed(writePass(k)))
      return failure();
  if (failed(writeRowOuts()) || failed(writeElements()))
    return failure();
  // Before the next row's values of warps; with several results a barrier of another one is enough.
  if (team.hasWarps() && results.size() == 1 && w.largest(rowCount) > mostBlocks)
    w.line("__syncthreads();");
  w.close();
  return success();
}

static LogicalResult writeReduce(kernel::ReduceOp op, KernelWriter &writer) {
  return ReduceSource(op, writer).write();
}

// Results of rows may be statistics, which 16 bits do not hold.
static bool takesHalves(kernel::ReduceOp op, OpOperand &operand) {
  return llvm::is_contained(op.getIns(), operand.get()) ||
         llvm::is_contained(op.getOuts(), operand.get());
}

void registerReduceSource(DialectRegistry &registry) {
  addSource<kernel::ReduceOp, writeReduce, takesHalves>(registry);
}

} // namespace symc::codegen::cuda
