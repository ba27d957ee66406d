// GuardedRun.cpp: see GuardedRun.h.
//
//   context: arena as planned, blocks of the runtime by its allocator
//   for poison 0xFF (NaN, -1), then 0x5B (large numbers):
//     weights from raw parameters, states, arena and outputs hold poison before
//     run; poison beside every slot is as it was
//     first: results are those that the case has stored, weights those of the compiler
//     then: results have the bits of the first
#include "tools/conformance/GuardedRun.h"

#include "codegen/kernel/ViewOrigin.h"
#include "mlir/IR/SymbolTable.h"
#include "tools/conformance/Faults.h"
#include "tools/driver/Steps.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <deque>

using namespace mlir;
using namespace symc;
using namespace symc::conformance;

//===----------------------------------------------------------------------===//
// Names of what lies where
//===----------------------------------------------------------------------===//

// The slots of a program's arena; `first`: where that begins in the arena of the whole run.
static void addArena(kernel::ProgramOp program, int64_t first, std::vector<PlannedSlot> &slots) {
  for (auto buffer : program.getBody().front().getOps<kernel::BufferOp>()) {
    int64_t offset = first + buffer.getOffset().value_or(0);
    int64_t bytes = kernel::largestBytes(*kernel::traceView(buffer.getResult()), program).get();
    std::string name = "buffer '" + kernel::nodesOf(buffer.getLoc()) + "'";
    SmallVector<kernel::ProgramOp> bodies; // that work at the end of this scratch
    for (Operation *user : buffer->getUsers())
      if (auto scratch = dyn_cast<kernel::ScratchInterface>(user);
          scratch && scratch.getScratch() == buffer.getResult())
        if (ArrayAttr called = cast<kernel::StepInterface>(user).getCalledPrograms())
          for (auto body : called.getAsRange<FlatSymbolRefAttr>())
            bodies.push_back(SymbolTable::lookupNearestSymbolFrom<kernel::ProgramOp>(
                program->getParentOp(), body));
    int64_t most = 0;
    for (kernel::ProgramOp body : bodies)
      most = std::max<int64_t>(most, body.getArenaBytes().value_or(0));
    slots.push_back({name, offset, bytes - most});
    llvm::SmallPtrSet<Operation *, 4> seen;
    for (kernel::ProgramOp body : bodies)
      if (seen.insert(body).second)
        addArena(body, offset + bytes - most, slots);
  }
}

MemoryMap symc::conformance::describeMemory(ModuleOp module) {
  MemoryMap map;
  addArena(kernel::mainPrograms(module).front(), 0, map.arena);
  if (auto prepare = module.lookupSymbol<kernel::ProgramOp>("prepare_program"))
    addArena(prepare, 0, map.prepareArena);
  for (auto prepared : module.getOps<kernel::PreparedOp>()) {
    auto type = cast<MemRefType>(prepared.getType());
    map.weights.push_back({"weight '" + prepared.getSymName().str() + "'",
                           (int64_t)prepared.getOffset(),
                           type.getNumElements() * kernel::elementBytes(type.getElementType())});
  }
  for (auto [i, step] : llvm::enumerate(describeSteps(module)))
    map.steps.push_back(llvm::formatv("step {0}, {1} of '{2}',", i, step.kernel, step.nodes));
  return map;
}

//===----------------------------------------------------------------------===//
// Steps, as probes report them
//===----------------------------------------------------------------------===//

namespace {
/// What each step of a run is looked at for.
struct StepChecks {
  Watch *watch = nullptr;
  GuardedMemory *memory = nullptr;
  bool afterEach = false; // look for changed poison behind every step
  uint8_t poison = 0;
  std::string misbehave; // behind the first step
  std::string problem;
};
} // namespace

static StepChecks *checks = nullptr;

static std::string leaving(const std::string &where, const std::string &changed) {
  return where + " left its buffers: " + changed;
}

// What --misbehave requests, to see that it is found.
static void misbehave(const symc_frame *frame) {
  if (checks->misbehave == "overread") {
    const auto *input = static_cast<const volatile uint8_t *>(frame->io[0]);
    const Slot *slot = checks->memory->nearest(static_cast<uint8_t *>(frame->io[0]));
    (void)(input[-1] + input[slot->bytes]);
  } else if (checks->misbehave == "overwrite") {
    if (const Slot *slot = checks->memory->withSlack())
      slot->data[slot->pages < slot->data ? -1 : slot->bytes] ^= 1;
  } else if (checks->misbehave == "write-input") {
    *static_cast<volatile uint8_t *>(frame->io[0]) = 0;
  } else if (checks->misbehave == "stray") {
    *reinterpret_cast<volatile uint8_t *>(uintptr_t(64)) = 0;
  }
}

