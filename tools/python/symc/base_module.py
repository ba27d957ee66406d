"""BaseModule: what Module, BucketingModule and SequentialModule share: prediction and scores over an iterator's batches,
and one sentence for what needs training.

Classes have bind, forward, get_outputs, get_params, init_params, update_metric and the attributes binded and
params_initialized.
"""
from collections import namedtuple

import numpy as np

from . import io, metric, ndarray
from .checkpoint import load_params, named
from .errors import SymcError

BatchEndParam = namedtuple("BatchEndParam", "epoch nbatch eval_metric locals")


def callbacks(given):
    """A list of what is given as no function, one, or several."""
    return list(given) if isinstance(given, (list, tuple)) else [given] if given else []


def _training(name):
    def method(self, *_args, **_kwargs):
        raise SymcError("%s needs training, symc compiles prediction only" % name)
    method.__name__ = name
    return method


class BaseModule:
    """Base class of modules."""

    binded = params_initialized = for_training = inputs_need_grad = optimizer_initialized = False

    backward, fit, init_optimizer, update, get_input_grads, install_monitor, borrow_optimizer = map(
        _training, ("backward", "fit", "init_optimizer", "update", "get_input_grads", "install_monitor",
                    "borrow_optimizer"))

    @staticmethod
    def _check(holds, what):
        if not holds:
            raise SymcError("the module is not %s yet" % what)

    @staticmethod
    def _refuse_training(for_training, inputs_need_grad=False):
        if for_training or inputs_need_grad:
            raise SymcError("bind(for_training=True) needs training, symc compiles prediction only")

    def prepare(self, data_batch, sparse_row_id_fn=None):
        """Before a batch, MXNet's modules bring its sparse parameters; there are none."""

    def set_params(self, arg_params, aux_params, allow_missing=False, force_init=True, allow_extra=False):
        self.init_params(None, arg_params or {}, aux_params or {}, allow_missing, force_init, allow_extra)

    def save_params(self, fname):
        ndarray.save(fname, named(*self.get_params()))

    def load_params(self, fname):
        self.set_params(*load_params(fname))

    def iter_predict(self, eval_data, num_batch=None, reset=True, sparse_row_id_fn=None):
        """(outputs without padding, number, batch) of each batch."""
        if reset:
            eval_data.reset()
        for number, batch in enumerate(eval_data):
            if number == num_batch:
                break
            self.forward(batch)
            pad = getattr(batch, "pad", None) or 0
            yield [each[:each.shape[0] - pad].copy() for each in self.get_outputs()], number, batch

    def predict(self, eval_data, num_batch=None, merge_batches=True, reset=True, always_output_list=False,
                sparse_row_id_fn=None):
        """Outputs of an iterator's batches one after the other, or of one array that is a batch; a list of several
        outputs. merge_batches=False gives the list of each batch."""
        if isinstance(eval_data, np.ndarray):
            eval_data = io.NDArrayIter(eval_data, batch_size=eval_data.shape[0])
        batches = [outputs for outputs, _, _ in self.iter_predict(eval_data, num_batch, reset)]
        if not batches or not merge_batches:
            return batches
        shapes = [[each.shape[1:] for each in outputs] for outputs in batches]
        for each in shapes[1:]:
            if each != shapes[0]:
                raise ValueError("a row of outputs has shapes %s in one batch and %s in another, as buckets may give; "
                                 "merge_batches=False gives a list" % (shapes[0], each))
        merged = [np.concatenate(outputs).view(ndarray.NDArray) for outputs in zip(*batches)]
        return merged if len(merged) > 1 or always_output_list else merged[0]

    def score(self, eval_data, eval_metric, num_batch=None, batch_end_callback=None, score_end_callback=None,
              reset=True, epoch=0, sparse_row_id_fn=None):
        """[(name, value)] of a metric: its name, a function of label and prediction, an object of symc.metric, or a
        list of these. Callbacks get a BatchEndParam each. Rows that only fill the last batch count, as in MXNet;
        last_batch_handle="discard" has none."""
        measure = metric.create(eval_metric)
        measure.reset()

        def tell(functions, number):
            for each in callbacks(functions):
                each(BatchEndParam(epoch, number, measure, {"self": self}))
        count = 0
        for _, number, batch in self.iter_predict(eval_data, num_batch, reset):
            self.update_metric(measure, batch.label)
            tell(batch_end_callback, number)
            count += 1
        tell(score_end_callback, count)
        return measure.get_name_value()
