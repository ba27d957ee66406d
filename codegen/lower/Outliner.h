// Outliner.h: what makes functions of a program (Outline.cpp) and of its steps
// (OutlineKernels.cpp), and of those of a trainer a table (OutlineTable.cpp).
#ifndef SYMC_CODEGEN_LOWER_OUTLINER_H
#define SYMC_CODEGEN_LOWER_OUTLINER_H

#include "codegen/kernel/Pieces.h"
#include "codegen/lower/CallSite.h"
#include "codegen/lower/Outline.h"
#include "codegen/lower/SizeFunctions.h"
#include "codegen/lower/StepTable.h"
#include "codegen/plan/PredictionSteps.h"
#include "codegen/plan/StepRegions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"

namespace symc::codegen {

/// One operand of a step, with everything that its function may rely on.
struct StepOperand {
  kernel::ViewOrigin view;
  ViewPlace place;
  bool written;
  bool noalias;
};

/// A step's operands, and the extents and strides that are no constants, each
/// once, in order of appearance: they become `index` arguments.
struct StepFacts {
  llvm::SmallVector<StepOperand> operands;
  llvm::SmallVector<mlir::AffineExpr> dynamic;

  unsigned numberOf(mlir::AffineExpr expr) {
    auto *place = llvm::find(dynamic, expr);
    if (place == dynamic.end()) {
      dynamic.push_back(expr);
      return dynamic.size() - 1;
    }
    return place - dynamic.begin();
  }
};

class Outliner {
public:
  Outliner(kernel::ProgramOp program, llvm::StringRef symbol, const TargetDescription &target,
           MathMode math, mlir::ModuleOp module, const OutlineOptions &options,
           mlir::SymbolTableCollection &symbols)
      : program(program), symbol(symbol), target(target), math(math), module(module),
        options(options), symbols(symbols), context(program.getContext()),
        pointer(mlir::LLVM::LLVMPointerType::get(program.getContext())) {}

