// Watched.h: of the run that a trainer makes again, behind a step with numbers that are not
// finite, to name the node that made the first of them: which nodes a step's check may name, and
// where the values lie that it looks at.
#ifndef SYMC_CODEGEN_LOWER_WATCHED_H
#define SYMC_CODEGEN_LOWER_WATCHED_H

#include "codegen/kernel/KernelDialect.h"
#include "codegen/kernel/ViewOrigin.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace symc::codegen {

/// A dictionary on the program of a trainer, of each node's operator by its name. Such a program
/// has a second function, <symbol>_watched, that runs the steps of its table (StepTable.h) by
///   int32_t symc_watch_steps(const symc_frame *, const void *entries, void *const *functions,
///                            int64_t count, const char *texts)
/// which looks behind each at its views, outputs with floats. `texts` of an entry: the nodes of the
/// step that may make a number that is not finite of finite ones, each as a message names it, with
/// a zero behind, and one behind the last. In front of an elementwise step of several nodes stands
/// a naming entry, which runs in its place, the last of the run, where the step is the one that
/// made such a number: a form that writes, in place of each element, a + (n + 1) b, where a is 1 +
/// the number of the first of the n nodes whose result is not finite there, b that of the first one
/// whose result is no number, and 0 stands for none.
inline constexpr llvm::StringLiteral operatorsName = "symc.operators";

/// The nodes of the step that a check names, as locations, each once, in the order of the step.
/// Empty: the step only moves values, or fills memory with finite ones.
llvm::SmallVector<mlir::Location> watchedNodes(mlir::Operation *step);

/// The argument `nodes`, but for its last zero.
std::string watchedTexts(llvm::ArrayRef<mlir::Location> nodes, mlir::DictionaryAttr operators);

/// Behind `loops` a step that writes numbers of `nodes` in the place of its results.
kernel::LoopsOp createNaming(kernel::LoopsOp loops, llvm::ArrayRef<mlir::Location> nodes);

/// Whether the step fills or computes with a constant that is infinite, as masks are, or may do so:
/// it reads nothing. Its infinities are wanted.
bool hasInfiniteConstant(mlir::Operation *step);

/// What symc_watch_steps reads of a view of floats: element type (a symc_dtype), whether
/// infinities are wanted, rank, sizes, strides, then, where values lie in blocks of channels of
/// which the last ones mean nothing, the view's first element in its buffer, blocks, elements from
/// block to block, channels of a block and channels that mean something; else 0 blocks. Empty where
/// the view holds no floats, a size is no constant, or it is no value of the graph.
llvm::SmallVector<int64_t> viewRow(const kernel::ViewOrigin &view, bool wantsInfinities);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_WATCHED_H
