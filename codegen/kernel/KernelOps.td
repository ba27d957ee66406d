//===- KernelOps.td - the kernel dialect ----------------------------------===//
//
// The contract between schedule (sg -> kernel), plan (arena offsets) and the
// lowerings of every target. A program is a straight list of destination-
// passing steps over memrefs; a memref's strides are its layout. Whatever is a
// per-target fact (tile, order, algorithm) is an attribute here, so that
// reports and `--explain` read it.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_KERNEL_OPS
#define SYMC_KERNEL_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "codegen/kernel/StepInterfaces.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::symc::kernel";
  let summary = "scheduled steps over planned buffers, before loops";
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

include "codegen/kernel/KernelAttributes.td"

class Kernel_Op<string mnemonic, list<Trait> traits = []> : Op<Kernel_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Kernel_ProgramOp : Kernel_Op<"program", [Symbol, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"::symc::kernel::EndOp">]> {
  let summary = "a list of steps: @main or @prepare";
  let description = [{
    Block arguments: `num_inputs` plain row-major memrefs, then `num_outputs`
    plain row-major memrefs that the program writes (frame io, in this order),
    then one `index` for each symbolic size (frame dims). `arena_bytes` is set
    by the planner. In @prepare the inputs are raw parameters and the results
    are the `kernel.weight`s that it writes. `output_shapes` gives the extents of
    each output: maps without dimensions whose symbols are the symbolic sizes in
    order; programs with symbolic sizes have it. `input_shapes` is the same of inputs, in programs of
    parts, where backward may read copies of these. New values of states have none, as their extents
    are constant. `conditions` are sets over the sizes, outside of
    which the program may not run, each with a sentence: checked before a run, or behind the
    step that decides the last of the sizes. Where batch sizes share weights,
    `algorithm_cost` is what the algorithms of the convolutions take over what the best ones
    for this size alone would, in cycles of the model.
    A program with gradients has `parts`: of each input and output which part may touch it, forward,
    backward or both (the old value of a state that backward changes). kernel.forward_end divides
    its steps.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$num_inputs, I64Attr:$num_outputs,
                       OptionalAttr<DenseI64ArrayAttr>:$dim_min,
                       OptionalAttr<DenseI64ArrayAttr>:$dim_max,
                       OptionalAttr<I64Attr>:$arena_bytes,
                       OptionalAttr<AffineMapArrayAttr>:$output_shapes,
                       OptionalAttr<AffineMapArrayAttr>:$input_shapes,
                       OptionalAttr<F64Attr>:$algorithm_cost,
                       OptionalAttr<ArrayAttr>:$conditions,
                       OptionalAttr<StrArrayAttr>:$sentences,
                       OptionalAttr<StrArrayAttr>:$parts);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The symbolic sizes, which are the last arguments.
    ::mlir::Block::BlockArgListType getSizes() {
      return getBody().getArguments().drop_front(getNumInputs() + getNumOutputs());
    }
    /// The extents of an input or an output that input_shapes or output_shapes has, or null.
    ::mlir::AffineMap shapeOfArgument(int64_t number);
    /// Where forward ends; null in a program of one part.
    ::symc::kernel::ForwardEndOp getForwardEnd();
    /// Whether the value is an argument that is of that part alone: "forward" or "backward".
    bool isArgumentOf(::mlir::Value value, ::llvm::StringRef part);
  }];
}

def Kernel_VariantOp : Kernel_Op<"variant", [Symbol, SymbolTable, IsolatedFromAbove, SingleBlock,
    NoTerminator]> {
  let summary = "a program and the bodies of its loops for one instruction set";
  let description = [{
    Holds copies of a program, @main_program or @prepare_program, and of the programs
    that it calls, for code of `target` by the rules of `math` (MathMode.h). Algorithms, the
    places of buffers and tiles are the target's own. Prepared weights
    are those of the module. kernel-outline adds a module of functions behind the programs;
    the entry's function is named as the variant is.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, StrAttr:$math);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `for` $target `,` $math attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The program that nothing in the variant calls.
    ::symc::kernel::ProgramOp getEntry();
    /// The functions, after kernel-outline; null before.
    ::mlir::ModuleOp getFunctions();
  }];
}

