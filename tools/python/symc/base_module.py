"""BaseModule: what Module, BucketingModule, SequentialModule and PythonModule share: training, prediction and scores over an
iterator's batches.

Classes have bind, forward, get_outputs, get_params, init_params, update_metric and the attributes binded and
params_initialized; for training also backward, update, init_optimizer and install_monitor.
"""
import logging
import time
from collections import namedtuple

import numpy as np

from . import initializer as initializers, io, metric, ndarray
from .checkpoint import load_params, named
from .errors import SymcError

BatchEndParam = namedtuple("BatchEndParam", "epoch nbatch eval_metric locals")


def callbacks(given):
    """A list of what is given as no function, one, or several."""
    return list(given) if isinstance(given, (list, tuple)) else [given] if given else []


class BaseModule:
    """Base class of modules."""

    binded = params_initialized = for_training = inputs_need_grad = optimizer_initialized = False

    def __init__(self, logger=logging):
        self.logger = logger or logging

    @staticmethod
    def _check(holds, what):
        if not holds:
            raise SymcError("the module is not %s yet" % what)

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
            self.forward(batch, is_train=False)
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

        def notify(functions, number):
            for each in callbacks(functions):
                each(BatchEndParam(epoch, number, measure, {"self": self}))
        count = 0
        for _, number, batch in self.iter_predict(eval_data, num_batch, reset):
            self.update_metric(measure, batch.label)
            notify(batch_end_callback, number)
            count += 1
        notify(score_end_callback, count)
        return measure.get_name_value()

    # --- Training ----------------------------------------------------------

    def forward_backward(self, data_batch):
        self.forward(data_batch, is_train=True)
        self.backward()

    def fit(self, train_data, eval_data=None, eval_metric="acc", epoch_end_callback=None, batch_end_callback=None,
            kvstore="local", optimizer="sgd", optimizer_params=(("learning_rate", 0.01),), eval_end_callback=None,
            eval_batch_end_callback=None, initializer=initializers.Uniform(0.01), arg_params=None, aux_params=None,
            allow_missing=False, force_rebind=False, force_init=False, begin_epoch=0, num_epoch=None,
            validation_metric=None, monitor=None, sparse_row_id_fn=None):
        """Trains on an iterator's batches for the epochs from begin_epoch up to num_epoch. Binds the module, draws its
        parameters and makes its optimizer where that was not done before. Logs the metric and the time of each epoch, and
        the validation_metric (else eval_metric) of eval_data behind it. Callbacks of batches get a BatchEndParam, those of
        epochs (epoch, symbol, arg_params, aux_params)."""
        if num_epoch is None:
            raise ValueError("fit needs num_epoch, the number of the epoch that is not trained any more")
        self.bind(train_data.provide_data, train_data.provide_label, for_training=True, force_rebind=force_rebind)
        if monitor is not None:
            self.install_monitor(monitor)
        self.init_params(initializer, arg_params, aux_params, allow_missing, force_init)
        self.init_optimizer(kvstore, optimizer, optimizer_params)
        measure = metric.create(eval_metric)
        validation = measure if validation_metric is None else metric.create(validation_metric)
        for epoch in range(begin_epoch, num_epoch):
            begun = time.time()
            measure.reset()
            found = self._fit_epoch(epoch, train_data, measure, callbacks(batch_end_callback), monitor)
            for name, value in found:
                self.logger.info("Epoch[%d] Train-%s=%f", epoch, name, value)
            self.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - begun)
            params = self.get_params()
            for each in callbacks(epoch_end_callback):
                each(epoch, self.symbol, *params)
            if eval_data is not None:
                for name, value in self.score(eval_data, validation, score_end_callback=eval_end_callback,
                                              batch_end_callback=eval_batch_end_callback, epoch=epoch):
                    self.logger.info("Epoch[%d] Validation-%s=%f", epoch, name, value)
            train_data.reset()

    def _fit_epoch(self, epoch, train_data, eval_metric, functions, monitor):
        """Trains on all batches. [(name, value)] of the metric, whatever callbacks make of it then."""
        batches = iter(train_data)
        data_batch, nbatch, eval_name_vals = next(batches, None), 0, []
        while data_batch is not None:
            if monitor is not None:
                monitor.tic()
            self.forward_backward(data_batch)
            self.update()
            if isinstance(data_batch, list):
                self.update_metric(eval_metric, [each.label for each in data_batch], pre_sliced=True)
            else:
                self.update_metric(eval_metric, data_batch.label)
            next_data_batch = next(batches, None)
            if monitor is not None:
                monitor.toc_print()
            if next_data_batch is None:
                eval_name_vals = metric.global_name_value(eval_metric)
            for each in functions:
                each(BatchEndParam(epoch, nbatch, eval_metric, locals()))
            data_batch, nbatch = next_data_batch, nbatch + 1
        return eval_name_vals
