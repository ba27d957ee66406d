// StepTable.h: the run of a program as data: what the runtime of trainers reads to run the
// program's steps one after the other (symc_run_steps), in place of a function with a call for
// each.
//
//   entries    one a step: tasks, places of its operands, outputs that are final behind it, what is
//              checked
//   functions  the function of each entry
//   texts      the nodes of entries, for messages
//
// A trainer has three such runs, of training, of the same with checks and of prediction; a model
// with gradients in the process two, of its parts. As code those of a trainer were a fifth of all
// instructions that LLVM compiled for it.
#ifndef SYMC_CODEGEN_LOWER_STEPTABLE_H
#define SYMC_CODEGEN_LOWER_STEPTABLE_H

#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/KernelForms.h"
#include "codegen/plan/ViewPlace.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace symc::codegen {

/// A unit attribute of a program whose run is a table. One with sizes that are known at run time
/// only, or with probes, has code all the same.
inline constexpr llvm::StringLiteral stepTableName = "symc.step_table";

/// A unit attribute of kernels of such a program that compute no products: what they take is
/// memory's time, so that LLVM gets fewer passes over them (codegen/emit/CodeUnit.cpp).
inline constexpr llvm::StringLiteral movesName = "symc.moves";

/// Arguments that a kernel of an entry takes at most (runtime/train/steps.cpp).
inline constexpr size_t mostArguments = 18;

/// Numbers of a view's row at most (runtime/train/watched.cpp); others are not looked at.
inline constexpr size_t mostViewNumbers = 72;

/// One entry, in the table as numbers of the form SLEB128, which runtime/train/steps.cpp reads:
///   bytes of the rest of the entry, tasks, whether it is a naming one (see Watched.h), places,
///   integers, reports, first byte of its texts or -1, views; then
///   of each place: base (0 the arena, 1 weights, 2 + n io[n]) and bytes from there;
///   integers, which its kernel takes behind the task; reports: what symc_report_step gets;
///   of each view: its place, numbers of the rest, then those of viewRow.
struct StepEntry {
  /// Of its kernel, void(pointers, task, integers). 0: its function is int32_t(const symc_frame *),
  /// whose status ends the run where it is not 0.
  int64_t tasks = 0;
  bool isNaming = false;
  using Place = std::pair<int64_t, int64_t>;
  llvm::SmallVector<Place> places; // of the arguments of its kernel
  llvm::SmallVector<int64_t> reports;
  std::string texts;
  llvm::SmallVector<std::pair<Place, llvm::SmallVector<int64_t>>> views;
  mlir::func::FuncOp kernel;       // or
  mlir::LLVM::LLVMFuncOp function; // of the frame
};

class StepTable {
public:
  /// The place of a view in an entry; nothing where it is known at run time only.
  static std::optional<StepEntry::Place> placeOf(const kernel::ViewOrigin &view,
                                                 const ViewPlace &place);
  void add(StepEntry entry) { entries.push_back(std::move(entry)); }
  /// The constants <symbol>_entries, _functions and _texts in `module`; kernels are those that
  /// `forms` made of them.
  void emit(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef symbol,
            const KernelForms &forms);
  /// A call of `callee`(frame, entries, functions, number of entries), and with `withTexts` the
  /// texts behind them; the i32 that it returns.
  mlir::Value call(llvm::StringRef callee, mlir::Value frame, bool withTexts,
                   mlir::OpBuilder &b) const;

private:
  llvm::SmallVector<StepEntry, 0> entries;
  mlir::LLVM::GlobalOp entriesGlobal, functionsGlobal, textsGlobal;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_STEPTABLE_H
