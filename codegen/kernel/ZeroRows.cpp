// ZeroRows.cpp: see ZeroRows.h.
#include "codegen/kernel/ZeroRows.h"

using namespace mlir;

namespace symc::kernel {

void setZeroRowsOf(ConvOp conv, ZeroRows rows) {
  if (rows.top || rows.bottom)
    conv.setZeroRows({{rows.top, rows.bottom}});
  else
    conv.removeZeroRowsAttr();
}

ZeroRows zeroRowsOf(ConvOp conv) {
  ArrayRef<int64_t> rows = conv.getZeroRows();
  return rows.empty() ? ZeroRows{} : ZeroRows{rows[0], rows[1]};
}

} // namespace symc::kernel
