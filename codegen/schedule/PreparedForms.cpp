// PreparedForms.cpp: see PreparedForms.h.
#include "codegen/schedule/PreparedForms.h"

#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/Tensors.h"
#include "ir/CheckedSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t weightAlignment = 64; // bytes: a line of caches

std::string symc::codegen::suffixOf(kernel::FormAttr form) {
  if (form.getKind() == weight_form::plain)
    return "";
  std::string text = "." + form.getKind().str();
  if (form.getM())
    text += ".m" + std::to_string(form.getM()) + ".r" + std::to_string(form.getR());
  if (form.getStride() > 1)
    text += ".by" + std::to_string(form.getStride());
  return text + (form.getOnTheFly() ? ".on_the_fly" : "");
}

LogicalResult symc::codegen::placePrepared(ModuleOp module) {
  sg::CheckedSize offset = 0;
  for (auto prepared : module.getOps<kernel::PreparedOp>()) {
    prepared.setOffset(offset.get());
    auto type = cast<MemRefType>(prepared.getType());
    offset += alignTo(sg::CheckedSize(type.getNumElements()) *
                          kernel::elementBytes(type.getElementType()),
                      weightAlignment);
    if (offset > kernel::mostBytes)
      return emitError(prepared.getLoc()) << "the weights up to this one take more than "
                                          << kernel::mostBytes << " bytes once they are packed";
  }
  return success();
}

// "w.conv.panels.planar3.g1" in another form: "w.conv.winograd.m4.r3.g1".
std::string symc::codegen::nameIn(kernel::FormAttr form, StringRef panels) {
  constexpr StringLiteral kind(".panels"), planar(".planar");
  size_t at = panels.rfind(kind);
  assert(at != StringRef::npos && "only panels get another form");
  StringRef rest = panels.drop_front(at + kind.size());
  if (rest.consume_front(planar))
    rest = rest.drop_while([](char c) { return c >= '0' && c <= '9'; });
  return (panels.take_front(at) + suffixOf(form) + rest).str();
}

Value PreparedForms::request(kernel::WeightOp panels, kernel::FormAttr form, MemRefType type,
                             OpBuilder &builder) {
  Request wanted{panels.getName().str(), nameIn(form, panels.getName()), form, type};
  if (requested.insert(wanted.symbol).second)
    requests.push_back(wanted);
  return kernel::WeightOp::create(builder, panels.getLoc(), type, wanted.symbol);
}

// Sums of the quarters of a recurrent layer's state matrices (kernel.recurrent). `from` is
// [units, state, gates, 1]. The sums of each product are written by one nest; they
// are taken in f64 and rounded once.
static void packRecurrentSums(Tensors &t, const ViewSpec &from, Value target, Location location) {
  ArrayRef<int64_t> shape = cast<MemRefType>(target.getType()).getShape();
  int64_t pairs = shape[0], groups = shape[1], states = shape[3], gates = shape[4];
  Type f32 = t.builder.getF32Type(), f64 = t.builder.getF64Type();
  SmallVector<AffineExpr> extents;
  for (int64_t size : {pairs, groups, states, gates, t.blockWidth})
    extents.push_back(t.constant(size));
  for (auto [number, product] : llvm::enumerate(kernel::strassenProducts)) {
    SmallVector<Value> quarters;
    SmallVector<int> signs;
    for (auto [q, sign] : llvm::enumerate(product.weights)) {
      if (!sign)
        continue;
      AffineExpr unit = from.strides[0], state = from.strides[1], gate = from.strides[2];
      AffineExpr offset = from.offset + unit * int64_t(q / 2 * pairs * t.blockWidth) +
                          state * int64_t(q % 2 * states);
      ViewSpec quarter{
          from.base, offset, {}, {unit * t.blockWidth, gate * gates, state, gate, unit}};
      quarter.sizes.assign(extents.begin(), extents.end());
      quarters.push_back(t.materialise(quarter, location));
      signs.push_back(sign);
    }
    int64_t panel = states * gates * t.blockWidth;
    ViewSpec out{target, t.constant(number * panel), {}, {}};
    out.sizes.assign(extents.begin(), extents.end());
    int64_t group = panel * kernel::strassenProductCount;
    for (int64_t stride : {group * groups, group, gates * t.blockWidth, t.blockWidth, int64_t(1)})
      out.strides.push_back(t.constant(stride));
    Value sums = t.materialise(out, location);
    auto loops = kernel::LoopsOp::create(t.builder, location, quarters, ValueRange{sums});
    OpBuilder::InsertionGuard guard(t.builder);
    Block *block = t.builder.createBlock(&loops.getBody());
    block->addArguments(SmallVector<Type>(quarters.size(), f32),
                        SmallVector<Location>(quarters.size(), location));
    Value sum = arith::ConstantOp::create(t.builder, location, t.builder.getF64FloatAttr(0));
    for (auto [value, sign] : llvm::zip(block->getArguments(), signs)) {
      Value wide = arith::ExtFOp::create(t.builder, location, f64, value);
      sum = sign > 0 ? Value(arith::AddFOp::create(t.builder, location, sum, wide))
                     : Value(arith::SubFOp::create(t.builder, location, sum, wide));
    }
    Value rounded = arith::TruncFOp::create(t.builder, location, f32, sum);
    kernel::YieldOp::create(t.builder, location, ValueRange{rounded});
  }
}

