"""Optimizers whose steps follow the sizes of gradients: Adam, Adamax, Nadam, FTML, RMSProp, AdaGrad, GroupAdaGrad,
AdaDelta, Ftrl, LAMB. `_updates.py` has the formulas; states are MXNet's, in its order."""
import math

import numpy as np

from . import _updates
from .ndarray import zeros
from .optimizer_base import Optimizer, register
from .optimizer_descent import rescaled


def _zeros(weight, count):
    return tuple(zeros(weight.shape, dtype=weight.dtype) for _ in range(count))


class _Moments(Optimizer):
    """Options and states that those of the family of Adam share: means of the gradient and of its square."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1, self.beta2 = beta1, beta2

    def create_state(self, index, weight):
        return _zeros(weight, 2)


@register
class Adam(_Moments):
    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, lazy_update=True, **kwargs):
        super().__init__(learning_rate, beta1, beta2, **kwargs)
        self.epsilon, self.lazy_update = epsilon, lazy_update

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        count = self._index_update_count[index]
        lr *= math.sqrt(1.0 - self.beta2 ** count) / (1.0 - self.beta1 ** count)
        _updates.apply(_updates.adam, weight, grad, state, lr=lr, wd=wd, beta1=self.beta1, beta2=self.beta2,
                       epsilon=self.epsilon, rescale=self.rescale_grad, clip=self.clip_gradient or None)

    def _row(self):
        return "adam", (("beta1", self.beta1), ("beta2", self.beta2), ("epsilon", self.epsilon))


@register
class Adamax(_Moments):
    """Adam by the largest gradient. An element that had none yet stays as it is, where MXNet divides 0 by 0."""

    def __init__(self, learning_rate=0.002, beta1=0.9, beta2=0.999, **kwargs):
        super().__init__(learning_rate, beta1, beta2, **kwargs)

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        lr /= 1.0 - self.beta1 ** self._index_update_count[index]
        _updates.apply(_updates.adamax, weight, grad, state, exact=True, lr=lr, wd=wd, beta1=self.beta1,
                       rest1=1.0 - self.beta1, beta2=self.beta2, rescale=self.rescale_grad, clip=self.clip_gradient)

    def _row(self):
        return "adamax", (("beta1", self.beta1), ("beta2", self.beta2))


@register
class Nadam(_Moments):
    """Adam with Nesterov's momentum. Its schedule of momenta is one for all parameters, which goes on with each of them in
    their order."""

    _schedule = "m_schedule"

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, schedule_decay=0.004, **kwargs):
        super().__init__(learning_rate, beta1, beta2, **kwargs)
        self.epsilon, self.schedule_decay, self.m_schedule = epsilon, schedule_decay, 1.0

    def _momentum(self, count):
        return self.beta1 * (1.0 - 0.5 * 0.96 ** (count * self.schedule_decay))

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        count = self._index_update_count[index]
        now, following = self._momentum(count), self._momentum(count + 1)
        self.m_schedule *= now
        _updates.apply(_updates.nadam, weight, grad, state, exact=True, lr=lr, wd=wd, beta1=self.beta1,
                       rest1=1.0 - self.beta1, beta2=self.beta2, rest2=1.0 - self.beta2, epsilon=self.epsilon,
                       rescale=self.rescale_grad, clip=self.clip_gradient, rest_now=1.0 - now, following=following,
                       grad_left=1.0 - self.m_schedule, mean_left=1.0 - self.m_schedule * following,
                       var_left=1.0 - self.beta2 ** count)

    def _row(self):
        return "nadam", (("beta1", self.beta1), ("beta2", self.beta2), ("epsilon", self.epsilon),
                         ("schedule_decay", self.schedule_decay))


@register
class FTML(Optimizer):
    """Follow the moving leader."""

    def __init__(self, beta1=0.6, beta2=0.999, epsilon=1e-8, **kwargs):
        super().__init__(**kwargs)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon

    def create_state(self, index, weight):
        return _zeros(weight, 3)

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        _updates.apply(_updates.ftml, weight, grad, state, lr=lr, wd=wd, beta1=self.beta1, beta2=self.beta2,
                       epsilon=self.epsilon, rescale=self.rescale_grad, clip=self.clip_gradient or None,
                       t=self._index_update_count[index])

    def _row(self):
        return "ftml", (("beta1", self.beta1), ("beta2", self.beta2), ("epsilon", self.epsilon))


@register
class RMSProp(Optimizer):
    """Tieleman and Hinton's; with `centered` that of Graves, by the variance of gradients and with a momentum gamma2."""

    def __init__(self, learning_rate=0.001, gamma1=0.9, gamma2=0.9, epsilon=1e-8, centered=False, clip_weights=None,
                 **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.gamma1, self.gamma2, self.epsilon = gamma1, gamma2, epsilon
        self.centered, self.clip_weights = centered, clip_weights

    def create_state(self, index, weight):
        return _zeros(weight, 3 if self.centered else 1)

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        options = {"lr": lr, "wd": wd, "gamma1": self.gamma1, "epsilon": self.epsilon, "rescale": self.rescale_grad,
                   "clip": self.clip_gradient or None, "clip_weights": self.clip_weights or None}
        if self.centered:
            _updates.apply(_updates.rmsprop_centered, weight, grad, state, gamma2=self.gamma2, **options)
        else:
            _updates.apply(_updates.rmsprop, weight, grad, state, **options)

    def _row(self):
        return "rmsprop", (("gamma1", self.gamma1), ("gamma2", self.gamma2), ("epsilon", self.epsilon),
                           ("centered", bool(self.centered)), ("clip_weights", self.clip_weights or -1.0))


@register
class AdaGrad(Optimizer):
    def __init__(self, eps=1e-7, **kwargs):
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index, weight):
        return _zeros(weight, 1)[0]

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        _updates.apply(_updates.adagrad, weight, rescaled(self, grad), (state,), exact=True, lr=lr, wd=wd,
                       epsilon=self.float_stable_eps)

    def _row(self):
        return "adagrad", (("eps", self.float_stable_eps),)


