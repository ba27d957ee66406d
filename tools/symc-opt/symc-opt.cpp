// symc-opt: runs single passes over textual IR, for tests and debugging. Registers
// every dialect that symc uses and every pass of symc.
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tools/driver/CustomKernels.h"
#include "tools/driver/Dialects.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

// Operators are loaded while the command line is read, before any program is.
static void loadOperators(const std::string &files, const char *program) {
  llvm::SmallString<128> folder(
      llvm::sys::fs::getMainExecutable(program, reinterpret_cast<void *>(&loadOperators)));
  llvm::sys::path::remove_filename(folder);
  llvm::sys::path::append(folder, "..", "share", "symc");
  std::string mistake = symc::loadCustomOperators(files, folder.str().str());
  if (mistake.empty())
    return;
  llvm::errs() << "symc-opt: error: " << mistake << "\n";
  std::exit(1);
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  symc::registerToolDialects(registry);
  symc::registerToolPasses();
  llvm::cl::list<std::string> customOps(
      "custom-op", llvm::cl::desc("Load custom operators, as symc does"),
      llvm::cl::value_desc("FILE[,FILE...]"),
      llvm::cl::cb<void, std::string>([&](std::string files) { loadOperators(files, argv[0]); }));
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "symc-opt\n", registry));
}
