//===- Passes.td - every pass over sg, with its documentation ---------------===//
#ifndef SYMC_PASSES
#define SYMC_PASSES

include "mlir/Pass/PassBase.td"

def DropLabels : Pass<"sg-drop-labels", "::mlir::ModuleOp"> {
  let summary = "drop what feeds only labels of loss heads";
  let description = [{
    Runs before shapes are inferred. Operators between a label and the loss head that
    takes it are dead in prediction; the head gets its data in the label's place. The label
    stays an optional input where its shape is known, else the program has no such input.
    The op table names the operands that only training reads (trainingOnly).
  }];
}

def InferShapes : Pass<"sg-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "infer shapes in both directions";
  let description = [{
    Sweeps forward and backward over each graph, letting every node refine its
    operands and results, until nothing changes; so weights, labels and zero
    extents get their sizes from data. Graphs and weights get the types found, those of modules
    in the module, too.
    Fails with the cause, not the symptoms: the arguments at which the unknown
    nodes start.
  }];
}

def InferTypes : Pass<"sg-infer-types", "::mlir::ModuleOp"> {
  let summary = "infer element types in both directions";
  let description = [{
    As sg-infer-shapes, for element types. What nothing decides is float32.
  }];
}

def DropIdentities : Pass<"sg-drop-identities", "::mlir::ModuleOp"> {
  let summary = "drop nodes that pass a value through in prediction";
  let description = [{
    Dropout, BlockGrad, make_loss, regression and SVM heads, copies and casts to
    the same type give their operand's value; labels that only such nodes read
    become unread.
  }];
}

def DropBroadcasts : Pass<"sg-drop-broadcasts", "::mlir::ModuleOp"> {
  let summary = "let functions of two operands repeat unit extents themselves";
  let description = [{
    Shapes are known. A binary node that reads broadcast_to or broadcast_axis reads the tensor
    before it, with `broadcast`, if its result stays what it is: some extent of the result that
    its other operand has not is not lost, and no extent is one that a run may make 1. Values do
    not change; a repeated tensor that nobody else reads is gone. Remarks name the nodes.
  }];
}

def WidenHalves : Pass<"sg-widen-halves", "::mlir::ModuleOp"> {
  let summary = "compute nodes of float16 and bfloat16 in float32, rounded where they end";
  let description = [{
    Shapes and types are known. A node that reads or gives 16 bits becomes the same node of float32, behind which
    sg.unary {fn = "round_float16"} (`round_bfloat16`) rounds what it gives, if that is not among
    its operands' elements; arguments, heads and nodes that keep their 16 bits (control flow,
    custom operators, random numbers, moves of elements with nothing widened in front) stand behind
    or before a sg.cast. Casts of weights move to @prepare later.
  }];
}

def DecomposeNumpy : Pass<"sg-decompose-numpy", "::mlir::ModuleOp"> {
  let summary = "rewrite NumPy's operators into the older ones";
  let description = [{
    Operands of two types are cast to where they meet, comparisons to bool, full
    reductions get rank 0, missing axes are put in, stacks and contractions become
    batches of products. Runs for reference kernels too: they have no such operator.
  }];
}

def Gradient : Pass<"sg-gradient", "::mlir::ModuleOp"> {
  let summary = "add the gradients of arguments to a graph of training";
  let description = [{
    From the heads to the front, the rule of each node (GradientInterface) that a gradient reaches
    makes those of its operands; several of one value are added. The gradients of `arguments`
    become results of @main, `grad:NAME`, behind its outputs. The gradient of a node that calls graphs
    calls others, `@GRAPH_gradient`, which compute what they need of @GRAPH again. A head that is no loss has an input
    for its gradient, `head_grad:NAME`; an argument of `added` has one, `grad:NAME`, to which its
    gradient is added. New values of auxiliary states, as of batch_norm's moving statistics, are
    results, too. Extents must be fixed. Fails at the first node whose operator has no gradient.
  }];
  let options = [
    ListOption<"arguments", "arguments", "std::string", "names of inputs and weights; all for each that holds floats">,
    ListOption<"added", "added", "std::string", "those whose gradient is added to an input">,
    ListOption<"dropped", "dropped", "std::string", "those whose gradient is not computed">
  ];
}