def Kernel_EndOp : Kernel_Op<"end", [Terminator, HasParent<"ProgramOp">, Pure]> {
  let summary = "ends a program";
  let assemblyFormat = "attr-dict";
}

def Kernel_ForwardEndOp : Kernel_Op<"forward_end", [HasParent<"ProgramOp">]> {
  let summary = "ends the forward part of a program with gradients";
  let description = [{
    The steps before it are forward, those behind it backward, which may run later and several times
    after one run of forward. Backward reads what forward left in the arena and changes none of it.
  }];
  let assemblyFormat = "attr-dict";
}

def Kernel_PreparedOp : Kernel_Op<"prepared", [Symbol]> {
  let summary = "a prepared weight: its place in the blob that @prepare writes";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyMemRef>:$type, I64Attr:$offset,
                       OptionalAttr<Kernel_FormAttr>:$form);
  let assemblyFormat = "$sym_name `at` $offset `:` $type attr-dict";
}

def Kernel_WeightOp : Kernel_Op<"weight", [Pure]> {
  let summary = "the prepared weight of that name (read in @main, written in @prepare)";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Kernel_BufferOp : Kernel_Op<"buffer", [AttrSizedOperandSegments]> {
  let summary = "a contiguous row-major buffer in the arena";
  let description = [{
    `sizes` give the dynamic extents, in order. `offset` (bytes from the arena's
    start, a multiple of 64) is set by the planner, which reserves the bytes of
    the largest extents.
  }];
  let arguments = (ins Variadic<Index>:$sizes, Variadic<Index>:$reserved,
                       OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = "`(` $sizes `)` (`at` $offset^)? (`reserved` $reserved^)? attr-dict `:` type($result)";
}

def Kernel_YieldOp : Kernel_Op<"yield", [Terminator, Pure]> {
  let summary = "the element(s) that a step's scalar body stores";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

// A function that bodies have beside math's, and that passes recognise.
def Kernel_LogisticOp : Kernel_Op<"logistic", [Pure, SameOperandsAndResultType]
                                              # ElementwiseMappable.traits> {
  let summary = "1 / (1 + exp(-x)) of a float or of each of a vector";
  let arguments = (ins FloatLike:$operand);
  let results = (outs FloatLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// What a step reads and what it writes, in this order.
def Kernel_In : Arg<AnyMemRef, "", [MemRead]>;
def Kernel_Ins : Arg<Variadic<AnyMemRef>, "", [MemRead]>;
def Kernel_OptionalIn : Arg<Optional<AnyMemRef>, "", [MemRead]>;
def Kernel_Out : Arg<AnyMemRef, "", [MemWrite]>;
def Kernel_Outs : Arg<Variadic<AnyMemRef>, "", [MemWrite]>;
def Kernel_OptionalOut : Arg<Optional<AnyMemRef>, "", [MemWrite]>;

// `own` names the methods of StepInterface that the operation implements itself.
class Kernel_Step<string mnemonic, list<string> own = [], list<Trait> traits = []>
    : Kernel_Op<mnemonic, [DeclareOpInterfaceMethods<Kernel_StepInterface, own>] # traits>;

// The tasks of a step, set by kernel-choose-tiles.
def Kernel_Cut : OptionalAttr<Kernel_CutAttr>;
class Kernel_CutsDeclaration {
  code isChosen = [{
    bool isChosen() { return bool(getCutAttr()); }
  }];
}
// The builders of steps that schedules make, without what later passes set.
class Kernel_BuilderWithout<dag arguments, string given> : OpBuilder<arguments,
    "build($_builder, $_state, " # given # ");">;
def Kernel_Cuts : Kernel_CutsDeclaration;

def Kernel_LoopsOp : Kernel_Step<"loops", ["getOverwritableInputs", "isElementwise"],
                                [AttrSizedOperandSegments, Kernel_TiledInterface]> {
  let summary = "an elementwise chain over views of one shape";
  let description = [{
    For every index of the outputs' common shape: the body gets one element of
    each input (block arguments in order) and yields one element for each
    output. Inputs may have stride 0 (broadcast). Element types are signless;
    the body holds arith and math operations on scalars. Of each dimension in
    `coordinates`, rising numbers, the body gets the index first, as i32. `cut` is over the
    extents of the nest, in normal form (NestNormalForm.h) where no coordinate is counted; an
    axis that it lacks is its last.
  }];
  let arguments = (ins Kernel_Ins:$ins, Kernel_Outs:$outs,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$coordinates,
                       Kernel_Cut:$cut);
  let builders = [Kernel_BuilderWithout<(ins "::mlir::ValueRange":$ins, "::mlir::ValueRange":$outs),
                                        "ins, outs, ::mlir::DenseI64ArrayAttr(), /*cut=*/{}">];
  let extraClassDeclaration = Kernel_Cuts.isChosen;
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `ins` `(` ($ins^ `:` type($ins))? `)` `outs` `(` $outs `:` type($outs) `)` attr-dict `body` $body
  }];
  let hasVerifier = 1;
}

// The accumulate-then-epilogue steps share one form. `extras` are views in the
// shape of `out`; the body gets the accumulator and one element of each extra, read
// where it is written.
class Kernel_AccumulateStep<string mnemonic, list<string> own = [], list<Trait> traits = []>
    : Kernel_Step<mnemonic, ["getOverwritableInputs"] # own, traits> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def Kernel_ConvOp : Kernel_AccumulateStep<"conv", ["getFlops"], [Kernel_RowwiseInterface,
    DeclareOpInterfaceMethods<Kernel_TiledInterface, ["isChosen"]>]> {
  let summary = "convolution or matrix product with panel-packed weights";
  let description = [{
    data:    [N, ICB, H, W, L]  any strides; padding is already materialised.
             L = 16 for blocked data and for fully connected rows ([1, IB, 1, N, 16]
             with strides [.., 16, .., I, 1]); planar data is [N, 1, H, W, C] with
             strides [.., .., W, 1, H*W].
    weights: [OB, ICB, kH, kW, L', 16] panels, L' = 16 (or C, planar), lanes last; or
             [N, OB, ICB, kH, kW, L', 16], panels of each image (products of a batch).
    extras:  views in the shape of out (bias: strides [0, 16, 0, 0, 1]).
    out:     [N, OB, OH, OW, 16], last stride 1.
    Over bytes, data and weights are i8, the accumulator i32 and out i8 or i32; a weight panel of
    L inputs holds L/4 quads, of each 16 outputs with 4 inputs side by side, and data's
    lanes hold whole quads. Data is unsigned; with `shifted` it is signed and read plus 128.
    Split by kernel.split_bytes, data is i32 [N, ICB, H, W, L/2] and weights panels of L/2 rows, two
    words of each quad.
    The reduction runs icb, kh, kw, lane in this order and stops at `in_channels`;
    lanes at and beyond `out_channels` are neither read from extras nor written. Where ICB of data
    or OB of out is a run-time value, all lanes of as many blocks are channels, and the attribute
    is the most that they are.
    kernel-choose-tiles sets, for one target:
    `tile` = [output vectors of 16 channels, rows, columns]; one row where rows or columns
    are run-time values, one vector where OB is.
    `cut`, its tasks.
    `pixels_outside`: a task walks pixel tiles outside, groups of output vectors inside.
    `prefetch`: each pixel tile fetches its share of the next group's weights.
    `zeros`: rows and columns of data that hold zeros, the padding of its image. Products with them
    may be left out: at 7x7 pixels rows are a tenth of a 3x3 layer, and with dilation 12 over 20x20
    pixels both are two thirds.
    kernel-schedule leaves two things of a layer open, and kernel-choose-algorithms decides
    them: `choose` leaves its algorithm open and names what grows with the batch, "images" or, of
    the rows of a matrix, "columns"; `pad`, zeros that are still to be
    laid around planar data. Then `reason` states why the step is what it is.
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$weights, Kernel_Ins:$extras,
                       Kernel_Out:$out,
                       DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations,
                       I64Attr:$in_channels, I64Attr:$out_channels,
                       OptionalAttr<DenseI64ArrayAttr>:$tile, UnitAttr:$shifted,
                       OptionalAttr<Kernel_PaddingAttr>:$zeros,
                       OptionalAttr<Kernel_PieceAttr>:$piece,
                       OptionalAttr<Kernel_ConvTasksAttr>:$cut,
                       UnitAttr:$pixels_outside, UnitAttr:$prefetch,
                       OptionalAttr<StrAttr>:$choose, OptionalAttr<Kernel_PaddingAttr>:$pad,
                       OptionalAttr<StrAttr>:$reason);
  let builders = [OpBuilder<(ins "::mlir::Value":$data, "::mlir::Value":$weights,
                                 "::mlir::ValueRange":$extras, "::mlir::Value":$out,
                                 "::llvm::ArrayRef<int64_t>":$kernel,
                                 "::llvm::ArrayRef<int64_t>":$strides,
                                 "::llvm::ArrayRef<int64_t>":$dilations,
                                 "int64_t":$inChannels, "int64_t":$outChannels), [{
    auto list = [&](::llvm::ArrayRef<int64_t> values) {
      return $_builder.getDenseI64ArrayAttr(values);
    };
    build($_builder, $_state, data, weights, extras, out, list(kernel), list(strides),
          list(dilations), $_builder.getI64IntegerAttr(inChannels),
          $_builder.getI64IntegerAttr(outChannels), /*tile=*/{}, /*shifted=*/{}, /*zeros=*/{},
          /*piece=*/{}, /*cut=*/{}, /*pixels_outside=*/{}, /*prefetch=*/{}, /*choose=*/{},
          /*pad=*/{}, /*reason=*/{});
  }]>];
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `weights` `(` $weights `:` type($weights) `)`
    `extras` `(` ($extras^ `:` type($extras))? `)` `out` `(` $out `:` type($out) `)` attr-dict `body` $body
  }];
  let extraClassDeclaration = [{
    ::symc::kernel::RowWindow getRowWindow();
    bool hasRows(unsigned operand) { return operand != 1; } // weights
    void cutToRows(::symc::kernel::RowRange rows, int64_t dataRows);
    /// Whether it sums products of bytes.
    bool sumsBytes();
    /// Input channels side by side in a block of data.
    int64_t getInputLanes();
  }];
}

def Kernel_DepthwiseOp : Kernel_AccumulateStep<"depthwise", ["getFlops"],
    [Kernel_RowwiseInterface, Kernel_TiledInterface]> {
  let summary = "convolution over 16-channel blocks in groups that lie within one";
  let description = [{
    data: [N, CB, H, W, 16] with padding materialised; weights: [CB, kH, kW, 16] of a depthwise
    convolution, or [CB, kH, kW, G, 16] of groups of G = 2, 4 or 8 channels, in and out: element
    [.., g, c] multiplies channel g of c's group. Extras and out: [N, CB, OH, OW, 16], last
    stride 1. Lanes beyond the real channel count may be computed and written (they hold
    garbage).
    kernel-choose-tiles sets `cut`.
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$weights, Kernel_Ins:$extras,
                       Kernel_Out:$out,
                       DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations,
                       OptionalAttr<Kernel_PieceAttr>:$piece,
                       OptionalAttr<Kernel_DepthwiseTasksAttr>:$cut);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `weights` `(` $weights `:` type($weights) `)`
    `extras` `(` ($extras^ `:` type($extras))? `)` `out` `(` $out `:` type($out) `)` attr-dict `body` $body
  }];
  let extraClassDeclaration = [{
    ::symc::kernel::RowWindow getRowWindow();
    bool hasRows(unsigned operand) { return operand != 1; } // weights
    bool isChosen() { return bool(getCutAttr()); }
    /// Channels of a group; 1: depthwise.
    int64_t getGroupChannels();
  }];
}

include "codegen/kernel/WeightSumsOps.td"
include "codegen/kernel/PoolOps.td"

def Kernel_InterpolateOp : Kernel_Step<"interpolate", [], [Kernel_TiledInterface]> {
  let summary = "linear interpolation along one axis";
  let description = [{
    data, out: views of one rank over float32 whose extents agree but along `axis`, where both are
    constants of at least 1. Index i of out lies at p = s * i with `corners`, s = (from - 1) / (to - 1)
    of the two extents, else at p = s * (i + 1/2) - 1/2 (in f64, then rounded), s = from / to; s is 0 where
    `to` is 1, and p at least 0. With l = min(floor(p), from - 1), r = p - l and h = min(l + 1, from - 1),
    out[i] = data[l] * (1 - r) + data[h] * r, in f32, no multiply-add. Last strides are 1.
    `cut` is over the extents of out up to `axis`, or up to the last but one where that is the last.
  }];
  let arguments = (ins Kernel_In:$data, Kernel_Out:$out, I64Attr:$axis, UnitAttr:$corners, Kernel_Cut:$cut);
  let assemblyFormat = "$data `to` $out `along` $axis attr-dict `:` type($data) `to` type($out)";
  let extraClassDeclaration = Kernel_Cuts.isChosen # [{
    /// How many extents of out, the first ones, tasks cut.
    unsigned getCutExtents();
  }];
  let hasVerifier = 1;
}

