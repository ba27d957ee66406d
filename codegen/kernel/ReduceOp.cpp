// ReduceOp.cpp: what kernel.reduce verifies, and what its interfaces return.
#include "codegen/kernel/StepVerifiers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace symc::kernel;

// The views' shape, which rows and elements are counted in.
static ArrayRef<int64_t> shapeOf(Value view) { return cast<MemRefType>(view.getType()).getShape(); }

// Elements of that shape, where all extents are known and int64 counts them.
static std::optional<int64_t> countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (ShapedType::isDynamic(extent) || llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  return count;
}

LogicalResult ReduceOp::verify() {
  if (getIns().empty())
    return emitOpError("needs an input");
  SmallVector<Value> whole(getIns()), rows(getRowOuts());
  llvm::append_range(whole, getOuts());
  if (getLengths())
    rows.push_back(getLengths());
  ArrayRef<int64_t> shape = shapeOf(whole.front());
  int64_t kept = getKept(), rank = shape.size();
  if (kept < 1 || kept >= rank)
    return emitOpError("keeps ") << kept << " of " << rank << " extents, needs one at least and "
                                 << "one to reduce";
  if (failed(verifySameShape(*this, whole)) || failed(verifyCut(*this, kept)))
    return failure();
  for (Value view : rows)
    if (shapeOf(view) != shape.take_front(kept))
      return emitOpError("views of rows need the kept extents [") << shape.take_front(kept) << "]";
  if (getLengths() && (kept + 1 != rank || !(elementTypes(getLengths())[0].isInteger(32) ||
                                             elementTypes(getLengths())[0].isInteger(64))))
    return emitOpError("with lengths needs one extent to reduce and i32 or i64");
  if (getCombiners().empty() || getCombiners().size() != getPasses().size())
    return emitOpError("has ") << getCombiners().size() << " combiners and " << getPasses().size()
                               << " passes, needs as many, one at least";
  if (getPartials() < 1 || !llvm::isPowerOf2_64(getPartials()))
    return emitOpError("has ") << getPartials() << " partials, needs a power of two";
  if (getSaves() && (*getSaves() >= getCombiners().size() || getOuts().empty()))
    return emitOpError("saves pass ") << *getSaves() << ", which needs that pass and an out";
  Region &first = getPasses().front();
  Type integer = first.getNumArguments() ? first.getArgument(0).getType() : Type();
  if (!integer || !(integer.isInteger(32) || integer.isInteger(64)))
    return emitOpError("needs i32 or i64 for positions");
  if (std::optional<int64_t> count = countOf(shape.drop_front(kept));
      integer.isInteger(32) && count && *count > INT32_MAX)
    return emitOpError("has rows of ") << *count << " elements, needs i64 for positions";
  SmallVector<Type> known{integer, integer}, results;
  llvm::append_range(known, elementTypes(getIns()));
  auto body = [&](Region &region, bool saved, TypeRange yields) {
    SmallVector<Type> expected(known);
    if (saved)
      expected.push_back(elementTypes(getOuts())[0]);
    llvm::append_range(expected, results);
    return verifyBody(*this, region, expected, yields);
  };
  for (auto [k, region] : llvm::enumerate(getPasses())) {
    StringRef combiner = cast<StringAttr>(getCombiners()[k]).getValue();
    if (!llvm::is_contained({"sum", "sums", "prod", "max", "min", "maxnum", "argmax", "argmin"},
                            combiner))
      return emitOpError("has no combiner '") << combiner << "'";
    SmallVector<Type> yields(region.front().getTerminator()->getOperandTypes());
    bool isPair = combiner == "sums"; // of floats
    size_t own = combiner.starts_with("arg") || isPair ? 2 : 1;
    bool saves = getSaves() == k;
    if (yields.size() != own + (saves ? 1 : 0) || !yields.front().isIntOrFloat() ||
        (isPair ? !isa<FloatType>(yields[0]) || yields[1] != yields[0]
                : own == 2 && !yields[1].isInteger()) ||
        (saves && !liesAs(*this, yields.back(), elementTypes(getOuts())[0])))
      return emitOpError("pass ") << k << " must yield what '" << combiner << "' takes"
                                  << (saves ? " and what is saved" : "");
    if (failed(body(region, getSaves() && *getSaves() < k, yields)))
      return failure();
    results.append(yields.begin(), yields.begin() + own);
  }
  if (failed(body(getRows(), false, elementTypes(getRowOuts()))))
    return failure();
  return body(getElements(), getSaves().has_value(), elementTypes(getOuts()));
}

// An element is written after all passes have read its row, unless a pass saves: of what it
// writes over, nothing may be read again.
OperandRange ReduceOp::getOverwritableInputs() {
  auto readsInputs = [&](Region &region) {
    return llvm::any_of(region.getArguments().slice(2, getIns().size()),
                        [](BlockArgument argument) { return !argument.use_empty(); });
  };
  if (getSaves()) {
    for (Region &pass : getPasses().drop_front(*getSaves() + 1))
      if (readsInputs(pass))
        return getIns().take_front(0);
    if (readsInputs(getElements()))
      return getIns().take_front(0);
  }
  return getIns();
}
