// KernelWords.cpp: see KernelWords.h.
#include "codegen/lower/KernelWords.h"

using namespace mlir;
using namespace symc::codegen;

void KernelWords::define(Value value) {
  numbers.try_emplace(value, numbers.size());
  add(value.getType().getAsOpaquePointer());
}

void KernelWords::add(Region &region, AttributesOf attributesOf) {
  addNumber(region.getBlocks().size());
  for (Block &block : region) {
    blocks.try_emplace(&block, blocks.size());
    addNumber(block.getNumArguments());
    llvm::for_each(block.getArguments(), [&](Value argument) { define(argument); });
  }
  for (Block &block : region) {
    addNumber(block.getOperations().size());
    for (Operation &op : block)
      add(op, attributesOf);
  }
}

void KernelWords::add(Operation &op, AttributesOf attributesOf) {
  add(op.getName().getAsOpaquePointer());
  add(attributesOf(op));
  addNumber(op.getNumOperands());
  for (Value operand : op.getOperands())
    addNumber(numbers.lookup(operand));
  addNumber(op.getNumResults());
  llvm::for_each(op.getResults(), [&](Value result) { define(result); });
  for (Block *successor : op.getSuccessors())
    addNumber(blocks.lookup(successor));
  for (Region &region : op.getRegions())
    add(region, attributesOf);
}
