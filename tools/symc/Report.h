// Report.h: `--report`, `--graph-dot` and `--memory-plan`: what was compiled, in numbers and as
// pictures.
#ifndef SYMC_TOOLS_SYMC_REPORT_H
#define SYMC_TOOLS_SYMC_REPORT_H

#include "codegen/emit/Emit.h"
#include "tools/driver/Compiler.h"
#include "llvm/Support/raw_ostream.h"

namespace symc {

/// The sizes of the program's open extents that figures are for, in words too; none where all
/// extents are fixed.
struct ReportSizes {
  std::vector<int64_t> values;
  std::string text;
  bool largest = true;
};

/// Takes words NAME=D,D,... of inputs for the sizes, else the largest. What is wrong with them, or
/// nothing.
std::string setReportSizes(Compiler &compiler, llvm::ArrayRef<std::string> shapes,
                           ReportSizes &sizes);

/// Sizes, operations, arena, and one line for each step of the main program.
void printReport(Compiler &compiler, uint64_t weightsBytes, const ReportSizes &sizes,
                 llvm::raw_ostream &os);

/// What the code takes, for each instruction set.
void printCodeBytes(const codegen::ModelInfo &model, const codegen::CodeBytes &bytes,
                    llvm::raw_ostream &os);

/// Which step computes a node, with what kernel and tile and why, and what the
/// passes reported about it. False where no step and no remark is about the node.
bool explainNode(Compiler &compiler, llvm::ArrayRef<RemarkText> remarks, llvm::StringRef node,
                 llvm::raw_ostream &os);

/// A line for each buffer of the main program's arena, of the first instruction set and the largest
/// batch: where it lies, and the steps from the first to the last that need it.
void printMemoryPlan(Compiler &compiler, llvm::raw_ostream &os);

/// The graph of sg.graph @main in graphviz' language.
void writeDot(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace symc

#endif // SYMC_TOOLS_SYMC_REPORT_H