def Kernel_ReduceOp : Kernel_Step<"reduce", ["getOverwritableInputs"],
                                  [AttrSizedOperandSegments, Kernel_TiledInterface]> {
  let summary = "reductions along rows of elements, then results of each row and each element";
  let description = [{
    ins, outs: views of one shape, `kept` extents that number the rows, then those along
    which a row's elements lie. row_outs, lengths: views of the kept extents alone.
    The row is reduced once for each of `combiners`; pass k yields one value for each
    element (argmax and argmin: and a second, which the chosen element's stands for; sums: two).

      passes(k): (position, count, ins..., saved?, results of passes 0 to k-1...) -> value
      rows:      (position, count, ins..., results...)           -> an element of each row_out
      elements:  (position, count, ins..., saved?, results...)   -> an element of each out

    `position` is the element's number in its row, `count` that of the row's elements, both
    i32, or i64 where a row can have more than 2^31 - 1; in `rows` the position is 0. Pass `saves` yields one value more, which is stored in
    the first of outs and given to later passes and `elements` as `saved`. Of a row with one
    of `lengths` (i32 or i64; one extent is reduced then) the elements at and beyond it
    belong to no pass and get 0 in outs; `count` is that of all.

    Combiners: sum, prod; sums, of two floats an element; max, min (a NaN that was met stays), maxnum (NaN is passed over);
    argmax, argmin (the first of the best, where NaN beats all that is none; the second
    value is an integer that grows with the position, and is 0 where no element is better
    than an infinity).

    Order: elements whose last extent has stride 1 in all views that it moves are walked
    along the row ("rows"): element i of a run along the last extent goes to partial sum
    i mod P, P = `partials` or the least power of two that a shorter extent fits in; a run is
    cut into blocks of 64 P elements, whose partial sums begin anew and are added to the
    totals of the row block by block; in the end the second half of the P totals is added to
    the first, until one is left. Else the last kept extent has stride 1 ("columns"): each
    row is summed element by element in blocks of 64, block by block. Where the largest sizes give a
    row more than 2048 blocks, the totals of 64 blocks, or of 64 runs, are added as one, those of 64 such
    ones again, until 2048 are left along each extent. None of this depends on the
    target or on the number of tasks. With T terms in a run of n, R runs, a sum errs by at
    most (min(n/P, 64) + R ceil(n / 64P) + log2 P) 2^-24 of the terms' absolute sum in f32,
    P = 1 in columns.

    `cut` is over the kept extents.
  }];
  let arguments = (ins Kernel_Ins:$ins, Kernel_OptionalIn:$lengths, Kernel_Outs:$row_outs,
                       Kernel_Outs:$outs,
                       I64Attr:$kept, StrArrayAttr:$combiners, OptionalAttr<I64Attr>:$saves,
                       DefaultValuedAttr<I64Attr, "64">:$partials, Kernel_Cut:$cut);
  let extraClassDeclaration = Kernel_Cuts.isChosen;
  let regions = (region SizedRegion<1>:$rows, SizedRegion<1>:$elements,
                        VariadicRegion<SizedRegion<1>>:$passes);
  let assemblyFormat = [{
    `ins` `(` $ins `:` type($ins) `)` (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`row_outs` `(` $row_outs^ `:` type($row_outs) `)`)? (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `passes` $passes `rows` $rows `elements` $elements
  }];
  let hasVerifier = 1;
}

def Kernel_RecurrentOp : Kernel_Step<"recurrent", ["getFlops", "getRounds"],
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<Kernel_TiledInterface, ["isChosen"]>]> {
  let summary = "the steps of one direction of a recurrent layer, input's products given";
  let description = [{
    gates:   [T, N, G, H], what the inputs contribute to each of G gates.
    weights: [HB, P, G, 1, 1, 16], the state's matrices: 16 units of all gates side by side,
             without gaps; P = H is the length of the state. Or for Strassen's product
             [HB/2, S, 7, P/2, G/S, 16], the sums of the matrix' quarters, halved by units and by
             the state, of S groups of gates (StrassenRecurrent.h); N is even then and H a multiple
             of 32. By kernel-narrow-products f16 [HB, P, G, 1, 1, 16], or bf16
             [HB, P/2, G, 1, 2, 16], pairs of rows side by side for each unit.
    bias:    [HB, 1, G, 1, 1, 16] or none, of the state's products.
    state, cell:  [N, H], before the first step; `cell` and `cell_out` may be absent.
    out:     [T, N, H], the states; cell_out: [N, H], the cell after the last step.
    scratch: RecurrentHalves::scratch(), of Strassen's product alone: sums of states and tiles
             of each pair of blocks, then sums of the states of even and of odd time steps.
    rounded: [2, N, H] of the weights' type or none: the states of even and of odd time steps as
             products read them; a step before writes the second, `state`.
    step:    [8] i64; the program stores the number of the time step, 0 to T - 1, in its first
             element before the tasks of that time step start. `reverse` begins with the last time.
    The body gets, for one unit: G sums of the state's products (in the order of P), G gates,
    G biases if there are any, the state and the cell before; it yields state and cell.
    All last strides are 1; all extents but T, of at least 1, and, without scratch, N are constants.
    kernel-choose-tiles sets, for one target: `tile` = [vectors of units, rows of the batch,
    gates] that are summed at once (gates one group after the other), and how many blocks of units, or pairs of them by Strassen's
    product, one task does (`per_task`).
    kernel-schedule builds plain products; of a step with `choose` kernel-choose-algorithms
    decides whether they are Strassen's, and why (`reason`).
  }];
  let arguments = (ins Kernel_In:$gates, Kernel_In:$weights, Kernel_OptionalIn:$bias,
                       Kernel_In:$state, Kernel_OptionalIn:$cell, Kernel_Out:$out,
                       Kernel_OptionalOut:$cell_out, Kernel_OptionalOut:$scratch,
                       Kernel_OptionalOut:$rounded, Kernel_Out:$step, BoolAttr:$reverse,
                       OptionalAttr<DenseI64ArrayAttr>:$tile, OptionalAttr<I64Attr>:$per_task,
                       UnitAttr:$choose, OptionalAttr<StrAttr>:$reason);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `gates` `(` $gates `:` type($gates) `)` `weights` `(` $weights `:` type($weights) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)? `state` `(` $state `:` type($state) `)`
    (`cell` `(` $cell^ `:` type($cell) `)`)? `out` `(` $out `:` type($out) `)`
    (`cell_out` `(` $cell_out^ `:` type($cell_out) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    (`rounded` `(` $rounded^ `:` type($rounded) `)`)? `step` `(` $step `:` type($step) `)`
    attr-dict `body` $body
  }];
  let hasVerifier = 1;
}

