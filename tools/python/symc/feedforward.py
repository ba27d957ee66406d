"""FeedForward, the model class of MXNet's first versions, for prediction: it keeps a symbol and its parameters, and takes
arrays or iterators.

    model = symc.model.FeedForward.load("net", 10)
    probabilities = model.predict(pictures)
"""
import numpy as np

from . import io, metric
from .base_module import BatchEndParam, callbacks
from .checkpoint import load_checkpoint, save_checkpoint
from .context import on_processor
from .errors import SymcError
from .module import Module


class FeedForward:
    """arg_params, aux_params: {name: array}; names that the symbol lacks are refused unless allow_extra_params."""

    def __init__(self, symbol, ctx=None, num_epoch=None, epoch_size=None, optimizer="sgd", initializer=None,
                 numpy_batch_size=128, arg_params=None, aux_params=None, allow_extra_params=False, begin_epoch=0,
                 **kwargs):
        if not hasattr(symbol, "list_arguments") and not callable(symbol):
            raise TypeError("FeedForward takes a Symbol, got %r" % (symbol,))
        on_processor(ctx)
        self.sym_gen = None if hasattr(symbol, "list_arguments") else symbol
        self.symbol, self.ctx = None if self.sym_gen else symbol, ctx
        self.num_epoch, self.begin_epoch = num_epoch, begin_epoch
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

    def fit(self, *_args, **_kwargs):
        raise SymcError("fit needs training, symc compiles prediction only")

    @staticmethod
    def create(*_args, **_kwargs):
        raise SymcError("create needs training, symc compiles prediction only")

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
        self._module.bind(descs, force_rebind=True)
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