def ExpandBackward : Pass<"sg-expand-backward", "::mlir::ModuleOp"> {
  let summary = "put the rules of gradients in the place of a file's backward nodes";
  let description = [{
    sg.backward, which files of MXNet 0.5 to 0.8 hold, becomes what the rule of its forward node
    (GradientInterface) makes, or the rules of the nodes that sg-decompose made of that. New values
    of auxiliary states are results of @main. Fails at a node whose operator has no gradient.
  }];
}

def Recompute : Pass<"sg-recompute", "::mlir::ModuleOp"> {
  let summary = "compute results of the forward part again where the backward part reads them";
  let description = [{
    In a graph of training. Nodes with the attribute __force_mirroring__ are computed again in any
    case. While the results that live side by side have more than `bytes`, of those that live where
    they are most the one with the least work a byte that becomes free is computed again in the backward part,
    right before its first reader: never a layer (convolution, fully connected, product, recurrent),
    an operator of a family without generated code, or a loss. A copy has the attribute `sg.recomputed`,
    which keeps it apart from its node, and draws the numbers of its node.
  }];
  let options = [
    Option<"bytes", "bytes", "int64_t", "-1", "most bytes of results side by side; -1 for any">
  ];
}

def Decompose : Pass<"sg-decompose", "::mlir::ModuleOp"> {
  let summary = "rewrite sugar into the core operators";
  let description = [{
    Activation -> unary; Flatten, expand_dims, squeeze -> reshape; SoftmaxOutput,
    SoftmaxActivation -> softmax; LogisticRegressionOutput -> sigmoid; amp_multicast -> cast; BatchNorm in prediction -> multiply and add by
    channel, computed from the statistics, which are its other results; PReLU -> a binary over the reshaped
    slope; identity pooling and splits into one part disappear. Only the core
    needs gradients and lowerings.
    In a graph of training BatchNorm normalises by the statistics of its data, and recurrent layers with
    zeros between them (p) are a node each, with Dropout between.
  }];
  let options = [
    Option<"which", "which", "std::string", "\"all\"",
           "of which nodes: all, `rewritten` (those whose gradients are those of what replaces "
           "them), `training` (those that compute something else in training)">
  ];
}

def ChannelsFirst : Pass<"sg-channels-first", "::mlir::ModuleOp"> {
  let summary = "compute layers with channels before pixels; cancel transposes";
  let description = [{
    Convolutions and poolings of layout NHWC (NWC, NDHWC) become ones of layout NCHW
    between two transposes, their weights are transposed as nodes over weights, and
    transposes sink through elementwise nodes and concatenations until they cancel or
    reach an output. A transpose that moves only extents of 1 becomes a reshape. Remarks
    list which layers were transposed and which transposes stay in the middle.
  }];
}

def FoldBatchNorm : Pass<"sg-fold-batch-norm", "::mlir::ModuleOp"> {
  let summary = "fold channelwise scale and shift into weights and bias";
  let description = [{
    multiply(convolution(x, w), s) -> convolution(x, w * s) and add(convolution(x, w,
    b), t) -> convolution(x, w, b + t) where s and t depend on weights alone and vary
    along the output channel only; the same for fully connected layers. The new
    weights are operators over weights, which sg-hoist-prepare moves.
  }];
}

def FoldPadding : Pass<"sg-fold-padding", "::mlir::ModuleOp"> {
  let summary = "make a border that a node puts around images the padding of the layer behind it";
  let description = [{
    A convolution of zeros around an image gets these as its own padding, before and behind each
    extent; so does a sum, an average that counts its padding, and a maximum of a border of minus
    infinity. Values do not change. Remarks name the layers.
  }];
}

