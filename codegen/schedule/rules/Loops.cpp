// Loops.cpp: elementwise nodes, alone or in chains. A chain becomes one scalar body; operands
// become views in the result's shape, broadcast dimensions with stride 0.
//
//   %y = sg.fused(%a, %b) {add, relu}  ->  kernel.loops: max(a + b, 0)
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/OperandViews.h"
#include "codegen/schedule/Refusals.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct LoopsRule {
  static constexpr RuleTraits traits{"loops", Benefit::Chain, Use::Generated};
  struct Plan {
    RuleForms forms;
    bool inBlocks;
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

// Bytes that are widened to floats, and rounded to bytes at the end.
static bool isOfBytes(const GroupView &group) {
  auto isByte = [](Value value) { return elementTypeOf(value.getType()).isInteger(8); };
  return isByte(group.result) && !group.chain.empty() &&
         llvm::all_of(group.externalOperands(),
                      [&](const Operand &operand) { return isByte(operand.value); }) &&
         llvm::all_of(ArrayRef(group.chain).drop_back(), [](Operation *node) {
           return elementTypeOf(node->getResult(0).getType()).isF32();
         });
}

static bool fitsBlocks(const GroupView &group) {
  SmallVector<AffineExpr, 4> extents = extentsOf(group.result);
  if ((extents.size() != 3 && extents.size() != 4) || !constantOf(extents[1]))
    return false;
  Type type = elementTypeOf(group.result.getType());
  return group.readsInBlocks() &&
         (isOfBytes(group) || llvm::all_of(group.externalOperands(), [&](const Operand &operand) {
            return elementTypeOf(operand.value.getType()) == type;
          }));
}

Match<LoopsRule::Plan> LoopsRule::match(const GroupView &group) {
  if (group.root || group.op->getNumResults() != 1)
    return std::nullopt;
  if (!group.chainIsEmittable())
    return chainRefusal();
  const Tensors &t = group.t;
  SmallVector<Operand> operands = group.externalOperands();
  bool mayBlock = fitsBlocks(group);
  // A node that the layouts have no line for is blocked where an operand is.
  bool inBlocks = mayBlock && group.form().value_or(llvm::any_of(operands, [&](const Operand &one) {
    return t.hasBlocked(one.value) && !t.hasPlain(one.value);
  }));
  if (!inBlocks && !llvm::all_of(operands, [&](const Operand &operand) {
        return canBroadcast(operand, group.result, t);
      }))
    return operandRefusal();
  // Lanes beyond the last channel hold anything: harmless in floats, not as divisors.
  bool isLayer = t.layerElements(group.result) || isOfBytes(group);
  return Plan{RuleForms::eitherIf(mayBlock && isLayer), inBlocks};
}

void LoopsRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  Location location = group.location;
  SmallVector<Operand> operands = group.externalOperands();
  SmallVector<ViewSpec> views;
  for (const Operand &operand : operands)
    views.push_back(broadcastTo(operand, group.result, plan.inBlocks, location, t));
  ViewSpec out = plan.inBlocks ? t.createBlocked(group.result, location)
                               : t.createPlain(group.result, location);
  SmallVector<Value> ins;
  for (ViewSpec &view : views)
    ins.push_back(t.materialise(view, location));
  Value target = t.materialise(out, location);
  auto loops = kernel::LoopsOp::create(t.builder, location, ins, ValueRange{target});
  buildBody(loops.getBody(), group, Value(), false, operands,
            Tensors::storageType(elementTypeOf(group.result.getType())), t.builder);
}

namespace symc::codegen {
void registerLoopsRule(RuleList &rules) { rules.add<LoopsRule>(); }
} // namespace symc::codegen
