// ChooseAlgorithms.cpp: calls ConvChoice for each convolution and product that a schedule
// left open, prints in a remark what came out, and puts the step of the chosen algorithm in
// its place. All such steps of a program share the words that mark rows of scratch as taken:
// zero between steps.
// An algorithm may read another image than the layer's: the pixels that are a stride
// apart, each a channel of its own (SpaceToDepth). Of recurrent layers the products of
// states may be Strassen's (--math=fast), an eighth of the arithmetic less for weights of 7/4
// the bytes.
#include "codegen/schedule/ChooseAlgorithms.h"

#include "codegen/conv/ColumnPairs.h"
#include "codegen/conv/WeightsChoice.h"
#include "codegen/conv/strassen/kernel/StrassenRecurrent.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/OwnForms.h"
#include "codegen/schedule/PreparedForms.h"
#include "codegen/schedule/Tensors.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t slotRows = 16, wordsPerLine = 16;

// Of recurrent layers: from so many rows and units on, Strassen's product pays; its weights
// of one step are to stay in the last cache, for each step reads them all.
static constexpr int64_t leastBatch = 16, leastUnits = 128, mostBytes = 16 << 20;

static auto remarkOf(StringRef name) {
  return remark::RemarkOpts::name(name).category("kernel-choose-algorithms");
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

// Planar data [N, 1, H, W, C] as [N, C, H, W] in the memory where it lies.
static ViewSpec planarImage(Value data) {
  kernel::ViewOrigin view = *kernel::traceView(data);
  ViewSpec image{view.root, view.offset, {}, {}};
  for (unsigned axis : {0, 4, 2, 3}) {
    image.sizes.push_back(view.sizes[axis]);
    image.strides.push_back(view.strides[axis]);
  }
  return image;
}

namespace {
// Where the pixels of one phase lie along an axis: every stride-th of the image's from
// `first`, at `place` of the phase and the next ones.
struct PhaseAxis {
  int64_t first, place, count;

  PhaseAxis(int64_t phase, int64_t stride, int64_t pad, int64_t extent, int64_t places) {
    first = ((phase - pad) % stride + stride) % stride;
    place = (first + pad) / stride;
    count = std::clamp<int64_t>(llvm::divideCeil(std::max<int64_t>(extent - first, 0), stride), 0,
                                std::max<int64_t>(places - place, 0));
  }
};
} // namespace

// The padded image in that form.
static Value spaceToDepth(Tensors &t, const ViewSpec &planar, const kernel::Padding &padding,
                          const SpaceToDepth &form, Location location) {
  int64_t stride = form.stride, phases = stride * stride;
  int64_t extents[] = {form.rows, form.columns};
  SmallVector<AffineExpr, 5> sizes{
      t.constant(form.images), t.constant(llvm::divideCeil(form.channels, t.blockWidth)),
      t.constant(extents[0]), t.constant(extents[1]), t.constant(t.blockWidth)};
  ViewSpec whole = t.rowMajor(t.buffer(sizes, t.builder.getF32Type(), location), sizes);
  SmallVector<PhaseAxis> axes[2];
  Attribute zero = t.builder.getF32FloatAttr(0);
  auto clear = [&](unsigned axis, int64_t first, int64_t end) {
    if (first >= end)
      return;
    ViewSpec strip = whole;
    strip.offset = strip.offset + strip.strides[2 + axis] * first;
    strip.sizes[2 + axis] = t.constant(end - first);
    t.fill(strip, zero, location);
  };
  // Zeros wherever some phase has no pixel; the others are written afterwards.
  for (unsigned axis : {0u, 1u}) {
    auto extent = cast<AffineConstantExpr>(planar.sizes[2 + axis]).getValue();
    int64_t begin = 0, end = extents[axis];
    for (int64_t phase = 0; phase < stride; ++phase) {
      PhaseAxis &at =
          axes[axis].emplace_back(phase, stride, padding.begin(axis), extent, extents[axis]);
      begin = std::max(begin, std::min(at.place, extents[axis]));
      end = std::min(end, at.place + at.count);
    }
    clear(axis, 0, begin);
    clear(axis, std::max(begin, end), extents[axis]);
  }
  // Blocks hold all phases of so many channels.
  int64_t channels = form.channels / phases, perBlock = t.blockWidth / phases;
  auto copy = [&](int64_t phase, int64_t block, int64_t blocks, int64_t lanes) {
    const PhaseAxis &row = axes[0][phase / stride], &column = axes[1][phase % stride];
    if (blocks == 0 || lanes == 0 || row.count == 0 || column.count == 0)
      return;
    SmallVector<AffineExpr, 5> some{t.constant(form.images), t.constant(blocks),
                                    t.constant(row.count), t.constant(column.count),
                                    t.constant(lanes)};
    ViewSpec from{planar.base,
                  planar.offset + planar.strides[1] * (block * perBlock) +
                      planar.strides[2] * row.first + planar.strides[3] * column.first,
                  some,
                  {planar.strides[0], planar.strides[1] * perBlock, planar.strides[2] * stride,
                   planar.strides[3] * stride, planar.strides[1]}};
    ViewSpec to{whole.base,
                whole.offset + whole.strides[1] * block + whole.strides[2] * row.place +
                    whole.strides[3] * column.place + phase,
                some,
                {whole.strides[0], whole.strides[1], whole.strides[2], whole.strides[3],
                 t.constant(phases)}};
    t.copy(from, to, location);
  };
  for (int64_t phase = 0; phase < phases; ++phase) {
    copy(phase, 0, channels / perBlock, perBlock);
    copy(phase, channels / perBlock, 1, channels % perBlock);
  }
  return t.materialise(whole, location);
}

// The image as planes of 16 bits with zeros around them, [N, C, H, W - 1, 2]: of each column it and
// the next one, so that windows begin and end with pairs.
static Value columnPairs(Tensors &t, const ViewSpec &planar, kernel::Padding padding,
                         kernel::ConvOp conv, FloatType half) {
  Location location = conv.getLoc();
  padding.right += conv.getKernel()[1] % 2;
  SmallVector<AffineExpr, 5> extents(planar.sizes);
  extents[2] = extents[2] + (padding.top + padding.bottom);
  extents[3] = extents[3] + (padding.left + padding.right);
  ViewSpec whole = t.rowMajor(t.buffer(extents, half, location), extents);
  t.fillBorder(whole, padding, location);
  createMove(t.builder, location, t.materialise(planar, location),
             t.materialise(Tensors::withinBorder(whole, padding), location));
  whole.sizes[3] = whole.sizes[3] - 1;
  whole.sizes.push_back(t.constant(2));
  whole.strides.push_back(whole.strides[3]);
  return t.materialise(whole, location);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// Decides the open steps of one program.
class AlgorithmChooser {
public:
  AlgorithmChooser(kernel::ProgramOp program, const KernelPolicy &policy, const Target &target,
                   PreparedForms &forms, const OwnForms *further)
      : program(program), policy(policy), target(target), forms(forms), further(further) {
    this->policy.cost = &cost;
  }

  void run() {
    for (Operation &op : llvm::make_early_inc_range(program.getBody().front())) {
      if (auto conv = dyn_cast<kernel::ConvOp>(op); conv && conv.getChoose())
        choose(conv);
      else if (auto layer = dyn_cast<kernel::RecurrentOp>(op); layer && layer.getChoose())
        choose(layer);
      else if (auto sums = dyn_cast<kernel::ConvWeightsOp>(op); sums && !sums.getTile())
        choose(sums);
    }
    if (cost.own > 0)
      program.setAlgorithmCostAttr(Builder(program).getF64FloatAttr(cost.taken / cost.own));
  }

private:
  void choose(kernel::ConvOp conv);
  void choose(kernel::RecurrentOp layer);
  void choose(kernel::ConvWeightsOp sums);
  void report(const ConvChoice &choice, const ConvLayer &layer, Location location);
  void reportFurther(const FormChoice &choice, Location location);
  void replace(kernel::ConvOp conv, const ConvChoice &choice, Value data);
  void multiplyPairs(kernel::ConvOp conv, Value data, const kernel::Padding &padding);
  /// Why the layer's states are multiplied by plain products; empty where by Strassen's.
  std::string plainReason(kernel::RecurrentOp layer);
  Value slots(Tensors &t, Location location);

  kernel::ProgramOp program;
  KernelPolicy policy;
  const Target &target;
  PreparedForms &forms;
  const OwnForms *further; // has the choices of an instruction set that is not the first
  KernelCost cost;
  Value rowWords; // of the steps that have rows of scratch; made by the first
  std::pair<Location, std::string> reported{UnknownLoc::get(program.getContext()), ""};
};
} // namespace

Value AlgorithmChooser::slots(Tensors &t, Location location) {
  if (!rowWords) {
    SmallVector<AffineExpr> extents{t.constant(slotRows), t.constant(wordsPerLine)};
    rowWords = t.buffer(extents, t.builder.getI32Type(), location);
    t.fill(t.rowMajor(rowWords, extents), t.builder.getI32IntegerAttr(0), location);
  }
  return rowWords;
}

static std::string textOf(const ConvChoice &choice) {
  return llvm::formatv("{0} in {1}: {2}; error at most {3:E1} of a channel's largest",
                       choice.algorithm->name, choice.cut->describe(), choice.reason, choice.error);
}

// Groups of one layer have one remark.
void AlgorithmChooser::report(const ConvChoice &choice, const ConvLayer &layer, Location location) {
  bool direct = choice.isDirect();
  std::string text =
      direct ? (layer.matrix ? "direct product: " : "direct convolution: ") + choice.reason
             : textOf(choice);
  if (reported == std::pair(location, text))
    return;
  reported = {location, text};
  if (direct)
    remark::missed(location, remarkOf("convolution")) << text;
  else
    remark::passed(location, remarkOf("convolution")) << text;
}

// Of a further instruction set: where its weights differ from the first one's, or might.
void AlgorithmChooser::reportFurther(const FormChoice &choice, Location location) {
  if (choice.about.empty())
    return;
  std::string text =
      ("for " + program->getParentOfType<kernel::VariantOp>().getTarget() + ": ").str();
  if (!choice.isOwn)
    text += choice.choice.algorithm->name.str() + ": " + choice.about;
  else if (choice.choice.isDirect())
    text += "direct: " + choice.choice.reason + "; " + choice.about;
  else
    text += textOf(choice.choice) + "; " + choice.about;
  if (reported == std::pair(location, text))
    return;
  reported = {location, text};
  if (choice.isOwn)
    remark::passed(location, remarkOf("own-form")) << text;
  else
    remark::missed(location, remarkOf("own-form")) << text;
}

// What packs the weights of a layer in each run; null: @prepare.
static kernel::PackPanelsOp packingOf(kernel::ConvOp conv) {
  for (Operation *user : conv.getWeights().getUsers())
    if (auto pack = dyn_cast<kernel::PackPanelsOp>(user);
        pack && pack.getTarget() == conv.getWeights())
      return pack;
  return {};
}

// The choice for weights that each run packs: whether the form pays for its making there, too.
static ConvChoice choiceOfRun(const ConvLayer &layer, const KernelPolicy &policy,
                              const Target &target, MLIRContext *context) {
  ConvChoice choice = chooseConvAlgorithm(layer, policy);
  if (choice.isDirect() || policy.forced || choice.isMeasured)
    return choice;
  constexpr double perPair = 15; // cycles that transform the window of an input and an output
  double cycles = perPair * layer.inChannels * layer.outChannels;
  if (std::optional<WeightsForm> form = choice.algorithm->weightsOf(layer, context))
    cycles += 4.0 * form->type.getNumElements() / target.memoryBytesPerCycle;
  if (choice.cycles + cycles < choice.algorithm->shareNeeded * choice.directCycles)
    return choice;
  KernelPolicy direct = policy;
  direct.forced = directAlgorithm();
  ConvChoice other = chooseConvAlgorithm(layer, direct);
  other.reason = llvm::formatv("the model gives {0} {1:F0} thousand cycles and {2:F0} to transform "
                               "weights in each run, direct {3:F0}",
                               choice.algorithm->title, choice.cycles / 1000, cycles / 1000,
                               choice.directCycles / 1000);
  return other;
}

void AlgorithmChooser::choose(kernel::ConvOp conv) {
  ConvChoice choice;
  if (packingOf(conv)) {
    ConvLayer layer = layerOf(conv);
    choice = choiceOfRun(layer, policy, target, conv.getContext());
    report(choice, layer, conv.getLoc());
  } else if (further) {
    const FormChoice &decided = further->choiceOf(conv);
    choice = decided.choice;
    reportFurther(decided, conv.getLoc());
  } else {
    ConvLayer layer = layerFor(conv, policy);
    choice = chooseConvAlgorithm(layer, policy);
    report(choice, layer, conv.getLoc());
  }
  kernel::PaddingAttr zeros = conv.getPadAttr();
  kernel::Padding padding = kernel::paddingOf(zeros);
  bool pairs = choice.isDirect() && columnPairsFor(conv, policy);
  conv.removeChooseAttr();
  conv.removePadAttr();
  conv.setReason(choice.reason);

  Value data = conv.getData();
  Operation *view = data.getDefiningOp();
  std::optional<SpaceToDepth> form = choice.cut ? choice.cut->dataForm() : std::nullopt;
  if (pairs || form || !padding.isNone()) {
    // Where the schedule reads the image: it may be gone when the step runs.
    OpBuilder builder(view->getBlock(), std::next(view->getIterator()));
    Tensors t(builder, program, target);
    ViewSpec image = planarImage(data);
    if (pairs)
      data = columnPairs(t, image, padding, conv, policy.precision);
    else if (form)
      data = spaceToDepth(t, image, padding, *form, conv.getLoc());
    else
      data = t.materialise(t.pixelwise(t.padded(image, padding, conv.getLoc())), conv.getLoc());
  }
  if (pairs) {
    multiplyPairs(conv, data, padding);
  } else if (choice.isDirect()) {
    conv.getDataMutable().assign(data);
    if (zeros)
      conv.setZerosAttr(zeros);
  } else {
    replace(conv, choice, data);
  }
  if (view && view->use_empty())
    view->erase();
}

// Channels become blocks of two columns, of which a window has half as many.
void AlgorithmChooser::multiplyPairs(kernel::ConvOp conv, Value data,
                                     const kernel::Padding &padding) {
  OpBuilder builder(conv);
  auto panels = conv.getWeights().getDefiningOp<kernel::WeightOp>();
  ArrayRef<int64_t> shape = cast<MemRefType>(panels.getType()).getShape(); // [OB, 1, kH, kW, I, 16]
  int64_t pairs = llvm::divideCeil(shape[3], 2);
  auto type = MemRefType::get({shape[0], shape[4], shape[2], pairs, 2, shape[5]}, policy.precision);
  conv.getDataMutable().assign(data);
  conv.getWeightsMutable().assign(forms.request(
      panels, kernel::FormAttr::get(builder.getContext(), columnPairsForm), type, builder));
  if (panels->use_empty())
    panels.erase();
  conv.setKernel({shape[2], pairs});
  conv.setDilations({conv.getDilations()[0], 2});
  conv.setInChannels(2 * shape[4]);
  kernel::Padding zeros = padding; // a pair is zero if both of its columns are
  zeros.left = std::max<int64_t>(zeros.left - 1, 0);
  zeros.right = std::max<int64_t>(zeros.right + shape[3] % 2 - 1, 0);
  conv.setZerosAttr(zeros.attribute(builder.getContext()));
  remark::passed(conv.getLoc(), remarkOf("products"))
      << "pairs of columns of weights and data, rounded to 16 bits";
}

void AlgorithmChooser::replace(kernel::ConvOp conv, const ConvChoice &choice, Value data) {
  OpBuilder builder(conv);
  Location location = conv.getLoc();
  Tensors t(builder, program, target);
  Operation *panels = conv.getWeights().getDefiningOp();
  kernel::PackPanelsOp packing = packingOf(conv);
  auto weights = [&](const WeightsForm &form) -> Value {
    if (!packing)
      return forms.request(cast<kernel::WeightOp>(panels), form.form, form.type, builder);
    // Where the panels are packed: the source may be gone when the step runs.
    OpBuilder before(packing);
    Value target = kernel::BufferOp::create(before, location, form.type, ValueRange(), ValueRange(),
                                            IntegerAttr());
    packForm(form.form, packing.getSource(), target, before, location);
    return target;
  };
  auto scratch = [&](int64_t rows, int64_t elements) {
    return t.buffer({t.constant(rows), t.constant(elements)}, builder.getF32Type(), location);
  };
  auto slotWords = [&] { return slots(t, location); };
  Region &body = choice.cut->create(
      {builder, location, data, conv.getExtras(), conv.getOut(), weights, scratch, slotWords});
  body.takeBody(conv.getBody());
  cast<kernel::TiledInterface>(body.getParentOp()).setReasonAttr(conv.getReasonAttr());
  conv.erase();
  if (packing && llvm::hasSingleElement(panels->getUsers()))
    packing.erase();
  if (panels->use_empty())
    panels->erase();
}

//===----------------------------------------------------------------------===//
// Gradients of weights
//===----------------------------------------------------------------------===//

void AlgorithmChooser::choose(kernel::ConvWeightsOp sums) {
  WeightsChoice choice = chooseWeightsAlgorithm(sums, policy);
  Location location = sums.getLoc();
  if (!choice.create) {
    if (choice.isMeant)
      remark::missed(location, remarkOf("weights-gradient"))
          << "direct sums over pixels: " + choice.reason;
    return;
  }
  remark::passed(location, remarkOf("weights-gradient"))
      << llvm::formatv("{0}: {1}; error at most {2:E1} of a channel's largest", choice.description,
                       choice.reason, choice.error)
             .str();
  OpBuilder builder(sums);
  Tensors t(builder, program, target);
  Value scratch = t.buffer({t.constant(choice.scratchRows), t.constant(choice.scratchElements)},
                           builder.getF32Type(), location);
  choice.create(sums, scratch, slots(t, location));
  sums.erase();
}

//===----------------------------------------------------------------------===//
// Recurrent layers
//===----------------------------------------------------------------------===//

std::string AlgorithmChooser::plainReason(kernel::RecurrentOp layer) {
  ArrayRef<int64_t> gates = cast<MemRefType>(layer.getGates().getType()).getShape();
  int64_t batch = gates[1], count = gates[2], units = gates[3];
  const ConvAlgorithm *strassen = convAlgorithmNamed("strassen");
  auto pays = [](int64_t rows) { return rows >= leastBatch && rows % 2 == 0; };
  if (ShapedType::isDynamic(batch))
    return "its number of rows is known only at run time";
  if (!pays(batch))
    return llvm::formatv("it has {0} rows, Strassen's product takes even numbers from {1} on",
                         batch, leastBatch);
  // All batch sizes share one form of the weights.
  for (int64_t size : policy.batches)
    if (int64_t rows = batch * size / policy.batch; !pays(rows))
      return llvm::formatv("the batch size with {0} rows shares its weights, Strassen's product "
                           "takes even numbers from {1} on",
                           rows, leastBatch);
  if (units % (2 * target.blockWidth) || units < leastUnits)
    return llvm::formatv("it has {0} units, Strassen's product takes multiples of {1} from {2} on",
                         units, 2 * target.blockWidth, leastUnits);
  if (7 * count * units * units > mostBytes)
    return "the weights of Strassen's product would not stay in the last cache";
  if (policy.forced)
    return policy.forced == strassen ? "" : "forced";
  if (!policy.multiplies.empty())
    return llvm::formatv("{0} multiplies floats of 16 bits in half of the time", policy.multiplies);
  return refusal(*strassen, strassen->errorBound(units), policy);
}

void AlgorithmChooser::choose(kernel::RecurrentOp layer) {
  layer.setChoose(false);
  std::string reason = plainReason(layer);
  if (!reason.empty()) {
    layer.setReason(reason);
    return;
  }
  layer.setReason("an eighth of the products is saved");
  ArrayRef<int64_t> gates = cast<MemRefType>(layer.getGates().getType()).getShape();
  kernel::RecurrentHalves halves{gates[1], gates[3], gates[2], target.blockWidth};
  OpBuilder builder(layer);
  Tensors t(builder, program, target);
  Type f32 = builder.getF32Type();
  auto panels = layer.getWeights().getDefiningOp<kernel::WeightOp>();
  layer.getWeightsMutable().assign(forms.request(panels, t.form(kernel::recurrentSumsForm),
                                                 MemRefType::get(halves.weights(), f32), builder));
  if (panels->use_empty())
    panels.erase();
  auto [rows, row] = halves.scratch();
  layer.getScratchMutable().assign(
      t.buffer({t.constant(rows), t.constant(row)}, f32, layer.getLoc()));
}

// The programs of variant `number`, or those that are in none.
static SmallVector<kernel::ProgramOp> programsOf(ModuleOp module, size_t number) {
  SmallVector<kernel::VariantOp> variants(module.getOps<kernel::VariantOp>());
  if (variants.empty())
    return SmallVector<kernel::ProgramOp>(module.getOps<kernel::ProgramOp>());
  return SmallVector<kernel::ProgramOp>(variants[number].getBody().getOps<kernel::ProgramOp>());
}

LogicalResult symc::codegen::chooseAlgorithms(ArrayRef<ModuleOp> modules,
                                              ArrayRef<SmallVector<KernelPolicy>> policies,
                                              const Target &target) {
  PreparedForms forms(modules);
  OwnForms further;
  for (auto [number, ofVariant] : llvm::enumerate(policies)) {
    SmallVector<kernel::ProgramOp> programs;
    SmallVector<KernelPolicy> each; // of its module
    for (auto [module, policy] : llvm::zip_equal(modules, ofVariant)) {
      llvm::append_range(programs, programsOf(module, number));
      each.resize(programs.size(), policy);
    }
    if (number > 0)
      further.choose(programs, each);
    for (auto [program, policy] : llvm::zip_equal(programs, each))
      AlgorithmChooser(program, policy, target, forms, number > 0 ? &further : nullptr).run();
    if (policies.size() == 1)
      continue;
    llvm::for_each(programs, [&](kernel::ProgramOp program) { further.addReadOf(program); });
    if (number == 0)
      further.limitByRead();
  }
  return forms.finish();
}
