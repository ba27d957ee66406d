//===- Passes.td - passes over the kernel dialect --------------------------===//
//
// The stages between optimised sg and functions of loops, in the order of
// codegen/Pipelines.cpp, which every tool runs.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_CODEGEN_PASSES
#define SYMC_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def KernelChooseLayouts : Pass<"kernel-choose-layouts", "::mlir::ModuleOp"> {
  let summary = "Choose where the values of graphs lie: form, place and halo";
  let description = [{
    Of all graphs of a module, or of each module in a module, but @prepare: which values are
    computed in blocks of the target's channels, which operands of a concatenation are written
    where they end up, and how many zeros lie around each image; see
    codegen/schedule/layout/ChooseLayouts.cpp. kernel-schedule makes steps that follow.

    ```mlir
    %1 = sg.pooling(%0) {...}                                                          // before
    %1 = sg.pooling(%0) {kernel.layouts = [#kernel.layout<blocked, halo_rows = 1, halo_columns = 1>], ...}  // after
    ```
  }];
  let options = [
    Option<"reference", "reference", "bool", "false", "for reference kernels only: all plain">,
    Option<"target", "target", "std::string", "\"\"",
           "an instruction set of the device whose layouts are on offer; none: that of CPUs">
  ];
}

def KernelSchedule : Pass<"kernel-schedule", "::mlir::ModuleOp"> {
  let summary = "Schedule the graphs of a module as kernel programs";
  let description = [{
    Adds kernel.program @main_program and @prepare_program and the kernel.prepared
    weights between them; see codegen/schedule/Schedule.h. Shapes and types are known, and
    values lie as kernel-choose-layouts has set it. Convolutions and products are plain steps;
    those with `choose` leave their algorithm to kernel-choose-algorithms.
    A module of modules holds one net at several batch sizes: all of them read the weights
    that the first prepares. Nothing happens where programs exist already.

    ```mlir
    %1 = sg.convolution(%0, %w) {...} : ... -> tensor<1x32x8x8xf32>                  // before
    %b = kernel.buffer() : memref<1x2x8x8x16xf32>                                    // after
    %p = kernel.weight @w.w.panels : memref<2x1x3x3x16x16xf32>
    kernel.conv data(%a : ...) weights(%p : ...) ... out(%b : ...) {choose = "images", ...}
    ```
  }];
  let options = [
    Option<"reference", "reference", "bool", "false", "call reference kernels only">,
    Option<"target", "target", "std::string", "\"\"",
           "an instruction set of the device whose layouts are on offer; none: that of CPUs">,
    Option<"openProducts", "open-products", "bool", "true",
           "tile kernels for products whose columns or terms are known only at run time">
  ];
}

def KernelSplitParts : Pass<"kernel-split-parts", "::mlir::ModuleOp"> {
  let summary = "Divide the steps of programs with gradients into forward and backward";
  let description = [{
    Of the programs with `parts`: the steps that outputs of forward depend on come first, then
    kernel.forward_end, then all others, which read copies of forward's arguments. So backward may
    run after forward has returned, several times or not at all; see codegen/schedule/SplitParts.h.

    ```mlir
    kernel.copy %x to %g : memref<4xf32> to memref<4xf32>   // before; %x is forward's, %g backward's
    kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
    kernel.copy %x to %y : memref<4xf32> to memref<4xf32>   // after
    %k = kernel.buffer() : memref<4xf32>
    kernel.copy %x to %k : memref<4xf32> to memref<4xf32>
    kernel.forward_end
    kernel.copy %k to %g : memref<4xf32> to memref<4xf32>
    ```
  }];
}

def KernelPoolPlaces : Pass<"kernel-pool-places", "::mlir::ModuleOp"> {
  let summary = "Keep places of maxima for gradients of poolings, a byte a window, instead of images";
  let description = [{
    Where the gradient of a max pooling is the last step that reads the image, kernel.pool_places behind
    the pooling finds which element of each window its maximum is, and the gradient reads that. So
    the image's memory is free from there on, and the gradient reads a byte instead of a window.

    ```mlir
    kernel.pool "max" data(%x : ...) extras() out(%y : ...) ...                  // before and after
    kernel.pool_places data(%x : ...) result(%y : ...) places(%p : ...) ...      // after
    ...
    kernel.pool_gradient "max" slope(%g : ...) ins(%x, %y : ...) out(%z : ...)   // before
    kernel.pool_gradient "max" slope(%g : ...) ins(%p : ...) out(%z : ...)       // after
    ```
  }];
}

