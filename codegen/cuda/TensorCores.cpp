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
// Likewise, and the multiprocessor's own cache keeps them.
static __device__ __forceinline__ void copy16_near(void *shared, const void *global, int real) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
               :: "r"(shared_address(shared)), "l"(global), "r"(real) : "memory");
}
static __device__ __forceinline__ void prefetch(const void *global) {
  asm volatile("prefetch.global.L2 [%0];" :: "l"(global));
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

// "{%0, %1, ...}": `count` registers.
static std::string registers(int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + std::to_string(i);
  return text + "}";
}

// One wgmma of 64 rows, as many columns and 16 terms; `c` holds 4 floats of each 8 columns.
static std::string groupProduct(llvm::StringRef type, int columns) {
  int sums = columns / 2;
  std::string text = "static __device__ __forceinline__ void wgmma_" + type.str() + "(float (&c)[" +
                     std::to_string(columns / 8) +
                     "][4], unsigned long long a, unsigned long long b) {\n"
                     "  asm volatile(\"{ .reg .pred p; setp.ne.b32 p, 1, 0;\\n\"\n"
                     "               \"wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(columns) + "k16.f32." + type.str() + "." + type.str() +
                     "\\n\"\n               \"" + registers(sums) + ",\\n\"\n               \"%" +
                     std::to_string(sums) + ", %" + std::to_string(sums + 1) +
                     ", p, 1, 1, 0, 1; }\"\n               : ";
  for (int i = 0; i < sums; ++i)
    text += std::string(i ? (i % 4 ? ", " : ",\n                 ") : "") + "\"+f\"(c[" +
            std::to_string(i / 4) + "][" + std::to_string(i % 4) + "])";
  return text + "\n               : \"l\"(a), \"l\"(b) : \"memory\");\n}\n";
}

// What a group of four warps multiplies together: 64 rows of 32 terms, 64 bytes each, and 32 rows
// of 64 columns, 128 bytes each, as often as there are columns. Pieces of 16 bytes lie in these
// rows as the swizzles of 64 and 128 bytes have them (PTX ISA, "Asynchronous warpgroup-level matrix
// shared memory layout"), which is also what ldmatrix reads without conflicts.
std::string groupFunctions() {
  std::string text = R"(// By the instructions of a warp, which any device with tensor cores has.
#define SYMC_BY_WARPS(type)                                                                        \
  template <int groups>                                                                            \
  static __device__ __forceinline__ void multiply_by_warps_##type(                                 \
      float (&c)[groups][4], const unsigned *a, const unsigned *b) {                               \
    const int self = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;                                \
    _Pragma("unroll") for (int s = 0; s < 2; ++s) {                                                \
      unsigned x[4];                                                                               \
      load_matrices(x, &a[(16 * warp + self % 16) * 16 + (2 * s + self / 16 ^ self / 2 % 4) * 4]); \
      _Pragma("unroll") for (int j = 0; j < groups; j += 2) {                                      \
        unsigned y[4];                                                                             \
        load_transposed(y, &b[j / 8 * 1024 + (16 * s + self % 16) * 32 +                           \
                              (j % 8 + self / 16 ^ self % 8) * 4]);                                \
        mma_##type(c[j], x, y[0], y[1]);                                                           \
        mma_##type(c[j + 1], x, y[2], y[3]);                                                       \
      }                                                                                            \
    }                                                                                              \
  }
SYMC_BY_WARPS(f16)
SYMC_BY_WARPS(bf16)
#undef SYMC_BY_WARPS
#ifdef __CUDA_ARCH_FEAT_SM90_ALL // by those of a group
// Copies to shared memory, for what reads it behind the next barrier.
static __device__ __forceinline__ void publish_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
// A matrix in shared memory: units of 16 bytes, a swizzle of 128 (1) or 64 bytes (2).
static __device__ __forceinline__ unsigned long long describe(const void *place, unsigned leading,
                                                              unsigned stride, unsigned swizzle) {
  return (shared_address(place) >> 4 & 0x3fff) | (unsigned long long)(leading >> 4) << 16 |
         (unsigned long long)(stride >> 4) << 32 | (unsigned long long)swizzle << 62;
}
)";
  for (llvm::StringRef type : {"f16", "bf16"})
    for (int columns : {64, 128})
      text += groupProduct(type, columns);
  return text +
         R"(// Sums that products in the background add to stay where they are.
