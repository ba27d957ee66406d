// PoolSource.cpp: kernel.pool: one thread an output, or four channels of one (VectorWalk.h). Rows
// of a window, then columns: the order in which a CPU adds them.
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/steps/FusedResult.h"

using namespace mlir;

namespace symc::codegen::cuda {

// Declares first and last taps of the window along one axis, and its share of the divisor.
static void writeWindow(kernel::PoolOp op, KernelWriter &writer, const View &data, unsigned axis,
                        const std::string &index, const std::string &name) {
  kernel::Padding pad = kernel::paddingOf(op.getPadAttr());
  int64_t begin = pad.begin(axis), end = pad.end(axis);
  std::string type = writer.indexType(data.sizes[2 + axis]).str();
  std::string extent = "(" + type + ")" + writer.size(data.sizes[2 + axis]);
  if (isa<AffineConstantExpr>(data.sizes[2 + axis]))
    extent = writer.size(data.sizes[2 + axis]);
  std::string taps = std::to_string(op.getKernel()[axis]), start = name + "_start";
  if (type != "int") // of both operands of min and max
    taps = "(" + type + ")" + taps, extent = "(" + type + ")" + extent;
  std::string zero = type == "int" ? "0" : "0ll", one = type == "int" ? "1" : "1ll";
  writer.line("const " + type + " " + start + " = " + times(index, op.getStrides()[axis]) +
              (begin ? " - " + std::to_string(begin) : "") + ";");
  writer.line("const " + type + " " + name + "_first = max(-" + start + ", " + zero + "), " + name +
              "_last = min(" + extent + " - " + start + ", " + taps + ");");
  if (op.getKind() != "avg")
    return;
  std::string share = name + "_last - " + name + "_first";
  if (op.getCountIncludePad())
    share = "min(" + taps + ", " + extent + (end ? " + " + std::to_string(end) : "") + " - " +
            start + ")";
  writer.line("const " + type + " " + name + "_share = max(" + share + ", " + one + ");");
}

static std::string start(StringRef kind, Type element) {
  if (kind == "smax" || kind == "umax")
    return kind == "smax" ? "-128" : "0";
  if (kind != "max")
    return "0";
  if (element.isF64())
    return "-1.7976931348623157e308";
  if (element.isF16())
    return "-65504.0f";
  return element.isBF16() ? "__int_as_float(0xff7f0000)" : "-3.402823466e38f";
}

static LogicalResult writePool(kernel::PoolOp op, KernelWriter &writer) {
  StringRef kind = op.getKind();
  auto data = writer.view(op.getData(), "data"), out = writer.view(op.getOut(), "out");
  if (failed(data) || failed(out))
    return failure();
  FailureOr<SmallVector<View>> extras = viewExtras(writer, op.getExtras());
  if (failed(extras))
    return failure();
  Type element = op.getBody().getArgument(0).getType(); // in memory perhaps fewer bits
  SmallVector<View> all{*data, *out};
  llvm::append_range(all, *extras);
  VectorWalk walk(writer, out->sizes, all);
  SmallVector<std::string> at = walk.open(out->sizes);
  if (walk.isVector())
    writer.fewestBlocks(4); // 64 registers, of which few are taken
  writeWindow(op, writer, *data, 0, at[2], "row");
  writeWindow(op, writer, *data, 1, at[3], "column");
  walk.declare(valueType(element), "sums", start(kind, element));
  auto loop = [&](unsigned axis, StringRef index) {
    StringRef type = writer.indexType(data->sizes[2 + axis]);
    writer.open("for (" + type + " " + index + " = " + index + "_first; " + index + " < " + index +
                "_last; ++" + index + ")");
  };
  loop(0, "row");
  loop(1, "column");
  VectorWalk::Access values =
      walk.fetch(*data, {at[0], at[1], "(row_start + row)", "(column_start + column)", at[4]});
  std::string sum = walk.own("sums");
  walk.openLanes();
  walk.value(values, "tap");
  if (kind == "umax")
    writer.line(sum + " = (unsigned char)tap > (unsigned char)" + sum + " ? tap : " + sum + ";");
  else if (kind == "max" || kind == "smax")
    writer.line(sum + " = tap > " + sum + " ? tap : " + sum + ";");
  else
    writer.line(sum + " = " + rounded(element, sum + " + tap") + ";");
  walk.closeLanes();
  writer.close();
  writer.close();
  AffineExpr taps = writer.count({getAffineConstantExpr(op.getKernel()[0], op.getContext()),
                                  getAffineConstantExpr(op.getKernel()[1], op.getContext())});
  StringRef wide = writer.indexType(taps) == "int" ? "" : "(long long)";
  auto divide = [&] {
    if (kind == "avg")
      writer.line(sum + " = " +
                  rounded(element, (sum + " / (" + valueType(element) + ")(" + wide +
                                    "row_share * column_share)")
                                       .str()) +
                  ";");
  };
  if (failed(writeFusedResult(writer, walk, *out, at, *extras, op.getBody(), sum, divide)))
    return failure();
  writer.close();
  return success();
}

void registerPoolSource(DialectRegistry &registry) {
  addSource<kernel::PoolOp, writePool, anyHalves>(registry);
}

} // namespace symc::codegen::cuda
