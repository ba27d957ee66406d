// update_formulas.h: how MXNet's optimizers change one element of a weight, in MXNet 1.9.1's
// order of operations, so that float32 has the bits of its operators. The reference kernels of
// the operators (optimizer.cpp), the updates of a training step (runtime/train/optimizers) and the
// rewriting of operators into elementwise ones (passes/DecomposeUpdates.cpp) read them here. A
// formula takes values of a type N by value, states by reference, and returns the weight's new
// value. `clip` bounds gradients where it is not negative.
//
// N is float, double, or a term that stands for a value: what a formula needs of it besides
// arithmetic is sqrt, pow, sign, held (within two bounds) and beyond (1 where a size is above).
#ifndef SYMC_UPDATE_FORMULAS_H
#define SYMC_UPDATE_FORMULAS_H

namespace symc::update {

inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline float pow(float x, float y) { return __builtin_powf(x, y); }
inline double pow(double x, double y) { return __builtin_pow(x, y); }

template <class N> N sign(N value) { return N(value > 0) - N(value < 0); }
template <class N> N held(N value, N least, N most) {
  return value > most ? most : value < least ? least : value;
}
template <class N> N beyond(N value, N bound) { return N((value < 0 ? -value : value) > bound); }

template <class N> N clipped(N value, N clip) {
  return clip < 0 ? value : held(value, -clip, clip);
}

// rate * gradient, which MXNet's kernels compute in another order where it is not clipped.
template <class N> N rated(N grad, N rate, N rescale, N clip) {
  return clip < 0 ? (rate * rescale) * grad : rate * clipped(rescale * grad, clip);
}
// The gradient with the decay, clipped together.
template <class N> N decayed(N weight, N grad, N wd, N rescale, N clip) {
  return clipped(rescale * grad + wd * weight, clip);
}
// The running mean and mean square of the gradient.
template <class N> void run_moments(N &mean, N &var, N grad, N beta1, N beta2) {
  mean = beta1 * mean + (1 - beta1) * grad;
  var = beta2 * var + (1 - beta2) * grad * grad;
}
// What the means are divided by at update number t, for they began as 0.
template <class N> N begun(N beta, N t) { return 1 - pow(beta, t); }

// --- Gradient descent ---------------------------------------------------------

template <class N> N sgd(N weight, N grad, N lr, N wd, N rescale, N clip) {
  return (1 - lr * wd) * weight - rated(grad, lr, rescale, clip);
}
// As the operators for several weights round it, which MXNet's SGD and LARS use.
template <class N> N sgd_of_several(N weight, N grad, N lr, N wd, N rescale, N clip) {
  return weight + (-((lr * wd) * weight) - rated(grad, lr, rescale, clip));
}
template <class N>
N sgd_momentum(N weight, N grad, N &mom, N lr, N wd, N momentum, N rescale, N clip) {
  mom = momentum * mom - (lr * wd) * weight - rated(grad, lr, rescale, clip);
  return weight + mom;
}
// In place the decay of the momentum is that of the new weight, which MXNet's operator has written
// by then.
template <class N>
N nag(N weight, N grad, N &mom, N lr, N wd, N momentum, N rescale, N clip, bool in_place) {
  N g = clipped(rescale * grad, clip), begun_mom = momentum * mom;
  N moved = weight - begun_mom + (momentum + 1) * (begun_mom - lr * (g + wd * weight));
  mom = begun_mom - lr * (g + wd * (in_place ? moved : weight));
  return moved;
}
template <class N> N sign_sgd(N weight, N grad, N lr, N wd) {
  return (1 - lr * wd) * weight - lr * sign(grad);
}
template <class N>
N signum(N weight, N grad, N &mom, N lr, N wd, N wd_lh, N momentum, N rescale, N clip) {
  N rest = 1 - momentum;
  mom = momentum * mom - (rest * wd) * weight - rated(grad, rest, rescale, clip);
  return (1 - lr * wd_lh) * weight + lr * sign(mom);
}

// --- By the sizes of gradients ------------------------------------------------

template <class N>
N adam(N weight, N grad, N &mean, N &var, N lr, N wd, N beta1, N beta2, N epsilon, N rescale,
       N clip) {
  run_moments(mean, var, decayed(weight, grad, wd, rescale, clip), beta1, beta2);
  return weight - lr * mean / (sqrt(var) + epsilon);
}
template <class N>
N adamw(N weight, N grad, N &mean, N &var, N lr, N eta, N wd, N beta1, N beta2, N epsilon,
        N rescale, N clip) {
  N g = clipped(rescale * grad, clip);
  mean = beta1 * mean + (1 - beta1) * g;
  var = beta2 * var + (1 - beta2) * (g * g);
  return weight - eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight);
}
// left1, left2: begun() of the betas.
template <class N>
N ftml(N weight, N grad, N &d, N &v, N &z, N lr, N wd, N beta1, N beta2, N epsilon, N rescale,
       N clip, N left1, N left2) {
  N g = decayed(weight, grad, wd, rescale, clip);
  v = beta2 * v + (1 - beta2) * (g * g);
  N after = left1 / lr * (sqrt(v / left2) + epsilon);
  z = beta1 * z + (1 - beta1) * g - (after - beta1 * d) * weight;
  d = after;
  return -z / after;
}
template <class N>
N rmsprop(N weight, N grad, N &n, N lr, N wd, N gamma1, N epsilon, N rescale, N clip,
          N clip_weights) {
  N g = decayed(weight, grad, wd, rescale, clip);
  n = (1 - gamma1) * (g * g) + gamma1 * n;
  return clipped(weight - lr * (g / sqrt(n + epsilon)), clip_weights);
}
template <class N>
N rmsprop_centered(N weight, N grad, N &n, N &g, N &delta, N lr, N wd, N gamma1, N gamma2,
                   N epsilon, N rescale, N clip, N clip_weights) {
  N own = decayed(weight, grad, wd, rescale, clip);
  n = (1 - gamma1) * own * own + gamma1 * n;
  g = (1 - gamma1) * own + gamma1 * g;
  delta = gamma2 * delta - lr * own / sqrt(n - g * g + epsilon);
  return clipped(weight + delta, clip_weights);
}
template <class N>
N ftrl(N weight, N grad, N &z, N &n, N lr, N wd, N lamda1, N beta, N rescale, N clip) {
  N g = clipped(rescale * grad, clip), square = g * g;
  z = z + (g - (sqrt(n + square) - sqrt(n)) * weight / lr);
  n = n + square;
  N moved = (sign(z) * lamda1 - z) / ((beta + sqrt(n)) / lr + wd);
  return moved * beyond(z, lamda1);
}

// --- LAMB: where the weight goes, then a step of a length that the norms decide ----------------

template <class N>
N lamb_direction(N weight, N mean, N var, N wd, N epsilon, N left1, N left2, bool correct) {
  if (correct) {
    mean = mean / left1;
    var = var / left2;
  }
  return mean / (sqrt(var) + epsilon) + wd * weight;
}
template <class N> N moved(N weight, N direction, N lr) { return weight - lr * direction; }

} // namespace symc::update
#endif