template <int groups> static __device__ __forceinline__ void hold(float (&c)[groups][4]) {
#pragma unroll
  for (int i = 0; i < groups * 4; ++i)
    asm volatile("" : "+f"(c[i / 4][i % 4]) :: "memory");
}
// In the background: sums are there behind wait_groups. Of matrices x and y, and of those of the
// second 16 terms.
#define SYMC_BY_GROUP(type)                                                                        \
  template <int groups>                                                                            \
  static __device__ __forceinline__ void start_products_##type(                                    \
      float (&c)[groups][4], unsigned long long x, unsigned long long y,                           \
      unsigned long long secondX, unsigned long long secondY) {                                    \
    hold(c);                                                                                       \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                        \
    wgmma_##type(c, x, y);                                                                         \
    wgmma_##type(c, secondX, secondY);                                                             \
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                 \
    hold(c);                                                                                       \
  }                                                                                                \
  template <int groups>                                                                            \
  static __device__ __forceinline__ void start_group_##type(                                       \
      float (&c)[groups][4], const unsigned *a, const unsigned *b) {                               \
    const unsigned long long x = describe(a, 16, 512, 2), y = describe(b, 4096, 1024, 1);          \
    start_products_##type(c, x, y, x + 32 / 16, y + 2048 / 16);                                    \
  }
SYMC_BY_GROUP(f16)
SYMC_BY_GROUP(bf16)
#undef SYMC_BY_GROUP
// All products but those of the last `pending` calls are done, of the calling group.
template <int pending, int groups>
static __device__ __forceinline__ void wait_groups(float (&c)[groups][4]) {
  hold(c);
  asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(pending) : "memory");
  hold(c);
}
#elif !defined(SYMC_CUDA_SHIM) // which has them
static __device__ __forceinline__ void publish_copies() {}
template <int groups>
static __device__ __forceinline__ void start_group_f16(float (&c)[groups][4], const unsigned *a,
                                                       const unsigned *b) {
  multiply_by_warps_f16(c, a, b);
}
template <int groups>
static __device__ __forceinline__ void start_group_bf16(float (&c)[groups][4], const unsigned *a,
                                                        const unsigned *b) {
  multiply_by_warps_bf16(c, a, b);
}
template <int pending, int groups>
static __device__ __forceinline__ void wait_groups(float (&)[groups][4]) {}
#endif
)";
}

llvm::StringRef mapFunctions() {
  return R"(// What cuTensorMapEncode* makes, and the file's launch passes.
struct __align__(64) TensorMap { unsigned long long words[16]; };
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define SYMC_TENSOR_MAPS 1
static __device__ __forceinline__ void prefetch_map(const void *map) {
  asm volatile("prefetch.tensormap [%0];" :: "l"(map) : "memory");
}
// A barrier in shared memory, whose phases end when its bytes have come.
static __device__ __forceinline__ void open_arrival(unsigned long long *barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(shared_address(barrier)) : "memory");
}
static __device__ __forceinline__ void expect_bytes(unsigned long long *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
}
// Until the phase of that parity has ended: 0 for the first one, 1 for the second, and so on.
static __device__ __forceinline__ void wait_arrival(unsigned long long *barrier, unsigned parity) {
  unsigned there;
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(there) : "r"(shared_address(barrier)), "r"(parity) : "memory");
  while (!there);
}
// The map's number of pixels, from column x and row y of an image on, at a tap `dx` columns and `dy`
// rows further on: 16 lanes each, from `lane` of block `part` on. Zeros beyond the tensor.
static __device__ __forceinline__ void fetch_pixels(unsigned *to, const void *map, int lane, int x,
                                                    int y, int image, int part, int dx, int dy,
                                                    unsigned long long *barrier) {
  asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3, %4, %5, %6}], [%7], {%8, %9, %10};"
               :: "r"(shared_address(to)), "l"(map), "r"(lane), "r"(x), "r"(y), "r"(image),
                  "r"(part), "r"(shared_address(barrier)), "h"((unsigned short)dx),
                  "h"((unsigned short)dy), "h"((unsigned short)0) : "memory");
}
// The map's number of rows of 16 outputs, from `term` of block `block` on, and of blocks.
static __device__ __forceinline__ void fetch_filters(unsigned *to, const void *map, int term,
                                                     int block, int image,
                                                     unsigned long long *barrier) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {0, %2, %3, %4}], [%5];"
               :: "r"(shared_address(to)), "l"(map), "r"(term), "r"(block), "r"(image),
                  "r"(shared_address(barrier)) : "memory");
}
// As start_group_*, of blocks of 16 lanes and of 16 outputs, rows of 32 bytes with their swizzle:
// twice 64 rows, `apart` words from each other, and blocks of 32 rows behind each other.
#define SYMC_OF_BLOCKS(type)                                                                       \
  template <int apart, int groups>                                                                 \
  static __device__ __forceinline__ void start_blocks_##type(                                      \
      float (&c)[groups][4], const unsigned *a, const unsigned *b) {                               \
    const unsigned long long x = describe(a, 16, 256, 3), y = describe(b, 1024, 256, 3);           \
    start_products_##type(c, x, y, x + apart / 4, y + 512 / 16);                                   \
  }
SYMC_OF_BLOCKS(f16)
SYMC_OF_BLOCKS(bf16)
#undef SYMC_OF_BLOCKS
#elif defined(SYMC_CUDA_SHIM) // which has them
#define SYMC_TENSOR_MAPS 1
#endif
)";
}

} // namespace symc::codegen::cuda
