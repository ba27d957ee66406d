// RoundOrder.h: the order of a step's tasks in its rounds, the time steps of a recurrent layer.
#ifndef SYMC_CODEGEN_LOWER_ROUNDORDER_H
#define SYMC_CODEGEN_LOWER_ROUNDORDER_H

#include "codegen/lower/FrameReader.h"

namespace symc::codegen {

/// What a thread does as its task number `task` (i64) of `tasks` in a round: its share of them
/// (runtime/core/pool.cpp) in order, in odd rounds in reverse. So a round begins with the weights
/// that the one before it used last, and which its caches still hold; in the same order every
/// time they would hold none of a share that is larger than they are. Each task once.
mlir::Value taskOfRound(mlir::OpBuilder &b, mlir::Location loc, FrameReader &frame,
                        mlir::Value task, int64_t tasks, mlir::Value round);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_ROUNDORDER_H
