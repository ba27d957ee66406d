// Emission.h: the few operations that every lowering of a kernel step repeats:
// arithmetic on sizes and strides that are constants or values, addresses,
// vector loads and stores (plain, masked, broadcast), loops that are never
// unrolled behind our back, and a step's scalar body cloned on vectors.
//
// A vector of one lane is a scalar everywhere here, so that a remainder loop
// uses the same calls. Loads and stores claim the element's alignment only.
#ifndef SYMC_CODEGEN_LOWER_EMISSION_H
#define SYMC_CODEGEN_LOWER_EMISSION_H

#include "codegen/lower/KernelLowering.h"

namespace symc::codegen {

/// The constant behind a size or stride, or nothing when it is a run-time value.
std::optional<int64_t> constantOf(mlir::OpFoldResult value);
bool isConstant(mlir::OpFoldResult value, int64_t expected);

class Emission {
public:
  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value induction,
                                                                     mlir::ValueRange carried)>;

  Emission(LoweringContext &context, mlir::Location loc)
      : context(context), b(context.builder), loc(loc) {}

  mlir::OpBuilder &builder() { return b; }
  mlir::Location location() const { return loc; }
  const TargetDescription &target() const { return context.target; }
  MathMode math() const { return context.math; }
  /// Channels side by side in a block, outputs side by side in a panel.
  int64_t blockWidth() const { return context.target.blockWidth; }

  // Index arithmetic on non-negative values; constants fold, values emit arith.
  mlir::Value index(int64_t value);
  mlir::Value index(mlir::OpFoldResult value);
  mlir::OpFoldResult constant(int64_t value);
  mlir::OpFoldResult add(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult sub(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult mul(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult floorDiv(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult ceilDiv(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult rem(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult min(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult max(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult product(llvm::ArrayRef<mlir::OpFoldResult> factors);
  /// The coordinates of `linear` in a row-major space of these extents.
  llvm::SmallVector<mlir::OpFoldResult> delinearize(mlir::OpFoldResult linear,
                                                    llvm::ArrayRef<mlir::OpFoldResult> extents);
  mlir::Value less(mlir::OpFoldResult x, mlir::OpFoldResult y);

  // Addresses, in elements. Strides may be negative.
  mlir::Value offset(mlir::Value pointer, mlir::Type element, mlir::OpFoldResult elements);
  /// The address of view[position...]; missing trailing coordinates are 0.
  mlir::Value at(const View &view, llvm::ArrayRef<mlir::OpFoldResult> position);

  // Vectors. lanes == 1 is a scalar.
  mlir::Type vectorType(mlir::Type element, int64_t lanes);
  mlir::Value splat(mlir::TypedAttr value, int64_t lanes);
  mlir::Value broadcast(mlir::Value scalar, int64_t lanes);
  mlir::Value load(mlir::Value pointer, mlir::Type element, int64_t lanes);
  /// One scalar load, the same value in every lane.
  mlir::Value loadBroadcast(mlir::Value pointer, mlir::Type element, int64_t lanes);
  /// `lanes` scalar loads, `stride` elements apart.
  mlir::Value loadStrided(mlir::Value pointer, mlir::Type element, mlir::OpFoldResult stride,
                          int64_t lanes);
  void store(mlir::Value vector, mlir::Value pointer);
  void storeStrided(mlir::Value vector, mlir::Value pointer, mlir::OpFoldResult stride);
  /// A mask whose first `active` lanes are set; a constant one if `active` is.
  mlir::Value mask(mlir::OpFoldResult active, int64_t lanes);
  /// Lanes outside of the mask read nothing and are zero.
  mlir::Value loadMasked(mlir::Value pointer, mlir::Type element, mlir::Value mask);
  /// As loadStrided, but only the first `active` lanes are read; others are zero.
  mlir::Value loadStridedMasked(mlir::Value pointer, mlir::Type element, mlir::OpFoldResult stride,
                                int64_t lanes, int64_t active);
  void storeMasked(mlir::Value vector, mlir::Value pointer, mlir::Value mask);
  /// Room for so many elements on the stack of the function that is emitted, in whole lines.
  mlir::Value stack(mlir::Type element, int64_t elements);
  /// Fetches the line of `pointer`; locality 3 = all caches, 2 = L2.
  void prefetch(mlir::Value pointer, int locality = 3, bool write = false);
  /// A float, or a vector of floats, as one of that type; itself where it is of it. So steps that
  /// keep 16 bits in memory (kernel.narrow) read and write what their bodies take as float32.
  mlir::Value convert(mlir::Value value, mlir::Type element);
  /// x * y + z: fused where the mode and the target allow, else two roundings.
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value z);

  // Control.
  /// for (induction = lower; < upper; += step); `body` returns the next carried
  /// values. The loop is never unrolled unless `unroll` allows LLVM to.
  llvm::SmallVector<mlir::Value> forLoop(mlir::OpFoldResult lower, mlir::OpFoldResult upper,
                                         mlir::OpFoldResult step, mlir::ValueRange carried,
                                         LoopBody body, bool unroll = false);
  /// Both branches without results; a constant condition emits one of them.
  void branch(mlir::OpFoldResult x, mlir::OpFoldResult lessThan, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);

  /// Clones the step's scalar body with `arguments` (vectors of `lanes`, scalars
  /// when lanes == 1) for its block arguments; returns what it yields. Constants
  /// and scalars from outside are broadcast; an operation that has no vector
  /// form is applied to each lane.
  llvm::SmallVector<mlir::Value>
  vectoriseBody(mlir::Region &body, llvm::ArrayRef<mlir::Value> arguments, int64_t lanes);

private:
  LoweringContext &context;
  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_EMISSION_H
