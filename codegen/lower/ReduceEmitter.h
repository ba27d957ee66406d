// ReduceEmitter.h: the code of one kernel.reduce. Its tasks, passes and results stand in
// ReduceLowering.cpp; how a row's elements are reached and read in ReduceWalks.cpp; how their
// values become one in ReduceCombiner.h.
//
//   rows     (elements of a row side by side): vectors along the row; `partials` sums, which are
//            added by halves in the end
//   columns  (rows side by side): vectors of rows, several of them at a time
//
// A row, or the vectors of rows that go together, passes all walks and its results are written
// before the next begins, so that all but the first walk find it in a cache. What a row is cut
// into depends on extents alone (KernelOps.td has the order).
#ifndef SYMC_CODEGEN_LOWER_REDUCEEMITTER_H
#define SYMC_CODEGEN_LOWER_REDUCEEMITTER_H

#include "codegen/lower/TaskSplit.h"
#include "llvm/ADT/DenseMap.h"

namespace symc::codegen {

/// Whether no place lies between `first` and `last`, as far as is known.
bool isEmptyRange(mlir::OpFoldResult first, mlir::OpFoldResult last);

class ReduceEmitter {
public:
  ReduceEmitter(kernel::ReduceOp op, llvm::ArrayRef<View> operands, LoweringContext &context);

  mlir::OpFoldResult countTasks() { return split().count; }
  void lower(mlir::Value task);

private:
  TaskSplit split();

  using Values = llvm::SmallVector<mlir::Value>;
  using Place = llvm::SmallVector<mlir::OpFoldResult>;

  /// What goes through all passes at a time: a row, or `vectors` of rows.
  struct Unit {
    Place place;                       // kept coordinates of the first row
    int64_t vectors = 1;               // of rows, in columns
    mlir::Value mask;                  // columns: the rows that there are, if not all
    mlir::OpFoldResult length;         // of the row's last extent, in rows
    Values limits;                     // columns: each row's length, if there are lengths
    Values ins, outs;                  // addresses of the first row's first element
    llvm::SmallVector<Values> hoisted; // of ins: what all elements of a row share, else empty
    llvm::SmallVector<Values> results; // of the passes so far: of each vector of rows
    llvm::DenseMap<std::pair<int64_t, int64_t>, mlir::Value>
        saved; // in registers: (vector, position)
  };
  /// Elements of a row: their coordinates, and which of a vector's there are.
  struct Spot {
    Place at;          // reduced coordinates of the first
    int64_t vector;    // columns: which of the unit's
    mlir::Value mask;  // rows: at the end of a run
    int64_t ahead = 0; // rows: of the first vector of its step
  };

  void chooseLanes();
  mlir::OpFoldResult stepOf() { return e.constant(rows ? partials : 1); }
  /// Vectors that a step along a run takes.
  int64_t chains(const Unit &unit) { return rows ? partials / lanes : unit.vectors; }
  mlir::OpFoldResult vectorStride(const View &view) {
    return rows ? view.strides.back() : view.strides[kept - 1];
  }
  mlir::Value address(const View &view, mlir::Value pointer, const Spot &spot);
  mlir::Value read(const Unit &unit, unsigned input, const Spot &spot, int64_t width);
  Values evaluate(mlir::Region &body, Unit &unit, const Spot &spot, bool saved, int64_t width);
  mlir::Value loadOut(Unit &unit, const Spot &spot);
  mlir::OpFoldResult positionOf(const Spot &spot);
  mlir::Value limitOf(mlir::Value lengths);
  mlir::Value withinLength(Unit &unit, const Spot &spot);
  void write(const View &view, mlir::Value pointer, mlir::Value value, mlir::Value mask);

  using Step = llvm::function_ref<Values(llvm::ArrayRef<Spot> spots, mlir::ValueRange carried)>;
  using Run = llvm::function_ref<Values(llvm::ArrayRef<mlir::OpFoldResult> outer,
                                        mlir::ValueRange carried)>;
  Values overRuns(Unit &unit, Place &outer, mlir::ValueRange carried, Run run);
  Values alongRun(Unit &unit, llvm::ArrayRef<mlir::OpFoldResult> outer, mlir::OpFoldResult from,
                  mlir::OpFoldResult to, mlir::ValueRange carried, Step step);
  Values endOfRun(Unit &unit, llvm::ArrayRef<mlir::OpFoldResult> outer, mlir::ValueRange carried,
                  Step step);
  llvm::SmallVector<Spot> spotsAt(Unit &unit, llvm::ArrayRef<mlir::OpFoldResult> outer,
                                  mlir::OpFoldResult first);

  void emitUnit(Place place, int64_t vectors, mlir::Value mask);
  void emitPass(Unit &unit, unsigned pass);
  bool hasLongRows();
  /// What `carried` becomes by `[0, last)`, in blocks of `block` places, whose sums are added in
  /// blocks themselves where `most` places may be many; `last` is a multiple.
  Values overBlocks(int64_t block, int64_t most, mlir::OpFoldResult last, mlir::ValueRange carried,
                    mlir::ValueRange identity,
                    llvm::function_ref<Values(mlir::OpFoldResult first)> sumOfBlock,
                    llvm::function_ref<Values(mlir::ValueRange, mlir::ValueRange)> add);
  void emitRowOuts(Unit &unit);
  void emitElements(Unit &unit);
  void clearBeyond(Unit &unit);

  kernel::ReduceOp op;
  Emission e;
  llvm::ArrayRef<View> ins, lengths, rowOuts, outs;
  unsigned kept;
  mlir::Type counted;   // of positions and counts: i32 or i64
  Place space, reduced; // extents
  bool rows = false, few = false;
  int64_t lanes = 1, partials = 1, tile = 1;
  llvm::SmallVector<int64_t> longest; // reduced extents, at most
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_REDUCEEMITTER_H
