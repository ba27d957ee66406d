"""Optimizers that go along the gradient or its sign: SGD, NAG, Signum, LARS, LBSGD, DCASGD, SGLD, and Test.

`_updates.py` has the formulas. States are MXNet's: a momentum, or None where the momentum is 0; of a half-precision weight
with multi_precision (momentum, copy in float32).
"""
import logging
import math

import numpy as np

from . import _updates, random
from .ndarray import zeros
from .optimizer_base import Optimizer, register


def _like(weight):
    return zeros(weight.shape, dtype=weight.dtype)


class _WithMomentum(Optimizer):
    """The state is a momentum, or None where it is 0."""

    momentum = 0.0

    def create_state(self, index, weight):
        return _like(weight) if self.momentum != 0 else None

    def _step(self, plain, weight, grad, mom, lr, wd, momentum=None, out=None):
        """One update by `plain` or, with momentum, by sgd_momentum."""
        options = {"lr": lr, "wd": wd, "rescale": self.rescale_grad, "clip": self.clip_gradient or None, "out": out}
        if mom is None:
            _updates.apply(plain, weight, grad, **options)
        else:
            momentum = self.momentum if momentum is None else momentum
            _updates.apply(_updates.sgd_momentum, weight, grad, (mom,), momentum=max(momentum, 0.0), **options)


class _WithCopyLast(_WithMomentum):
    """Of a half-precision weight, the state is (momentum, copy in float32)."""

    def create_state_multi_precision(self, index, weight):
        if not self._keeps_copy(weight):
            return self.create_state(index, weight)
        copy = weight.astype(np.float32)
        return self.create_state(index, copy), copy

    def update_multi_precision(self, index, weight, grad, state):
        self.update(index, weight, grad, state)

    @staticmethod
    def _copy_and_state(state):
        return state[1], state[0]

    @staticmethod
    def _parts(weight, state):
        """(weight that is computed with, its momentum or None, half-precision weight or None)."""
        if isinstance(state, (list, tuple)):
            return state[1], state[0], weight
        return weight, state, None


class _Grouped(_WithCopyLast):
    """update() takes lists, too; an Updater gives lists of at most aggregate_num weights."""

    def update(self, index, weight, grad, state):
        if isinstance(index, (list, tuple)):
            self._update_group(index, weight, grad, state)
        else:
            self._update_group([index], [weight], [grad], [state])

    def _numbers(self, index, most):
        if self.lr_scheduler is None:
            return super()._numbers(index, most)
        rates = []
        for begin in range(0, len(index), most):
            self._update_count(index[begin:begin + most])
            rates += self._get_lrs(index[begin:begin + most])
        return {"learning_rate": rates, "wd": self._get_wds(index)}


@register
class SGD(_Grouped):
    """weight += momentum; the momentum is momentum times it, minus rate times gradient and decay."""

    def __init__(self, momentum=0.0, lazy_update=True, **kwargs):
        super().__init__(**kwargs)
        self.momentum, self.lazy_update, self.aggregate_num = momentum, lazy_update, 4

    def _update_group(self, indices, weights, grads, states):
        self._update_count(indices)
        for weight, grad, state, lr, wd in zip(weights, grads, states, self._get_lrs(indices), self._get_wds(indices)):
            own, mom, half = self._parts(weight, state)
            self._step(_updates.sgd_of_several, own, grad, mom, lr, wd, out=half)

    def _row(self):
        return "sgd", (("momentum", max(self.momentum, 0.0)),)


@register
class ccSGD(SGD):
    """SGD by its name of MXNet's first versions."""


@register
class NAG(_WithCopyLast):
    """SGD with Nesterov's momentum."""

    def __init__(self, momentum=0.0, **kwargs):
        super().__init__(**kwargs)
        self.momentum = momentum

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        own, mom, half = self._parts(weight, state)
        if mom is None:
            self._step(_updates.sgd, own, grad, None, lr, wd, out=half)
        else:
            _updates.apply(_updates.nag, own, grad, (mom,), half, lr=lr, wd=wd, momentum=max(self.momentum, 0.0),
                           rescale=self.rescale_grad, clip=self.clip_gradient or None)

    def _row(self):
        return "nag", (("momentum", max(self.momentum, 0.0)),)


