//===- Products.cpp - ONNX's products of matrices --------------------------===//
#include "frontend/onnx/Operators.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

bool matMul(NodeScope &node) { return node.give(node.matmul(node.in(0), node.in(1))); }

bool gemm(NodeScope &node) {
  Value a = node.in(0), b = node.in(1);
  if (node.rank(0) != 2 || node.rank(1) != 2)
    return node.refuse("its operands have the shapes " + node.shape(0).str() + " and " +
                       node.shape(1).str() + ", needs matrices");
  if (node.integer("transA"))
    a = node.transpose(a, {1, 0});
  bool transposed = node.integer("transB") != 0, isFloat = isa<FloatType>(node.type(0));
  double alpha = node.real("alpha"), beta = node.real("beta");
  sg::Dim columns = node.shape(1)[transposed ? 0 : 1];
  bool hasC = node.has(2);
  // A row of biases is the layer's.
  bool isRow = hasC && columns.isStatic() && node.shape(2).rank() >= 1 &&
               node.shape(2)[node.rank(2) - 1] == columns &&
               (node.rank(2) == 1 || node.shape(2)[0].isStatic(1));
  if (isFloat && alpha == 1 && columns.isStatic() && (!hasC || (isRow && beta == 1)) &&
      columns.get() > 0) {
    Value weight = transposed ? b : node.transpose(b, {1, 0});
    SmallVector<Value> operands{a, weight};
    if (hasC)
      operands.push_back(node.reshape(node.in(2), sg::Shape({columns})));
    return node.give(node.make("fully_connected", operands,
                               {node.number("num_hidden", columns.get()),
                                node.flag("no_bias", !hasC), node.flag("flatten", false)}));
  }
  Value y = node.matmul(a, transposed ? node.transpose(b, {1, 0}) : b);
  auto times = [&](Value x, double factor) {
    return factor == 1 ? x
           : isFloat ? node.scalar("mul", x, factor)
                     : node.cast(node.scalar("mul", node.cast(x, Float64Type::get(node.context())),
                                             factor),
                                 node.type(0));
  };
  y = times(y, alpha);
  if (hasC)
    y = node.binary("add", y, times(node.in(2), beta));
  return node.give(y);
}

bool einsum(NodeScope &node) {
  std::string subscripts;
  for (char c : node.text("equation"))
    if (c != ' ')
      subscripts += c;
  SmallVector<Value> operands;
  for (const Operand &operand : node.operands)
    operands.push_back(operand.value);
  return node.give(node.make(
      "numpy_einsum", operands,
      {node.number("num_args", int64_t(operands.size())), node.word("subscripts", subscripts)}));
}

// By the first row, of at most four rows.
static Value determinant(NodeScope &node, ArrayRef<SmallVector<Value>> rows) {
  if (rows.size() == 1)
    return rows[0][0];
  Value sum;
  for (size_t column = 0; column < rows.size(); ++column) {
    SmallVector<SmallVector<Value>> minor;
    for (size_t i = 1; i < rows.size(); ++i) {
      SmallVector<Value> row;
      for (size_t j = 0; j < rows.size(); ++j)
        if (j != column)
          row.push_back(rows[i][j]);
      minor.push_back(row);
    }
    Value term = node.binary("mul", rows[0][column], determinant(node, minor));
    sum = !sum ? term : node.binary(column % 2 ? "sub" : "add", sum, term);
  }
  return sum;
}

bool det(NodeScope &node) {
  sg::Shape shape = node.shape(0);
  size_t rank = shape.rank();
  if (rank < 2 || !shape[rank - 1].isStatic() || !(shape[rank - 1] == shape[rank - 2]) ||
      shape[rank - 1].get() < 1 || shape[rank - 1].get() > 4)
    return node.refuse("its data has the shape " + shape.str() + ", needs squares of 1 to 4 rows");
  int64_t n = shape[rank - 1].get();
  sg::Shape left(shape.list().drop_back(2));
  SmallVector<SmallVector<Value>> rows;
  for (int64_t i = 0; i < n; ++i) {
    SmallVector<Value> row;
    for (int64_t j = 0; j < n; ++j) {
      Value x = node.in(0);
      if (n > 1)
        x = node.slice(node.slice(x, int64_t(rank) - 2, i, i + 1), int64_t(rank) - 1, j, j + 1);
      row.push_back(node.reshape(x, left));
    }
    rows.push_back(row);
  }
  return node.give(determinant(node, rows));
}

} // namespace symc::onnx::ops
