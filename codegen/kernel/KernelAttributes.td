//===- KernelAttributes.td - attributes of steps; KernelOps.td includes it -===//
#ifndef SYMC_KERNEL_ATTRIBUTES
#define SYMC_KERNEL_ATTRIBUTES

class Kernel_WordParameter<string desc> : StringRefParameter<desc> {
  let parser = [{ [&]() -> ::mlir::FailureOr<std::string> {
    std::string word;
    if (::mlir::failed($_parser.parseKeywordOrString(&word)))
      return ::mlir::failure();
    return word;
  }() }];
  let printer = "$_printer.printKeywordOrString($_self)";
}

class Kernel_Number<int least> : DefaultValuedParameter<"int64_t", !cast<string>(least)>;

def Kernel_FormAttr : AttrDef<Kernel_Dialect, "Form"> {
  let mnemonic = "form";
  let summary = "what a prepared weight is packed as";
  let description = [{
    `kind`: plain, vector (in blocks of 16, padded), panels, depthwise, quads (of bytes), sums
    (of quarters of a recurrent layer's matrices), or the name of an algorithm whose packing
    step it is. Of a transform F(m x m, r x r): m and r, the stride of a layer whose phases are
    the input channels, and whether the step that reads the weights transforms them.
  }];
  let parameters = (ins Kernel_WordParameter<"how elements lie">:$kind,
                        DefaultValuedParameter<"int64_t", "0">:$m,
                        DefaultValuedParameter<"int64_t", "0">:$r,
                        DefaultValuedParameter<"int64_t", "1">:$stride,
                        DefaultValuedParameter<"bool", "false">:$onTheFly);
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$kind), [{
    return $_get($_ctxt, kind, 0, 0, 1, false);
  }]>];
  let assemblyFormat = "`<` $kind (`,` struct($m, $r, $stride, $onTheFly)^)? `>`";
}

def Kernel_LayoutAttr : AttrDef<Kernel_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "how a value of a graph lies in memory";
  let description = [{
    `kind`: blocked, in blocks of the target's channels, or plain, row-major. The blocked form,
    also of a plain value that somebody reads in blocks, has a halo: rows of zeros above and
    below its image and columns at both sides. kernel-choose-layouts sets on operations of a
    graph, and on the graph for its arguments, two attributes that the dialect verifies:

    `kernel.layouts`: a layout for each result or argument.
    `kernel.places`: of a concatenation, the channel or image at which each operand is written
    into its result, or -1 for an operand that is copied there. Of a depth_to_space, 0: operands
    of the concatenation that it reads are written between each other into its own result.
  }];
  let parameters = (ins Kernel_WordParameter<"blocked or plain">:$kind,
                        DefaultValuedParameter<"int64_t", "0">:$halo_rows,
                        DefaultValuedParameter<"int64_t", "0">:$halo_columns);
  let assemblyFormat = "`<` $kind (`,` struct($halo_rows, $halo_columns)^)? `>`";
  let genVerifyDecl = 1;
}

def Kernel_CutAttr : AttrDef<Kernel_Dialect, "Cut"> {
  let mnemonic = "cut";
  let summary = "the tasks of a step over an index space";
  let description = [{
    A task has one index of each axis before `axis`; of `axis` `indices`, at least 1; and all of
    what lies behind. Where an extent behind the axis is a run-time value, `indices` is 0 and a
    task has as many as hold `grain` elements, of which a point of the space stands for `work`.
    A lowering rounds indices up to what it does at once. kernel-choose-tiles sets it.
  }];
  let parameters = (ins "int64_t":$axis, Kernel_Number<0>:$indices, Kernel_Number<0>:$grain,
                        Kernel_Number<0>:$work);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Kernel_ConvTasksAttr : AttrDef<Kernel_Dialect, "ConvTasks"> {
  let mnemonic = "conv_tasks";
  let summary = "the tasks of a kernel.conv";
  let description = [{
    Groups of output vectors in a task; the fewest pixel tiles in a task, and the most chunks that an
    image's tiles are cut into; the fewest images in a task, and the most chunks of images, 0 where
    each image has tasks of its own.
  }];
  let parameters = (ins "int64_t":$groups, "int64_t":$pixel_tiles, "int64_t":$pixel_chunks,
                        "int64_t":$images, Kernel_Number<0>:$image_chunks);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Kernel_DepthwiseTasksAttr : AttrDef<Kernel_Dialect, "DepthwiseTasks"> {
  let mnemonic = "depthwise_tasks";
  let summary = "the tasks of a kernel.depthwise";
  let description = [{
    The fewest planes, of one image and block, in a task; the most chunks that planes are cut into,
    0: any number; rows of a plane in a task, 0: all.
  }];
  let parameters = (ins "int64_t":$planes, Kernel_Number<0>:$plane_chunks, Kernel_Number<0>:$rows);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Kernel_PieceAttr : AttrDef<Kernel_Dialect, "Piece"> {
  let mnemonic = "piece";
  let summary = "one of the pieces of a step that a pass cut: the step's number and its pieces";
  let parameters = (ins "int64_t":$step, "int64_t":$pieces);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Kernel_PaddingAttr : AttrDef<Kernel_Dialect, "Padding"> {
  let mnemonic = "padding";
  let summary = "rows above and below an image, and columns at its sides";
  let parameters = (ins Kernel_Number<0>:$top, Kernel_Number<0>:$bottom, Kernel_Number<0>:$left,
                        Kernel_Number<0>:$right);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // SYMC_KERNEL_ATTRIBUTES
