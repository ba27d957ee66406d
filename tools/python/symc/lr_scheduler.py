"""symc.lr_scheduler: learning rates that follow the number of updates, by MXNet's names and formulas.

A scheduler is called with the number of updates done, of the parameter that has most of them, and gives the rate. Below
`warmup_steps` that is a way from warmup_begin_lr to base_lr (linear), or warmup_begin_lr itself (constant).
"""
import logging
import math


class LRScheduler:
    """Base class; others define rate(num_update), which base_lr becomes."""

    def __init__(self, base_lr: float = 0.01, warmup_steps: int = 0, warmup_begin_lr: float = 0,
                 warmup_mode: str = "linear") -> None:
        if not hasattr(warmup_steps, "__index__") or warmup_steps < 0:
            raise ValueError("warmup_steps is %r, needs a whole number of at least 0" % (warmup_steps,))
        if warmup_begin_lr > base_lr:
            raise ValueError("warmup_begin_lr is %g, needs at most base_lr = %g" % (warmup_begin_lr, base_lr))
        if warmup_mode not in ("linear", "constant"):
            raise ValueError("warmup_mode is '%s', needs linear or constant" % warmup_mode)
        self.base_lr, self.warmup_final_lr = base_lr, base_lr
        self.warmup_steps, self.warmup_begin_lr, self.warmup_mode = warmup_steps, warmup_begin_lr, warmup_mode

    def get_warmup_lr(self, num_update: int) -> float:
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        return self.warmup_begin_lr + (self.warmup_final_lr - self.warmup_begin_lr) * num_update / self.warmup_steps

    def __call__(self, num_update: int) -> float:
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        self.base_lr = self.rate(num_update)
        return self.base_lr

    def rate(self, num_update):
        raise NotImplementedError("%s does not define rate(num_update)" % type(self).__name__)


def _check_factor(factor):
    if factor > 1:
        raise ValueError("factor is %g, needs at most 1" % factor)


class FactorScheduler(LRScheduler):
    """Times `factor` behind every `step` updates, down to stop_factor_lr."""

    def __init__(self, step, factor=1, stop_factor_lr=1e-8, base_lr=0.01, warmup_steps=0, warmup_begin_lr=0,
                 warmup_mode="linear"):
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if step < 1:
            raise ValueError("step is %g, needs at least 1" % step)
        _check_factor(factor)
        self.step, self.factor, self.stop_factor_lr, self.count = step, factor, stop_factor_lr, 0

    def rate(self, num_update):
        lr = self.base_lr
        while num_update > self.count + self.step:
            self.count += self.step
            lr = max(lr * self.factor, self.stop_factor_lr)
            if lr == self.stop_factor_lr:
                logging.info("Update[%d]: now learning rate arrived at %0.5e, will not change in the future", num_update,
                             lr)
            else:
                logging.info("Update[%d]: Change learning rate to %0.5e", num_update, lr)
        return lr


class MultiFactorScheduler(LRScheduler):
    """Times `factor` behind each number of updates of the list `step`."""

    def __init__(self, step, factor=1, base_lr=0.01, warmup_steps=0, warmup_begin_lr=0, warmup_mode="linear"):
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if not isinstance(step, list) or not step:
            raise ValueError("step is %r, needs a list of numbers of updates" % (step,))
        if step[0] < 1 or any(after <= before for before, after in zip(step, step[1:])):
            raise ValueError("step is %r, needs numbers that grow from at least 1 on" % (step,))
        _check_factor(factor)
        self.step, self.factor, self.cur_step_ind, self.count = step, factor, 0, 0

    def rate(self, num_update):
        lr = self.base_lr
        while self.cur_step_ind < len(self.step) and num_update > self.step[self.cur_step_ind]:
            self.count = self.step[self.cur_step_ind]
            self.cur_step_ind += 1
            lr *= self.factor
            logging.info("Update[%d]: Change learning rate to %0.5e", num_update, lr)
        return lr


class _Until(LRScheduler):
    """From base_lr to final_lr at max_update, by a function of the part of the way that is done, 0 to 1."""

    def __init__(self, max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode):
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if not hasattr(max_update, "__index__") or max_update < 1:
            raise ValueError("max_update is %r, needs a whole number of at least 1" % (max_update,))
        self.base_lr_orig, self.max_update, self.final_lr = base_lr, max_update, final_lr
        self.max_steps = max_update - warmup_steps

    def rate(self, num_update):
        if num_update > self.max_update:
            return self.base_lr
        done = (num_update - self.warmup_steps) / self.max_steps
        return self.final_lr + (self.base_lr_orig - self.final_lr) * self.left(done)


class PolyScheduler(_Until):
    """By the power `pwr` of what is left."""

    def __init__(self, max_update, base_lr=0.01, pwr=2, final_lr=0, warmup_steps=0, warmup_begin_lr=0,
                 warmup_mode="linear"):
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        self.power = pwr

    def left(self, done):
        return (1 - done) ** self.power


class CosineScheduler(_Until):
    """By half a wave of a cosine."""

    def __init__(self, max_update, base_lr=0.01, final_lr=0, warmup_steps=0, warmup_begin_lr=0, warmup_mode="linear"):
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)

    def left(self, done):
        return (1 + math.cos(math.pi * done)) / 2
