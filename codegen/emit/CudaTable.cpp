// CudaTable.cpp: see CudaTable.h. The structures mirror symc/cuda.h field by field;
// test/unit/emit reads a table back through the C declarations.
#include "codegen/emit/CudaTable.h"

#include "runtime/include/symc/cuda.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace symc::codegen;

// What both sides number alike.
static_assert(int(CudaArgument::Arena) == SYMC_CUDA_ARENA &&
              int(CudaArgument::Weights) == SYMC_CUDA_WEIGHTS &&
              int(CudaArgument::Io) == SYMC_CUDA_IO && int(CudaArgument::Size) == SYMC_CUDA_SIZE &&
              int(CudaArgument::Round) == SYMC_CUDA_ROUND);
static_assert(int(CudaArgument::Seed) - 1 == SYMC_CUDA_SEED &&
              int(CudaArgument::Iteration) - 1 == SYMC_CUDA_ITERATION &&
              int(CudaArgument::Map) - 1 == SYMC_CUDA_MAP &&
              int(CudaArgument::Number) - 1 == SYMC_CUDA_NUMBER);
static_assert(int(CudaImage::Cubin) == SYMC_CUDA_CUBIN && int(CudaImage::Ptx) == SYMC_CUDA_PTX &&
              int(CudaImage::HostLibrary) == SYMC_CUDA_HOST_LIBRARY);

std::string symc::codegen::cudaProgramSymbol(StringRef runSymbol) {
  return (runSymbol + "_program").str();
}

std::string symc::codegen::hostStepSymbol(StringRef runSymbol, size_t i) {
  return (runSymbol + "_host" + Twine(i)).str();
}

namespace {

class TableBuilder {
public:
  TableBuilder(Module &module, StringRef runSymbol)
      : module(module), runSymbol(runSymbol), context(module.getContext()),
        pointer(PointerType::get(context, 0)), i32(Type::getInt32Ty(context)) {}

  Constant *table(const CudaProgram &program);

private:
  Constant *number32(int64_t value) { return ConstantInt::getSigned(i32, value); }
  Constant *number64(uint64_t value) { return ConstantInt::get(Type::getInt64Ty(context), value); }
  GlobalVariable *global(StringRef part, Constant *value, unsigned alignment) {
    auto *variable = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                        GlobalValue::PrivateLinkage, value, runSymbol + "_" + part);
    variable->setAlignment(Align(alignment));
    return variable;
  }
  /// With a zero behind it.
  Constant *bytes(StringRef part, StringRef value, unsigned alignment) {
    return global(part, ConstantDataArray::getString(context, value), alignment);
  }
  Constant *structure(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(context, fields);
  }
  Constant *array(StringRef part, ArrayRef<Constant *> elements) {
    if (elements.empty())
      return ConstantPointerNull::get(pointer);
    auto *type = ArrayType::get(elements[0]->getType(), elements.size());
    return global(part, ConstantArray::get(type, elements), 8);
  }
  /// Of the kind and index by which the runtime finds it.
  Constant *argument(CudaArgument argument);
  Constant *map(const CudaTensorMap &map);
  Constant *launch(const CudaLaunch &launch);
  Constant *hostStep(const CudaHostStep &step, const std::string &symbol);
  Constant *function(const std::string &name, Type *result, ArrayRef<Type *> arguments) {
    auto *type = FunctionType::get(result, arguments, false);
    return cast<Constant>(module.getOrInsertFunction(name, type).getCallee());
  }
  Constant *modules();

  Module &module;
  std::string runSymbol;
  LLVMContext &context;
  PointerType *pointer;
  Type *i32;
  MapVector<StringRef, int32_t> kernels; // to their numbers
  SmallVector<Constant *> maps;          // of all launches
  int64_t statusOffset = 0, weightsOffset = 0;
  bool leavesStatus = false;
};

} // namespace

Constant *TableBuilder::argument(CudaArgument argument) {
  int32_t kind = argument.kind > CudaArgument::Status ? argument.kind - 1 : argument.kind;
  if (argument.kind == CudaArgument::Status) { // a word of the arena
    kind = CudaArgument::Arena;
    argument.index = statusOffset;
    leavesStatus = true;
  }
  if (argument.kind == CudaArgument::Weights)
    argument.index += weightsOffset;
  return structure({number64(kind), number64(argument.index)});
}

Constant *TableBuilder::map(const CudaTensorMap &map) {
  auto words = [&](auto &values) { return ConstantDataArray::get(context, values); };
  return structure({argument(map.memory), words(map.sizes), words(map.strides), words(map.box),
                    words(map.steps), words(map.lower), words(map.upper), number32(map.axes),
                    number32(map.isWindow)});
}

