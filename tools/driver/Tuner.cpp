// Tuner.cpp: see Tuner.h. A candidate is a program of one step whose operands lie in
// an arena of its own at the strides that they have in the model. Before a sample
// the caches are put into the state that a whole network leaves: weights as far away
// as the model's size says, the input near.
#include "tools/driver/Tuner.h"

#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/Outline.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemAlloc.h"
#include <chrono>

using namespace mlir;
using namespace symc;
using codegen::StepChoice;
using codegen::TargetDescription;
using codegen::TunableStep;
using codegen::Tuning;
using codegen::TuningChoice;

static double microseconds() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static void runTasks(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  for (int64_t task = 0; task < tasks; ++task)
    fn(frame, task);
}

// Cycles of this core in a microsecond: a chain of multiplications, 3 cycles each.
static double cyclesPerMicrosecond() {
  double best = 1;
  for (int round = 0; round < 5; ++round) {
    constexpr int links = 100'000;
    uint64_t value = round | 1;
    double start = microseconds();
    for (int i = 0; i < links; ++i) {
#if defined(__x86_64__)
      __asm__ volatile("imulq %0, %0" : "+r"(value));
#else
      value = value * value + i;
#endif
    }
    best = std::max(best, 3.0 * links / (microseconds() - start));
  }
  return best;
}

namespace {
/// Bytes of the arena that an operand's root takes.
struct Range {
  int64_t first = 0, bytes = 0;
};

/// One way to compute a layer: a step of one of the schedules and its tile.
struct Candidate {
  Operation *op;
  TuningChoice choice;
  Range data, weights; // in the arena
};

struct Free {
  size_t bytes = 0;
  void operator()(uint8_t *memory) const { llvm::deallocate_buffer(memory, bytes, 4096); }
};

class ShapeTuner {
public:
  ShapeTuner(const TargetDescription &target, const TuneOptions &options)
      : target(target), options(options) {}

  /// Measures all candidates of one shape.
  llvm::Error run(MutableArrayRef<Candidate> candidates);

private:
  LogicalResult addProgram(ModuleOp module, Candidate &candidate, StringRef name);
  void settle(const Candidate &candidate);

  const TargetDescription &target;
  const TuneOptions &options;
  // The first page stays zero: the words in which tasks take their rows of scratch.
  static constexpr int64_t firstByte = 4096;
  int64_t arenaBytes = firstByte;
  std::unique_ptr<uint8_t, Free> arena;
};
} // namespace

// @name: the step alone, its roots side by side in the arena.
LogicalResult ShapeTuner::addProgram(ModuleOp module, Candidate &candidate, StringRef name) {
  Operation *op = candidate.op;
  Location loc = op->getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto program =
      kernel::ProgramOp::create(b, loc, name, 0, 0, DenseI64ArrayAttr(), DenseI64ArrayAttr(),
                                IntegerAttr(), ArrayAttr(), FloatAttr(), ArrayAttr(), ArrayAttr());
  b.setInsertionPointToEnd(&program.getBody().emplaceBlock());
  IRMapping mapping;
  DenseMap<Value, Value> roots;
  int64_t end = firstByte;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    FailureOr<kernel::ViewOrigin> view = kernel::traceView(operand);
    if (failed(view))
      return failure();
    auto rootType = cast<MemRefType>(view->root.getType());
    Value &root = roots[view->root];
    if (!root) {
      Range place{end, rootType.getNumElements() * kernel::elementBytes(rootType.getElementType())};
      if (rootType.getElementType().isInteger(32))
        place.first = 0; // the words
      else               // some lines apart, so that no two operands begin in the same sets of L1
        end = llvm::alignTo(end + place.bytes, 4096) + 64 * (roots.size() % 32);
      root = kernel::BufferOp::create(b, loc, rootType, ValueRange(), ValueRange(),
                                      b.getI64IntegerAttr(place.first));
      if (index == 0)
        candidate.data = place;
      if (index == 1)
        candidate.weights = place;
    }
    auto constants = [&](ArrayRef<AffineExpr> exprs) {
      SmallVector<OpFoldResult> values;
      for (AffineExpr expr : exprs)
        values.push_back(b.getIndexAttr(cast<AffineConstantExpr>(expr).getValue()));
      return values;
    };
    mapping.map(operand,
                memref::ReinterpretCastOp::create(b, loc, cast<MemRefType>(operand.getType()), root,
                                                  constants({view->offset})[0],
                                                  constants(view->sizes), constants(view->strides))
                    .getResult());
  }
  arenaBytes = std::max(arenaBytes, end);
  cast<TunableStep>(b.clone(*op, mapping)).setChoice(candidate.choice.ofStep(), target);
  kernel::EndOp::create(b, loc);
  return success();
}