void symc::conformance::guardedStep(const symc_frame *frame, int64_t step, int32_t phase) {
  if (!checks)
    return;
  if (phase == 0) {
    checks->watch->step = step;
    return;
  }
  if (step == 0)
    misbehave(frame);
  if (checks->afterEach && checks->problem.empty())
    if (std::string changed = checks->memory->changed(checks->poison); !changed.empty())
      checks->problem = leaving(checks->watch->where(), changed);
  checks->watch->step = -1;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

namespace {

/// One case in guarded memory; made for one call of run().
class GuardedRun {
public:
  GuardedRun(const symc_model &model, const MemoryMap &map, const uint8_t *prepared,
             const StoredCase &stored, const RunOptions &options)
      : memory(options.guard == Guard::End), model(model), map(map), prepared(prepared),
        stored(stored), options(options) {}
  ~GuardedRun() {
    watch(nullptr);
    checks = nullptr;
    symc_destroy(context);
  }
  std::string run(symc_pool *pool);
  bool refused = false;                         // by a check of shapes, before anything ran
  llvm::ArrayRef<std::vector<double>> rounding; // of outputs, see Results
  GuardedMemory memory;

private:
  /// What the runtime allocates next.
  enum class Block { Context, States, Weights, PrepareArena };

  static void *allocate(void *user, size_t bytes, size_t alignment);
  static void release(void *user, void *block, size_t bytes);
  bool fillInputs();
  const int64_t *withOnes(const symc_tensor_info &info);
  std::string makeOutputs();
  std::string prepare(uint8_t poison);
  std::string runOnce(uint8_t poison);
  std::string runWith(uint8_t poison, Results &results);
  std::string compareWeights();
  void misbehaveInPreparation();

  const symc_model &model;
  const MemoryMap &map;
  const uint8_t *prepared;
  const StoredCase &stored;
  const RunOptions &options;
  Watch watching{&memory, &map.steps, "the run"};
  StepChecks stepChecks;
  symc_context *context = nullptr;
  std::vector<symc_tensor> inputs, outputs;
  std::vector<int64_t> extents; // of outputs, at the sizes of these inputs
  std::deque<std::vector<int64_t>> ownShapes;
  uint8_t *weights = nullptr; // that symc_set_parameters filled last
  Block next = Block::Context;
  uint8_t poisonOfBlocks = 0;
};

} // namespace

void *GuardedRun::allocate(void *user, size_t bytes, size_t) {
  auto &run = *static_cast<GuardedRun *>(user);
  GuardedMemory &memory = run.memory;
  uint8_t *block = nullptr;
  if (run.next == Block::Context) {
    run.next = Block::States;
    return memory.allocate("the context", bytes, Use::Own);
  }
  if (run.next == Block::States)
    return memory.allocate("the states", bytes, Use::State);
  if (run.next == Block::Weights) {
    run.next = Block::PrepareArena;
    block = run.weights = memory.allocate(bytes, run.map.weights, Use::Weight);
  } else {
    std::vector<PlannedSlot> slots = run.map.prepareArena;
    int64_t arena = run.model.prepare_arena_bytes;
    slots.push_back({"parameter addresses", arena, (int64_t)bytes - arena});
    block = memory.allocate(bytes, slots, Use::Result);
  }
  memory.poison(run.poisonOfBlocks, {Use::Weight, Use::Result});
  return block;
}

void GuardedRun::release(void *user, void *block, size_t) {
  static_cast<GuardedRun *>(user)->memory.release(block);
}

// The shape of an input, with 1 for extents that are chosen.
const int64_t *GuardedRun::withOnes(const symc_tensor_info &info) {
  std::vector<int64_t> &shape = ownShapes.emplace_back(info.shape, info.shape + info.rank);
  for (int64_t &extent : shape)
    extent = extent < 0 ? 1 : extent;
  return shape.data();
}

bool GuardedRun::fillInputs() {
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    const symc_tensor_info &info = model.inputs[i];
    symc_tensor tensor{nullptr, info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0};
    const params::Array *value = stored.findInput(info.name);
    if (value && (int64_t)value->shape.size() == info.rank)
      tensor.shape = value->shape.data();
    else if (value) // a result whose extent of 1 is left out where 1 is no choice
      tensor.shape = withOnes(info);
    if (value || !(info.flags & SYMC_TENSOR_OPTIONAL)) {
      int64_t bytes = value ? value->byteCount : info.max_bytes;
      auto *data =
          memory.allocate(llvm::formatv("input '{0}'", info.name).str(), bytes, Use::Fixed);
      if (!data)
        return false;
      if (value) // labels that the case left at zero have none
        memcpy(data, value->data, bytes);
      tensor.data = data;
    }
    inputs.push_back(tensor);
  }
  return true;
}

