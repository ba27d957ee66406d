// optimizer.cpp: reference kernels of update steps. The state's new value is a result of
// its own; operands are not written. Arithmetic is that of the weights' type, in float
// for 16-bit floats and for every mixed form.
#include "symc/generated/op_params/Optimizer.h"
#include "symc/update_formulas.h"
#include "walk.h"

using namespace symc::ref;
namespace update = symc::update;

namespace {

// How elements of one node are read and written: the first operand's type W beside a
// state's type S.
template <class W, class S> struct Step {
  using N = typename S::Number;
  const symc_kernel_args *args;
  int64_t count;

  explicit Step(const symc_kernel_args *args_) : args(args_), count(count_of(args_->inputs[0])) {}
  N narrow(int32_t operand, int64_t i) const {
    return N(W::load(data_of<W>(args->inputs[operand])[i]));
  }
  N state(int32_t operand, int64_t i) const {
    return N(S::load(data_of<S>(args->inputs[operand])[i]));
  }
  void put(int64_t i, N value) const { target_of<W>(args->outputs[0])[i] = W::store(value); }
  void keep(int32_t result, int64_t i, N value) const {
    target_of<S>(args->outputs[result])[i] = S::store(value);
  }
};

// Plain and mixed forms differ in where the weight is read: operand 0, or `wide`.
template <class W, class S> struct Weight {
  int32_t wide; // operand of weight32, or -1
  int32_t wide_out = -1;
  typename Step<W, S>::N get(const Step<W, S> &step, int64_t i) const {
    return wide < 0 ? step.narrow(0, i) : step.state(wide, i);
  }
  void put(const Step<W, S> &step, int64_t i, typename Step<W, S>::N value) const {
    if (wide_out >= 0)
      step.keep(wide_out, i, value);
    step.put(i, value);
  }
};

template <class W, class S, class P>
int32_t sgd(const symc_kernel_args *args, Weight<W, S> weight) {
  const auto &params = params_of<P>(args);
  Step<W, S> step(args);
  using N = typename S::Number;
  each_of(step.count, [&](int64_t i) {
    weight.put(step, i,
               update::sgd(weight.get(step, i), step.narrow(1, i), N(params.lr), N(params.wd),
                           N(params.rescale_grad), N(params.clip_gradient)));
  });
  return SYMC_STATUS_OK;
}
template <class E> int32_t sgd_update(const symc_kernel_args *args) {
  return sgd<E, E, symc_sgd_update_params>(args, {-1});
}
template <class E> int32_t mp_sgd_update(const symc_kernel_args *args) {
  return sgd<E, F32, symc_mp_sgd_update_params>(args, {2, 1});
}

template <class W, class S, class P>
int32_t sgd_mom(const symc_kernel_args *args, Weight<W, S> weight, bool nesterov) {
  const auto &params = params_of<P>(args);
  Step<W, S> step(args);
  using N = typename S::Number;
  each_of(step.count, [&](int64_t i) {
    N w = weight.get(step, i), g = step.narrow(1, i), mom = step.state(2, i);
    N lr = N(params.lr), wd = N(params.wd), momentum = N(params.momentum);
    N rescale = N(params.rescale_grad), clip = N(params.clip_gradient);
    N moved = nesterov ? update::nag(w, g, mom, lr, wd, momentum, rescale, clip, false)
                       : update::sgd_momentum(w, g, mom, lr, wd, momentum, rescale, clip);
    step.keep(1, i, mom);
    weight.put(step, i, moved);
  });
  return SYMC_STATUS_OK;
}
template <class E> int32_t sgd_mom_update(const symc_kernel_args *args) {
  return sgd_mom<E, E, symc_sgd_mom_update_params>(args, {-1}, false);
}
template <class E> int32_t mp_sgd_mom_update(const symc_kernel_args *args) {
  return sgd_mom<E, F32, symc_mp_sgd_mom_update_params>(args, {3, 2}, false);
}
template <class E> int32_t nag_mom_update(const symc_kernel_args *args) {
  return sgd_mom<E, E, symc_nag_mom_update_params>(args, {-1}, true);
}
template <class E> int32_t mp_nag_mom_update(const symc_kernel_args *args) {
  return sgd_mom<E, F32, symc_mp_nag_mom_update_params>(args, {3, 2}, true);
}

template <class E> int32_t adam_update(const symc_kernel_args *args) {
  const auto &params = params_of<symc_adam_update_params>(args);
  Step<E, E> step(args);
  using N = typename E::Number;
  each_of(step.count, [&](int64_t i) {
    N mean = step.state(2, i), var = step.state(3, i);
    N moved = update::adam(step.narrow(0, i), step.narrow(1, i), mean, var, N(params.lr),
                           N(params.wd), N(params.beta1), N(params.beta2), N(params.epsilon),
                           N(params.rescale_grad), N(params.clip_gradient));
    step.keep(1, i, mean);
    step.keep(2, i, var);
    step.put(i, moved);
  });
  return SYMC_STATUS_OK;
}

template <class W, class S, class P>
int32_t adamw(const symc_kernel_args *args, Weight<W, S> weight, int32_t rescale) {
  const auto &params = params_of<P>(args);
  Step<W, S> step(args);
  using N = typename S::Number;
  float factor = data_of<F32>(args->inputs[rescale])[0];
  bool skip = factor == 0 || !__builtin_isfinite(factor);
  each_of(step.count, [&](int64_t i) {
    N w = weight.get(step, i), mean = step.state(2, i), var = step.state(3, i);
    if (!skip)
      w = update::adamw(w, step.narrow(1, i), mean, var, N(params.lr), N(params.eta), N(params.wd),
                        N(params.beta1), N(params.beta2), N(params.epsilon), N(factor),
                        N(params.clip_gradient));
    step.keep(1, i, mean);
    step.keep(2, i, var);
    weight.put(step, i, w);
  });
  return SYMC_STATUS_OK;
}
template <class E> int32_t adamw_update(const symc_kernel_args *args) {
  return adamw<E, E, symc_adamw_update_params>(args, {-1}, 4);
}
template <class E> int32_t mp_adamw_update(const symc_kernel_args *args) {
  return adamw<E, F32, symc_mp_adamw_update_params>(args, {4, 3}, 5);
}

template <class E> int32_t ftml_update(const symc_kernel_args *args) {
  const auto &params = params_of<symc_ftml_update_params>(args);
  Step<E, E> step(args);
  using N = typename E::Number;
  N left1 = update::begun(N(params.beta1), N(params.t));
  N left2 = update::begun(N(params.beta2), N(params.t));
  each_of(step.count, [&](int64_t i) {
    N d = step.state(2, i), v = step.state(3, i), z = step.state(4, i);
    N moved = update::ftml(step.narrow(0, i), step.narrow(1, i), d, v, z, N(params.lr),
                           N(params.wd), N(params.beta1), N(params.beta2), N(params.epsilon),
                           N(params.rescale_grad), N(params.clip_grad), left1, left2);
    step.keep(1, i, d);
    step.keep(2, i, v);
    step.keep(3, i, z);
    step.put(i, moved);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t ftrl_update(const symc_kernel_args *args) {
  const auto &params = params_of<symc_ftrl_update_params>(args);
  Step<E, E> step(args);
  using N = typename E::Number;
  each_of(step.count, [&](int64_t i) {
    N z = step.state(2, i), n = step.state(3, i);
    N moved = update::ftrl(step.narrow(0, i), step.narrow(1, i), z, n, N(params.lr), N(params.wd),
                           N(params.lamda1), N(params.beta), N(params.rescale_grad),
                           N(params.clip_gradient));
    step.keep(1, i, z);
    step.keep(2, i, n);
    step.put(i, moved);
  });
  return SYMC_STATUS_OK;
}

template <class W, class S, class R, class P>
int32_t lamb_phase1(const symc_kernel_args *args, Weight<W, S> weight) {
  const auto &params = params_of<P>(args);
  Step<W, S> step(args);
  using N = typename S::Number;
  N left1 = update::begun(N(params.beta1), N(params.t));
  N left2 = update::begun(N(params.beta2), N(params.t));
  each_of(step.count, [&](int64_t i) {
    N mean = step.state(2, i), var = step.state(3, i);
    N g = update::clipped(N(params.rescale_grad) * step.narrow(1, i), N(params.clip_gradient));
    update::run_moments(mean, var, g, N(params.beta1), N(params.beta2));
    step.keep(1, i, mean);
    step.keep(2, i, var);
    target_of<R>(args->outputs[0])[i] =
        R::store(update::lamb_direction(weight.get(step, i), mean, var, N(params.wd),
                                        N(params.epsilon), left1, left2, params.bias_correction));
  });
  return SYMC_STATUS_OK;
}
template <class E> int32_t lamb_update_phase1(const symc_kernel_args *args) {
  return lamb_phase1<E, E, E, symc_lamb_update_phase1_params>(args, {-1});
}
template <class E> int32_t mp_lamb_update_phase1(const symc_kernel_args *args) {
  return lamb_phase1<E, F32, F32, symc_mp_lamb_update_phase1_params>(args, {4});
}

template <class W, class S, class P>
int32_t lamb_phase2(const symc_kernel_args *args, Weight<W, S> weight) {
  const auto &params = params_of<P>(args);
  Step<W, S> step(args);
  using N = typename S::Number;
  N r1 = step.state(2, 0), r2 = step.state(3, 0), lr = N(params.lr);
  if (params.lower_bound >= 0 && r1 < N(params.lower_bound))
    r1 = N(params.lower_bound);
  if (params.upper_bound >= 0 && r1 > N(params.upper_bound))
    r1 = N(params.upper_bound);
  if (r1 != 0 && r2 != 0)
    lr = lr * r1 / r2;
  each_of(step.count, [&](int64_t i) {
    weight.put(step, i, update::moved(weight.get(step, i), step.state(1, i), lr));
  });
  return SYMC_STATUS_OK;
}
template <class E> int32_t lamb_update_phase2(const symc_kernel_args *args) {
  return lamb_phase2<E, E, symc_lamb_update_phase2_params>(args, {-1});
}
template <class E> int32_t mp_lamb_update_phase2(const symc_kernel_args *args) {
  return lamb_phase2<E, F32, symc_mp_lamb_update_phase2_params>(args, {4, 1});
}

template <class E> int32_t rmsprop_update(const symc_kernel_args *args) {
  const auto &params = params_of<symc_rmsprop_update_params>(args);
  Step<E, E> step(args);
  using N = typename E::Number;
  each_of(step.count, [&](int64_t i) {
    N n = step.state(2, i);
    N moved = update::rmsprop(step.narrow(0, i), step.narrow(1, i), n, N(params.lr), N(params.wd),
                              N(params.gamma1), N(params.epsilon), N(params.rescale_grad),
                              N(params.clip_gradient), N(params.clip_weights));
    step.keep(1, i, n);
    step.put(i, moved);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t rmspropalex_update(const symc_kernel_args *args) {
  const auto &params = params_of<symc_rmspropalex_update_params>(args);
  Step<E, E> step(args);
  using N = typename E::Number;
  each_of(step.count, [&](int64_t i) {
    N n = step.state(2, i), g = step.state(3, i), delta = step.state(4, i);
    N moved = update::rmsprop_centered(step.narrow(0, i), step.narrow(1, i), n, g, delta,
                                       N(params.lr), N(params.wd), N(params.gamma1),
                                       N(params.gamma2), N(params.epsilon), N(params.rescale_grad),
                                       N(params.clip_gradient), N(params.clip_weights));
    step.keep(1, i, n);
    step.keep(2, i, g);
    step.keep(3, i, delta);
    step.put(i, moved);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t signsgd_update(const symc_kernel_args *args) {
  const auto &params = params_of<symc_signsgd_update_params>(args);
  Step<E, E> step(args);
  using N = typename E::Number;
  each_of(step.count, [&](int64_t i) {
    step.put(i, update::sign_sgd(step.narrow(0, i), step.narrow(1, i), N(params.lr), N(params.wd)));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t signum_update(const symc_kernel_args *args) {
  const auto &params = params_of<symc_signum_update_params>(args);
  Step<E, E> step(args);
  using N = typename E::Number;
  each_of(step.count, [&](int64_t i) {
    N mom = step.state(2, i);
    N moved = update::signum(step.narrow(0, i), step.narrow(1, i), mom, N(params.lr), N(params.wd),
                             N(params.wd_lh), N(params.momentum), N(params.rescale_grad),
                             N(params.clip_gradient));
    step.keep(1, i, mom);
    step.put(i, moved);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t multi_lars(const symc_kernel_args *args) {
  const auto &params = params_of<symc_multi_lars_params>(args);
  using N = typename E::Number;
  auto at = [&](int32_t operand, int64_t i) {
    return E::load(data_of<E>(args->inputs[operand])[i]);
  };
  each_of(count_of(args->outputs[0]), [&](int64_t i) {
    N rate = at(0, i), weight = update::sqrt(at(1, i));
    N grad = N(params.rescale_grad) * update::sqrt(at(2, i));
    if (weight > 0 && grad > 0)
      rate *= N(params.eta) * weight / (grad + at(3, i) * weight + N(params.eps));
    target_of<E>(args->outputs[0])[i] = E::store(rate);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t multi_sum_sq(const symc_kernel_args *args) {
  each_of(args->n_inputs, [&](int64_t n) {
    constexpr int64_t kSums = 32; // side by side: vectors of them, and more than one
    double sums[kSums] = {};
    const auto *in = data_of<E>(args->inputs[n]);
    auto square = [&](int64_t i) {
      auto value = E::load(in[i]);
      return double(E::load(E::store(value * value))); // of the operand's type
    };
    int64_t i = 0, count = count_of(args->inputs[n]);
    for (; i + kSums <= count; i += kSums)
      for (int64_t lane = 0; lane < kSums; ++lane)
        sums[lane] += square(i + lane);
    for (int64_t lane = 0; i + lane < count; ++lane)
      sums[lane] += square(i + lane);
    for (int64_t half = kSums / 2; half > 0; half /= 2)
      for (int64_t lane = 0; lane < half; ++lane)
        sums[lane] += sums[lane + half];
    target_of<F32>(args->outputs[0])[n] = float(sums[0]);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t all_finite(const symc_kernel_args *args) {
  bool finite = true;
  for (int32_t n = 0; n < args->n_inputs; ++n)
    each_of_block(count_of(args->inputs[n]), [&](int64_t i) {
      finite = finite && __builtin_isfinite(double(E::load(data_of<E>(args->inputs[n])[i])));
    });
  finite = holds_in_block(finite);
  each_of(1, [&](int64_t) { target_of<F32>(args->outputs[0])[0] = finite; });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(sgd_update, sgd_update)
SYMC_REFERENCE_FLOATS(sgd_mom_update, sgd_mom_update)
SYMC_REFERENCE_FLOATS(mp_sgd_update, mp_sgd_update)
SYMC_REFERENCE_FLOATS(mp_sgd_mom_update, mp_sgd_mom_update)
SYMC_REFERENCE_FLOATS(nag_mom_update, nag_mom_update)
SYMC_REFERENCE_FLOATS(mp_nag_mom_update, mp_nag_mom_update)
SYMC_REFERENCE_FLOATS(adam_update, adam_update)
SYMC_REFERENCE_FLOATS(adamw_update, adamw_update)
SYMC_REFERENCE_FLOATS(mp_adamw_update, mp_adamw_update)
SYMC_REFERENCE_FLOATS(ftml_update, ftml_update)
SYMC_REFERENCE_FLOATS(ftrl_update, ftrl_update)
SYMC_REFERENCE_FLOATS(lamb_update_phase1, lamb_update_phase1)
SYMC_REFERENCE_FLOATS(mp_lamb_update_phase1, mp_lamb_update_phase1)
SYMC_REFERENCE_FLOATS(lamb_update_phase2, lamb_update_phase2)
SYMC_REFERENCE_FLOATS(mp_lamb_update_phase2, mp_lamb_update_phase2)
SYMC_REFERENCE_FLOATS(rmsprop_update, rmsprop_update)
SYMC_REFERENCE_FLOATS(rmspropalex_update, rmspropalex_update)
SYMC_REFERENCE_FLOATS(signsgd_update, signsgd_update)
SYMC_REFERENCE_FLOATS(signum_update, signum_update)
SYMC_REFERENCE_FLOATS(multi_lars, multi_lars)
SYMC_REFERENCE_FLOATS(multi_sum_sq, multi_sum_sq)
SYMC_REFERENCE_FLOATS(all_finite, all_finite)

SYMC_ON_GRID(sgd_update, sgd_mom_update, mp_sgd_update, mp_sgd_mom_update, nag_mom_update)
SYMC_ON_GRID(mp_nag_mom_update, adam_update, adamw_update, mp_adamw_update, ftml_update)
SYMC_ON_GRID(ftrl_update, lamb_update_phase1, mp_lamb_update_phase1, lamb_update_phase2)
SYMC_ON_GRID(mp_lamb_update_phase2, rmsprop_update, rmspropalex_update, signsgd_update)
SYMC_ON_GRID(signum_update, multi_lars, multi_sum_sq)
SYMC_ON_BLOCK(all_finite)
