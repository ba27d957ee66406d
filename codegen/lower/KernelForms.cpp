// KernelForms.cpp: see KernelForms.h.
#include "codegen/lower/KernelForms.h"

#include "codegen/lower/KernelWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace symc::codegen;

// Whether an operation is faster where this operand of it is a constant: divisions, by which loops
// find their place, become multiplications.
static bool wantsConstant(OpOperand &use) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp>(use.getOwner()) &&
         use.getOperandNumber() == 1 && !isa<func::FuncOp>(use.getOwner()->getParentOp());
}

// Whether it is where a loop begins or ends that nobody unrolls.
static bool isBound(OpOperand &use) {
  return isa<scf::ForOp>(use.getOwner()) && use.getOperandNumber() < 2 &&
         use.getOwner()->hasAttr("loop_annotation");
}

// The value of an integer that may become an argument.
static std::optional<int64_t> freeInteger(Operation &op, bool onlyBounds) {
  if (!isa<arith::ConstantOp, LLVM::ConstantOp>(op))
    return std::nullopt;
  auto value = op.getAttrOfType<IntegerAttr>("value");
  Type type = op.getResult(0).getType();
  if (!value || !(type.isIndex() || type.isInteger(64)) ||
      llvm::any_of(op.getUses(), wantsConstant) ||
      (onlyBounds && !llvm::all_of(op.getUses(), isBound)))
    return std::nullopt;
  return value.getInt();
}

static constexpr StringLiteral alignmentName = "alignment";
static StringRef alignName() { return LLVM::LLVMDialect::getAlignAttrName(); }

// The alignment of an access that one of less alignment may stand for: stores past the caches
// require theirs.
static IntegerAttr looseAlignment(Operation &op) {
  auto alignment = op.getAttrOfType<IntegerAttr>(alignmentName);
  return op.hasAttr("nontemporal") ? IntegerAttr() : alignment;
}

namespace {
/// A kernel as words, equal for those that may become one function; its free integers, and accesses
/// with an alignment, in order.
class Form {
public:
  Form(func::FuncOp kernel, bool onlyBounds) {
    NamedAttrList attributes(kernel->getAttrDictionary());
    attributes.erase(SymbolTable::getSymbolAttrName());
    attributes.erase(kernel.getArgAttrsAttrName());
    words.add(attributes.getDictionary(kernel.getContext()));
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
      NamedAttrList own(kernel.getArgAttrDict(i));
      own.erase(alignName());
      words.add(own.getDictionary(kernel.getContext()));
    }
    words.add(kernel.getBody(), [&](Operation &op) { return attributesOf(op, onlyBounds); });
  }
  StringRef key() const { return words.key(); }
  SmallVector<Operation *> integers, accesses;

private:
  DictionaryAttr attributesOf(Operation &op, bool onlyBounds) {
    if (freeInteger(op, onlyBounds)) {
      integers.push_back(&op);
      return {};
    }
    DictionaryAttr attributes = op.getAttrDictionary();
    if (!looseAlignment(op))
      return attributes;
    accesses.push_back(&op);
    NamedAttrList others(attributes);
    others.erase(alignmentName);
    return others.getDictionary(op.getContext());
  }

  KernelWords words;
};
} // namespace

// Gives accesses of `first` the alignment that those of `other` have, where that is less.
static void loosen(func::FuncOp first, ArrayRef<Operation *> accesses, func::FuncOp other,
                   ArrayRef<Operation *> others) {
  for (auto [own, its] : llvm::zip_equal(accesses, others))
    if (looseAlignment(*its).getInt() < looseAlignment(*own).getInt())
      own->setAttr(alignmentName, looseAlignment(*its));
  for (unsigned i = 0; i < other.getNumArguments(); ++i) {
    auto own = first.getArgAttrOfType<IntegerAttr>(i, alignName());
    auto its = other.getArgAttrOfType<IntegerAttr>(i, alignName());
    if (own && (!its || its.getInt() < own.getInt()))
      its ? first.setArgAttr(i, alignName(), its) : (void)first.removeArgAttr(i, alignName());
  }
}

void KernelForms::add(func::FuncOp kernel, bool onlyBounds) {
  kernels.insert({kernel, onlyBounds});
}

// The first of them stays, for all.
void KernelForms::mergeForm(ArrayRef<func::FuncOp> group, size_t mostArguments) {
  SmallVector<SmallVector<Operation *>> integers, accesses; // of each kernel
  for (func::FuncOp kernel : group) {
    Form form(kernel, kernels.lookup(kernel));
    integers.push_back(std::move(form.integers));
    accesses.push_back(std::move(form.accesses));
  }
  // Integers of one type that are equal in each kernel, or multiples of the same ones, as rows of a
  // loop that is written out are, become one argument. By factors of that argument:
  using Places = std::map<int64_t, SmallVector<Operation *>>;
  std::map<std::pair<bool, std::vector<int64_t>>, Places> arguments;
  for (size_t place = 0; place < integers[0].size(); ++place) {
    std::vector<int64_t> values;
    int64_t factor = 0;
    for (ArrayRef<Operation *> own : integers) {
      values.push_back(*freeInteger(*own[place], /*onlyBounds=*/false));
      factor = std::gcd(factor, values.back());
    }
    if (llvm::all_equal(values))
      continue;
    for (int64_t &value : values)
      value /= factor;
    Operation *op = integers[0][place];
    arguments[{op->getResult(0).getType().isIndex(), std::move(values)}][factor].push_back(op);
  }
  func::FuncOp first = group.front();
  if (first.getNumArguments() + arguments.size() > mostArguments)
    return;
  for (auto &[key, places] : arguments) {
    unsigned number = first.getNumArguments();
    Type type = places.begin()->second.front()->getResult(0).getType();
    (void)first.insertArgument(number, type, {}, first.getLoc());
    for (auto &[factor, ops] : places) {
      OpBuilder b = OpBuilder::atBlockBegin(&first.getBody().front());
      Value value = first.getArgument(number);
      if (factor != 1) {
        Value by = arith::ConstantOp::create(b, first.getLoc(), b.getIntegerAttr(type, factor));
        value = arith::MulIOp::create(b, first.getLoc(), value, by);
      }
      for (Operation *op : ops) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      }
    }
    for (auto [kernel, value] : llvm::zip_equal(group, key.second))
      merged[kernel].integers.push_back(value);
  }
  for (auto [kernel, own] : llvm::zip_equal(group, accesses))
    loosen(first, accesses.front(), kernel, own);
  for (func::FuncOp kernel : group)
    merged[kernel].kernel = first;
  for (func::FuncOp kernel : group.drop_front())
    kernel.erase();
}

void KernelForms::merge(size_t mostArguments) {
  llvm::StringMap<size_t> numbers;
  SmallVector<SmallVector<func::FuncOp>> groups;
  for (auto [op, onlyBounds] : kernels) {
    auto kernel = cast<func::FuncOp>(op);
    if (kept.contains(op))
      continue;
    Form form(kernel, onlyBounds);
    size_t number = numbers.try_emplace(form.key(), groups.size()).first->second;
    if (number == groups.size())
      groups.emplace_back();
    groups[number].push_back(kernel);
  }
  for (ArrayRef<func::FuncOp> group : groups)
    if (group.size() > 1)
      mergeForm(group, mostArguments);
}

KernelOfForm KernelForms::of(func::FuncOp kernel) const {
  auto found = merged.find(kernel);
  return found == merged.end() ? KernelOfForm{kernel, {}} : found->second;
}