// As large as these inputs require, though values may decide a smaller extent.
std::string GuardedRun::makeOutputs() {
  std::string problem = inferExtents(context, model, inputs, extents, refused);
  if (!problem.empty())
    return problem;
  const int64_t *next = extents.data();
  for (int32_t i = 0; i < model.n_outputs; ++i) {
    const symc_tensor_info &info = model.outputs[i];
    symc_tensor tensor{nullptr, next, info.rank, info.dtype, SYMC_DEVICE_CPU, 0};
    tensor.data = memory.allocate(llvm::formatv("output '{0}'", info.name).str(), bytesOf(tensor),
                                  Use::Result);
    if (!tensor.data)
      return noMemory;
    outputs.push_back(tensor);
    next += info.rank;
  }
  return "";
}

// Weights from raw parameters, each in guarded memory of its own.
std::string GuardedRun::prepare(uint8_t poison) {
  if (!model.prepare)
    return "";
  std::vector<symc_tensor> parameters;
  std::vector<void *> raw;
  llvm::scope_exit give_back([&] {
    for (void *memoryOfOne : raw)
      memory.release(memoryOfOne);
  });
  for (int32_t i = 0; i < model.n_parameters; ++i) {
    const symc_tensor_info &info = model.parameters[i];
    const params::Array *value = nullptr;
    for (const char *prefix : {"arg:", "aux:", ""})
      if (!value)
        value = stored.find(llvm::Twine(prefix) + info.name);
    if (!value || (int64_t)value->byteCount != info.max_bytes)
      return llvm::formatv("internal error: no array for parameter '{0}'", info.name);
    auto *data = memory.allocate(llvm::formatv("parameter '{0}'", info.name).str(),
                                 value->byteCount, Use::Fixed);
    if (!data)
      return noMemory;
    raw.push_back(data);
    memcpy(data, value->data, value->byteCount);
    parameters.push_back({data, info.shape, info.rank, info.dtype, SYMC_DEVICE_CPU, 0});
  }
  watching.phase = "the preparation of weights";
  poisonOfBlocks = poison;
  next = Block::Weights;
  if (symc_set_parameters(context, parameters.data(), parameters.size()))
    return std::string("parameters: ") + symc_last_error(context);
  misbehaveInPreparation();
  std::string where = watching.where();
  watching.phase = "the run";
  if (std::string changed = memory.changed(poison); !changed.empty())
    return leaving(where, changed);
  memory.protect(Use::Weight, true);
  return compareWeights();
}

void GuardedRun::misbehaveInPreparation() {
  uint8_t *first = weights + map.weights.front().offset;
  if (options.misbehave == "overwrite-weights")
    first[options.guard == Guard::End ? -1 : map.weights.front().bytes] ^= 1;
  else if (options.misbehave == "change-weights")
    first[0] ^= 1;
}

std::string GuardedRun::compareWeights() {
  for (const PlannedSlot &slot : map.weights)
    for (int64_t i = slot.offset; i < slot.offset + slot.bytes; ++i)
      if (weights[i] != prepared[i])
        return llvm::formatv("byte {0} of {1}, which has {2}, depends on where it is prepared: {3} "
                             "in the compiler, {4} in poisoned memory",
                             i - slot.offset, slot.name, slot.bytes, (int)prepared[i],
                             (int)weights[i]);
  return "";
}

std::string GuardedRun::runOnce(uint8_t poison) {
  memory.poison(poison, {Use::Result});
  memory.protect(Use::Weight, true);
  stepChecks.poison = poison;
  if (symc_status status =
          symc_run(context, inputs.data(), inputs.size(), outputs.data(), outputs.size())) {
    refused = status == SYMC_STATUS_BAD_SHAPE;
    return std::string("run: ") + symc_last_error(context);
  }
  std::string changed = memory.changed(poison);
  if (changed.empty() || stepChecks.afterEach)
    return changed;
  // Again, step by step, to report which one it was.
  stepChecks.afterEach = true;
  runOnce(poison);
  return stepChecks.problem.empty() ? leaving(watching.where(), changed) : stepChecks.problem;
}

