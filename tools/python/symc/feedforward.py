"""FeedForward, the model class of MXNet's first versions: it keeps a symbol and its parameters, and takes arrays or
iterators.

    model = symc.model.FeedForward.create(net, X=pictures, y=labels, num_epoch=10, learning_rate=0.1)
    probabilities = model.predict(pictures)
"""
import logging
import time

import numpy as np

from . import initializer as initializers, io, metric
from .base_module import BatchEndParam, callbacks
from .callback import LogValidationMetricsCallback
from .checkpoint import load_checkpoint, save_checkpoint
from .context import on_processor
from .errors import SymcError
from .module import Module


class FeedForward:
    """kwargs are options of the optimizer. epoch_size: how many batches an epoch has, where that is not one pass. arg_params, aux_params: {name: array}; names that the symbol lacks are refused unless allow_extra_params."""

    def __init__(self, symbol, ctx=None, num_epoch=None, epoch_size=None, optimizer="sgd",
                 initializer=initializers.Uniform(0.01), numpy_batch_size=128, arg_params=None, aux_params=None, allow_extra_params=False, begin_epoch=0,
                 **kwargs):
        if not hasattr(symbol, "list_arguments") and not callable(symbol):
            raise TypeError("FeedForward takes a Symbol, got %r" % (symbol,))
        on_processor(ctx)
        self.sym_gen = None if hasattr(symbol, "list_arguments") else symbol
        self.symbol, self.ctx = None if self.sym_gen else symbol, ctx
        self.num_epoch, self.begin_epoch, self.epoch_size = num_epoch, begin_epoch, epoch_size
        self.optimizer, self.initializer = optimizer, initializer
        self.numpy_batch_size, self.allow_extra_params, self.kwargs = numpy_batch_size, allow_extra_params, kwargs
        self.arg_params, self.aux_params = arg_params, aux_params
        self._module = self._bound = None

    @staticmethod
    def load(prefix, epoch, ctx=None, **kwargs):
        """The model of PREFIX-symbol.json and PREFIX-EPOCH.params."""
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        return FeedForward(symbol, ctx=ctx, arg_params=arg_params, aux_params=aux_params, begin_epoch=epoch, **kwargs)

    def save(self, prefix, epoch=None):
        """Writes these files, of num_epoch unless `epoch` is given."""
        epoch = self.num_epoch if epoch is None else epoch
        if epoch is None:
            raise ValueError("save needs an epoch, since the model has no num_epoch")
        self._check()
        save_checkpoint(prefix, epoch, self.symbol, self.arg_params, self.aux_params or {})

    # --- Training ----------------------------------------------------------

    def fit(self, X, y=None, eval_data=None, eval_metric="acc", epoch_end_callback=None, batch_end_callback=None,
            kvstore="local", logger=None, work_load_list=None, monitor=None,
            eval_end_callback=LogValidationMetricsCallback(), eval_batch_end_callback=None):
        """Trains on an iterator, or on the rows of an array with a label each in `y`, which are shuffled, for the epochs from
        begin_epoch up to num_epoch. eval_data: an iterator, or (rows, labels). Batches count from 1 in callbacks."""
        if self.num_epoch is None:
            raise ValueError("fit needs num_epoch, which the model was made without")
        batches, logger = self._rows(X, y, True), logger or logging
        if isinstance(eval_data, (tuple, list)) and len(eval_data) == 2:
            eval_data = self._rows(*eval_data, True)
        if self.sym_gen is not None:
            self.symbol = self.sym_gen(batches.default_bucket_key)
        module = self._trained(batches, kvstore, logger)
        if monitor is not None:
            module.install_monitor(monitor)
        measure = metric.create(eval_metric)
        batches.reset()
        for epoch in range(self.begin_epoch, self.num_epoch):
            begun = time.time()
            measure.reset()
            self._fit_epoch(epoch, module, batches, measure, callbacks(batch_end_callback), monitor, logger)
            logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - begun)
            self.arg_params, self.aux_params = module.get_params()
            for each in callbacks(epoch_end_callback):
                each(epoch, self.symbol, self.arg_params, self.aux_params)
            if eval_data is not None:
                module.score(eval_data, measure, None, eval_batch_end_callback, eval_end_callback, epoch=epoch)
                eval_data.reset()

    def _rows(self, data, label, is_train):
        """An iterator over what is given as one, or as rows with labels."""
        if hasattr(data, "provide_data"):
            return data
        if not hasattr(data, "__len__"):
            raise TypeError("a model reads arrays and iterators, got %s" % type(data).__name__)
        data = np.asarray(data)
        if label is None:
            raise ValueError("rows need labels: y")
        label = np.asarray(label)
        label = label.reshape(-1) if label.ndim == 2 and label.shape[1] == 1 else label
        if label.ndim != 1 or len(label) != len(data):
            raise ValueError("%d rows need as many labels, got an array of shape %s" % (len(data), label.shape))
        return io.NDArrayIter(data, label, min(len(data), self.numpy_batch_size), is_train, "roll_over")

    def _trained(self, batches, kvstore, logger):
        """A module with the parameters that there are, others drawn, and an optimizer."""
        data, labels = ([each if isinstance(each, io.DataDesc) else io.DataDesc(*each) for each in given or []]
                        for given in (batches.provide_data, batches.provide_label))
        module = Module(self.symbol, [each.name for each in data], [each.name for each in labels], logger, self.ctx)
        module.bind(data, labels)
        given = [{name: value for name, value in (each or {}).items() if name in names}
                 for each, names in ((self.arg_params, module._param_names), (self.aux_params, module._aux_names))]
        module.init_params(lambda desc, arr: self.initializer(str(desc), arr), *given, allow_missing=True)
        options = dict(self.kwargs)
        if isinstance(self.optimizer, str):
            options.setdefault("rescale_grad", 1.0 / batches.batch_size)
        module.init_optimizer(kvstore, self.optimizer, options)
        return module

    def _fit_epoch(self, epoch, module, batches, eval_metric, functions, monitor, logger):
        """All batches, or epoch_size of them, for which the iterator begins again as often as needed."""
        nbatch = 0
        while True:
            whole = True
            for data_batch in batches:
                if monitor is not None:
                    monitor.tic()
                module.forward_backward(data_batch)
                module.update()
                if monitor is not None:
                    monitor.toc_print()
                module.update_metric(eval_metric, data_batch.label)
                nbatch += 1
                for each in functions:
                    each(BatchEndParam(epoch, nbatch, eval_metric, locals()))
                if self.epoch_size is not None and nbatch >= self.epoch_size:
                    whole = False
                    break
            if whole:
                logger.info("Epoch[%d] Resetting Data Iterator", epoch)
                batches.reset()
            if self.epoch_size is None or nbatch >= self.epoch_size:
                return

    @staticmethod
    def create(symbol, X, y=None, ctx=None, num_epoch=None, epoch_size=None, optimizer="sgd",
               initializer=initializers.Uniform(0.01), eval_data=None, eval_metric="acc", epoch_end_callback=None,
               batch_end_callback=None, kvstore="local", logger=None, work_load_list=None,
               eval_end_callback=LogValidationMetricsCallback(), eval_batch_end_callback=None, **kwargs):
        """A model that fit() has trained."""
        model = FeedForward(symbol, ctx, num_epoch, epoch_size, optimizer, initializer, **kwargs)
        model.fit(X, y, eval_data, eval_metric, epoch_end_callback, batch_end_callback, kvstore, logger, work_load_list,
                  None, eval_end_callback, eval_batch_end_callback)
        return model

    # --- Prediction --------------------------------------------------------

    def _check(self):
        if self.symbol is None:
            raise SymcError("the model has a function of buckets and no symbol: mod.BucketingModule predicts by these")
        if self.arg_params is None:
            raise SymcError("the model has no parameters: load it, or give arg_params and aux_params")

    def _batches(self, data):
        if isinstance(data, np.ndarray):
            return io.NDArrayIter(data, np.zeros(len(data)), batch_size=min(len(data), self.numpy_batch_size))
        if not hasattr(data, "provide_data"):
            raise TypeError("a model reads arrays and iterators, got %s" % type(data).__name__)
        return data

    def _bind(self, descs):
        """The module of these inputs, with the parameters that the model has now."""
        self._check()
        descs = [each if isinstance(each, io.DataDesc) else io.DataDesc(*each) for each in descs]
        names = [each.name for each in descs]
        states = self.aux_params or {}
        if self._bound != names:
            labels = [name for name in self.symbol.list_arguments() if name not in names and name not in self.arg_params]
            self._module, self._bound = Module(self.symbol, names, labels, context=self.ctx), names
        self._module.bind(descs, for_training=False, force_rebind=True)
        if not self.allow_extra_params:
            for name in [*self.arg_params, *states]:
                if name not in self._module._param_names + self._module._aux_names:
                    raise ValueError("parameter '%s' is not in the symbol; allow_extra_params=True passes over it" % name)
        self._module.set_params(self.arg_params, states, allow_extra=True)
        return self._module

    def predict(self, X, num_batch=None, return_data=False, reset=True):
        """The outputs for the rows of an array, or of an iterator's batches, as an array of NumPy, several as a list;
        with return_data (outputs, data, labels)."""
        batches = self._batches(X)
        found = [(outputs, batch) for outputs, _, batch in
                 self._bind(batches.provide_data).iter_predict(batches, num_batch, reset)]

        def rows(lists):
            merged = [np.concatenate(each).view(np.ndarray) for each in zip(*lists)]
            return merged[0] if len(merged) == 1 else merged
        outputs = rows(outputs for outputs, _ in found)
        if not return_data:
            return outputs

        def unpadded(arrays, batch):
            return [each[:each.shape[0] - (batch.pad or 0)] for each in arrays or []]
        return (outputs, rows(unpadded(batch.data, batch) for _, batch in found),
                rows(unpadded(batch.label, batch) for _, batch in found))

    def score(self, X, eval_metric="acc", num_batch=None, batch_end_callback=None, reset=True):
        """The value of a metric over an iterator's batches. Rows that only fill the last batch count, as in MXNet."""
        measure, batches = metric.create(eval_metric), self._batches(X)
        module = self._bind(batches.provide_data)
        for _, number, batch in module.iter_predict(batches, num_batch, reset):
            measure.update(batch.label, module.get_outputs())
            for each in callbacks(batch_end_callback):
                each(BatchEndParam(0, number, measure, {"self": self}))
        return measure.get()[1]