// Puts the caches into the state that a step finds: what it reads from the step
// before is near, its weights are where the whole model's weights fit.
void ShapeTuner::settle(const Candidate &candidate) {
  static std::vector<char> other(4 << 20);
  volatile char sink = 0;
  for (size_t i = 0; i < other.size() && int64_t(i) < 2 * target.l2Bytes; i += 64)
    sink = sink + other[i];
#if defined(__x86_64__)
  if (options.weightBytes > uint64_t(target.l3Bytes))
    for (int64_t i = 0; i < candidate.weights.bytes; i += 64)
      __builtin_ia32_clflush(arena.get() + candidate.weights.first + i);
#endif
  for (int64_t i = 0; i < candidate.data.bytes; i += 64)
    sink = sink + char(arena.get()[candidate.data.first + i]);
}

llvm::Error ShapeTuner::run(MutableArrayRef<Candidate> candidates) {
  Location loc = candidates.front().op->getLoc();
  OwningOpRef<ModuleOp> programs = ModuleOp::create(loc);
  OwningOpRef<ModuleOp> lowered = ModuleOp::create(loc);
  codegen::Code code(codegen::hostTriple());
  std::vector<std::string> names;
  for (size_t i = 0; i < candidates.size(); ++i) {
    names.push_back("tune_" + std::to_string(i));
    if (failed(addProgram(*programs, candidates[i], names.back())))
      return codegen::emitError("internal error: a step cannot be tuned by itself");
  }
  for (auto program : programs->getOps<kernel::ProgramOp>())
    if (failed(
            codegen::lowerProgram(program, program.getSymName(), target, options.math, *lowered)))
      return codegen::emitError("internal error: a candidate cannot be lowered");
  if (!code.add(*lowered, target, options.math))
    return codegen::emitError("internal error: a candidate cannot be lowered");
  codegen::InProcessOptions inProcess;
  inProcess.resourceDir = options.resourceDir;
  inProcess.host = {{"symc_parallel", reinterpret_cast<const void *>(&runTasks)}};
  auto loaded = codegen::loadCode(code, names, inProcess);
  if (!loaded)
    return loaded.takeError();
  size_t bytes = llvm::alignTo(arenaBytes + 64, 4096);
  arena = std::unique_ptr<uint8_t, Free>(static_cast<uint8_t *>(llvm::allocate_buffer(bytes, 4096)),
                                         Free{bytes});
  std::fill_n(reinterpret_cast<float *>(arena.get()), bytes / 4, 0.01f);
  std::fill_n(arena.get(), firstByte, 0);
  symc_frame frame{};
  frame.arena = arena.get();
  std::vector<int32_t (*)(const symc_frame *)> functions;
  for (const std::string &name : names) {
    llvm::Expected<void *> found = (*loaded)->find(name);
    if (!found)
      return found.takeError();
    functions.push_back(reinterpret_cast<int32_t (*)(const symc_frame *)>(*found));
  }
  for (Candidate &candidate : candidates)
    candidate.choice.microseconds = std::numeric_limits<double>::infinity();
  for (int round = 0; round < options.rounds; ++round)
    for (auto [candidate, function] : llvm::zip(candidates, functions)) {
      double &least = candidate.choice.microseconds;
      settle(candidate);
      double start = microseconds();
      function(&frame);
      least = std::min(least, microseconds() - start);
      // Short steps are below the clock's grain; their operands stay near.
      if (least > 30)
        continue;
      start = microseconds();
      for (int repeat = 0; repeat < 20; ++repeat)
        function(&frame);
      least = std::min(least, (microseconds() - start) / 20);
    }
  return llvm::Error::success();
}