std::string GuardedRun::runWith(uint8_t poison, Results &results) {
  if (std::string problem = prepare(poison); !problem.empty())
    return problem;
  memory.poison(poison, {Use::State});
  if (model.n_states && symc_reset_state(context, nullptr))
    return std::string("states: ") + symc_last_error(context);
  symc_set_seed(context, 0);
  for (int64_t run = 0; run < stored.runs; ++run)
    if (std::string problem = runOnce(poison); !problem.empty())
      return problem;
  if (options.misbehave == "leave")
    memset(outputs[0].data, poison, 1);
  else if (options.misbehave == "depend" && poison != 0xFF)
    *static_cast<uint8_t *>(outputs[0].data) ^= 1;
  return results.fetch(context, outputs);
}

// The first byte in which two tensors differ, which nobody wrote or which hangs on what nobody
// wrote.
static std::string difference(const char *name, const std::vector<uint8_t> &first,
                              const symc_tensor &second, const uint8_t poison[2]) {
  const auto *bytes = static_cast<const uint8_t *>(second.data);
  auto depends = [&](const std::string &what) {
    return std::string(name) + ": " + what + " depends on memory that nobody wrote";
  };
  if ((int64_t)first.size() != bytesOf(second))
    return depends("its size");
  for (size_t i = 0; i < first.size(); ++i) {
    if (first[i] == bytes[i])
      continue;
    std::string byte = llvm::formatv("byte {0} of {1}", i, first.size());
    bool poisoned = first[i] == poison[0] && bytes[i] == poison[1];
    return poisoned ? llvm::formatv("{0}: {1} is never written", name, byte).str() : depends(byte);
  }
  return "";
}

std::string GuardedRun::run(symc_pool *pool) {
  std::vector<PlannedSlot> slots = map.arena;
  int64_t arenaBytes = symc_arena_bytes(&model);
  uint8_t *arena = memory.allocate(arenaBytes, slots, Use::Result);
  if (!arena || !fillInputs())
    return noMemory;
  char error[512] = "";
  symc_options contextOptions = {};
  contextOptions.pool = pool;
  contextOptions.allocator = {allocate, release, this};
  contextOptions.arena = arena;
  contextOptions.arena_bytes = arenaBytes;
  contextOptions.error = error;
  contextOptions.error_bytes = sizeof error;
  stepChecks.watch = &watching;
  stepChecks.memory = &memory;
  stepChecks.misbehave = options.misbehave;
  checks = &stepChecks;
  watch(&watching);
  if (symc_create(&model, &contextOptions, &context))
    return std::string("create: ") + error;
  if (std::string problem = makeOutputs(); !problem.empty())
    return problem;
  const uint8_t poison[2] = {0xFF, 0x5B};
  Results first, second;
  first.rounding.assign(rounding.begin(), rounding.end());
  if (std::string problem = runWith(poison[0], first); !problem.empty())
    return problem;
  bool known = stored.count("out:") > 0;
  if (std::string problem = known ? compare(first, model, stored) : ""; !problem.empty())
    return problem;
  std::vector<std::vector<uint8_t>> kept;
  auto keep = [&](const symc_tensor &tensor) {
    const auto *bytes = static_cast<const uint8_t *>(tensor.data);
    kept.emplace_back(bytes, bytes + bytesOf(tensor));
  };
  llvm::for_each(first.outputs, keep);
  llvm::for_each(first.states, keep);
  if (std::string problem = runWith(poison[1], second); !problem.empty())
    return problem;
  for (auto [i, output] : llvm::enumerate(second.outputs))
    if (std::string problem = difference(model.outputs[i].name, kept[i], output, poison);
        !problem.empty())
      return problem;
  for (auto [i, state] : llvm::enumerate(second.states))
    if (std::string problem =
            difference(model.states[i].tensor.name, kept[model.n_outputs + i], state, poison);
        !problem.empty())
      return problem;
  return "";
}

GuardedOutcome symc::conformance::runGuarded(const symc_model &model, const MemoryMap &map,
                                             const uint8_t *prepared, const StoredCase &stored,
                                             const RunOptions &options, symc_pool *pool,
                                             llvm::ArrayRef<std::vector<double>> rounding) {
  GuardedRun run(model, map, prepared, stored, options);
  run.rounding = rounding;
  GuardedOutcome outcome;
  outcome.problem = run.run(pool);
  outcome.refused = run.refused;
  run.memory.count(outcome.slots, outcome.bytes);
  return outcome;
}