def Kernel_CopyOp : Kernel_Step<"copy", ["isElementwise"], [Kernel_RowwiseInterface,
                                                            Kernel_TiledInterface]> {
  let summary = "copies between two views of one shape: reorder, concat, transpose, slice";
  let description = [{
    `cut` is over the extents of the nest in normal form, but where the copy transposes the
    last two are those along which source and target have their elements side by side
    (codegen/cpu/CopyForm.h); an axis that the nest lacks is its last.
  }];
  let arguments = (ins Kernel_In:$source, Kernel_Out:$target,
                       OptionalAttr<Kernel_PieceAttr>:$piece, Kernel_Cut:$cut);
  let builders = [Kernel_BuilderWithout<(ins "::mlir::Value":$source, "::mlir::Value":$target),
                                        "source, target, /*piece=*/{}, /*cut=*/{}">];
  let extraClassDeclaration = [{
    ::symc::kernel::RowWindow getRowWindow() { return {1, 0, 1}; }
    bool isChosen() { return bool(getCutAttr()); }
  }];
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source) `to` type($target)";
  let hasVerifier = 1;
}

def Kernel_FillOp : Kernel_Step<"fill", ["isElementwise"], [Kernel_TiledInterface]> {
  let summary = "stores one value in every element of a view (halos, padding)";
  let description = [{ `cut` is over the extents of the nest in normal form, as kernel.loops'. }];
  let arguments = (ins Kernel_Out:$target, TypedAttrInterface:$value, Kernel_Cut:$cut);
  let builders = [Kernel_BuilderWithout<(ins "::mlir::Value":$target, "::mlir::TypedAttr":$value),
                                        "target, value, /*cut=*/{}">];
  let extraClassDeclaration = Kernel_Cuts.isChosen;
  let hasVerifier = 1;
  let assemblyFormat = "$target `with` $value attr-dict `:` type($target)";
}

// `cut` is over the blocks of the target: images of a batch, outputs, inputs.
class Kernel_PackStep<string mnemonic, dag more = (ins)>
    : Kernel_Step<mnemonic, [], [Kernel_TiledInterface]> {
  let arguments = !con((ins Kernel_In:$source, Kernel_Out:$target), more, (ins Kernel_Cut:$cut));
  let builders = !if(!empty(more),
      [Kernel_BuilderWithout<(ins "::mlir::Value":$source, "::mlir::Value":$target),
                             "source, target, /*cut=*/{}">], []);
  let extraClassDeclaration = Kernel_Cuts.isChosen;
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source) `to` type($target)";
  let hasVerifier = 1;
}

def Kernel_PackPanelsOp : Kernel_PackStep<"pack_panels"> {
  let summary = "weights [O, I, kH, kW] (any strides) to panels, tails filled with zero";
  let description = [{
    panels: [OB, IB, kH, kW, L, B] where IB*L >= I and OB*B >= O. Of a batch source and
    panels have its extent before the others.
  }];
}

def Kernel_PackDepthwiseOp : Kernel_PackStep<"pack_depthwise"> {
  let summary = "weights [C, 1, kH, kW] (any strides) to panels, tails filled with zero";
  let description = [{ panels: [CB, kH, kW, B] where CB*B >= C, or [CB, kH, kW, G, B]. }];
}

def Kernel_SplitBytesOp : Kernel_Step<"split_bytes", [], [Kernel_TiledInterface]> {
  let summary = "quads of bytes as even and odd bytes in 16 bits, for a kernel.conv over bytes";
  let description = [{
    Data [N, CB, H, W, L] becomes words [N, CB, H, W, L/2], two of each quad: its bytes 0 and 2 without a sign,
    byte 0 low, then 1 and 3; with `shifted` 128 is added to signed ones. Quads at and beyond `channels`
    (of all blocks) are neither read nor written. Panels [OB, IB, kH, kW, L, 16] of quads become
    [OB, IB, kH, kW, L/2, 16]: a row with bytes 0 and 2 of each output, with their signs, and one with 1 and 3.
    So targets that multiply no bytes but pairs of 16 bits do this once, and not for each use.
    `cut` is over [N, CB, H] or [OB, IB, kH].
  }];
  let arguments = (ins Kernel_In:$source, Kernel_Out:$target, UnitAttr:$shifted, I64Attr:$channels,
                       Kernel_Cut:$cut);
  let extraClassDeclaration = Kernel_Cuts.isChosen;
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source) `to` type($target)";
  let hasVerifier = 1;
}

