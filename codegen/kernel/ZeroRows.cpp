// ZeroRows.cpp: see ZeroRows.h.
#include "codegen/kernel/ZeroRows.h"

using namespace mlir;

namespace symc::kernel {

static constexpr llvm::StringLiteral attrName = "kernel.zero_rows";

void setZeroRows(ConvOp conv, ZeroRows rows) {
  if (rows.top || rows.bottom)
    conv->setAttr(attrName, DenseI64ArrayAttr::get(conv.getContext(), {rows.top, rows.bottom}));
  else
    conv->removeAttr(attrName);
}

ZeroRows zeroRowsOf(ConvOp conv) {
  auto rows = conv->getAttrOfType<DenseI64ArrayAttr>(attrName);
  return rows ? ZeroRows{rows[0], rows[1]} : ZeroRows{};
}

} // namespace symc::kernel
