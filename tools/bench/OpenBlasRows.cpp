// OpenBlasRows.cpp: matrix products by the OpenBLAS of this machine, opened when it is requested.
#include "tools/bench/KernelRows.h"

#include <dlfcn.h>

using namespace symc::bench;

namespace {

using Sgemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb, float beta, float *c,
                       int ldc);
using Sgemv = void (*)(int order, int trans, int m, int n, float alpha, const float *a, int lda,
                       const float *x, int incx, float beta, float *y, int incy);
constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112; // cblas.h

struct Library {
  Sgemm sgemm = nullptr;
  Sgemv sgemv = nullptr;
  std::string version = "OpenBLAS: libopenblas.so.0 is not found";

  Library() {
    void *handle = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      return;
    sgemm = reinterpret_cast<Sgemm>(dlsym(handle, "cblas_sgemm"));
    sgemv = reinterpret_cast<Sgemv>(dlsym(handle, "cblas_sgemv"));
    if (auto setThreads =
            reinterpret_cast<void (*)(int)>(dlsym(handle, "openblas_set_num_threads")))
      setThreads(1);
    if (auto config = reinterpret_cast<const char *(*)()>(dlsym(handle, "openblas_get_config")))
      version = config(); // begins with name, version and options
  }
};

const Library &library() {
  static Library opened;
  return opened;
}

/// C[m][n] = A[m][k] B, B being [k][n], or [n][k] where it is transposed.
class Product final : public Contender {
public:
  Product(int m, int n, int k, bool transposed)
      : m(m), n(n), k(k), transposed(transposed), a(size_t(m) * k, 0.5f), b(size_t(k) * n, 0.25f),
        c(size_t(m) * n) {}
  void run() override {
    if (m == 1 && transposed)
      return library().sgemv(kRowMajor, kNoTrans, n, k, 1.0f, b.data(), k, a.data(), 1, 0.0f,
                             c.data(), 1);
    library().sgemm(kRowMajor, kNoTrans, transposed ? kTrans : kNoTrans, m, n, k, 1.0f, a.data(), k,
                    b.data(), transposed ? k : n, 0.0f, c.data(), n);
  }

private:
  int m, n, k;
  bool transposed;
  std::vector<float> a, b, c;
};

} // namespace

std::string symc::bench::openBlasVersion() { return library().version; }

bool symc::bench::openBlasTakes(const Layer &l) {
  return library().sgemm && library().sgemv && !l.depthwise && l.kernelRows == 1 &&
         l.kernelColumns == 1 && l.stride == 1;
}

std::unique_ptr<Contender> symc::bench::openBlasContender(const Layer &l) {
  if (l.matrix)
    return std::make_unique<Product>(l.batch, l.out, l.in, true);
  return std::make_unique<Product>(l.out, l.rows * l.columns, l.in, false);
}
