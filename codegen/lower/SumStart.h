// SumStart.h: where the sums of a layer begin. A body that first adds a bias to its
// accumulator needs no addition for it: the sum starts from the bias. That takes an
// operation off each vector of the epilogue, in which cores wait where sums are short.
#ifndef SYMC_CODEGEN_LOWER_SUMSTART_H
#define SYMC_CODEGEN_LOWER_SUMSTART_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

class SumStart {
public:
  /// `body` takes an accumulator and one element of each extra. The sum starts from the
  /// extra that is the same for all pixels and that the body adds to the accumulator
  /// before anything else; from zero where there is none.
  SumStart(mlir::Region &body, llvm::ArrayRef<View> extras);

  /// The number of that extra.
  std::optional<unsigned> extra() const { return number; }
  /// What is left to do with the sum; arguments are as before.
  mlir::Region &body() { return number ? rest : whole; }

private:
  mlir::Region &whole, rest;
  std::optional<unsigned> number;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_SUMSTART_H
