"""The formulas of MXNet's optimizers on arrays of NumPy, in MXNet's order of operations and in the type of the weights.

A formula takes a weight, its gradient and its states, and gives their new values in the order (weight, *states). `apply`
runs it in place on parts of 16,384 elements, which stay in the processor's cache, for numbers that are cast to the
weight's type as MXNet casts them: by way of float32.
"""
import numpy as np

_PART = 16384  # elements


def number(value, dtype):
    """A parameter of an operator of MXNet, which is a float there."""
    return np.float32(value).astype(dtype)


def _less(value):
    """1 - value in its type, which NumPy before 2.0 would leave."""
    return value.dtype.type(1) - value


def _flat(array):
    """(elements in a row, whether they are the array's own memory)."""
    plain = array.view(np.ndarray)
    return plain.reshape(-1), plain.flags.c_contiguous


def apply(formula, weight, grad, states=(), out=None, exact=False, **numbers):
    """Gives weight and states their new values. `out`: what takes the weight's new values, too, in its own type: the
    half-precision weight beside its copy in float32. A number that is None stays None; `exact` ones are cast at once, as
    those that MXNet gives its operators of arrays and numbers."""
    dtype = weight.dtype
    numbers = {key: value if value is None or isinstance(value, bool) else
               dtype.type(value) if exact else number(value, dtype) for key, value in numbers.items()}
    kept = [_flat(each) for each in (weight, *states)]
    grad = _flat(grad)[0]
    count = kept[0][0].size
    with np.errstate(all="ignore"):
        for begin in range(0, count, _PART):
            parts = [each[begin:begin + _PART] for each, _ in kept]
            gradient = grad[begin:begin + _PART].astype(dtype, copy=False)
            for part, value in zip(parts, formula(parts[0], gradient, *parts[1:], **numbers)):
                part[...] = value
    for array, (values, own) in zip((weight, *states), kept):
        if not own:
            array[...] = values.reshape(array.shape)
    if out is not None:
        out[...] = weight


def _clipped(grad, clip):
    return grad if clip is None or clip < 0 else np.clip(grad, -clip, clip)


def _rate_times_grad(grad, rate, rescale, clip):
    """rate * gradient, which the kernels compute in another order where it is not clipped."""
    if clip is not None and clip >= 0:
        return rate * np.clip(rescale * grad, -clip, clip)
    return (rate * rescale) * grad


def _sign(values):
    """Of no number, which no comparison holds of, 0."""
    return (values > 0).astype(values.dtype) - (values < 0)


# --- Gradient descent ---------------------------------------------------------

def sgd(weight, grad, lr, wd, rescale, clip):
    return (_less(lr * wd) * weight - _rate_times_grad(grad, lr, rescale, clip),)


def sgd_of_several(weight, grad, lr, wd, rescale, clip):
    """sgd as the operators for several weights round it, which SGD and LARS use."""
    return (weight + (-((lr * wd) * weight) - _rate_times_grad(grad, lr, rescale, clip)),)


def sgd_momentum(weight, grad, mom, lr, wd, momentum, rescale, clip):
    mom = momentum * mom - (lr * wd) * weight - _rate_times_grad(grad, lr, rescale, clip)
    return weight + mom, mom


def nag(weight, grad, mom, lr, wd, momentum, rescale, clip):
    """The decay of the momentum is that of the new weight, which MXNet's operator has written by then."""
    mom, grad = momentum * mom, _clipped(rescale * grad, clip)
    moved = weight - mom + (momentum + momentum.dtype.type(1)) * (mom - lr * (grad + wd * weight))
    return moved, mom - lr * (grad + wd * moved)


def sign_sgd(weight, grad, lr, wd):
    return (_less(lr * wd) * weight - lr * _sign(grad),)


def signum(weight, grad, mom, lr, wd, wd_lh, momentum, rescale, clip):
    rest = _less(momentum)
    mom = momentum * mom - (rest * wd) * weight - _rate_times_grad(grad, rest, rescale, clip)
    return _less(lr * wd_lh) * weight + lr * _sign(mom), mom


def dcasgd(weight, grad, previous, mom, lr, wd, lamda, momentum):
    step = -lr * (grad + wd * weight + lamda * grad * grad * (weight - previous))
    mom = mom * momentum + step
    return weight + mom, weight.copy(), mom


def dcasgd_plain(weight, grad, previous, lr, wd, lamda):
    return weight + -lr * (grad + wd * weight + lamda * grad * grad * (weight - previous)), weight.copy()


# --- By the sizes of gradients ------------------------------------------------