def VolumesToImages : Pass<"sg-volumes-to-images", "::mlir::ModuleOp"> {
  let summary = "compute three-dimensional layers as layers over images";
  let description = [{
    A volume [N, C, D, H, W] is N * D images of C channels. A convolution whose window is
    deeper than 1 becomes one over images that hold the window's depth as channels, its
    weight alike; one that moves along the depth alone, between values that nothing else
    needs as images, becomes one of rows, over the image [N, C, D, H * W]. A pooling
    becomes one of images, and the maximum or sum of images along the depth; the gradient of
    such a one the same from its end. What lies
    between such layers (functions of elements, concatenations of channels) is computed on
    images too, so that volumes are transposed where they come in and where they leave only.
    Extents but the channels may be known only at run time, unless the last windows of a pooling
    hold fewer images then. Values change in rounding only. Windows are at most
    64 images deep. A `missed` remark names a layer that stays as it is, and why.
  }];
}

def ReorderPooling : Pass<"sg-reorder-pooling", "::mlir::ModuleOp"> {
  let summary = "pool before or after a 1x1 convolution, whichever takes less work";
  let description = [{
    An average pooling and a 1x1 convolution without stride, one right after the other,
    change places where that takes fewer multiply-adds: pooling goes first where it
    leaves fewer pixels, the convolution where it leaves fewer channels; its bias is
    added at the end. A bias changes places with a pooling only where every window holds pixels
    alone, at least one: last windows of `full` may lie behind the image, where the average is 0.
    Values change in rounding only; strict mathematics (--math=strict)
    leaves the pass out. Extents must be fixed. Remarks state the work of both orders.
  }];
}

def DropTaps : Pass<"sg-drop-taps", "::mlir::ModuleOp"> {
  let summary = "leave out the taps of convolutions that lie in the padding";
  let description = [{
    Rows and columns at the rim of a convolution's window that meet the image at none of its
    places, as those of dilation 36 over 20 x 20 pixels, are cut off the weight. Values do not
    change. Extents of images must be fixed, and what stays must have one padding on both
    sides. Remarks state how many taps stay.
  }];
}

def StridesToDepth : Pass<"sg-strides-to-depth", "::mlir::ModuleOp"> {
  let summary = "in training, compute strided convolutions without stride, from space-to-depth of their image";
  let description = [{
    A convolution of images whose window is two to four times its stride along both axes, or along
    one and as long as the stride along the other, reads the pixels at one place modulo the stride
    as channels of their own, over which it has no stride. As many multiply-adds are left, which
    algorithms for small windows without stride compute by fewer. The image is copied for that;
    layers whose channels are not whole blocks of `block-width` stay, as do those of predictions.
    Gradients of weights are computed likewise. Remarks state it.
  }];
  let options = [Option<"blockWidth", "block-width", "int64_t", "1",
                        "channels of a block of the target's layout">];
}

def LimitBoxes : Pass<"sg-limit-boxes", "::mlir::ModuleOp"> {
  let summary = "end the suppression of boxes behind the last one that is read";
  let description = [{
    Where slices read the first boxes of a box_nms alone, its `rows` is their number: it neither
    looks for further ones nor writes them. The number of boxes must be fixed. Remarks state it.
  }];
}

def MergeGroups : Pass<"sg-merge-groups", "::mlir::ModuleOp"> {
  let summary = "compute groups of few channels of a convolution together";
  let description = [{
    A convolution whose groups have channels, in or out, that are no multiple of `block-width`
    becomes one of fewer groups, as few of the old ones in each as make them such, else of
    one. Up to four groups become layers of their own where that saves more than copies of their
    channels cost. Groups of as many channels in as out that divide the width stay: they are computed
    within a block. Weights between channels of different groups are 0. That takes as many times the
    multiply-adds, in generated code in place of reference code. Where groups have one channel
    in and several out, copies of the channels are read instead, each alone. A channel that holds
    infinity or NaN reaches the channels of the groups that are computed with its own. More
    than 64 groups are not merged into one. With `any-groups`, outside of training, groups stay
    where the channels of all groups that blocks of results are of take fewer multiply-adds; windows of several taps
    side by side and stride 1, which become few with other algorithms, where they take a third.
    Remarks state how many become one, and what stays.
    In training the weights may be computed, and gradients of weights are computed likewise.
  }];
  let options = [Option<"blockWidth", "block-width", "int64_t", "1",
                        "channels of a block of the target's layout">,
                 Option<"anyGroups", "any-groups", "bool", "false",
                        "the target reads groups that begin anywhere in blocks">];
}

