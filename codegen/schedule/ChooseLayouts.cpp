// ChooseLayouts.cpp: kernel-choose-layouts. Where the values of a graph lie, decided for all
// of them before the first step is made, and set as attributes (#kernel.layout) that
// kernel-schedule reads.
//
//   1. Form, plain or blocked. Layers with tile kernels read and write blocks, calls
//      and reshapes rows; elementwise groups, concatenations along channels and
//      parts of images can do either. A value that somebody reads in the other form
//      than it is written in costs its bytes twice, once, however many readers. The
//      cheapest assignment is a minimum cut between "blocked" and "plain", so it is
//      exact for any graph.
//   2. Place. What a blocked concatenation of channels or images joins is written where it ends
//      up, perhaps inside of a larger concatenation, if it begins at a whole block.
//   3. Halo. Memory has the widest padding that a reader of anything in it needs, but where
//      the target gains by computing an image as one row of pixels, which padding would part:
//      then the reader gets a copy.
//
// Every decision is a remark. What it rests on is asked of the rules that make the steps
// (Rules.cpp); where a node is computed otherwise in the end, Tensors makes the form that is
// missing.
#include "codegen/schedule/FormCut.h"
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Quantized.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static remark::RemarkOpts remarkOf(StringRef name) {
  return remark::RemarkOpts::name(name).category("kernel-layout");
}

namespace {

/// Step 1 for one graph.
class FormChooser {
public:
  FormChooser(Scheduler &scheduler, Tensors &t) : scheduler(scheduler), t(t) {}
  void run(GraphOp graph);

private:
  /// What is known of a node before the cut: its vertex.
  FormCut::Vertex vertexOf(Operation *op);
  /// The vertex whose side tells in which form `use` is read; none if it reads either.
  std::optional<FormCut::Vertex> readerOf(OpOperand &use);

  Scheduler &scheduler;
  Tensors &t;
  FormCut cut;
  DenseMap<Operation *, FormCut::Vertex> vertices; // looked up only
  SmallVector<std::pair<Operation *, FormCut::Vertex>> free;
};

} // namespace

FormCut::Vertex FormChooser::vertexOf(Operation *op) {
  RuleForms forms = scheduler.formsOf(op).value_or(RuleForms());
  if (forms.kind != RuleForms::Either)
    return forms.kind == RuleForms::Blocked ? FormCut::blocked : FormCut::plain;
  FormCut::Vertex vertex = cut.add();
  free.push_back({op, vertex});
  cut.costIfPlain(vertex, forms.costIfPlain);
  cut.costIfBlocked(vertex, forms.costIfBlocked);
  return vertex;
}

std::optional<FormCut::Vertex> FormChooser::readerOf(OpOperand &use) {
  Operation *op = use.getOwner();
  FormCut::Vertex vertex = vertices.lookup(op);
  if (vertex == FormCut::plain ||
      (!isa<FusedOp>(op) && !isa<ElementwiseInterface, ConvolutionOp>(op)))
    return vertex;
  // Of a group, operands that are the same for all channels are read as rows.
  Scheduler::Group group = *scheduler.groupOf(op);
  if (auto conv = dyn_cast_or_null<ConvolutionOp>(group.root)) {
    if (group.resolve(conv.getWeight()) == use.get())
      return FormCut::plain;
    if (group.resolve(conv.getData()) == use.get() &&
        *Scheduler::channelsOf(use.get()) < t.blockWidth && conv.getNumGroup() == 1)
      return std::nullopt;
  }
  for (const Scheduler::Operand &operand : scheduler.externalOperands(group))
    if (operand.value == use.get() && !Scheduler::channelsOf(use.get()))
      return FormCut::plain;
  return vertex;
}

