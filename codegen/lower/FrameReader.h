// FrameReader.h: reads a symc_frame (runtime/include/symc/abi.h) inside the
// functions that run a program: base pointers of the arena, the prepared weights
// and the arguments, symbolic sizes, and the addresses of views. Each field is
// loaded once; the builder goes on in blocks that those before it dominate. The places of the
// fields are those of the C declaration, so that no number of a field is written twice.
#ifndef SYMC_CODEGEN_LOWER_FRAMEREADER_H
#define SYMC_CODEGEN_LOWER_FRAMEREADER_H

#include "codegen/plan/ViewPlace.h"
#include "runtime/include/symc/abi.h"
#include "llvm/ADT/DenseMap.h"
#include <cstddef>

namespace symc::codegen {

class FrameReader {
public:
  FrameReader(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value frame)
      : b(builder), loc(loc), frame(frame) {}
  /// Reads sizes alone, from the array that a frame's `dims` would point to.
  static FrameReader ofSizes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value dims);
  /// The frame that it reads.
  mlir::Value getFrame() const { return frame; }

  /// An expression over the symbolic sizes, as an `index` value.
  mlir::Value size(mlir::AffineExpr expr);
  /// Behind a step that decided the size of that number: what was read before is old.
  void readAgain(unsigned symbol);
  /// Writes the size of that number where later readers find it.
  void setSize(unsigned symbol, mlir::Value value);
  /// The same as a constant where it is one.
  mlir::OpFoldResult foldedSize(mlir::AffineExpr expr);
  /// The threads that work on a call, as an i64: 1 without a pool.
  mlir::Value threads();
  /// The address of the view's element [0, ..., 0].
  mlir::Value address(const kernel::ViewOrigin &view, const ViewPlace &place);

private:
  /// The numbers of fields that generated code reads; each takes one machine word.
  enum Field : unsigned {
    Arena = offsetof(symc_frame, arena) / sizeof(void *),
    Weights = offsetof(symc_frame, weights) / sizeof(void *),
    Io = offsetof(symc_frame, io) / sizeof(void *),
    Dims = offsetof(symc_frame, dims) / sizeof(void *),
    Pool = offsetof(symc_frame, pool) / sizeof(void *),
  };
  mlir::Value field(Field number);
  mlir::Value element(mlir::Value pointer, int64_t number, mlir::Type type);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value frame;
  mlir::Value fields[sizeof(symc_frame) / sizeof(void *)];
  llvm::DenseMap<int64_t, mlir::Value> arguments, symbols;
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> sizes;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_FRAMEREADER_H