def KernelMakeVariants : Pass<"kernel-make-variants", "::mlir::ModuleOp"> {
  let summary = "Copy the scheduled programs for each instruction set";
  let description = [{
    @main_program and the programs that it calls move into one `kernel.variant` for each of
    `targets`, called `prefix`_run_0, `prefix`_run_1 and so on; in the modules of a module of
    modules `prefix`_run_0_rows16, with the batch size. What follows decides for each variant.

    ```mlir
    kernel.program @main_program { ... }                     // before
    kernel.variant @net_run_0 for "x86-64-v4", "default" {   // after
      kernel.program @main_program { ... }
    }
    kernel.variant @net_run_1 for "x86-64-v3", "default" { ... }
    ```
  }];
  let options = [
    ListOption<"targets", "targets", "std::string", "instruction sets, best first">,
    Option<"math", "math", "std::string", "\"default\"", "strict, default or fast">,
    Option<"prefix", "prefix", "std::string", "\"model\"", "of the functions' names">,
    Option<"precision", "precision", "std::string", "\"\"",
           "f16 or bf16: what kernel-narrow-products keeps factors of products as">,
    ListOption<"batches", "batches", "int64_t", "the batch sizes of a module of modules, in order">
  ];
}

def KernelChooseAlgorithms : Pass<"kernel-choose-algorithms", "::mlir::ModuleOp"> {
  let summary = "Choose the algorithm of each convolution and product";
  let description = [{
    Rates the algorithms of codegen/conv for each step that kernel-schedule left open
    (`choose`), by the target's cost model, by the file of measured choices, and within the
    error bound of `math`. Where another than the direct one is taken, its step stands in the
    place of kernel.conv, with scratch and a form of the weights of its own, which
    @prepare_program packs. `reason` keeps why; remarks print it. Sizes of a module of modules
    share the forms of weights, and so the algorithms. Each kernel.variant gets the algorithms
    that are right for its target; a form that only a further target reads has to save enough
    cycles for its bytes (codegen/schedule/OwnForms.h).

    ```mlir
    %p = kernel.weight @w.conv.panels : memref<4x4x3x3x16x16xf32>                 // before
    kernel.conv ... weights(%p : ...) ... {choose = "images", ...}
    %p = kernel.weight @w.conv.winograd.m4.r3 : memref<36x4x4x16x16xf32>          // after
    kernel.winograd ... weights(%p : ...) ... scratch(...) {reason = "the model gives 812
      thousand cycles, direct 1506", ...}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "outside of variants: the instruction set that algorithms are rated for; none: all stay direct">,
    Option<"math", "math", "std::string", "\"default\"",
           "the same: portable, strict, default or fast">,
    Option<"forceKernel", "force-kernel", "std::string", "\"\"",
           "the algorithm of every convolution that it can compute (symc --help lists them)">,
    Option<"tuning", "tuning", "std::string", "\"\"", "a file of measured choices (symc --tune)">,
    Option<"precision", "precision", "std::string", "\"\"",
           "f16 or bf16: what kernel-narrow-products keeps factors of products as">,
    ListOption<"batches", "batches", "int64_t", "the batch sizes of a module of modules, in order">
  ];
}

def KernelRowBands : Pass<"kernel-row-bands", "::symc::kernel::ProgramOp"> {
  let summary = "Compute layers over large images band by band";
  let description = [{
    Where convolutions and pooling layers follow each other and the images between
    them are larger than `large-bytes`, each step is cut into steps over some rows of
    one image, in an order in which a layer's rows are read soon after they are
    written. Copies, pooling and depthwise layers over images of more than twice a core's own
    cache are cut into blocks of channels, where no option sets limits. Runs before the arena is
    planned; results keep their bits. Pieces of one step share the attribute `piece`, by which
    reports count them as one.

    ```mlir
    kernel.conv ... out(%a : memref<1x1x8x8x16xf32>) ...                                     // before
    kernel.pool data(%a : memref<1x1x8x8x16xf32>) ... out(%b : memref<1x1x4x4x16xf32>)
    kernel.conv ... out(%a0 : memref<1x1x4x8x16xf32, ...>) ... {piece = #kernel.piece<step = 0, pieces = 2>}    // after
    kernel.pool data(%a0 : ...) ... out(%b0 : memref<1x1x2x4x16xf32, ...>) {piece = #kernel.piece<step = 1, pieces = 2>}
    kernel.conv ... out(%a1 : memref<1x1x4x8x16xf32, ...>) ... {piece = #kernel.piece<step = 0, pieces = 2>}
    kernel.pool data(%a1 : ...) ... out(%b1 : memref<1x1x2x4x16xf32, ...>) {piece = #kernel.piece<step = 1, pieces = 2>}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "::symc::codegen::TargetDescription::defaults().front()",
           "of a program outside of variants: whose caches set the limits">,
    Option<"largeBytes", "large-bytes", "int64_t", "0", "of all images between two layers; 0: by the target">,
    Option<"bandBytes", "band-bytes", "int64_t", "0", "that a band may touch; 0: by the target">
  ];
}

def KernelSplitBytes : Pass<"kernel-split-bytes", "::symc::kernel::ProgramOp"> {
  let summary = "Take bytes apart once for layers that multiply pairs of 16 bits";
  let description = [{
    Where a variant's target has no instruction for sums of products of bytes, kernel.split_bytes
    in front of a kernel.conv over bytes of many pixels makes words of its data and weights. Integers,
    and so results, stay the same. Outside of variants only with `target`.

    ```mlir
    kernel.conv data(%x : memref<1x4x56x56x16xi8>) weights(%w : memref<4x4x1x1x16x16xi8>) ...  // before
    kernel.split_bytes %x to %xs {channels = 64 : i64} : ... to memref<1x4x56x56x8xi32>        // after
    kernel.split_bytes %w to %ws {channels = 64 : i64} : ... to memref<4x4x1x1x8x16xi32>
    kernel.conv data(%xs : memref<1x4x56x56x8xi32>) weights(%ws : memref<4x4x1x1x8x16xi32>) ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "of a program outside of variants; none: it stays as it is">
  ];
}

def KernelPadRows : Pass<"kernel-pad-rows", "::symc::kernel::ProgramOp"> {
  let summary = "Put a line between rows of matrices that would share sets of L1";
  let description = [{
    A product reads as many rows of a matrix side by side as its tile has. Rows that lie a multiple of
    2048 bytes apart have all their lines of one channel in one or two sets of L1, each of which holds 8 to 12.
    Buffers with such rows get 64 bytes more a row, if a kernel.conv reads more than 8 of them as
    pixels, and each step that touches the buffer follows the strides of its views. Values stay the
    same. Outside of variants only with `target`.

    ```mlir
    %h = kernel.buffer() : memref<128x1x3072xf32>                                                   // before
    %r = memref.reinterpret_cast %h to offset: [0], sizes: [1, 192, 1, 128, 16], strides: [0, 16, 0, 3072, 1] : ...
    %h = kernel.buffer() : memref<128x1x3088xf32>                                                   // after
    %r = memref.reinterpret_cast %h to offset: [0], sizes: [1, 192, 1, 128, 16], strides: [0, 16, 0, 3088, 1] : ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "of a program outside of variants; none: it stays as it is">
  ];
}

def KernelNarrowStorage : Pass<"kernel-narrow-storage", "::mlir::ModuleOp"> {
  let summary = "Keep the floats that layers read and write as 16 bits, for CUDA devices";
  let description = [{
    Of the variants of a module, or of each module in a module: buffers and prepared weights of
    float32 that convolutions and products read or write become `type`; see
    codegen/cuda/NarrowStorage.h for which. Bodies compute with float32, and steps with such
    operands are marked. @prepare_program rounds weights at its end. Before that, first layers over
    pictures get rows of their kernels as channels (codegen/cuda/RowLanes.h).

    ```mlir
    %a = kernel.buffer() : memref<1x4x8x8x16xf32>                                   // before
    kernel.conv ... out(%a : memref<1x4x8x8x16xf32>) ...
    %a = kernel.buffer() : memref<1x4x8x8x16xf16>                                   // after
    kernel.conv ... out(%a : memref<1x4x8x8x16xf16>) {..., kernel.narrow} ...
    ```
  }];
  let options = [Option<"type", "type", "std::string", "\"f16\"", "f16 or bf16">];
}

def KernelNarrowProducts : Pass<"kernel-narrow-products", "::mlir::ModuleOp"> {
  let summary = "Keep factors of convolutions and products as 16 bits, for CPUs";
  let description = [{
    Of the variants of a module, or of each module in a module: prepared weights that direct
    convolutions and products alone read become `type`, in the form that the row of products needs
    which multiplies them (codegen/cpu/ProductRow.h), if each variant has such a row. In variants
    that multiply data of `type`, buffers that such products read become `type`, if all steps that
    touch them convert what they load and store; other data is rounded by a step in front of the
    layer. Bodies and sums are float32; steps with such operands are marked. @prepare_program rounds
    weights. A remark names the row of each layer, or why its weights stay float32.

    ```mlir
    kernel.conv data(%a : memref<1x4x8x8x16xf32>) weights(%p : memref<4x4x1x1x16x16xf32>) ...   // before
    kernel.conv data(%a : memref<1x4x8x8x16xbf16>) weights(%p : memref<4x4x1x1x16x16xbf16>)     // after
      ... {..., kernel.narrow}
    ```
  }];
  let options = [Option<"type", "type", "std::string", "\"bf16\"", "f16 or bf16">];
}

def KernelDropFrames : Pass<"kernel-drop-frames", "::mlir::ModuleOp"> {
  let summary = "Leave out fills of paddings that no kernel reads, for CUDA devices";
  let description = [{
    Of the variants of a module, or of each module in a module: fills of zeros around the images of
    a buffer go where steps alone read them whose kernels leave these rows and columns out; see
    codegen/cuda/ZeroFrames.h.

    ```mlir
    kernel.fill %top with 0.0 : f32 : memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>   // goes
    kernel.conv data(%a : memref<1x1x14x14x16xf32>) ... {..., zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>}
    ```
  }];
}

def KernelPlanArena : Pass<"kernel-plan-arena", "::mlir::ModuleOp"> {
  let summary = "Place every buffer of each program in one arena";
  let description = [{
    Sets the offset of each `kernel.buffer` and `arena_bytes` of the program, and
    gives calls the scratch that they need. Buffers share bytes when no step
    needs both, or when a step may write its output over an input that dies there. What backward
    reads of forward keeps its bytes to the end of the program, so that backward can run again.
    Programs are planned in their order, those that others call first; those of each variant
    have an arena of their own.
    With `placement` apart-at-end or apart-at-start nothing is shared, and no byte of the pages
    between buffers, and between prepared weights, is anybody's: a program that makes these
    pages inaccessible (symc-conformance --guard) sees each step that leaves its buffers.

    ```mlir
    %a = kernel.buffer() : memref<16xf32>              // before
    %a = kernel.buffer() at 64 : memref<16xf32>        // after
    ```
  }];
  let options = [
    Option<"placement", "placement", "::symc::codegen::ArenaPlacement",
           "::symc::codegen::ArenaPlacement::Packed", "how buffers lie in the arena",
           [{::llvm::cl::values(
             clEnumValN(::symc::codegen::ArenaPlacement::Packed, "packed", "as tight as may be"),
             clEnumValN(::symc::codegen::ArenaPlacement::ApartAtEnd, "apart-at-end",
                        "each in pages of its own, at their end"),
             clEnumValN(::symc::codegen::ArenaPlacement::ApartAtStart, "apart-at-start",
                        "each in pages of its own, at their start"))}]>
  ];
}

def KernelCheckPlan : Pass<"kernel-check-plan", "::symc::kernel::ProgramOp"> {
  let summary = "Prove that no two live buffers of a planned program overlap";
  let description = [{
    An independent check of what kernel-plan-arena decided; see
    codegen/plan/PlanChecker.h for the seven statements that it proves. Nothing changes.

    ```mlir
    %a = kernel.buffer() at 0 : memref<16xf32>      // two buffers that live together at one place:
    %b = kernel.buffer() at 0 : memref<16xf32>      // an error
    ```
  }];
}

def KernelMakePrepareVariant : Pass<"kernel-make-prepare-variant", "::mlir::ModuleOp"> {
  let summary = "Copy the program that prepares weights for code of its own";
  let description = [{
    @prepare_program, planned, is copied into the kernel.variant `prefix`_prepare_program of one
    target by portable mathematics; the original stays, for the build machine. Nothing happens
    where no weights are prepared, or the variant exists.

    ```mlir
    kernel.program @prepare_program { ... }                                      // before
    kernel.variant @net_prepare_program for "x86-64-v3", "portable" {            // after, beside it
      kernel.program @prepare_program { ... }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "::symc::codegen::TargetDescription::common()", "the instruction set of its code">,
    Option<"prefix", "prefix", "std::string", "\"model\"", "of the function's name">
  ];
}

def KernelChooseTiles : Pass<"kernel-choose-tiles", "::symc::kernel::ProgramOp"> {
  let summary = "Choose register tiles, loop orders, prefetches and tasks of a program's steps";
  let description = [{
    Sets what a step's lowering for one instruction set reads, where it is not set yet:
    by the file of measured choices where it has the step's shape, else by the target's
    cost model. Of a step that has a tile, the rest is set for that tile. The target is the
    one of the variant around the program, else `target`. Lowerings read the attributes,
    whose meaning stands with each step, and refuse a step without them.

    ```mlir
    kernel.conv ... {in_channels = 512, out_channels = 512}       // before
    kernel.conv ... {in_channels = 512, out_channels = 512,       // after
                     tile = array<i64: 2, 1, 14>, cut = #kernel.conv_tasks<groups = 2, pixel_tiles = 1, pixel_chunks = 4, images = 1, image_chunks = 32>,
                     pixels_outside}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "of a program outside of variants">,
    Option<"tuning", "tuning", "std::string", "\"\"", "a file of measured choices (symc --tune)">
  ];
}

def KernelPrintCuda : Pass<"kernel-print-cuda", "::symc::kernel::ProgramOp"> {
  let summary = "Print a planned program as CUDA C++ to standard output";
  let description = [{
    A kernel a step, in order; see codegen/cuda. Nothing changes. An error is reported at each step that
    has no code on a CUDA device.

    ```
    kernel.copy %arg0 to %arg1 : memref<64xf32> to memref<64xf32>   // before
    extern "C" __global__ void __launch_bounds__(256) k0(...) {    // printed
    ```
  }];
}

def KernelOutline : Pass<"kernel-outline"> {
  let summary = "Make functions of planned programs: kernels, wrappers, programs";
  let description = [{
    Of a variant, or of a module for every variant in it: adds to the variant a module with
    the functions that run its entry; see codegen/lower/Outline.h. In a module without variants the programs are replaced by the
    functions that run them, named after them.

    ```mlir
    kernel.program @main_program {                                               // before
      kernel.copy %x to %y {cut = ...} : memref<64xf32> to memref<64xf32>
    }
    func.func private @main_program_k0_copy(...) { ... }                         // after: the loops of a task
    llvm.func @main_program_step0(...) { ... }                                   // where threads share the step
    llvm.func @main_program(%frame: !llvm.ptr) -> i32 { ... }                    // all steps in order
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "::symc::codegen::TargetDescription::common()", "of a module without variants">,
    Option<"math", "math", "std::string", "\"default\"", "the same: portable, strict, default or fast">,
    Option<"probes", "probes", "bool", "false", "bracket every step of @main_program with symc_probe">
  ];
}

def CpuExpandScalarOps : Pass<"cpu-expand-scalar-ops"> {
  let summary = "Expand functions that no instruction computes into polynomials";
  let description = [{
    Inside of one function: the logistic becomes a quotient, one division where it is a factor of
    a product; exp, expm1, log, log1p, log2, tanh and erf of f32 become
    polynomials, the same operations for every instruction set; trigonometric and hyperbolic functions
    and their inverses, powers, roots, log10 and remainders of f32 are computed in f64 and rounded
    once; divisions and conversions of 16-bit types become simpler operations.

    ```mlir
    %1 = math.exp %0 : vector<16xf32>                     // before
    %n = math.roundeven %scaled : vector<16xf32>          // after: x = n ln 2 + r
    %p = math.fma %r, %c5, %c4 : vector<16xf32>           // a polynomial of r, then its power of two
    ```
  }];
  let options = [
    Option<"unfuse", "unfuse", "bool", "false",
           "round a multiply-add twice: its target has no instruction that rounds once">
  ];
}

def CpuCallLibm : Pass<"cpu-call-libm", "::mlir::ModuleOp"> {
  let summary = "Call libm for functions that neither an instruction nor a polynomial computes";
  let description = [{
    Behind cpu-expand-scalar-ops: what is left of math has neither, and is called one element at a time.

    ```mlir
    %1 = math.atan2 %0, %x : f64                          // before
    %1 = func.call @atan2(%0, %x) : (f64, f64) -> f64     // after
    ```
  }];
}

#endif // SYMC_CODEGEN_PASSES
