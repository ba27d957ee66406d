"""symc.callback: functions for the end of a batch or an epoch, by MXNet's names. What they report goes to the logging
module, as MXNet's text."""
import logging
import math
import time

from .checkpoint import save_checkpoint


def _every(period, save):
    period = max(1, int(period))

    def at_end_of_epoch(iter_no, sym=None, arg=None, aux=None):
        if (iter_no + 1) % period == 0:
            save(iter_no + 1, sym, arg, aux)
    return at_end_of_epoch


def do_checkpoint(prefix, period=1):
    """Saves the symbol and its parameters every `period` epochs."""
    return _every(period, lambda epoch, sym, arg, aux: save_checkpoint(prefix, epoch, sym, arg, aux))


def module_checkpoint(mod, prefix, period=1, save_optimizer_states=False):
    """The same by a module's save_checkpoint."""
    return _every(period, lambda epoch, *_: mod.save_checkpoint(prefix, epoch, save_optimizer_states))


def _values(param):
    return param.eval_metric.get_name_value() if param.eval_metric is not None else []


def log_train_metric(period, auto_reset=False):
    """Reports the metric every `period` batches."""
    def at_end_of_batch(param):
        if param.nbatch % period == 0 and param.eval_metric is not None:
            for name, value in _values(param):
                logging.info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value)
            if auto_reset:
                param.eval_metric.reset_local()
    return at_end_of_batch


class Speedometer:
    """Reports rows a second and the metric every `frequent` batches; with auto_reset the metric begins anew then."""

    def __init__(self, batch_size, frequent=50, auto_reset=True):
        self.batch_size, self.frequent, self.auto_reset = batch_size, frequent, auto_reset
        self._begun, self._last = None, 0

    def __call__(self, param):
        count, self._last, before = param.nbatch, param.nbatch, self._last
        if self._begun is None or before > count:  # the first batch of an epoch
            self._begun = time.time()
            return
        if count % self.frequent:
            return
        seconds = time.time() - self._begun
        speed = self.frequent * self.batch_size / seconds if seconds else math.inf
        if param.eval_metric is None:
            logging.info("Iter[%d] Batch [%d]\tSpeed: %.2f samples/sec", param.epoch, count, speed)
        else:
            figures = "".join("\t%s=%f" % pair for pair in _values(param))
            begin = count - self.frequent if self.auto_reset else 0
            logging.info("Epoch[%d] Batch [%d-%d]\tSpeed: %.2f samples/sec%s", param.epoch, begin, count, speed, figures)
            if self.auto_reset:
                param.eval_metric.reset_local()
        self._begun = time.time()


class ProgressBar:
    """Reports how many of `total` batches are done, as a bar."""

    def __init__(self, total, length=80):
        self.total, self.length = total, length

    def __call__(self, param):
        part = param.nbatch / float(self.total)
        filled = int(round(self.length * part))
        logging.info("[%s] %s%%\r", "=" * filled + "-" * (self.length - filled), math.ceil(100 * part))


class LogValidationMetricsCallback:
    """Reports the metric at the end of an evaluation."""

    def __call__(self, param):
        for name, value in _values(param):
            logging.info("Epoch[%d] Validation-%s=%f", param.epoch, name, value)
