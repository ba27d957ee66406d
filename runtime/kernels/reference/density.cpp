// density.cpp: reference kernels of densities. Each is the exponential of a logarithm that is
// summed up in double; the parameters' places repeat over what of sample lies behind them.
#include "symc/generated/op_params/Density.h"
#include "element.h"
#include "threads.h"
#include "walk.h"

using namespace symc::ref;

namespace {

double log_gamma(double x) { return __builtin_lgamma(x); }
double log_of(double x) { return __builtin_log(x); }

double log_negative_binomial(double x, double limit, double chance) {
  return log_gamma(x + limit) - log_gamma(x + 1) - log_gamma(limit) + limit * log_of(chance) +
         x * log_of(1 - chance);
}

double log_density(int64_t kind, double x, double a, double b) {
  switch (kind) {
  case SYMC_RANDOM_PDF_KIND_UNIFORM:
    return -log_of(b - a);
  case SYMC_RANDOM_PDF_KIND_NORMAL: {
    double distance = (x - a) / b;
    return -0.5 * distance * distance - log_of(b) - 0.91893853320467274178;
  }
  case SYMC_RANDOM_PDF_KIND_GAMMA:
    return a * log_of(b) + (a - 1) * log_of(x) - b * x - log_gamma(a);
  case SYMC_RANDOM_PDF_KIND_NEGATIVE_BINOMIAL:
    return log_negative_binomial(x, a, b);
  default:
    return log_negative_binomial(x, 1 / b, 1 / (a * b + 1));
  }
}

template <class E> typename E::Storage stored(double logarithm, int64_t is_log) {
  return E::store(is_log ? logarithm : __builtin_exp(logarithm));
}

template <class E> int32_t random_pdf(const symc_kernel_args *args) {
  const auto &params = params_of<symc_random_pdf_params>(args);
  const typename E::Storage *sample = data_of<E>(args->inputs[0]);
  const typename E::Storage *first = data_of<E>(args->inputs[1]),
                            *second = data_of<E>(args->inputs[2]);
  int64_t places = count_of(args->inputs[1]), count = count_of(args->outputs[0]);
  int64_t each = places ? count / places : 0;
  each_of(count, [&](int64_t i) {
    target_of<E>(args->outputs[0])[i] =
        stored<E>(log_density(params.kind, E::load(sample[i]), E::load(first[i / each]),
                              E::load(second[i / each])),
                  params.is_log);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t random_pdf_one(const symc_kernel_args *args) {
  const auto &params = params_of<symc_random_pdf_one_params>(args);
  int64_t places = count_of(args->inputs[1]), count = count_of(args->outputs[0]);
  int64_t each = places ? count / places : 0;
  each_of(count, [&](int64_t i) {
    double x = E::load(data_of<E>(args->inputs[0])[i]),
           rate = E::load(data_of<E>(args->inputs[1])[i / each]);
    double logarithm = params.kind == SYMC_RANDOM_PDF_ONE_KIND_POISSON
                           ? x * log_of(rate) - log_gamma(x + 1) - rate
                           : log_of(rate) - rate * x;
    target_of<E>(args->outputs[0])[i] = stored<E>(logarithm, params.is_log);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t random_pdf_dirichlet(const symc_kernel_args *args) {
  const auto &params = params_of<symc_random_pdf_dirichlet_params>(args);
  const symc_tensor &alphas = args->inputs[1];
  const symc_tensor &result = args->outputs[0];
  int64_t width = alphas.shape[alphas.rank - 1], count = count_of(result);
  int64_t each = product(result.shape, alphas.rank - 1, result.rank);
  each_of(count, [&](int64_t i) {
    const typename E::Storage *x = data_of<E>(args->inputs[0]) + i * width;
    const typename E::Storage *alpha = data_of<E>(alphas) + i / each * width;
    double logarithm = 0, sum = 0;
    for (int64_t k = 0; k < width; ++k) {
      double a = E::load(alpha[k]);
      sum += a;
      logarithm += (a - 1) * log_of(E::load(x[k])) - log_gamma(a);
    }
    target_of<E>(args->outputs[0])[i] = stored<E>(logarithm + log_gamma(sum), params.is_log);
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(random_pdf, random_pdf)
SYMC_REFERENCE_FLOATS(random_pdf_one, random_pdf_one)
SYMC_REFERENCE_FLOATS(random_pdf_dirichlet, random_pdf_dirichlet)

SYMC_ON_GRID(random_pdf, random_pdf_one, random_pdf_dirichlet)
