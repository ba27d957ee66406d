// Probes.cpp: see Probes.h.
#include "codegen/emit/Probes.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

void symc::codegen::defineProbes(Module &module, StringRef steps,
                                 std::vector<std::string> &visible) {
  Function *probe = module.getFunction("symc_probe");
  if (!probe || !probe->isDeclaration())
    return;
  LLVMContext &context = module.getContext();
  PointerType *pointer = PointerType::get(context, 0);
  auto *hook =
      new GlobalVariable(module, pointer, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                         ConstantPointerNull::get(pointer), "symc_probe_hook");
  visible.push_back("symc_probe_hook");
  Constant *text = ConstantDataArray::getString(context, steps);
  new GlobalVariable(module, text->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                     text, "symc_probe_steps");
  visible.push_back("symc_probe_steps");
  BasicBlock *entry = BasicBlock::Create(context, "", probe);
  BasicBlock *call = BasicBlock::Create(context, "", probe);
  BasicBlock *done = BasicBlock::Create(context, "", probe);
  IRBuilder<> b(entry);
  Value *listener = b.CreateLoad(pointer, hook);
  b.CreateCondBr(b.CreateIsNotNull(listener), call, done);
  b.SetInsertPoint(call);
  SmallVector<Value *> arguments;
  for (Argument &argument : probe->args())
    arguments.push_back(&argument);
  b.CreateCall(probe->getFunctionType(), listener, arguments);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}
