// PreparedForms.cpp: see PreparedForms.h.
#include "codegen/schedule/PreparedForms.h"

#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/Tensors.h"
#include "ir/CheckedSize.h"
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

// "w.conv.panels.planar3.g1" in another form: "w.conv.form.m4.r3.g1".
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
  packForm(request.form, panels.getSource(), memory, builder, location);
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
