// RandomNumbers.cpp: see RandomNumbers.h, and what drawing means to MLIR: a node allocates its
// results. So no two nodes are one to CSE, and one that nobody reads is dead, as its numbers
// are no other node's (ir/ops/Random.td).
#include "ir/RandomNumbers.h"
#include "ir/GraphDialect.h"

using namespace mlir;
using namespace symc::sg;

namespace {
struct DrawnNumbers : SideEffects::Resource::Base<DrawnNumbers> {
  StringRef getName() final { return "random numbers"; }
};
} // namespace

bool symc::sg::drawsNumbers(Operation *op) {
  auto node = dyn_cast<DrawsNumbersInterface>(op);
  return node && node.drawsNumbers();
}

void symc::sg::addDrawEffects(
    Operation *op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (drawsNumbers(op))
    for (OpResult result : op->getResults())
      effects.emplace_back(MemoryEffects::Allocate::get(), result, DrawnNumbers::get());
}
