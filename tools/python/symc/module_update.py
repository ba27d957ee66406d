"""Trained: what a Module has for training besides gradients: an optimizer, updates of its parameters, and states in files.

Gradients are those of the executor's grad_dict. Each parameter is updated by its index among the module's parameters, or by
its name where a kvstore is given, as in MXNet.
"""
import warnings

from . import io, kvstore as stores, optimizer as optimizers
from .errors import SymcError


def _batch_size(descs):
    """Rows of a batch, along the axis N of a layout."""
    for each in descs:
        axis = io.DataDesc.get_batch_axis(each.layout)
        if axis >= 0 and each.shape:
            return each.shape[axis]
    raise SymcError("no input has a batch, by whose size gradients are divided")


class Trained:
    """Mixed into Module."""

    optimizer_initialized = False
    _optimizer = _updater = _kvstore = _shared = _preload_opt_states = None  # _shared: a store of several processes
    _indices = None  # {parameter: its index}, of the module that has the optimizer

    def init_optimizer(self, kvstore="local", optimizer="sgd", optimizer_params=(("learning_rate", 0.01),),
                       force_init=False):
        """An optimizer by its name with options, or an object. Gradients are divided by the batch size unless rescale_grad is
        among the options. kvstore: an object of symc.kvstore updates the weights by their names; for this one device its
        name, or None, makes no difference. One of several processes, or its name, sums gradients over them: parameters begin
        with those of rank 0, and gradients are divided by the batch sizes of all."""
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        if isinstance(kvstore, str):
            kvstore = stores.create(kvstore)  # a mistake in its type is one here, too
            kvstore = kvstore if kvstore.num_workers > 1 else None
        elif kvstore is not None and not hasattr(kvstore, "pushpull"):
            raise TypeError("kvstore is a store of symc.kvstore, its type or None, got %r" % (kvstore,))
        self._shared = kvstore if kvstore is not None and kvstore.num_workers > 1 else None
        if self._shared is not None:  # updated by index, and summed as one
            kvstore = None
            self._begin_as_first()
        names = dict(enumerate(self._param_names))
        self._optimizer = self._make_optimizer(optimizer, dict(optimizer_params), names)
        self._indices = {name: index for index, name in names.items()}
        self._kvstore = kvstore
        if kvstore is None:
            self._updater = optimizers.get_updater(self._optimizer)
        else:
            kvstore.set_optimizer(self._optimizer)
            self._updater = kvstore._updater
            for name in self._param_names:
                kvstore.broadcast(name, self._arg_params[name], out=self._arg_params[name])
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            path, self._preload_opt_states = self._preload_opt_states, None
            self.load_optimizer_states(path)

    def _begin_as_first(self):
        arrays = [self._arg_params[name] for name in self._param_names]
        for array, first in zip(arrays, self._shared._of_first(arrays)):
            array[...] = first
        for each in self._group:
            each.parameters_changed()

    def _make_optimizer(self, optimizer, options, names):
        rescale = 1.0 / _batch_size(self._data_shapes) / (1 if self._shared is None else self._shared.num_workers)
        if not isinstance(optimizer, optimizers.Optimizer):
            return optimizers.create(optimizer, sym=self.symbol, param_idx2name=names, **{"rescale_grad": rescale, **options})
        if optimizer.rescale_grad != rescale:
            warnings.warn("the optimizer's rescale_grad is %g, and 1 over the batch size is %g" % (
                optimizer.rescale_grad, rescale), stacklevel=4)
        if not optimizer.idx2name:
            optimizer.idx2name = names
        return optimizer

    def borrow_optimizer(self, shared_module):
        """The optimizer of another module, with its states: both update the same parameters."""
        self._check(shared_module.optimizer_initialized, "given an optimizer, which another borrows")
        for key in ("_optimizer", "_updater", "_kvstore", "_shared", "_indices"):
            setattr(self, key, getattr(shared_module, key))
        self.optimizer_initialized = True

    def update(self):
        """Changes the parameters by the gradients of the last backward()."""
        self._check(self.binded, "bound")
        self._check(self.optimizer_initialized, "given an optimizer")
        gradients, found = self._current.grad_dict, []
        together = type(self._kvstore) is stores.KVStore  # one of a script's own may take a key at a time
        if together:
            names = [name for name in self._param_names if gradients.get(name) is not None]
            self._kvstore.pushpull(names, [gradients[name] for name in names], [self._arg_params[name] for name in names])
        for name in () if together else self._param_names:
            gradient = gradients.get(name)
            if gradient is None:
                continue
            if self._kvstore is not None:
                self._kvstore.pushpull(name, gradient, out=self._arg_params[name])
            elif name not in self._indices:
                raise SymcError("parameter '%s' is not among those of the module that has the optimizer" % name)
            else:
                found.append((self._indices[name], gradient, self._arg_params[name]))
        if found and self._shared is not None:
            sums = self._shared._summed([gradient for _, gradient, _ in found])
            found = [(index, total.view(type(gradient)), weight) for (index, gradient, weight), total in zip(found, sums)]
        if found:
            self._updater(*zip(*found))
        for each in self._group:
            each.parameters_changed()

    def save_optimizer_states(self, fname):
        """Momenta and the like in a file, which MXNet's Module reads too."""
        self._check(self.optimizer_initialized, "given an optimizer")
        states = self._updater.get_states()
        with open(fname, "wb") as file:
            file.write(states)

    def load_optimizer_states(self, fname):
        """Those of such a file, MXNet's included."""
        self._check(self.optimizer_initialized, "given an optimizer")
        with open(fname, "rb") as file:
            self._updater.set_states(file.read(), str(fname))