void FormChooser::run(GraphOp graph) {
  for (Operation &op : graph.getBlock())
    vertices[&op] = vertexOf(&op);
  auto connect = [&](Value value, FormCut::Vertex producer) {
    if (Tensors::isWeight(value) || !Scheduler::channelsOf(value))
      return;
    SmallVector<AffineExpr, 4> image = t.imageShape(value);
    bool pixel = image[2] == t.constant(1) && image[3] == t.constant(1);
    if (pixel && *Scheduler::channelsOf(value) % t.blockWidth == 0)
      return; // both forms are the same bytes
    SmallVector<FormCut::Vertex> readers;
    for (OpOperand &use : value.getUses())
      if (std::optional<FormCut::Vertex> reader = readerOf(use))
        readers.push_back(*reader);
    cut.costIfForeign(producer, readers, 2 * Scheduler::bytesOf(value));
  };
  for (BlockArgument argument : graph.getBlock().getArguments())
    connect(argument, FormCut::plain);
  for (Operation &op : graph.getBlock())
    for (Value result : op.getResults())
      connect(result, vertices.lookup(&op));
  int64_t bytes = cut.solve();
  for (Operation &op : graph.getBlock())
    if (!isa<ParameterOp, PreparedOp>(op))
      scheduler.setForm(&op, cut.isBlocked(vertices.lookup(&op)));
  for (auto [op, vertex] : free) {
    bool blocked = cut.isBlocked(vertex);
    remark::analysis(op->getLoc(), remarkOf("form"))
        << ("'" + nodeName(op) + "' is computed " + (blocked ? "in blocks" : "in rows")).str();
  }
  if (bytes)
    remark::analysis(graph.getLoc(), remarkOf("form"))
        << ("conversions between forms move " + Twine(bytes) + " bytes, the least possible").str();
}

//===----------------------------------------------------------------------===//
// Places and halos
//===----------------------------------------------------------------------===//

// Why `part` cannot be written where it ends up in `whole`; "" if it can.
static std::string obstacle(Value part, int64_t channel, const Tensors &t,
                            const Scheduler &scheduler) {
  Operation *producer = part.getDefiningOp();
  if (channel % t.blockWidth)
    return ("its place does not begin at a block of " + Twine(t.blockWidth) + " channels").str();
  if (!producer || Tensors::isWeight(part))
    return "it is an argument";
  if (t.placements.count(part))
    return "it lies in another place already";
  if (isa<SliceOp, SliceAxisOp, SliceChannelOp>(producer))
    return "it is a part of another value";
  if (!scheduler.writesBlocks(producer))
    return "it is computed in rows";
  return "";
}

// Whose operands a depth_to_space puts between each other, one for each place of a block of
// pixels; null where it does anything else.
static ConcatOp joinOfRemainders(DepthToSpaceOp spread) {
  auto concat = spread.getData().getDefiningOp<ConcatOp>();
  uint64_t block = spread.getBlockSize();
  if (!concat || block < 2 || !concat.getOutput().hasOneUse() ||
      Scheduler::joinedAxis(concat) != 1 || concat->getNumOperands() != block * block)
    return {};
  std::optional<int64_t> channels = Scheduler::channelsOf(spread.getOutput());
  bool even = channels && llvm::all_of(concat->getOperands(), [&](Value part) {
                return Scheduler::channelsOf(part) == channels;
              });
  return even ? concat : ConcatOp();
}

static void placeRemainders(DepthToSpaceOp spread, ConcatOp concat, Tensors &t) {
  int64_t block = spread.getBlockSize();
  t.placements[concat.getOutput()] = {spread.getOutput(), 0, 0, 0, 0, block};
  for (auto [i, part] : llvm::enumerate(concat->getOperands()))
    t.placements[part] = {spread.getOutput(), 0, 0, int64_t(i) / block, int64_t(i) % block, block};
}

void Scheduler::choosePlaces(GraphOp graph) {
  // The last concatenation first, so that what it joins may be joins themselves.
  for (Operation &op : llvm::reverse(graph.getBlock())) {
    if (auto spread = dyn_cast<DepthToSpaceOp>(op); spread && writesBlocks(&op)) {
      ConcatOp join = joinOfRemainders(spread);
      SmallPtrSet<Value, 16> parts;
      if (join && writesBlocks(join) && llvm::all_of(join->getOperands(), [&](Value part) {
            return parts.insert(part).second && obstacle(part, 0, t, *this).empty();
          })) {
        placeRemainders(spread, join, t);
        remark::passed(op.getLoc(), remarkOf("place"))
            << ("the operands of '" + nodeName(join) + "' are written between each other").str();
      }
    }
    auto concat = dyn_cast<ConcatOp>(op);
    if (!concat || !writesBlocks(&op) || t.placements.lookup(concat.getOutput()).step > 1)
      continue;
    bool ofImages = Scheduler::joinedAxis(concat) == 0;
    int64_t image = 0, channel = 0, placed = 0;
    for (Value part : op.getOperands()) {
      std::string reason = obstacle(part, channel, t, *this);
      if (reason.empty()) {
        t.placements[part] = {concat.getOutput(), image, channel};
        ++placed;
      } else {
        remark::missed(op.getLoc(), remarkOf("place"))
            << (describeValue(part) + " is copied into '" + nodeName(&op) + "': " + reason).str();
      }
      if (ofImages)
        image += shapeOf(part.getType())[0].get();
      else
        channel += *Scheduler::channelsOf(part);
    }
    if (placed)
      remark::passed(op.getLoc(), remarkOf("place"))
          << (Twine(placed) + " of " + Twine(op.getNumOperands()) + " operands of '" +
              nodeName(&op) + "' are written in their places")
                 .str();
  }
}

