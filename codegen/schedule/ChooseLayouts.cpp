// ChooseLayouts.cpp: where the values of a graph lie, decided for all of them before
// the first step is made.
//
//   1. Form, plain or blocked. Layers with tile kernels read and write blocks, calls
//      and reshapes rows; elementwise groups, concatenations along channels and
//      parts of images can do either. A value that somebody reads in the other form
//      than it is written in costs its bytes twice, once, however many readers. The
//      cheapest assignment is a minimum cut between "blocked" and "plain", so it is
//      exact for any graph.
//   2. Place. What a blocked concatenation joins is written where it ends up, in
//      turn inside a larger concatenation, if it begins at a whole block.
//   3. Halo. Memory has the widest padding that a reader of anything in it needs.
//
// Every decision is a remark. What it rests on is asked of the layers themselves
// (fitsConvolution, fitsPooling, canBlock); where a node is computed otherwise in the
// end, Tensors makes the form that is missing.
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

// Bytes of a value; an extent that is known only at run time counts as 64.
static int64_t bytesOf(Value value) {
  int64_t bytes = elementTypeOf(value.getType()).getIntOrFloatBitWidth() / 8;
  for (AffineExpr extent : extentsOf(value)) {
    auto known = dyn_cast<AffineConstantExpr>(extent);
    bytes *= known ? known.getValue() : 64;
  }
  return bytes;
}

static std::optional<int64_t> channelsOf(Value value) {
  SmallVector<AffineExpr, 4> extents = extentsOf(value);
  auto channels = extents.size() == 3 || extents.size() == 4
                      ? dyn_cast<AffineConstantExpr>(extents[1])
                      : AffineConstantExpr();
  return channels ? std::optional<int64_t>(channels.getValue()) : std::nullopt;
}

std::optional<int64_t> Scheduler::channelStart(Operation *op, unsigned result) {
  auto axisIs1 = [&](int64_t axis) {
    return axis == 1 || axis + static_cast<int64_t>(extentsOf(op->getOperand(0)).size()) == 1;
  };
  if (!op->getNumOperands() || !channelsOf(op->getOperand(0)))
    return std::nullopt;
  if (auto split = dyn_cast<SliceChannelOp>(op))
    if (axisIs1(split.getAxis()) && !split.getSqueezeAxis())
      return result * *channelsOf(op->getResult(0));
  if (auto slice = dyn_cast<SliceAxisOp>(op))
    if (axisIs1(slice.getAxis())) {
      int64_t begin = slice.getBegin();
      return begin < 0 ? begin + *channelsOf(op->getOperand(0)) : begin;
    }
  return std::nullopt;
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
  FormCut::Vertex flexible(Operation *op) {
    FormCut::Vertex vertex = cut.add();
    free.push_back({op, vertex});
    return vertex;
  }

  /// A part of an image: nothing in blocks, a copy in rows.
  FormCut::Vertex viewOfBlocks(Operation *op) {
    FormCut::Vertex vertex = flexible(op);
    for (Value part : op->getResults())
      cut.costIfPlain(vertex, 2 * bytesOf(part));
    return vertex;
  }

  Scheduler &scheduler;
  Tensors &t;
  FormCut cut;
  DenseMap<Operation *, FormCut::Vertex> vertices; // looked up only
  SmallVector<std::pair<Operation *, FormCut::Vertex>> free;
};

} // namespace

FormCut::Vertex FormChooser::vertexOf(Operation *op) {
  if (isa<ParameterOp, PreparedOp, HeadsOp>(op) || op->getNumResults() == 0)
    return FormCut::plain;
  if (scheduler.fitsIntegers(op))
    return FormCut::blocked;
  // Lanes beyond the last channel hold anything: harmless in floats, not as divisors.
  Type element = elementTypeOf(op->getResult(0).getType());
  if (!element || !element.isF32())
    return FormCut::plain;
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    int64_t rank = extentsOf(op->getResult(0)).size();
    int64_t axis = concat.getDim() < 0 ? concat.getDim() + rank : concat.getDim();
    bool known = llvm::all_of(op->getOperands(), [](Value v) { return channelsOf(v).has_value(); });
    if (axis != 1 || !known)
      return FormCut::plain;
    FormCut::Vertex vertex = flexible(op);
    int64_t channel = 0, copied = 0;
    for (Value part : op->getOperands()) {
      copied += channel % kBlock ? bytesOf(part) : 0;
      channel += *channelsOf(part);
    }
    cut.costIfPlain(vertex, 2 * bytesOf(op->getResult(0)));
    cut.costIfBlocked(vertex, 2 * copied);
    return vertex;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    ArrayRef<int64_t> begin = slice.getBegin(), step = slice.getStep();
    bool atBlock = begin.size() < 2 || begin[1] == kNoneElement || begin[1] % kBlock == 0;
    bool dense = step.size() < 2 || step[1] == kNoneElement || step[1] == 1;
    return channelsOf(slice.getData()) && channelsOf(slice.getOutput()) && atBlock && dense
               ? viewOfBlocks(op)
               : FormCut::plain;
  }
  if (std::optional<int64_t> start = scheduler.channelStart(op, 0))
    return *start % kBlock == 0 && *channelsOf(op->getResult(0)) % kBlock == 0 ? viewOfBlocks(op)
                                                                               : FormCut::plain;
  if (!isa<FusedOp>(op) && !isa<OperatorInterface>(op))
    return FormCut::plain;
  if (op->getNumResults() != 1)
    return FormCut::plain;
  Scheduler::Group group = *scheduler.groupOf(op);
  if (scheduler.fitsConvolution(group) || scheduler.fitsPooling(group, true))
    return FormCut::blocked;
  return scheduler.fitsBlockedLoops(group) ? flexible(op) : FormCut::plain;
}

