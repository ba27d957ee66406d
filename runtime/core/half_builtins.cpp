// half_builtins.cpp: the library calls that LLVM makes for 16-bit floats where the
// instruction set has no instruction for them. They are an archive of their own,
// linked only where code calls them; with a compiler's own runtime library they
// are the same functions under the same names.
#include "half.h"

namespace {
_Float16 as_f16(uint16_t bits) {
  _Float16 value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
__bf16 as_bf16(uint16_t bits) {
  __bf16 value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
uint16_t f16_bits(_Float16 value) {
  uint16_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
} // namespace

extern "C" {
float __extendhfsf2(_Float16 value) { return symc::float_of_f16(f16_bits(value)); }
double __extendhfdf2(_Float16 value) { return double(symc::float_of_f16(f16_bits(value))); }
_Float16 __truncsfhf2(float value) { return as_f16(symc::f16_of_float(value)); }
_Float16 __truncdfhf2(double value) {
  return as_f16(symc::f16_of_float(symc::float_round_to_odd(value)));
}
__bf16 __truncsfbf2(float value) { return as_bf16(symc::bf16_of_float(value)); }
__bf16 __truncdfbf2(double value) {
  return as_bf16(symc::bf16_of_float(symc::float_round_to_odd(value)));
}
}