  mlir::LogicalResult run(mlir::LLVM::Linkage linkage = mlir::LLVM::Linkage::External);
  mlir::LogicalResult runStep(kernel::StepInterface step);
  mlir::LLVM::LLVMFuncOp getRunner() { return runner; }

private:
  mlir::FailureOr<StepFacts> factsOf(mlir::Operation *step);
  std::string keyOf(mlir::Operation *step, StepFacts &facts);
  mlir::FailureOr<mlir::func::FuncOp> kernelFor(mlir::Operation *step, StepFacts &facts,
                                                bool oneTask);
  mlir::FailureOr<mlir::func::FuncOp> buildKernel(mlir::Operation *step, const StepFacts &facts,
                                                  bool oneTask);
  void callKernel(mlir::Operation *step, StepFacts &facts, mlir::func::FuncOp kernel,
                  std::optional<int64_t> tasks, mlir::Value memory, mlir::Value task,
                  mlir::OpBuilder &b);
  void mergeForms();
  mlir::LLVM::LLVMFuncOp buildWrapper(mlir::Operation *step, StepFacts &facts,
                                      mlir::func::FuncOp kernel, std::optional<int64_t> tasks);
  mlir::FailureOr<StepFacts> checkedFactsOf(mlir::Operation *step);
  mlir::FailureOr<mlir::OpFoldResult> countTasks(mlir::Operation *step, StepFacts &facts,
                                                 mlir::OpBuilder &b, FrameReader &frame);
  mlir::LogicalResult addStep(mlir::Operation *step, int64_t number, mlir::OpBuilder &b,
                              FrameReader &frame);
  mlir::LogicalResult addSteps(mlir::Block::iterator first, mlir::Block::iterator end,
                               kernel::StepNumbers &numbers);
  mlir::LogicalResult addParts(kernel::ForwardEndOp end, mlir::LLVM::Linkage linkage);
  mlir::FailureOr<mlir::LLVM::LLVMFuncOp> buildCall(CallLoweringInterface call, StepFacts &facts);
  mlir::LogicalResult addCall(CallLoweringInterface call, StepFacts &facts, int64_t number,
                              mlir::OpBuilder &b);
  mlir::FailureOr<llvm::SmallVector<CalledProgram>> lowerCalled(kernel::StepInterface step,
                                                                llvm::StringRef name);
  void addProbe(mlir::Location loc, int64_t number, int phase, mlir::OpBuilder &b);
  void findLastTouches();
  llvm::SmallVector<int64_t> reportsBehind(mlir::Operation *step);
  void addReports(llvm::ArrayRef<int64_t> outputs, mlir::Location loc, mlir::OpBuilder &b);
  mlir::FailureOr<mlir::LLVM::LLVMFuncOp> buildAlone(mlir::Operation *step,
                                                     kernel::StepNumbers &numbers);
  mlir::FailureOr<mlir::func::FuncOp> kernelOfEntry(mlir::Operation *step, StepFacts &facts,
                                                    int64_t &tasks, mlir::OpBuilder &b,
                                                    FrameReader &frame);
  mlir::LogicalResult addEntry(mlir::Operation *step, llvm::ArrayRef<mlir::Location> nodes,
                               bool isNaming, StepTable &table, StepTable &prediction,
                               kernel::StepNumbers &numbers, mlir::OpBuilder &b,
                               FrameReader &frame);
  void addFirstReports(StepTable &table);
  mlir::LogicalResult addEntries(mlir::Block::iterator first, mlir::Block::iterator end,
                                 StepTable &table, StepTable &prediction);
  mlir::LogicalResult addTable(StepTable &table, StepTable &prediction);
  void runTable(const StepTable &table, llvm::StringRef callee, bool withTexts);
  void endIf(mlir::Value bad, mlir::Value status, mlir::OpBuilder &b, mlir::Location loc,
             llvm::StringRef node = "");
  void nameFailure(mlir::Value status, llvm::StringRef node, mlir::OpBuilder &b,
                   mlir::Location loc);
  void addPlaces(llvm::ArrayRef<StepRegion> regions);
  void findUndecided();
  void passConditions();
  void endWhereOpen(unsigned decided, mlir::OpBuilder &b, FrameReader &frame);
  mlir::LLVM::LLVMFuncOp function(mlir::Location loc, const llvm::Twine &name, mlir::Type result,
                                  llvm::ArrayRef<mlir::Type> arguments,
                                  mlir::LLVM::Linkage linkage) {
    return addFunction(module, loc, name, result, arguments, linkage);
  }

  kernel::ProgramOp program;
  llvm::StringRef symbol;
  const TargetDescription &target;
  MathMode math;
  mlir::ModuleOp module;
  const OutlineOptions &options;
  mlir::SymbolTableCollection &symbols; // of the model, which stays as it is
  mlir::MLIRContext *context;
  mlir::Type pointer;
  llvm::StringMap<mlir::func::FuncOp> kernels;
  KernelForms forms;
  llvm::SmallVector<std::pair<mlir::func::CallOp, mlir::func::FuncOp>> calls; // options.mergesForms
  int64_t wrappers = 0;
  llvm::SmallBitVector undecided; // sizes that a step behind the one at hand decides
  llvm::SmallBitVector checked;   // conditions
  mlir::LLVM::LLVMFuncOp runner;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>>
      lastTouches; // outputs, of the last step at each
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> updates,
      begins; // reports behind the step, of parameters and of gradients (Updates.h)
  bool hasReported = false;
  std::optional<PredictionSteps> predictions; // of a program that predicts, too
  bool inTable = false;                       // reports and probes are not the steps' own
  llvm::DenseMap<mlir::Operation *, mlir::LLVM::LLVMFuncOp> stepFunctions; // wrappers of steps
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_OUTLINER_H
