// ProgramRunner.cpp: see ProgramRunner.h.
#include "ProgramRunner.h"

#include "codegen/conv/Tuning.h"
#include "codegen/emit/LLVMLowering.h"
#include "codegen/lower/Outline.h"
#include "codegen/plan/PlanArena.h"
#include "codegen/plan/PlanChecker.h"
#include "runtime/include/symc/abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <sys/mman.h>

using namespace mlir;
using namespace symc;
using namespace symc::test;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

GuardedBytes::GuardedBytes(size_t bytes) : bytes(bytes) {
  constexpr size_t page = 4096;
  size_t room = (bytes + page - 1) / page * page;
  mapped = room + 2 * page;
  mapping =
      static_cast<uint8_t *>(mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(mapping + page, room, PROT_READ | PROT_WRITE);
  start = mapping + page + room - bytes;
}

GuardedBytes::GuardedBytes(GuardedBytes &&other)
    : mapping(other.mapping), start(other.start), mapped(other.mapped), bytes(other.bytes) {
  other.mapping = nullptr;
}

GuardedBytes::~GuardedBytes() {
  if (mapping)
    munmap(mapping, mapped);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static std::string list(const std::vector<int64_t> &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

std::string ViewText::type(const std::string &element) const {
  std::string text = "memref<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element + ", strided<" + list(strides) + ", offset: " + std::to_string(offset) +
         ">>";
}

std::string ViewText::define(const std::string &name, const std::string &from, int64_t flat,
                             const std::string &element) const {
  return "  " + name + " = memref.reinterpret_cast " + from + " to offset: [" +
         std::to_string(offset) + "], sizes: " + list(sizes) + ", strides: " + list(strides) +
         " : memref<" + std::to_string(flat) + "x" + element + "> to " + type(element) + "\n";
}

int64_t ViewText::elements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

int64_t ViewText::at(const std::vector<int64_t> &index) const {
  int64_t place = offset;
  for (size_t d = 0; d < sizes.size(); ++d)
    place += index[d] * strides[d];
  return place;
}

int64_t ViewText::flatSize() const {
  int64_t last = offset;
  for (size_t d = 0; d < sizes.size(); ++d)
    last += (sizes[d] - 1) * strides[d];
  return last + 1;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

int64_t tasksRun = 0;

std::optional<int64_t> onlyTask;
symc_pool pool = {SYMC_ABI_VERSION, 1, nullptr, nullptr}; // is read, not called

extern "C" void runTasks(const symc_frame *frame, symc_task_fn task, int64_t tasks) {
  tasksRun += tasks;
  if (onlyTask)
    return task(frame, *onlyTask);
  for (int64_t i = tasks; i-- > 0;)
    task(frame, i);
}

std::vector<std::pair<int64_t, int32_t>> probed;
extern "C" void probe(const symc_frame *, int64_t step, int32_t phase) {
  probed.push_back({step, phase});
}

// Two kernels for kernel.call: what they get is looked at by the tests.
// out = in * params[0] + (double)params[1] + params[2][0]; fails with 7 if
// params[4] is not "right" or extents differ.
extern "C" int32_t scaleKernel(const symc_kernel_args *args) {
  const symc_tensor &in = args->inputs[0], &out = args->outputs[0];
  auto *params = static_cast<const int64_t *>(args->params);
  double shift;
  std::memcpy(&shift, &params[1], 8);
  auto *tuple = reinterpret_cast<const int64_t *>(params[3]);
  auto *text = reinterpret_cast<const char *>(params[4]);
  if (args->n_inputs != 1 || args->n_outputs != 1 || in.rank != out.rank || in.dtype != 0 ||
      std::strcmp(text, "right") != 0 || params[2] != 2)
    return 7;
  int64_t count = 1;
  for (int32_t d = 0; d < in.rank; ++d) {
    if (in.shape[d] != out.shape[d])
      return 7;
    count *= in.shape[d];
  }
  if (args->scratch_bytes > 0)
    std::memset(args->scratch, 0xAB, args->scratch_bytes);
  for (int64_t i = 0; i < count; ++i)
    static_cast<float *>(out.data)[i] =
        static_cast<const float *>(in.data)[i] * params[0] + shift + tuple[0] + tuple[1];
  return 0;
}

class JitProgram final : public CompiledProgram {
public:
  int32_t run(std::vector<void *> io, void *weights, std::vector<int64_t> dims) override {
    GuardedBytes arena(arenaBytes);
    std::memset(arena.data(), 0xFF, arenaBytes);
    symc_frame frame = {};
    frame.arena = arena.data();
    frame.weights = static_cast<uint8_t *>(weights);
    frame.io = io.data();
    frame.dims = dims.data();
    frame.pool = pool.threads > 1 ? &pool : nullptr;
    return main(&frame);
  }
  void *find(const std::string &name) override {
    auto symbol = jit->lookup(name);
    if (!symbol) {
      llvm::consumeError(symbol.takeError());
      return nullptr;
    }
    return symbol->toPtr<void *>();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  int32_t (*main)(const symc_frame *) = nullptr;
};

} // namespace

int64_t symc::test::parallelTasks() { return tasksRun; }

OnlyTask::OnlyTask(int64_t task, int32_t threads) {
  onlyTask = task;
  pool.threads = threads;
}

OnlyTask::~OnlyTask() {
  onlyTask.reset();
  pool.threads = 1;
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graph, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

template <typename T> static T orDie(llvm::Expected<T> value) {
  if (!value)
    llvm::report_fatal_error(value.takeError());
  return std::move(*value);
}

std::unique_ptr<CompiledProgram>
CompiledProgram::compile(const std::string &text, const std::string &targetName, bool probes,
                         std::optional<codegen::BandLimits> bands) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  DialectRegistry registry;
  registry.insert<kernel::KernelDialect>();
  codegen::registerLoopDialects(registry);
  codegen::registerLowerings(registry);
  codegen::registerTunableSteps(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> source = parseSourceString<ModuleOp>(text, &context);
  auto target = codegen::TargetDescription::get(targetName);
  if (!source || !target)
    return nullptr;
  auto program = source->lookupSymbol<kernel::ProgramOp>("main");
  if (bands)
    codegen::bandRows(program, *bands);
  if (failed(codegen::planArena(program)) || failed(codegen::checkPlan(program)) ||
      failed(codegen::chooseTiles(program, *target, codegen::Tuning())))
    return nullptr;
  OwningOpRef<ModuleOp> module = ModuleOp::create(source->getLoc());
  codegen::OutlineOptions options;
  options.probes = probes;
  if (failed(codegen::lowerProgram(program, "model", *target, codegen::MathMode::Default, *module,
                                   options)))
    return nullptr;
  auto result = std::make_unique<JitProgram>();
  result->arenaBytes = *program.getArenaBytes();
  result->steps = llvm::range_size(program.getBody().front().getOps<kernel::StepInterface>());
  result->kernels = llvm::range_size(module->getOps<func::FuncOp>());
  if (failed(codegen::lowerToLLVM(*module, *target, codegen::MathMode::Default)))
    return nullptr;

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  auto ir = codegen::translateToLLVM(*module, *llvmContext);
  if (!ir)
    return nullptr;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  llvm::orc::JITTargetMachineBuilder builder(triple);
  builder.setCPU(target->llvmCpu);
  llvm::SmallVector<llvm::StringRef> features;
  llvm::StringRef(target->features).split(features, ',', -1, /*KeepEmpty=*/false);
  builder.addFeatures(std::vector<std::string>(features.begin(), features.end()));
  auto machine = orDie(builder.createTargetMachine());
  ir->setDataLayout(machine->createDataLayout());
  ir->setTargetTriple(machine->getTargetTriple());
  optimise(*ir, *machine);
  result->jit = orDie(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create());
  auto &jit = *result->jit;
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported};
  };
  add("symc_parallel", &runTasks);
  add("symc_probe", &probe);
  add("test_scale", &scaleKernel);
  llvm::cantFail(jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(symbols)));
  llvm::cantFail(jit.addIRModule({std::move(ir), std::move(llvmContext)}));
  result->main = reinterpret_cast<int32_t (*)(const symc_frame *)>(result->find("model"));
  return result->main ? std::move(result) : nullptr;
}
