//===- ParamsWriter.h - NDArray lists -------------------------------------===//
//
// Writes .params files that every MXNet from 0.12 on reads: dense arrays in the
// V2 form, with the CPU as device.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_PARAMS_PARAMSWRITER_H
#define SYMC_FRONTEND_PARAMS_PARAMSWRITER_H

#include "frontend/params/Npz.h"

namespace symc::params {

/// Writes the list with names. A scalar (empty shape), which V2 cannot express,
/// makes the array V3, which MXNet reads from 1.5 on under NumPy shape semantics.
void writeNdarrayList(llvm::raw_ostream &os, llvm::ArrayRef<ArrayView> arrays);

} // namespace symc::params

#endif // SYMC_FRONTEND_PARAMS_PARAMSWRITER_H