// What a layer of one tap reads that writes the value and gains where it computes an image as one
// row of pixels (Target::shortRowPixels). Null: no such layer.
static Value dataOfLongRow(Value value, const Tensors &t, Scheduler &scheduler) {
  constexpr int64_t leastChannels = 256; // that pay for the copy
  Operation *producer = value.getDefiningOp();
  if (!producer || t.placements.count(value) || !value.hasOneUse() ||
      !scheduler.writesBlocks(producer))
    return {};
  FailureOr<Scheduler::Group> group = scheduler.groupOf(producer);
  auto conv = succeeded(group) ? dyn_cast_or_null<ConvolutionOp>(group->root) : ConvolutionOp();
  auto areAll = [](ArrayRef<int64_t> values, int64_t wanted) {
    return llvm::all_of(values, [&](int64_t each) { return each == wanted; });
  };
  if (!conv || !scheduler.externalOperands(*group).empty() || !areAll(conv.getKernel(), 1) ||
      !areAll(conv.getStride(), 1) || !areAll(conv.getPad(), 0) || conv.getNumGroup() != 1)
    return {};
  Shape image = shapeOf(value.getType());
  bool isShort = image.rank() == 4 && image[2].isStatic() && image[2].get() > 1 &&
                 image[3].isStatic() && image[3].get() <= t.target.shortRowPixels;
  Value data = group->resolve(conv.getData());
  return isShort && *Scheduler::channelsOf(data) >= leastChannels ? data : Value();
}