void symc::codegen::packForm(kernel::FormAttr form, Value source, Value target, OpBuilder &builder,
                             Location location) {
  for (const ConvAlgorithm *algorithm : convAlgorithms())
    if (algorithm->pack(form, source, target, builder, location))
      return;
}

// Beside the step and the place of the panels.
void PreparedForms::pack(const Request &request, kernel::PackPanelsOp panels,
                         kernel::PreparedOp place) {
  OpBuilder builder(panels);
  Location location = panels.getLoc();
  Value memory = kernel::WeightOp::create(builder, location, request.type, request.symbol);
  if (request.form.getKind() == weight_form::recurrentSums) {
    Tensors tensors(builder, panels->getParentOfType<kernel::ProgramOp>(), target);
    kernel::ViewOrigin from = *kernel::traceView(panels.getSource());
    packRecurrentSums(tensors,
                      {from.root,
                       from.offset,
                       {from.sizes.begin(), from.sizes.end()},
                       {from.strides.begin(), from.strides.end()}},
                      memory, location);
  } else {
    packForm(request.form, panels.getSource(), memory, builder, location);
  }
  builder.setInsertionPoint(place);
  kernel::PreparedOp::create(builder, location, request.symbol, request.type, 0, request.form);
}

LogicalResult PreparedForms::finish() {
  if (requests.empty())
    return success();
  ModuleOp first = modules.front();
  auto prepare = first.lookupSymbol<kernel::ProgramOp>("prepare_program");
  llvm::StringMap<kernel::PackPanelsOp> steps; // by the weight that they write
  for (auto step : prepare.getOps<kernel::PackPanelsOp>())
    if (auto weight = step.getTarget().getDefiningOp<kernel::WeightOp>())
      steps[weight.getName()] = step;
  llvm::StringMap<kernel::PreparedOp> places;
  for (auto prepared : first.getOps<kernel::PreparedOp>())
    places[prepared.getSymName()] = prepared;
  for (const Request &request : requests)
    pack(request, steps.lookup(request.panels), places.lookup(request.panels));

  // By the first instruction set, and by any; @prepare_program writes them.
  llvm::StringSet<> readFirst, read;
  for (ModuleOp module : modules) {
    bool isFirst = true;
    for (Operation &op : module.getOps()) {
      if (&op == prepare || !isa<kernel::ProgramOp, kernel::VariantOp>(op))
        continue;
      op.walk([&](kernel::WeightOp weight) {
        read.insert(weight.getName());
        if (isFirst)
          readFirst.insert(weight.getName());
      });
      isFirst &= !isa<kernel::VariantOp>(op);
    }
  }
  for (const Request &request : requests) {
    if (read.contains(request.panels) || !steps.contains(request.panels))
      continue; // or gone already
    kernel::PackPanelsOp step = steps.lookup(request.panels);
    steps.erase(request.panels);
    for (Operation *dead : {step.getTarget().getDefiningOp(), step.getSource().getDefiningOp()}) {
      step->dropAllReferences();
      if (dead && dead->use_empty())
        dead->erase();
    }
    step.erase();
    places.lookup(request.panels).erase();
  }
  // So the first instruction set's weights lie as in a file for it alone.
  SmallVector<kernel::PreparedOp> prepared(first.getOps<kernel::PreparedOp>());
  Operation *end = prepared.back();
  for (kernel::PreparedOp one : prepared)
    if (read.contains(one.getSymName()) && !readFirst.contains(one.getSymName())) {
      if (one != end)
        one->moveAfter(end);
      end = one;
    }
  if (failed(placePrepared(first)))
    return failure();
  for (ModuleOp other : modules.drop_front()) {
    for (auto prepared : llvm::make_early_inc_range(other.getOps<kernel::PreparedOp>()))
      prepared.erase();
    OpBuilder builder = OpBuilder::atBlockEnd(other.getBody());
    for (auto prepared : first.getOps<kernel::PreparedOp>())
      builder.clone(*prepared.getOperation());
  }
  return success();
}
