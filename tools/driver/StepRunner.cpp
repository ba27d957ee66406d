// StepRunner.cpp: see StepRunner.h.
#include "tools/driver/StepRunner.h"

#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/Outline.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MemAlloc.h"

using namespace mlir;
using namespace symc;

static void runTasks(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  for (int64_t task = 0; task < tasks; ++task)
    fn(frame, task);
}

void StepRunner::Free::operator()(uint8_t *memory) const {
  llvm::deallocate_buffer(memory, bytes, 4096);
}

// @name: the step alone, its roots side by side in the arena.
LogicalResult StepRunner::add(ModuleOp module, const Step &step) {
  Location loc = step.op->getLoc();
  Program &place = programs.emplace_back();
  place.name = "step_" + std::to_string(programs.size() - 1);
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto program = kernel::ProgramOp::create(
      b, loc, place.name, 0, 0, DenseI64ArrayAttr(), DenseI64ArrayAttr(), IntegerAttr(),
      ArrayAttr(), ArrayAttr(), FloatAttr(), ArrayAttr(), ArrayAttr(), ArrayAttr());
  b.setInsertionPointToEnd(&program.getBody().emplaceBlock());
  IRMapping mapping;
  DenseMap<Value, Value> roots;
  int64_t end = firstByte;
  for (auto [index, operand] : llvm::enumerate(step.op->getOperands())) {
    FailureOr<kernel::ViewOrigin> view = kernel::traceView(operand);
    if (failed(view))
      return failure();
    auto rootType = cast<MemRefType>(view->root.getType());
    Value &root = roots[view->root];
    if (!root) {
      Range range{end, rootType.getNumElements() * kernel::elementBytes(rootType.getElementType())};
      if (rootType.getElementType().isInteger(32))
        range.first = 0; // the words
      else               // some lines apart, so that no two operands begin in the same sets of L1
        end = llvm::alignTo(end + range.bytes, 4096) + 64 * (roots.size() % 32);
      root = kernel::BufferOp::create(b, loc, rootType, ValueRange(), ValueRange(),
                                      b.getI64IntegerAttr(range.first));
      if (index == 0)
        place.data = range;
      if (index == 1)
        place.weights = range;
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
  Operation *own = b.clone(*step.op, mapping);
  if (step.choice)
    cast<codegen::TunableStep>(own).setChoice(*step.choice, target);
  kernel::EndOp::create(b, loc);
  return success();
}

llvm::Expected<std::unique_ptr<StepRunner>>
StepRunner::compile(ArrayRef<Step> steps, const codegen::TargetDescription &target,
                    codegen::MathMode math, StringRef resourceDir) {
  std::unique_ptr<StepRunner> runner(new StepRunner(target));
  Location loc = steps.front().op->getLoc();
  OwningOpRef<ModuleOp> programs = ModuleOp::create(loc), lowered = ModuleOp::create(loc);
  for (const Step &step : steps)
    if (failed(runner->add(*programs, step)))
      return codegen::emitError("internal error: a step cannot run by itself");
  for (auto program : programs->getOps<kernel::ProgramOp>())
    if (failed(codegen::lowerProgram(program, program.getSymName(), target, math, *lowered)))
      return codegen::emitError("internal error: a candidate cannot be lowered");
  codegen::Code code(codegen::hostTriple());
  if (!code.add(*lowered, target, math))
    return codegen::emitError("internal error: a candidate cannot be lowered");
  codegen::InProcessOptions options;
  options.resourceDir = resourceDir.str();
  options.host = {{"symc_parallel", reinterpret_cast<const void *>(&runTasks)}};
  std::vector<std::string> names;
  for (const Program &program : runner->programs)
    names.push_back(program.name);
  auto loaded = codegen::loadCode(code, names, options);
  if (!loaded)
    return loaded.takeError();
  runner->code = std::move(*loaded);
  for (Program &program : runner->programs) {
    llvm::Expected<void *> found = runner->code->find(program.name);
    if (!found)
      return found.takeError();
    program.function = reinterpret_cast<int32_t (*)(const symc_frame *)>(*found);
  }
  size_t bytes = llvm::alignTo(runner->arenaBytes + 64, 4096);
  runner->arena = {static_cast<uint8_t *>(llvm::allocate_buffer(bytes, 4096)), Free{bytes}};
  std::fill_n(reinterpret_cast<float *>(runner->arena.get()), bytes / 4, 0.01f);
  std::fill_n(runner->arena.get(), firstByte, 0);
  return runner;
}

void StepRunner::run(size_t step) {
  symc_frame frame{};
  frame.arena = arena.get();
  programs[step].function(&frame);
}

void StepRunner::settle(size_t step, uint64_t weightBytes) {
  static std::vector<char> other(4 << 20);
  volatile char sink = 0;
  for (size_t i = 0; i < other.size() && int64_t(i) < 2 * target.l2Bytes; i += 64)
    sink = sink + other[i];
  const Program &program = programs[step];
#if defined(__x86_64__)
  if (weightBytes > uint64_t(target.l3Bytes))
    for (int64_t i = 0; i < program.weights.bytes; i += 64)
      __builtin_ia32_clflush(arena.get() + program.weights.first + i);
#endif
  for (int64_t i = 0; i < program.data.bytes; i += 64)
    sink = sink + char(arena.get()[program.data.first + i]);
}
