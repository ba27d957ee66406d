// UntypedInputs.cpp: see UntypedInputs.h. Operations stand here by name since no rule of theirs
// distinguishes them: in MXNet it is the age of an operator's code that does.
#include "UntypedInputs.h"

#include "ir/GraphDialect.h"
#include "ir/Inference.h"

using namespace mlir;
using namespace symc;

// Operators that need the type of their first input.
static constexpr StringLiteral kNeeds[] = {"bilinear_sampler",
                                           "ctc_loss",
                                           "deformable_convolution",
                                           "deformable_psroi_pooling",
                                           "dropout",
                                           "embedding",
                                           "grid_generator",
                                           "lrn",
                                           "make_loss",
                                           "modulated_deformable_convolution",
                                           "one_hot",
                                           "pick",
                                           "psroi_pooling",
                                           "rnn",
                                           "roi_align",
                                           "roi_pooling",
                                           "rroi_align",
                                           "sequence_last",
                                           "sequence_mask",
                                           "sequence_reverse",
                                           "spatial_transformer",
                                           "svm_output",
                                           "swap_axis",
                                           "take",
                                           "upsampling"};

static bool isUntyped(Value value) { return !sg::elementTypeOf(value.getType()); }

static LogicalResult complain(Operation &op) {
  return sg::nodeError(&op) << "the element type of input 0 is not known";
}

LogicalResult library::checkUntypedArguments(ModuleOp module) {
  auto graph = module.lookupSymbol<sg::GraphOp>("main");
  for (BlockArgument argument : graph.getBlock().getArguments()) {
    if (!isUntyped(argument) || argument.use_empty())
      continue;
    Operation *first = *argument.getUsers().begin();
    for (Operation *user : argument.getUsers())
      first = user->isBeforeInBlock(first) ? user : first;
    if (llvm::is_contained(kNeeds, first->getName().stripDialect()) &&
        first->getOperand(0) == argument)
      return complain(*first);
  }
  return success();
}

LogicalResult library::checkUntypedInputs(ModuleOp module) {
  auto graph = module.lookupSymbol<sg::GraphOp>("main");
  for (Operation &op : graph.getBlock())
    if (op.getNumOperands() != 0 && isUntyped(op.getOperand(0)) &&
        llvm::is_contained(kNeeds, op.getName().stripDialect()))
      return complain(op);
  return success();
}
