// OperandViews.h: what a group reads as views in the shape of its result: broadcast axes with
// stride 0, in rows or in blocks of channels.
#ifndef SYMC_CODEGEN_SCHEDULE_OPERANDVIEWS_H
#define SYMC_CODEGEN_SCHEDULE_OPERANDVIEWS_H

#include "codegen/schedule/GroupView.h"

namespace symc::codegen {

/// Whether each axis of the operand is the result's, or 1.
bool canBroadcast(const Operand &operand, mlir::Value result, const Tensors &t);
/// The view of such an operand in the shape of `result`.
ViewSpec broadcastInRows(const Operand &operand, mlir::Value result, mlir::Location location,
                         Tensors &t);

/// Whether it can be read as a view in the shape of a blocked result: one element, a weight that
/// is a vector over channels, or an image.
bool canReadInBlocks(const Operand &operand, mlir::Value result, const Tensors &t);
ViewSpec broadcastInBlocks(const Operand &operand, mlir::Value result, mlir::Location location,
                           Tensors &t);

/// The same in either form.
ViewSpec broadcastTo(const Operand &operand, mlir::Value result, bool blocks,
                     mlir::Location location, Tensors &t);

/// The request for the [C] vector of a weight in whole blocks.
WeightRequest vectorRequest(mlir::Value weight, int64_t channels, const Tensors &t);
/// A [C] vector, of a weight in that form or computed, as a view in the shape of a blocked result.
ViewSpec channelVector(mlir::Value vector, mlir::Value result, mlir::Location location, Tensors &t);
/// Memory of such a vector as that view.
ViewSpec alongChannels(mlir::Value memory, mlir::Value result, const Tensors &t);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_OPERANDVIEWS_H
