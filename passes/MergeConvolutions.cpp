// MergeConvolutions.cpp: sg-merge-convolutions.
//
//   %1 = sg.convolution(%x, %v, %a)               %0 = sg.convolution(%x, concat(%v, %w),
//   concat(%a, %b)) %2 = sg.unary(%1) relu                        %1 = sg.unary(%0) relu %3 =
//   sg.convolution(%x, %w, %b)          ->   %2 = sg.slice_axis(%1) channels of %v %4 =
//   sg.unary(%3) relu                        %4 = sg.slice_axis(%1) channels of %w
//
// for convolutions of one value that differ in their weights only, and the same function
// behind each of them: the value is read once, and rests of blocks of channels are computed
// together. A convolution stays alone where something else is computed with it, and where
// its result is a part of a concatenation, into which it is written straight. Every
// element is computed as before.
#include "ir/GraphDialect.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_MERGECONVOLUTIONS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

// What an element costs as multiply-adds: read once more from the caches, or copied.
static constexpr int64_t readCost = 2, copyCost = 8;

namespace {

struct Member {
  ConvolutionOp conv;
  UnaryOp function; // behind it, if any
  Value result() { return function ? function.getOutput() : conv.getOutput(); }
  int64_t channels() { return shapeOf(conv.getOutput().getType())[1].get(); }
};

remark::RemarkOpts remarkOf(Operation *op) {
  return remark::RemarkOpts::name("merge")
      .category("sg-merge-convolutions")
      .function(op->getParentOfType<GraphOp>().getSymName());
}

// All attributes but the number of filters.
DictionaryAttr windowOf(ConvolutionOp conv) {
  NamedAttrList attributes(conv->getAttrs());
  attributes.erase("num_filter");
  return attributes.getDictionary(conv.getContext());
}

bool isCandidate(ConvolutionOp conv) {
  Type type = conv.getOutput().getType();
  if (conv.getNumGroup() != 1 || !elementTypeOf(type).isF32() || shapeOf(type).rank() != 4 ||
      (conv.getLayout() && !conv.getLayout()->starts_with("NC")))
    return false;
  Shape shape = shapeOf(type);
  return llvm::all_of(shape.list(), [](Dim dim) { return dim.isStatic(); });
}

Operation *onlyElementwiseReader(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  Operation *reader = *value.user_begin();
  return isa<ElementwiseInterface>(reader) ? reader : nullptr;
}

struct MergeConvolutions : symc::impl::MergeConvolutionsBase<MergeConvolutions> {
  using MergeConvolutionsBase::MergeConvolutionsBase;
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      SmallVector<SmallVector<ConvolutionOp, 4>> groups;
      DenseMap<std::pair<Value, DictionaryAttr>, size_t> places;
      for (auto conv : graph.getBlock().getOps<ConvolutionOp>()) {
        if (!isCandidate(conv))
          continue;
        auto [place, isNew] = places.try_emplace({conv.getData(), windowOf(conv)}, groups.size());
        if (isNew)
          groups.emplace_back();
        groups[place->second].push_back(conv);
      }
      for (auto &group : groups)
        if (group.size() > 1)
          visit(group);
    }
  }

  // What is computed from weights alone can be moved before the first convolution.
  static bool dependsOnWeightsAlone(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<ParameterOp, ConstantOp>(op))
      return true;
    return op->getNumOperands() > 0 && isa<OperatorInterface>(op) &&
           llvm::all_of(op->getOperands(), dependsOnWeightsAlone);
  }

  static void moveBefore(Value value, Operation *place) {
    Operation *op = value.getDefiningOp();
    if (op->isBeforeInBlock(place))
      return;
    for (Value operand : op->getOperands())
      moveBefore(operand, place);
    op->moveBefore(place);
  }

  // Why that convolution stays alone; empty if it need not.
  static std::string obstacle(Member &member) {
    for (Value weight : llvm::drop_begin(member.conv->getOperands()))
      if (!dependsOnWeightsAlone(weight))
        return "its weights are known only at run time";
    if (Operation *reader = onlyElementwiseReader(member.result()))
      return ("'" + nodeName(reader) + "' is computed with it").str();
    for (Operation *reader : member.result().getUsers())
      if (auto concat = dyn_cast<ConcatOp>(reader); concat && concat.getDim() == 1)
        return ("it is written straight into '" + nodeName(concat) + "'").str();
    return "";
  }

  void visit(ArrayRef<ConvolutionOp> convolutions) {
    // By the function that follows.
    SmallVector<std::pair<std::string, SmallVector<Member, 4>>, 2> groups;
    for (ConvolutionOp conv : convolutions) {
      Member member{conv, dyn_cast_or_null<UnaryOp>(onlyElementwiseReader(conv.getOutput()))};
      if (std::string reason = obstacle(member); !reason.empty()) {
        missed(conv, "'" + nodeName(conv) + "' is not merged with others of its input: " + reason);
        continue;
      }
      std::string function = member.function ? member.function.getFn().str() : "";
      auto *group = llvm::find_if(groups, [&](auto &one) { return one.first == function; });
      if (group == groups.end())
        group = &groups.emplace_back(function, SmallVector<Member, 4>());
      group->second.push_back(member);
    }
    for (auto &[function, members] : groups)
      if (members.size() > 1)
        decide(members);
  }

  void decide(MutableArrayRef<Member> members) {
    ConvolutionOp first = members.front().conv;
    Shape in = shapeOf(first.getData().getType()), out = shapeOf(first.getOutput().getType());
    int64_t steps = in[1].get(), inElements = in[0].get() * in[1].get();
    for (int64_t extent : first.getKernel())
      steps *= extent;
    for (Dim extent : llvm::drop_begin(in.list(), 2))
      inElements *= extent.get();
    int64_t pixels = out[0].get() * out[2].get() * out[3].get();
    int64_t width = blockWidth, channels = 0, blocks = 0;
    bool copies = false;
    std::string names;
    for (Member &member : members) {
      copies |= channels % width != 0;
      channels += member.channels();
      blocks += llvm::divideCeil(member.channels(), width);
      names += (names.empty() ? "'" : ", '") + nodeName(member.conv).str() + "'";
    }
    int64_t saved = blocks - int64_t(llvm::divideCeil(channels, width));
    int64_t gain =
        saved * width * steps * pixels + int64_t(members.size() - 1) * inElements * readCost;
    int64_t cost = copies ? channels * pixels * copyCost : 0;
    if (gain <= cost)
      return missed(first, names + " stay apart: their parts would be copied, which costs " +
                               Twine(cost) + " multiply-adds and saves " + Twine(gain));
    remark::passed(first.getLoc(), remarkOf(first))
        << (names + " are one convolution: " + Twine(gain - cost) + " multiply-adds less").str();
    merge(members, channels);
  }

  static Value concat(OpBuilder &builder, Location location, ArrayRef<Value> parts) {
    Shape shape = shapeOf(parts.front().getType());
    int64_t rows = 0;
    for (Value part : parts)
      rows += shapeOf(part.getType())[0].get();
    shape[0] = Dim::constant(rows, builder.getContext());
    OperationState state(location, ConcatOp::getOperationName());
    state.addOperands(parts);
    state.addTypes(
        makeTensorType(shape, elementTypeOf(parts.front().getType()), builder.getContext()));
    state.addAttribute("num_args", builder.getI64IntegerAttr(parts.size()));
    state.addAttribute("dim", builder.getI64IntegerAttr(0));
    return builder.create(state)->getResult(0);
  }

  static void merge(MutableArrayRef<Member> members, int64_t channels) {
    ConvolutionOp first = members.front().conv;
    OpBuilder builder(first);
    SmallVector<Location> locations;
    for (Member &member : members)
      locations.push_back(member.conv.getLoc());
    Location location = builder.getFusedLoc(locations);
    SmallVector<Value> operands{first.getData()};
    for (unsigned operand = 1; operand < first->getNumOperands(); ++operand) {
      SmallVector<Value> parts;
      for (Member &member : members) {
        parts.push_back(member.conv->getOperand(operand));
        moveBefore(parts.back(), first);
      }
      operands.push_back(concat(builder, location, parts));
    }
    Shape shape = shapeOf(first.getOutput().getType());
    shape[1] = Dim::constant(channels, builder.getContext());
    Type type =
        makeTensorType(shape, elementTypeOf(first.getOutput().getType()), builder.getContext());
    OperationState state(location, ConvolutionOp::getOperationName());
    state.addOperands(operands);
    state.addTypes(type);
    state.addAttributes(first->getAttrs());
    state.attributes.set("num_filter", builder.getI64IntegerAttr(channels));
    Value whole = builder.create(state)->getResult(0);
    if (UnaryOp function = members.front().function)
      whole = UnaryOp::create(builder, function.getLoc(), type, whole, function.getFn());
    int64_t begin = 0;
    for (Member &member : members) {
      OperationState part(member.result().getLoc(), SliceAxisOp::getOperationName());
      part.addOperands(whole);
      part.addTypes(member.result().getType());
      part.addAttribute("axis", builder.getI64IntegerAttr(1));
      part.addAttribute("begin", builder.getI64IntegerAttr(begin));
      part.addAttribute("end", builder.getI64IntegerAttr(begin += member.channels()));
      member.result().replaceAllUsesWith(builder.create(part)->getResult(0));
      if (member.function)
        member.function.erase();
    }
    for (Member &member : members)
      member.conv.erase();
  }

  static void missed(ConvolutionOp conv, const Twine &text) {
    remark::missed(conv.getLoc(), remarkOf(conv)) << text.str();
  }
};

} // namespace
