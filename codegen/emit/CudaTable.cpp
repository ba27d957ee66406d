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
              int(CudaArgument::Iteration) - 1 == SYMC_CUDA_ITERATION);
static_assert(int(CudaImage::Cubin) == SYMC_CUDA_CUBIN && int(CudaImage::Ptx) == SYMC_CUDA_PTX &&
              int(CudaImage::HostLibrary) == SYMC_CUDA_HOST_LIBRARY);

std::string symc::codegen::cudaProgramSymbol(StringRef runSymbol) {
  return (runSymbol + "_program").str();
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
  Constant *launch(const CudaLaunch &launch);
  Constant *modules();

  Module &module;
  std::string runSymbol;
  LLVMContext &context;
  PointerType *pointer;
  Type *i32;
  MapVector<StringRef, int32_t> kernels; // to their numbers
  int64_t statusOffset = 0;
  bool leavesStatus = false;
};

} // namespace

Constant *TableBuilder::launch(const CudaLaunch &launch) {
  SmallVector<Constant *> arguments, extents;
  for (CudaArgument argument : launch.arguments) {
    int32_t kind = argument.kind > CudaArgument::Status ? argument.kind - 1 : argument.kind;
    if (argument.kind == CudaArgument::Status) { // a word of the arena
      kind = CudaArgument::Arena;
      argument.index = statusOffset;
      leavesStatus = true;
    }
    arguments.push_back(structure({number64(kind), number64(argument.index)}));
  }
  int32_t kernel = kernels.insert({launch.kernel, kernels.size()}).first->second;
  auto three = [&](const uint32_t *sizes) {
    return ConstantDataArray::get(context, ArrayRef<uint32_t>(sizes, 3));
  };
  return structure({bytes("node", launch.node, 1), array("arguments", arguments),
                    number64(launch.rounds), three(launch.grid), three(launch.block),
                    ConstantInt::get(i32, launch.sharedBytes), number32(launch.arguments.size()),
                    number32(kernel), number32(0)});
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
  SmallVector<Constant *> images, launches, names;
  for (const CudaImage &image : program.images)
    images.push_back(structure({bytes("image", image.bytes, 64), number64(image.bytes.size()),
                                number32(image.kind), number32(image.architecture),
                                number32(image.specific), number32(0)}));
  statusOffset = program.statusOffset;
  for (const CudaLaunch &one : program.launches)
    launches.push_back(launch(one));
  for (auto &[name, number] : kernels)
    names.push_back(bytes("kernel", name, 1));
  return structure({array("images", images), array("launches", launches), array("kernels", names),
                    modules(), number32(images.size()), number32(launches.size()),
                    number32(names.size()), number32(0),
                    number64(leavesStatus ? statusOffset : -1)});
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