def FoldShuffles : Pass<"sg-fold-shuffles", "::mlir::ModuleOp"> {
  let summary = "read shuffled channels where they lie";
  let description = [{
    A reshape of channels to parts, a transpose of parts and channels and a reshape back, whose
    result a convolution reads, also behind depthwise convolutions, poolings and functions of elements,
    go: the convolution's weights take the order of the channels before, or, where it has
    groups and the target reads groups anywhere (`any-groups`), its attribute `shuffle` names the parts.
    Remarks state which stay.
  }];
  let options = [Option<"anyGroups", "any-groups", "bool", "false",
                        "the target reads groups that begin anywhere in blocks">];
}

def MergeConvolutions : Pass<"sg-merge-convolutions", "::mlir::ModuleOp"> {
  let summary = "compute convolutions of one value, alike but for their weights, as one";
  let description = [{
    Convolutions that read one value with equal windows and the same function behind them
    become one over their concatenated weights, and channels of its result take the places
    of theirs: the value is read once, and rests of blocks of channels come together. One
    stays alone where its result goes into a concatenation or something else is computed
    with it, and all do where copying the parts costs more than merging saves: parts that
    begin inside of a block of `block-width` channels are copied. Values do not change;
    extents must be fixed. Remarks state which were merged and why others were not.
  }];
  let options = [
    Option<"blockWidth", "block-width", "int64_t", "1",
           "channels that the target computes together">
  ];
}

def HoistStrides : Pass<"sg-hoist-strides", "::mlir::ModuleOp"> {
  let summary = "compute only the pixels that strided 1x1 convolutions read";
  let description = [{
    Where every reader of a value takes each s-th pixel (1x1 convolutions with a
    stride, slices with a step), its producer computes those only: convolutions and
    poolings multiply their stride, elementwise nodes read their operands through
    `sg.slice`, whose operands are followed, too. A residual that others read in
    full stays a slice. Values do not change; extents along strided axes must be
    fixed. Remarks state where a stride went and why one stays.
  }];
}

def RepeatCheap : Pass<"sg-repeat-cheap", "::mlir::ModuleOp"> {
  let summary = "compute elementwise nodes again in the backward part, where that moves fewer bytes";
  let description = [{
    In a graph of training. A chain of elementwise nodes without functions (exp, tanh, ...), each
    with one operand of the result's shape, is computed again by what reads its result in the
    backward part, which reads the value before the chain instead; so is a node of the backward part
    with two such operands that two nodes read. Readers are elementwise nodes, and reductions of
    their data. Leaves values as they are. Runs before sg-fuse-elementwise, which makes a reader and
    its copies one walk. A remark reports each node that is repeated. In other graphs a chain that
    makes floats of bytes is computed again by each of its readers where all of them are
    elementwise, which then read the bytes.
  }];
}

def FuseAttention : Pass<"sg-fuse-attention", "::mlir::ModuleOp"> {
  let summary = "group a product of queries and keys, its softmax and the product with values";
  let description = [{
    Two products (batch_dot, interleaved_qk and interleaved_valatt) of float32 with a softmax along the last axis
    between them become an sg.fused: with the elementwise nodes before the softmax (scale, mask),
    factors behind it, reshapes of the leading extents, and a transpose of the result. Each of
    the values between has one reader, and heads have at most 256 elements. In graphs of prediction.
    Remarks name the layers, and what keeps one apart.
  }];
}

