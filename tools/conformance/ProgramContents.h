// ProgramContents.h: what the program of a case is made of: whether a case is about the algorithm,
// the tile or the precision that is forced.
#ifndef SYMC_TOOLS_CONFORMANCE_PROGRAMCONTENTS_H
#define SYMC_TOOLS_CONFORMANCE_PROGRAMCONTENTS_H

#include "tools/conformance/Case.h"
#include "tools/conformance/StoredCase.h"

namespace symc::conformance {

/// Whether a step of the module is of that algorithm.
bool uses(mlir::ModuleOp module, const codegen::ConvAlgorithm *algorithm);
/// Whether one operator computes all, a product whose results grow with each |input|.
bool isProduct(const StoredCase &stored);
/// Whether weights of a product are 16 bits in memory.
bool readsHalfWeights(Compiler &compiler);
/// Whether both factors of a product are.
bool multipliesHalves(Compiler &compiler);
/// Whether a product's sums are registers of matrices.
bool multipliesMatrices(Compiler &compiler, llvm::StringRef targetCpu);
/// Whether a case on a device has what the options are about.
bool isMeant(Compiler &compiler, const StoredCase &stored, const RunOptions &options);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_PROGRAMCONTENTS_H
