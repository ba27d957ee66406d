// Roundings.h: what `--precision` costs in exactness, as an estimate.
#ifndef SYMC_TOOLS_SYMC_ROUNDINGS_H
#define SYMC_TOOLS_SYMC_ROUNDINGS_H

#include "tools/driver/Compiler.h"

namespace symc {

/// Operands that products of a device or a CPU round, of float32.
struct Roundings {
  double unit = 0;     // by how much of it an operand changes at most
  int64_t layers = 0;  // of the graph, whose operands are rounded
  int64_t longest = 0; // roundings along the path with most: one a layer for each such operand
  /// How far outputs are from those without roundings, beside their magnitude. Roundings are taken
  /// for independent, so that their squares add up, and layers for neither damping nor amplifying.
  double error() const;
};

/// A line about the roundings of a device's program, where --precision has any.
void printRoundings(Compiler &compiler, const DeviceFacts &facts, llvm::raw_ostream &os);
/// The same of the main program for CPUs, by its first instruction set, where layers round.
void printRoundings(Compiler &compiler, llvm::raw_ostream &os);

} // namespace symc

#endif // SYMC_TOOLS_SYMC_ROUNDINGS_H