def adam(weight, grad, mean, var, lr, wd, beta1, beta2, epsilon, rescale, clip):
    grad = _clipped(grad * rescale + weight * wd, clip)
    mean = beta1 * mean + _less(beta1) * grad
    var = beta2 * var + _less(beta2) * grad * grad
    return weight - lr * mean / (np.sqrt(var) + epsilon), mean, var


def adamax(weight, grad, mean, largest, lr, wd, beta1, rest1, beta2, rescale, clip):
    """`rest1`: 1 - beta1, here and below, rounded once."""
    grad = grad * rescale + wd * weight
    grad = grad if clip is None else np.clip(grad, -clip, clip)
    mean = mean * beta1 + rest1 * grad
    largest = np.maximum(beta2 * largest, np.abs(grad))
    return np.where(largest == 0, weight, weight - lr * mean / largest), mean, largest


def nadam(weight, grad, mean, var, lr, wd, beta1, rest1, beta2, rest2, epsilon, rescale, clip, rest_now, following,
          grad_left, mean_left, var_left):
    """`rest_now`, `following`: of the schedule's momenta of this update and the next; `_left`: what means are divided by."""
    grad = grad * rescale + wd * weight
    grad = grad if clip is None else np.clip(grad, -clip, clip)
    mean = mean * beta1 + rest1 * grad
    var = var * beta2 + rest2 * grad * grad
    bar = rest_now * (grad / grad_left) + following * (mean / mean_left)
    return weight - lr * bar / (np.sqrt(var / var_left) + epsilon), mean, var


def ftml(weight, grad, d, v, z, lr, wd, beta1, beta2, epsilon, rescale, clip, t):
    """`t`: the number of updates."""
    grad = _clipped(rescale * grad + wd * weight, clip)
    v = beta2 * v + _less(beta2) * (grad * grad)
    d_t = _less(beta1 ** t) / lr * (np.sqrt(v / _less(beta2 ** t)) + epsilon)
    z = beta1 * z + _less(beta1) * grad - (d_t - beta1 * d) * weight
    return -z / d_t, d_t, v, z


def rmsprop(weight, grad, n, lr, wd, gamma1, epsilon, rescale, clip, clip_weights):
    grad = _clipped(rescale * grad + wd * weight, clip)
    n = _less(gamma1) * (grad * grad) + gamma1 * n
    return _clipped(weight - lr * (grad / np.sqrt(n + epsilon)), clip_weights), n


def rmsprop_centered(weight, grad, n, g, delta, lr, wd, gamma1, gamma2, epsilon, rescale, clip, clip_weights):
    grad = _clipped(rescale * grad + wd * weight, clip)
    n = _less(gamma1) * grad * grad + gamma1 * n
    g = _less(gamma1) * grad + gamma1 * g
    delta = gamma2 * delta - lr * grad / np.sqrt(n - g * g + epsilon)
    return _clipped(weight + delta, clip_weights), n, g, delta


def adagrad(weight, grad, history, lr, wd, epsilon):
    history = history + grad * grad
    return weight + (grad / np.sqrt(history + epsilon) + weight * wd) * -lr, history


def adadelta(weight, grad, gradients, deltas, wd, rho, rest, epsilon):
    gradients = gradients * rho + rest * grad * grad
    delta = np.sqrt(deltas + epsilon) / np.sqrt(gradients + epsilon) * grad
    return weight - (delta + wd * weight), gradients, deltas * rho + rest * delta * delta


def ftrl(weight, grad, z, n, lr, wd, lamda1, beta, rescale, clip):
    grad = _clipped(grad * rescale, clip)
    square = grad * grad
    z = z + (grad - (np.sqrt(n + square) - np.sqrt(n)) * weight / lr)
    n = n + square
    return (np.sign(z) * lamda1 - z) / ((beta + np.sqrt(n)) / lr + wd) * (np.abs(z) > lamda1), z, n


def lamb_direction(direction, grad, weight, mean, var, wd, beta1, beta2, epsilon, rescale, clip, t, correct):
    """The first of LAMB's two parts: where the weight goes."""
    grad = _clipped(grad * rescale, clip)
    mean = beta1 * mean + _less(beta1) * grad
    var = beta2 * var + _less(beta2) * grad * grad
    mean_hat, var_hat = (mean / _less(beta1 ** t), var / _less(beta2 ** t)) if correct else (mean, var)
    return mean_hat / (np.sqrt(var_hat) + epsilon) + wd * weight, weight, mean, var


def move(weight, direction, lr):
    return (weight - lr * direction,)


def sum_of_squares(array):
    """As float64, of squares in the array's type, or in float32 of a half-precision one."""
    flat = _flat(array)[0].astype(np.promote_types(array.dtype, np.float32), copy=False)
    return sum(float(np.dot(part, part)) for part in np.split(flat, range(_PART, flat.size, _PART)))