def FuseElementwise : Pass<"sg-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "group elementwise chains with their producers";
  let description = [{
    A convolution, fully connected layer, pooling, reduction or normalisation and the
    elementwise nodes that alone read its result become one sg.fused, also several of them that end in one node
    (x * sigmoid(x)); a reduction or normalisation takes the chain before it as well. Chains without such a layer
    become one too. Operands that broadcast stay operands of the group. In a graph of training a
    node that alone reads two groups joins both; in others it joins chains that begin with bytes. A remark reports each decision.
  }];
}

def SplitQuantized : Pass<"sg-split-quantized", "::mlir::ModuleOp"> {
  let summary = "separate the weights of quantised convolutions from their sums";
  let description = [{
    A fused_conv with calibration limits becomes quantize_rows, which rounds weights and
    bias, and integer_conv; limits of results that are known become constants. A
    remark names which layers stay whole and why.
  }];
}

def IntegersFromFloats : Pass<"sg-integers-from-floats", "::mlir::ModuleOp"> {
  let summary = "sum products of bytes where floats that stand for them are multiplied";
  let description = [{
    A convolution of data and weights that are bytes less a zero point, times scales, as
    DequantizeLinear makes them, becomes integer_conv. Where its result alone is bounded (relu, clip)
    and rounded to bytes, as QuantizeLinear does, that is part of it. Scales and zero points of
    tensors are numbers of the graph; scales of weights may be one for each output. A result differs
    by at most one step of its scale. A remark names each layer, and why one stays in floats.
  }];
}

def LiftStates : Pass<"sg-lift-states", "::mlir::ModuleOp"> {
  let summary = "make what a run changes an argument of @main";
  let description = [{
    A weight whose new value is a result of @main (`sg.state`) is read as an argument
    with the same attribute. Passes behind it take sg.parameter for a constant.
  }];
}

def GrowStates : Pass<"sg-grow-states", "::mlir::ModuleOp"> {
  let summary = "make inputs to which a concatenation appends states that grow in their place";
  let description = [{
    An input of @main with `sg.grows = [axis, rows]` (--grow) is the first operand of one
    concatenation along that axis. It becomes a state: a last argument, whose new value, the
    concatenation, is a last result, both with the input's name as `sg.state`. Where the
    concatenation was an output it is none any more. That the new rows fit is a condition.
  }];
}

def HoistPrepare : Pass<"sg-hoist-prepare", "::mlir::ModuleOp"> {
  let summary = "move what depends on weights alone into @prepare";
  let description = [{
    Every node whose operands are weights, constants or such nodes moves to
    the graph @prepare; @main reads the results as sg.prepared. Random numbers, control
    flow and calls of shared libraries stay. A weight whose `stored` type is not the one
    that the graph computes in becomes one of that type behind an sg.cast, which moves;
    that of a state is a result of @prepare with the state's symbol as `sg.state`.
  }];
  let options = [Option<"castsOnly", "casts-only", "bool", "false",
                        "move nothing but the casts of stored weights">];
}

def SinkWeights : Pass<"sg-sink-weights", "::mlir::ModuleOp"> {
  let summary = "read weights inside of the graphs that loops and choices call";
  let description = [{
    A weight or prepared value that a node of control flow hands to a graph as it is
    becomes sg.parameter or sg.prepared there; the graph's input stays, unread.
  }];
}

def CheckRows : Pass<"sg-check-rows", "::mlir::ModuleOp"> {
  let summary = "prove that the rows of a batch do not depend on each other";
  let description = [{
    The size s0 of @main is the number of rows. Inputs have it as their first extent, and
    so do the outputs; every node between keeps the rows apart along one axis, which may
    move on the way. A batch may then be computed in parts whose results are put one
    behind the other. Fails at the first node that mixes rows or whose operator has no
    RowsInterface (ir/RowsInterface.td); changes nothing.
  }];
}

#endif // SYMC_PASSES
