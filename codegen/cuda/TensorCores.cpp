// TensorCores.cpp: see TensorCores.h.
#include "codegen/cuda/TensorCores.h"

namespace symc::codegen::cuda {

llvm::StringRef tensorFunctions() {
  return R"(#ifndef SYMC_CUDA_SHIM // which has them
static __device__ __forceinline__ unsigned shared_address(const void *place) {
  return (unsigned)__cvta_generic_to_shared(place);
}
// Copies to shared memory in the background: `real` bytes, and 0 in the others.
static __device__ __forceinline__ void copy16(void *shared, const void *global, int real) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :: "r"(shared_address(shared)), "l"(global), "r"(real) : "memory");
}
static __device__ __forceinline__ void copy4(void *shared, const void *global, int real) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
               :: "r"(shared_address(shared)), "l"(global), "r"(real) : "memory");
}
static __device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
// All groups but the last `pending` are there, for the calling thread.
template <int pending> static __device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" :: "n"(pending) : "memory");
}
// Four 8 x 8 matrices of 16 bits: lane i gives the place of row i % 8 of matrix i / 8.
static __device__ __forceinline__ void load_matrices(unsigned (&x)[4], const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(shared_address(row)) : "memory");
}
static __device__ __forceinline__ void load_transposed(unsigned (&x)[4], const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(shared_address(row)) : "memory");
}
template <int stride>
static __device__ __forceinline__ void load_words(unsigned (&x)[4], const unsigned *place) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    x[i] = place[i * stride];
}
// Floats rounded to nearest: to tf32, and two to 16 bits each.
static __device__ __forceinline__ unsigned to_tf32(unsigned x) {
  unsigned y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(__uint_as_float(x)));
  return y;
}
static __device__ __forceinline__ unsigned pack_f16(unsigned low, unsigned high) {
  unsigned y;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;"
      : "=r"(y) : "f"(__uint_as_float(high)), "f"(__uint_as_float(low)));
  return y;
}
static __device__ __forceinline__ unsigned pack_bf16(unsigned low, unsigned high) {
  unsigned y;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
      : "=r"(y) : "f"(__uint_as_float(high)), "f"(__uint_as_float(low)));
  return y;
}
// c += a * b, of 16 rows and 8 columns.
#define SYMC_MMA(name, number, constraint, shape)                                                  \
  static __device__ __forceinline__ void name(number (&c)[4], const unsigned (&a)[4], unsigned b0, \
                                              unsigned b1) {                                       \
    asm("mma.sync.aligned." shape " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "                \
        "{%0, %1, %2, %3};"                                                                        \
        : "+" constraint(c[0]), "+" constraint(c[1]), "+" constraint(c[2]), "+" constraint(c[3])   \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));                           \
  }
SYMC_MMA(mma_tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32")
SYMC_MMA(mma_f16, float, "f", "m16n8k16.row.col.f32.f16.f16.f32")
SYMC_MMA(mma_bf16, float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32")
SYMC_MMA(mma_bytes, int, "r", "m16n8k32.row.col.s32.u8.s8.s32")
#undef SYMC_MMA
#endif
)";
}

} // namespace symc::codegen::cuda