void Scheduler::chooseHalos(GraphOp graph) {
  auto raise = [&](Value value, Halo wanted) {
    while (true) {
      Halo &halo = t.halos[value];
      halo = {std::max(halo.h, wanted.h), std::max(halo.w, wanted.w)};
      auto place = t.placements.find(value);
      Operation *producer = value.getDefiningOp();
      if (place != t.placements.end())
        value = place->second.whole;
      else if (producer && holdsWholeImages(producer))
        value = producer->getOperand(0);
      else
        return;
    }
  };
  struct LongRow {
    Value written, read;
    Halo pad;
  };
  SmallVector<LongRow> longRows;
  SmallVector<std::pair<Value, ConvolutionOp>> images;
  graph.walk([&](ConvolutionOp conv) {
    if (conv.getKernel().size() > 2)
      return;
    Value data = conv.getData(); // a group's body reads the group's operand
    if (auto argument = dyn_cast<BlockArgument>(data))
      if (auto fused = dyn_cast<FusedOp>(argument.getOwner()->getParentOp()))
        data = fused.getInputs()[argument.getArgNumber()];
    images.emplace_back(data, conv);
  });
  for (auto [data, conv] : images) {
    Halo pad = paddingOf(conv);
    if (Value read = pad.h || pad.w ? dataOfLongRow(data, t, *this) : Value())
      longRows.push_back({data, read, pad});
    else
      raise(data, pad);
  }
  for (const LongRow &row : longRows) {
    Halo before = t.haloOf(row.read);
    if (before.h || before.w) { // its rows are apart already
      raise(row.written, row.pad);
      continue;
    }
    remark::passed(row.written.getLoc(), remarkOf("halo"))
        << describeValue(row.written) + " is written without a border, which its reader gets in a "
                                        "copy: its pixels are one row";
  }
  graph.walk([&](Operation *op) {
    if (isa<IntegerConvOp, QuantizedConvOp>(op) && fitsIntegers(op))
      raise(op->getOperand(0), paddingOf(op));
  });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void Scheduler::setLayouts(GraphOp graph) {
  MLIRContext *context = graph.getContext();
  auto layouts = [&](ValueRange values, bool blocked) {
    SmallVector<Attribute> list;
    for (Value value : values) {
      Halo halo = t.haloOf(value);
      list.push_back(
          kernel::LayoutAttr::get(context, blocked ? "blocked" : "plain", halo.h, halo.w));
    }
    return ArrayAttr::get(context, list);
  };
  graph->setAttr(kernel::layoutsName, layouts(graph.getBlock().getArguments(), false));
  graph.getBlock().walk([&](Operation *op) {
    bool padded = llvm::any_of(op->getResults(), [&](Value value) {
      Halo halo = t.haloOf(value);
      return halo.h || halo.w;
    });
    if (op->getNumResults() && (padded || forms.count(op)))
      op->setAttr(kernel::layoutsName, layouts(op->getResults(), forms.lookup(op)));
    SmallVector<int64_t> places(op->getNumOperands(), -1);
    int64_t begin = 0; // of an operand of a concatenation; one that comes again has one place
    for (auto [place, operand] : llvm::zip(places, op->getOperands())) {
      auto found = t.placements.find(operand);
      if (found != t.placements.end() && found->second.whole.getDefiningOp() == op &&
          found->second.image + found->second.channel == begin) // one of them is 0
        place = begin;
      if (isa<ConcatOp>(op) && forms.lookup(op))
        begin += joinedAxis(op) == 0 ? shapeOf(operand.getType())[0].get() : *channelsOf(operand);
    }
    if (llvm::any_of(places, [](int64_t place) { return place >= 0; }))
      op->setAttr(kernel::placesName, DenseI64ArrayAttr::get(context, places));
  });
}

LogicalResult Scheduler::readLayouts(GraphOp graph) {
  auto read = [&](ValueRange values, ArrayAttr layouts) {
    for (auto [value, layout] : llvm::zip(values, layouts.getAsRange<kernel::LayoutAttr>()))
      t.halos[value] = {layout.getHaloRows(), layout.getHaloColumns()};
  };
  auto arguments = graph->getAttrOfType<ArrayAttr>(kernel::layoutsName);
  if (!arguments)
    return graph.emitError("kernel-schedule: graph '")
           << graph.getSymName() << "' has no layouts; kernel-choose-layouts sets them";
  read(graph.getBlock().getArguments(), arguments);
  graph.getBlock().walk([&](Operation *op) {
    if (auto layouts = op->getAttrOfType<ArrayAttr>(kernel::layoutsName)) {
      read(op->getResults(), layouts);
      if (op->getParentOp() == graph)
        forms[op] = cast<kernel::LayoutAttr>(layouts[0]).getKind() == "blocked";
    }
    auto places = op->getAttrOfType<DenseI64ArrayAttr>(kernel::placesName);
    auto spread = dyn_cast<DepthToSpaceOp>(op);
    ConcatOp join = places && spread ? joinOfRemainders(spread) : ConcatOp();
    if (join)
      placeRemainders(spread, join, t);
    else if (places)
      for (auto [place, operand] : llvm::zip(places.asArrayRef(), op->getOperands()))
        if (place >= 0) {
          bool ofImages = Scheduler::joinedAxis(op) == 0;
          t.placements[operand] = {op->getResult(0), ofImages ? place : 0, ofImages ? 0 : place};
        }
  });
  return success();
}

void Scheduler::chooseLayouts(GraphOp graph) {
  if (!options.referenceOnly && options.tileKernels) {
    FormChooser(*this, t).run(graph);
    choosePlaces(graph);
  }
  chooseHalos(graph);
  setLayouts(graph);
}

void symc::codegen::chooseLayouts(ModuleOp module, const ScheduleOptions &options) {
  OpBuilder builder(module.getContext());
  for (auto graph : module.getOps<GraphOp>()) {
    Tensors tensors(builder, kernel::ProgramOp(), *options.target);
    if (graph.getSymName() != "prepare")
      Scheduler(tensors, options).chooseLayouts(graph);
  }
}