Constant *TableBuilder::launch(const CudaLaunch &launch) {
  SmallVector<Constant *> arguments;
  for (CudaArgument one : launch.arguments) {
    if (one.kind == CudaArgument::Map) { // the launch's among the program's
      maps.push_back(map(launch.maps[one.index]));
      one.index = maps.size() - 1;
    }
    arguments.push_back(argument(one));
  }
  int64_t kernel = launch.hostStep >= 0
                       ? -1 - launch.hostStep
                       : kernels.insert({launch.kernel, kernels.size()}).first->second;
  auto three = [&](const uint32_t *sizes) {
    return ConstantDataArray::get(context, ArrayRef<uint32_t>(sizes, 3));
  };
  return structure({bytes("node", launch.node, 1), array("arguments", arguments),
                    number64(launch.rounds), three(launch.grid), three(launch.block),
                    ConstantInt::get(i32, launch.sharedBytes), number32(launch.arguments.size()),
                    number32(kernel), number32(0)});
}

Constant *TableBuilder::hostStep(const CudaHostStep &step, const std::string &symbol) {
  SmallVector<Constant *> regions;
  int64_t io = 0;
  for (const CudaRegion &region : step.regions) {
    if (region.kind == CudaArgument::Io)
      io = std::max(io, region.index + 1);
    regions.push_back(
        structure({number64(region.kind), number64(region.index), number64(region.shift),
                   number64(region.first), number64(region.bytes), number32(region.read),
                   number32(region.written)}));
  }
  Constant *places = ConstantPointerNull::get(pointer);
  if (step.hasPlaces)
    places = function(symbol + "_places", Type::getVoidTy(context), {pointer, pointer});
  return structure({function(symbol, i32, {pointer}), places, array("regions", regions),
                    number64(step.arenaShift), number32(regions.size()), number32(io)});
}

// What the runtime has loaded on each device.
Constant *TableBuilder::modules() {
  auto *type = ArrayType::get(pointer, SYMC_CUDA_DEVICES);
  auto *places =
      new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                         ConstantAggregateZero::get(type), runSymbol + "_modules");
  places->setAlignment(Align(8));
  return places;
}

Constant *TableBuilder::table(const CudaProgram &program) {
  SmallVector<Constant *> images, launches, names, hostSteps;
  int64_t hostBytes = 0;
  for (const CudaImage &image : program.images)
    images.push_back(structure({bytes("image", image.bytes, 64), number64(image.bytes.size()),
                                number32(image.kind), number32(image.architecture),
                                number32(image.specific), number32(image.waits())}));
  statusOffset = program.statusOffset;
  weightsOffset = program.weightsOffset;
  for (const CudaLaunch &one : program.launches)
    launches.push_back(launch(one));
  for (auto [i, step] : llvm::enumerate(program.hostSteps)) {
    hostSteps.push_back(hostStep(step, hostStepSymbol(runSymbol, i)));
    hostBytes = std::max(hostBytes, step.bytes);
  }
  for (auto &[name, number] : kernels)
    names.push_back(bytes("kernel", name, 1));
  return structure({array("images", images), array("launches", launches), array("kernels", names),
                    modules(), number32(images.size()), number32(launches.size()),
                    number32(names.size()), number32(0), number64(leavesStatus ? statusOffset : -1),
                    array("host_steps", hostSteps), number64(hostBytes), number64(weightsOffset),
                    array("maps", maps)});
}

void symc::codegen::addCudaProgram(Module &module, const CudaProgram &program,
                                   StringRef runSymbol) {
  LLVMContext &context = module.getContext();
  Constant *value = TableBuilder(module, runSymbol).table(program);
  auto *table =
      new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                         GlobalValue::ExternalLinkage, value, cudaProgramSymbol(runSymbol));
  table->setAlignment(Align(8));
  Type *i32 = Type::getInt32Ty(context), *pointer = PointerType::get(context, 0);
  auto *run = cast<Function>(
      module.getOrInsertFunction(runSymbol, FunctionType::get(i32, {pointer}, false)).getCallee());
  FunctionCallee callee = module.getOrInsertFunction(
      "symc_cuda_run", FunctionType::get(i32, {pointer, pointer}, false));
  IRBuilder<> b(BasicBlock::Create(context, "entry", run));
  CallInst *call = b.CreateCall(callee, {run->getArg(0), table});
  call->setTailCall();
  b.CreateRet(call);
}
