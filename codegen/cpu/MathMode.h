// MathMode.h: how exact a compiled model computes, the values of --math.
#ifndef SYMC_CODEGEN_CPU_MATHMODE_H
#define SYMC_CODEGEN_CPU_MATHMODE_H

namespace symc::codegen {

/// Strict: no contraction, no reassociation, direct convolutions, so that every
/// host and instruction set gives equal bits (always so for @prepare). Default:
/// multiply-add may contract, Winograd's convolution where its error bound is at
/// most 5e-6 of the largest output. Fast: the same with a bound of 2e-5.
enum class MathMode { Strict, Default, Fast };

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_MATHMODE_H