def Kernel_CallOp : Kernel_Step<"call", ["getCalledPrograms", "getDecidedSize", "describe",
                                       "getReferenceWork", "getOverwritableInputs"],
                              [AttrSizedOperandSegments, Kernel_ScratchInterface]> {
  let summary = "calls a kernel of the runtime's op table on plain row-major tensors";
  let description = [{
    `symbol` is the C symbol (symc_ref_softmax_f32); `op` the sg operation's
    mnemonic; `params` the 8-byte slots of symc_<op>_params in order: integers
    as i64, floats as f64, tuples as dense arrays, strings as strings.
    `dtypes` are MXNet type flags of ins, then outs (memrefs are signless).
    Where `scratch_bytes` > 0 the planner adds `scratch`, a buffer of so many
    bytes; a schedule leaves it out. `bodies` are programs that the kernel runs, and
    `body_dtypes` the type flags of their first outputs; the planner adds the largest
    of their arenas to the scratch. `stream` numbers a node that draws random numbers.
    `decides` is the number of the program's symbolic size that the kernel writes into the
    frame (ir/ValueSizes.h). `custom`: the kernel is one of a custom operator
    (runtime/include/symc/custom_op.h) and `symbol` the library's; `in_place`: an
    output may lie where an input lies. `work`: steps on numbers at the largest extents, by which reports
    estimate its time.
  }];
  let arguments = (ins StrAttr:$symbol, StrAttr:$op, Kernel_Ins:$ins,
                       Kernel_Outs:$outs, Kernel_OptionalOut:$scratch,
                       ArrayAttr:$params, DenseI64ArrayAttr:$dtypes, I64Attr:$scratch_bytes,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$bodies,
                       OptionalAttr<DenseI64ArrayAttr>:$body_dtypes, OptionalAttr<I64Attr>:$stream,
                       OptionalAttr<I64Attr>:$decides, OptionalAttr<I64Attr>:$work,
                       UnitAttr:$custom, UnitAttr:$in_place);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$symbol, "::llvm::StringRef":$op,
                                 "::mlir::ValueRange":$ins, "::mlir::ValueRange":$outs,
                                 "::mlir::ArrayAttr":$params,
                                 "::llvm::ArrayRef<int64_t>":$dtypes, "int64_t":$scratchBytes), [{
    build($_builder, $_state, symbol, op, ins, outs, ::mlir::Value(), params, dtypes,
          static_cast<uint64_t>(scratchBytes), ::mlir::ArrayAttr(), ::mlir::DenseI64ArrayAttr(),
          ::mlir::IntegerAttr(), ::mlir::IntegerAttr(), ::mlir::IntegerAttr(), /*custom=*/false,
          /*in_place=*/false);
  }]>];
  let assemblyFormat = [{
    $symbol $op `ins` `(` ($ins^ `:` type($ins))? `)` `outs` `(` $outs `:` type($outs) `)`
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

// The steps of single algorithms of convolutions stand in the algorithms' folders.
include "codegen/conv/strassen/kernel/StrassenOps.td"
include "codegen/conv/winograd/kernel/WinogradOps.td"

#endif // SYMC_KERNEL_OPS