std::optional<FormCut::Vertex> FormChooser::readerOf(OpOperand &use) {
  Operation *op = use.getOwner();
  FormCut::Vertex vertex = vertices.lookup(op);
  if (vertex == FormCut::plain ||
      (!isa<FusedOp>(op) && !isa<ElementwiseInterface, ConvolutionOp>(op)))
    return vertex;
  // Of a group, operands that are the same for all channels are read as rows.
  Scheduler::Group group = *scheduler.groupOf(op);
  if (auto conv = dyn_cast_or_null<ConvolutionOp>(group.root))
    if (group.resolve(conv.getData()) == use.get() && *channelsOf(use.get()) < kBlock &&
        conv.getNumGroup() == 1)
      return std::nullopt;
  for (const Scheduler::Operand &operand : scheduler.externalOperands(group))
    if (operand.value == use.get() && !channelsOf(use.get()))
      return FormCut::plain;
  return vertex;
}

void FormChooser::run(GraphOp graph) {
  for (Operation &op : graph.getBlock())
    vertices[&op] = vertexOf(&op);
  auto connect = [&](Value value, FormCut::Vertex producer) {
    if (Tensors::isWeight(value) || !channelsOf(value))
      return;
    SmallVector<AffineExpr, 4> image = t.imageShape(value);
    bool pixel = image[2] == t.constant(1) && image[3] == t.constant(1);
    if (pixel && *channelsOf(value) % kBlock == 0)
      return; // both forms are the same bytes
    SmallVector<FormCut::Vertex> readers;
    for (OpOperand &use : value.getUses())
      if (std::optional<FormCut::Vertex> reader = readerOf(use))
        readers.push_back(*reader);
    cut.costIfForeign(producer, readers, 2 * bytesOf(value));
  };
  for (BlockArgument argument : graph.getBlock().getArguments())
    connect(argument, FormCut::plain);
  for (Operation &op : graph.getBlock())
    for (Value result : op.getResults())
      connect(result, vertices.lookup(&op));
  int64_t bytes = cut.solve();
  for (Operation &op : graph.getBlock())
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
static StringRef obstacle(Value part, int64_t channel, const Tensors &t,
                          const Scheduler &scheduler) {
  Operation *producer = part.getDefiningOp();
  if (channel % kBlock)
    return "its place does not begin at a block of 16 channels";
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

void Scheduler::choosePlaces(GraphOp graph) {
  // The last concatenation first, so that what it joins may be joins themselves.
  for (Operation &op : llvm::reverse(graph.getBlock())) {
    auto concat = dyn_cast<ConcatOp>(op);
    if (!concat || !writesBlocks(&op))
      continue;
    int64_t channel = 0, placed = 0;
    for (Value part : op.getOperands()) {
      StringRef reason = obstacle(part, channel, t, *this);
      if (reason.empty()) {
        t.placements[part] = {concat.getOutput(), channel};
        ++placed;
      } else {
        remark::missed(op.getLoc(), remarkOf("place"))
            << (describeValue(part) + " is copied into '" + nodeName(&op) + "': " + reason).str();
      }
      channel += *channelsOf(part);
    }
    if (placed)
      remark::passed(op.getLoc(), remarkOf("place"))
          << (Twine(placed) + " of " + Twine(op.getNumOperands()) + " operands of '" +
              nodeName(&op) + "' are written in their places")
                 .str();
  }
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
      else if (producer && channelStart(producer, 0))
        value = producer->getOperand(0); // channels of an image have its halo
      else
        return;
    }
  };
  graph.walk([&](ConvolutionOp conv) {
    if (conv.getKernel().size() > 2)
      return;
    Value data = conv.getData(); // a group's body reads the group's operand
    if (auto argument = dyn_cast<BlockArgument>(data))
      if (auto fused = dyn_cast<FusedOp>(argument.getOwner()->getParentOp()))
        data = fused.getInputs()[argument.getArgNumber()];
    raise(data, paddingOf(conv));
  });
  graph.walk([&](Operation *op) {
    if (isa<IntegerConvOp, QuantizedConvOp>(op) && fitsIntegers(op))
      raise(op->getOperand(0), paddingOf(op));
  });
}

void Scheduler::chooseLayouts(GraphOp graph) {
  if (!options.referenceOnly && options.tileKernels) {
    FormChooser(*this, t).run(graph);
    choosePlaces(graph);
  }
  chooseHalos(graph);
}
