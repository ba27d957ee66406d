// ZeroRows.cpp: see ZeroRows.h.
#include "codegen/kernel/ZeroRows.h"

using namespace mlir;

namespace symc::kernel {

void setZeroRowsOf(ConvOp conv, ZeroRows rows) {
  if (rows.top || rows.bottom)
    conv.setZeroRows({{rows.top, rows.bottom}});
  else
    conv.removeZeroRowsAttr();
  if (rows.left || rows.right)
    conv.setZeroColumns({{rows.left, rows.right}});
  else
    conv.removeZeroColumnsAttr();
}

ZeroRows zeroRowsOf(ConvOp conv) {
  ArrayRef<int64_t> rows = conv.getZeroRows(), columns = conv.getZeroColumns();
  ZeroRows zero;
  if (!rows.empty())
    zero.top = rows[0], zero.bottom = rows[1];
  if (!columns.empty())
    zero.left = columns[0], zero.right = columns[1];
  return zero;
}

} // namespace symc::kernel