@register
class Signum(Optimizer):
    """By the sign of the momentum, or of the gradient where the momentum is 0. wd_lh decays the weight by itself."""

    def __init__(self, learning_rate=0.01, momentum=0.9, wd_lh=0.0, **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum, self.wd_lh = momentum, wd_lh

    def create_state(self, index, weight):
        return _like(weight) if self.momentum != 0 else None

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        if state is None:
            _updates.apply(_updates.sign_sgd, weight, grad, lr=lr, wd=wd)
        else:
            _updates.apply(_updates.signum, weight, grad, (state,), lr=lr, wd=wd, wd_lh=self.wd_lh,
                           momentum=max(self.momentum, 0.0), rescale=self.rescale_grad, clip=self.clip_gradient or None)

    def _row(self):
        return "signum", (("momentum", max(self.momentum, 0.0)), ("wd_lh", self.wd_lh))


@register
class LARS(_Grouped):
    """SGD whose rate is times eta |weight| / (|gradient| + wd |weight|), but for names that end in gamma, beta or bias.
    Only names that end in _weight have a decay. With momentum_correction the momentum follows changes of the rate: in the
    first group of an update, as in MXNet."""

    def __init__(self, momentum=0.0, lazy_update=True, eta=0.001, eps=0, momentum_correction=True, **kwargs):
        super().__init__(**kwargs)
        self.momentum, self.momentum_correction, self.lazy_update = momentum, momentum_correction, lazy_update
        self.aggregate_num, self.eta, self.eps, self.skip = 4, eta, eps, 0
        self.last_lr = self.cur_lr = None

    @staticmethod
    def _decays(name):
        return name.endswith("_weight")

    def _get_lrs(self, indices):
        lr = self.learning_rate
        self.last_lr, self.cur_lr = lr if self.cur_lr is None else self.cur_lr, lr
        return self._multiplied(lr, "lr_mult", indices)

    def _ratio(self, index, weight, grad, wd):
        """What the rate is multiplied by."""
        if str(self.idx2name.get(index, index)).endswith(("gamma", "beta", "bias")):
            return 1.0
        of_weight = math.sqrt(_updates.sum_of_squares(weight))
        of_grad = math.sqrt(_updates.sum_of_squares(grad)) * self.rescale_grad
        if not of_weight > 0 or not of_grad > 0:
            return 1.0
        return self.eta * of_weight / (of_grad + wd * of_weight + self.eps)

    def _corrected_momentum(self):
        """By the rates of this group and the last one."""
        corrects = self.momentum_correction and self.last_lr != 0
        return self.momentum * self.cur_lr / self.last_lr if corrects else self.momentum

    @staticmethod
    def _copy_and_state(state):  # norms are those of the half-precision weight
        return None

    def _row(self):
        return "lars", (("eta", self.eta), ("eps", self.eps), ("momentum_correction", 0))  # which _numbers has made

    def _numbers(self, index, most):
        rates, momenta = [], []
        for begin in range(0, len(index), most):
            group = index[begin:begin + most]
            self._update_count(group)
            rates += self._get_lrs(group)
            momenta += [max(self._corrected_momentum(), 0.0)] * len(group)
        return {"learning_rate": rates, "wd": self._get_wds(index), "momentum": momenta}

    def _update_group(self, indices, weights, grads, states):
        self._update_count(indices)
        lrs, wds = self._get_lrs(indices), self._get_wds(indices)
        momentum = self._corrected_momentum()
        for index, weight, grad, state, lr, wd in zip(indices, weights, grads, states, lrs, wds):
            lr *= self._ratio(index, weight, grad, wd)
            own, mom, half = self._parts(weight, state)
            self._step(_updates.sgd_of_several, own, grad, mom, lr, wd, momentum, half)


@register
class LBSGD(_WithMomentum):
    """SGD for large batches: an update for every batch_scale gradients, at a rate that grows in warmup_epochs (`linear`,
    `power2`, `sqrt`), or follows the norms of weight and gradient (`lars`)."""

    def __init__(self, momentum=0.0, multi_precision=False, warmup_strategy="linear", warmup_epochs=5, batch_scale=1,
                 updates_per_epoch=32, begin_epoch=0, num_epochs=60, **kwargs):
        super().__init__(multi_precision=multi_precision, **kwargs)
        logging.info("Running Large-Batch SGD Algorithm")
        logging.info("(Batch_scale=%f, warmup_epochs=%d, warmup_strategy=%s, updates_per_epoch=%d)", batch_scale,
                     warmup_epochs, warmup_strategy, updates_per_epoch)
        self.momentum, self.batch_scale, self.num_epochs = momentum, batch_scale, num_epochs
        self.warmup_strategy, self.warmup_epochs, self.updates_per_epoch = warmup_strategy, warmup_epochs, updates_per_epoch
        self.init_updates, self.cumgrads = begin_epoch * updates_per_epoch, {}

    def _growth(self, count):
        """What the rate is multiplied by behind so many gradients."""
        last, most = self.warmup_epochs * self.updates_per_epoch, float(self.batch_scale)
        if count >= last:
            return most
        if last <= 1:
            return 1.0
        part = {"linear": count / last, "power2": (count * count) / (last * last),
                "sqrt": math.sqrt(count / last)}.get(self.warmup_strategy, 0.0)
        return 1.0 + (most - 1) * part

    @staticmethod
    def _ratio(weight, grad, wd):
        squares, of_grad = (np.square(np.asarray(each)).sum() for each in (weight, grad))
        return min(max(math.sqrt(squares / (of_grad + wd * squares + 1e-18)), 0.01), 100)

    def _gather(self, index, grad):
        """(sum of gradients since the last update, number of all)."""
        last = self.cumgrads.get(index)
        count = last["num_cums"] + 1 if last and last["num_cums"] > 0 else self.init_updates + 1
        total = last["cum_grad"] + grad if last and last["num_cums"] > 0 else grad.copy()
        self.cumgrads[index] = {"cum_grad": total, "num_cums": count}
        return total, count

    def update(self, index, weight, grad, state):
        lr, wd = self._get_lr(index), self._get_wd(index)
        self._update_count(index)
        total, count = self._gather(index, grad)
        if count % self.batch_scale:
            _updates.apply(_updates.sgd, weight, grad, lr=0.0, wd=wd, rescale=1.0, clip=None)
            return
        grad = total / self.batch_scale
        lr *= self._ratio(weight, grad, wd) if self.warmup_strategy == "lars" else self._growth(count)
        self._step(_updates.sgd, weight, grad, state, lr, wd)
        self.cumgrads[index]["cum_grad"] = 0

    def _row(self):
        if self.batch_scale != 1:  # the sums are in cumgrads
            return None
        return "lbsgd", (("momentum", max(self.momentum, 0.0)), ("batch_scale", 1), ("updates_per_epoch", 1),
                         ("warmup_strategy", 3 if self.warmup_strategy == "lars" else 0))  # `warmup_epochs` 0: no growth

    def _numbers(self, index, most):
        rates, decays = [], []
        for each in index:
            lr, wd = self._get_lr(each), self._get_wd(each)
            self._update_count(each)
            count = self.cumgrads.get(each, {}).get("num_cums", 0) or self.init_updates
            self.cumgrads[each] = {"cum_grad": 0, "num_cums": count + 1}
            rates.append(lr if self.warmup_strategy == "lars" else lr * self._growth(count + 1))
            decays.append(wd)
        return {"learning_rate": rates, "wd": decays}


def rescaled(optimizer, grad):
    """The gradient that optimizers without an operator in MXNet begin with."""
    grad = np.asarray(grad) * grad.dtype.type(optimizer.rescale_grad)
    bound = optimizer.clip_gradient
    return grad if bound is None else np.clip(grad, grad.dtype.type(-bound), grad.dtype.type(bound))


@register
class DCASGD(Optimizer):
    """SGD that corrects for the way that the weight went since its gradient was computed, by `lamda`."""

    def __init__(self, momentum=0.0, lamda=0.04, **kwargs):
        super().__init__(**kwargs)
        self.momentum, self.lamda, self.weight_previous = momentum, lamda, {}

    def create_state(self, index, weight):
        return (_like(weight) if self.momentum != 0 else None), weight.copy()

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        mom, previous = state
        options = {"lr": lr, "wd": wd, "lamda": self.lamda, "exact": True}
        if mom is None:
            _updates.apply(_updates.dcasgd_plain, weight, rescaled(self, grad), (previous,), **options)
        else:
            _updates.apply(_updates.dcasgd, weight, rescaled(self, grad), (previous, mom), momentum=self.momentum, **options)

    def _row(self):
        return "dcasgd", (("momentum", self.momentum), ("lamda", self.lamda))

    @staticmethod
    def _row_states(state):
        return [each for each in state if each is not None]


@register
class SGLD(Optimizer):
    """Stochastic gradient Langevin dynamics: half a step of gradient descent and noise of the variance of the rate, drawn
    by the generator of symc.random."""

    def update(self, index, weight, grad, state):
        lr, wd = self._begin(index)
        plain, one = weight.view(np.ndarray), weight.dtype.type
        plain += one(-lr / 2) * (rescaled(self, grad) + one(wd) * plain)
        plain += random.generator.normal(0, math.sqrt(lr), plain.shape).astype(plain.dtype)


@register
class Test(Optimizer):
    """Adds the gradient, and keeps the weight as its state."""

    def create_state(self, index, weight):
        return _like(weight)

    def update(self, index, weight, grad, state):
        weight += grad * self.rescale_grad
        state[...] = weight