@register
class GroupAdaGrad(Optimizer):
    """AdaGrad with one history for each row of a matrix, without decay."""

    def __init__(self, eps=1e-5, **kwargs):
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index, weight):
        if weight.ndim != 2:
            raise ValueError("GroupAdaGrad updates matrices, parameter '%s' has shape %s" % (
                self.idx2name.get(index, index), weight.shape))
        return zeros((weight.shape[0], 1), dtype=weight.dtype)

    def _refuse_decay(self, index, wd):
        if wd:
            raise ValueError("GroupAdaGrad has no weight decay, parameter '%s' has wd = %g" % (
                self.idx2name.get(index, index), wd))

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        self._refuse_decay(index, wd)
        grad, history, one = rescaled(self, grad), state.view(np.ndarray), weight.dtype.type
        history += np.square(grad).mean(axis=1, keepdims=True)
        plain = weight.view(np.ndarray)
        plain -= one(lr) * grad / np.sqrt(history + one(self.float_stable_eps))

    def _row(self):
        return "groupadagrad", (("eps", self.float_stable_eps),)

    def _numbers(self, index, most):
        made = super()._numbers(index, most)
        for each, wd in zip(index, made["wd"]):
            self._refuse_decay(each, wd)
        return made


@register
class AdaDelta(Optimizer):
    """It has no rate. The gradient's array is multiplied by rescale_grad, too, as in MXNet."""

    def __init__(self, rho=0.9, epsilon=1e-5, **kwargs):
        super().__init__(**kwargs)
        self.rho, self.epsilon = rho, epsilon

    def create_state(self, index, weight):
        return _zeros(weight, 2)

    def update(self, index, weight, grad, state):
        _, wd = self._begin(index)
        own = rescaled(self, grad)
        grad *= self.rescale_grad
        _updates.apply(_updates.adadelta, weight, own, state, exact=True, wd=wd, rho=self.rho, rest=1.0 - self.rho,
                       epsilon=self.epsilon)

    def _row(self):
        return "adadelta", (("rho", self.rho), ("epsilon", self.epsilon))

    def _after_row(self, grads):
        for each in grads:
            if each.dtype == np.float32:  # of others update() gets a copy
                each *= self.rescale_grad


@register
class Ftrl(Optimizer):
    """Follow the regularised leader; `lamda1` makes weights 0."""

    def __init__(self, lamda1=0.01, learning_rate=0.1, beta=1, **kwargs):
        super().__init__(**kwargs)
        self.lamda1, self.lr, self.beta = lamda1, learning_rate, beta

    def create_state(self, index, weight):
        return _zeros(weight, 2)

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        _updates.apply(_updates.ftrl, weight, grad, state, lr=lr, wd=wd, lamda1=self.lamda1, beta=self.beta,
                       rescale=self.rescale_grad, clip=self.clip_gradient or None)

    def _row(self):
        return "ftrl", (("lamda1", self.lamda1), ("beta", self.beta))


@register
class LAMB(_Moments):
    """Adam's direction, with a step as long as the weight, which lower_bound and upper_bound bound. Groups of at most 45
    weights come from an Updater."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-6, lower_bound=None, upper_bound=None,
                 bias_correction=True, **kwargs):
        super().__init__(learning_rate, beta1, beta2, **kwargs)
        self.epsilon, self.bias_correction, self.aggregate_num = epsilon, bias_correction, 45
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def update(self, index, weight, grad, state):
        self.update_multi_precision(index, weight, grad, state)

    def update_multi_precision(self, index, weight, grad, state):
        if not isinstance(index, (list, tuple)):
            index, weight, grad, state = [index], [weight], [grad], [state]
        rates = [(*self._begin(each), self._index_update_count[each]) for each in index]
        for each in zip(weight, grad, state, rates):
            self._update_one(*each)

    def _update_one(self, weight, grad, state, rates):
        (lr, wd, count), half = rates, None
        if self.multi_precision and weight.dtype == np.float16:
            half, (weight, state) = weight, state
        direction = np.empty(weight.shape, weight.dtype)
        length = math.sqrt(_updates.sum_of_squares(weight))
        _updates.apply(_updates.lamb_direction, direction, grad, (weight, *state), wd=wd, beta1=self.beta1,
                       beta2=self.beta2, epsilon=self.epsilon, rescale=self.rescale_grad, t=count,
                       clip=self.clip_gradient or None, correct=bool(self.bias_correction))
        if self.lower_bound:
            length = max(length, self.lower_bound)
        if self.upper_bound:
            length = min(length, self.upper_bound)
        step = math.sqrt(_updates.sum_of_squares(direction))
        _updates.apply(_updates.move, weight, direction, out=half, lr=lr * length / step if length and step else lr)

    def _row(self):
        return "lamb", (("beta1", self.beta1), ("beta2", self.beta2), ("epsilon", self.epsilon),
                        ("lower_bound", self.lower_bound or -1.0), ("upper_bound", self.upper_bound or -1.0),
                        ("bias_correction", bool(self.bias_correction)))
