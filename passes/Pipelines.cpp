// Pipelines.cpp: the order of the passes; each line that could be moved states
// why it is where it is.
#include "passes/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

// Both follow sg-infer-shapes and sg-infer-types, in this order: types need no
// shapes, but a shape error is worth more to a user than a type error.

void symc::buildGradientPipeline(OpPassManager &manager, const WantedGradients &wanted) {
  manager.addPass(createDecomposeNumpy());
  // What follows has rules for these alone.
  DecomposeOptions rewritten, training;
  rewritten.which = "rewritten";
  manager.addPass(createDecompose(rewritten));
  GradientOptions options;
  options.arguments.assign(wanted.arguments.begin(), wanted.arguments.end());
  options.added.assign(wanted.added.begin(), wanted.added.end());
  options.dropped.assign(wanted.dropped.begin(), wanted.dropped.end());
  if (!wanted.arguments.empty())
    manager.addPass(createGradient(options));
  // Behind sg-gradient, which refuses gradients through such nodes.
  manager.addPass(createExpandBackward());
  // After the gradient, whose rules are those of the whole nodes.
  training.which = "training";
  manager.addPass(createDecompose(training));
  // After nodes are the core's, whose work counts; before CSE, which shares what is equal.
  manager.addPass(createRecompute({wanted.recomputeBytes}));
}

void symc::buildReferencePipeline(OpPassManager &manager) {
  manager.addPass(createLiftStates());
  manager.addPass(createDecomposeNumpy());
  manager.addPass(createDropIdentities());
  // Reference kernels get every node but those: a weight is one in the type that is read.
  manager.addPass(createHoistPrepare({/*castsOnly=*/true}));
}

void symc::buildPredictPipeline(OpPassManager &manager, int64_t blockWidth, bool strict, bool onCpu,
                                bool anyGroups) {
  // Before all that takes a weight for a constant.
  manager.addPass(createLiftStates());
  // Before sg-decompose-numpy, which concatenates a border and an image.
  manager.addPass(createFoldPadding());
  // Before all that moves scales or takes products of NumPy apart.
  if (!strict && onCpu)
    manager.addPass(createIntegersFromFloats());
  // Early: what it leaves is what all others read, casts to the same type among it.
  manager.addPass(createDecomposeNumpy());
  // Before decompose: a head such as SoftmaxOutput must not lose its label twice.
  manager.addPass(createDropIdentities());
  // After identities, which need no rounding; before decompose, so that values are rounded where
  // the graph's own nodes end.
  manager.addPass(createWidenHalves());
  manager.addPass(createDecompose());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // After decompose, which makes broadcast_to of its like; before all that reads operands of nodes.
  manager.addPass(createDropBroadcasts());
  // After CSE, so that each reader is seen once; decompose has made slice_like a slice.
  manager.addPass(createLimitBoxes());
  // After decompose, which leaves elementwise nodes of batch norm to sink through;
  // before folding, which finds channels on axis 1.
  manager.addPass(createChannelsFirst());
  // After CSE, so that a shared convolution is seen as shared.
  manager.addPass(createFoldBatchNorm());
  // After transposing, which leaves channels first; before all that counts a window's work.
  manager.addPass(createFoldPadding());
  // After folding, which finds channels by axis 1 of convolutions; before all that is about
  // images.
  manager.addPass(createVolumesToImages());
  // Before all that counts a window's work.
  manager.addPass(createDropTaps());
  // After volumes, which become images; it is for algorithms that strict mathematics does not use.
  if (!strict)
    manager.addPass(createStridesToDepth({blockWidth}));
  // After volumes, whose depth makes groups of one channel larger.
  manager.addPass(createMergeGroups({blockWidth, anyGroups}));
  // After merging, which may leave no groups; before the hoist, which moves weights in new orders.
  manager.addPass(createFoldShuffles({anyGroups}));
  // After folding, which leaves bias and scale in the convolution; before the hoist,
  // since a bias that moves to the end is reshaped.
  if (!strict)
    manager.addPass(createReorderPooling());
  // After reordering, which lets a pooling's convolution read what its siblings read;
  // before the hoist, which moves the concatenated weights.
  manager.addPass(createMergeConvolutions({blockWidth}));
  // Before the hoist, which moves the rounding of weights.
  manager.addPass(createSplitQuantized());
  // Before fusion: a group would hide weight-only nodes from the hoist.
  manager.addPass(createHoistPrepare());
  // After the hoist: prepared values sink as weights do.
  manager.addPass(createSinkWeights());
  manager.addPass(createCSEPass());
  // After folding, which leaves fewer nodes on the way up; before fusion, which hides them.
  manager.addPass(createHoistStrides());
  // After all CSE, which would take copies away; before fusion, which they are for.
  manager.addPass(createRepeatCheap());
  // Before other groups take the nodes around a softmax.
  if (onCpu)
    manager.addPass(createFuseAttention());
  manager.addPass(createFuseElementwise());
}

void symc::buildRowCheckPipeline(OpPassManager &manager) {
  // The core operators are those that have rules.
  manager.addPass(createDecomposeNumpy());
  manager.addPass(createDropIdentities());
  manager.addPass(createDecompose());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCheckRows());
}