namespace {
/// The candidates of one shape; the first is the model's choice.
struct Shape {
  int64_t count = 0; // steps of the model's schedule
  std::vector<Candidate> candidates;
  llvm::StringSet<> algorithms; // that have candidates
};
} // namespace

// By key: what the schedules offer, the model's choice first.
static std::map<std::string, Shape> collectShapes(ArrayRef<ModuleOp> schedules,
                                                  const TargetDescription &target,
                                                  const TuneOptions &options,
                                                  const Tuning &tuning) {
  std::map<std::string, Shape> shapes;
  for (ModuleOp schedule : schedules)
    kernel::mainPrograms(schedule).front().walk([&](TunableStep step) {
      std::string key = step.getKey();
      if (key.empty() || tuning.find(target, key))
        return;
      Shape &shape = shapes[key];
      bool own = schedule == schedules.front();
      shape.count += own;
      if (shape.algorithms.contains(step.getAlgorithm()) ||
          (!own && step.getErrorBound() > options.errorLimit))
        return;
      shape.algorithms.insert(step.getAlgorithm());
      const codegen::ConvAlgorithm *algorithm = codegen::algorithmOf(step);
      for (const StepChoice &choice : step.getCandidates(target, options.tiles))
        shape.candidates.push_back(
            {step, {choice.tile, choice.pixelsOutside, 0, algorithm}, {}, {}});
    });
  return shapes;
}

llvm::Expected<std::vector<TunedShape>> symc::tune(ArrayRef<ModuleOp> schedules,
                                                   const TargetDescription &target,
                                                   const TuneOptions &options, Tuning &tuning) {
  if (!target.runsOn(*TargetDescription::get("native")))
    return codegen::emitError("cannot tune for '" + target.name +
                              "': this machine does not run its instructions; name others by "
                              "--target-cpu");
  std::vector<TunedShape> tuned;
  double clock = cyclesPerMicrosecond();
  for (auto &[key, shape] : collectShapes(schedules, target, options, tuning)) {
    std::vector<Candidate> candidates = shape.candidates;
    if (llvm::Error error = ShapeTuner(target, options).run(candidates))
      return std::move(error);
    const Candidate *best = &candidates.front();
    // The model's own choice stays unless another one is clearly faster.
    for (const Candidate &one : candidates)
      if (one.choice.microseconds < 0.98 * best->choice.microseconds)
        best = &one;
    tuning.set(target, key, best->choice);
    const TuningChoice &modelled = candidates.front().choice;
    double cycles = cast<TunableStep>(candidates.front().op)
                        .getCycles(modelled.ofStep(), target, options.weightBytes);
    tuned.push_back({key, shape.count, best->choice, modelled, cycles / clock});
  }
  return tuned;
}

std::string symc::summarise(const std::vector<TunedShape> &shapes) {
  double modelled = 0, best = 0;
  std::vector<double> errors;
  for (const TunedShape &shape : shapes) {
    modelled += shape.count * shape.modelled.microseconds;
    best += shape.count * shape.best.microseconds;
    errors.push_back(std::abs(shape.estimated / shape.modelled.microseconds - 1));
  }
  std::sort(errors.begin(), errors.end());
  char text[256];
  std::snprintf(text, sizeof text,
                "%zu shapes: %.3f ms by the model's choices, %.3f ms by the best ones (%.1f %% "
                "less); the model's times are off by %.1f %% (median)",
                shapes.size(), modelled / 1e3, best / 1e3,
                modelled > 0 ? 100 * (1 - best / modelled) : 0.0,
                errors.empty() ? 0.0 : 100 * errors[errors.size() / 2]);
  return text;
}
