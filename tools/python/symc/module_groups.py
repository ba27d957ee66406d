"""Modules made of modules, by MXNet's names: BucketingModule has one for each length of sequences, SequentialModule
gives the outputs of one to the next."""
import copy
import logging

import numpy as np

from . import initializer, io, ndarray, symbol
from .base_module import BaseModule
from .checkpoint import load_params
from .context import on_processor
from .errors import SymcError
from .module import Module
from .name import NameManager


def _key_text(key):
    return repr(key) if isinstance(key, str) else str(key)


def _of_current(key):
    def value(self):
        self._check(self.binded, "bound")
        return getattr(self._current, key)
    return property(value)


class BucketingModule(BaseModule):
    """A network for each bucket: sym_gen(key) gives (symbol, data_names, label_names). The bucket default_bucket_key, the
    longest, has all parameters; those of others are the same arrays. Code is compiled for a bucket when its first
    batch comes."""

    def __init__(self, sym_gen, default_bucket_key=None, logger=logging, context=None, work_load_list=None,
                 fixed_param_names=None, state_names=None, group2ctxs=None, compression_params=None):
        if default_bucket_key is None:
            raise ValueError("BucketingModule needs a default_bucket_key, the key of the longest bucket")
        if not callable(sym_gen):
            raise TypeError("sym_gen is a function of a bucket's key, got %r" % (sym_gen,))
        on_processor(context)
        super().__init__(logger)
        self._sym_gen, self._default, self._context, self._states = sym_gen, default_bucket_key, context, state_names
        self._fixed, self._grad_req, self._monitor = fixed_param_names, "write", None
        self._symbols = {}  # those of files
        self._loaded = None
        self._reset_bind()
        self._make(default_bucket_key)  # a mistake in its names is reported now

    def _reset_bind(self):
        self._buckets, self._current, self._current_key, self.binded = {}, None, None, False
        self.optimizer_initialized = False

    def _generate(self, key):
        with NameManager():
            made = self._sym_gen(key)
        if not isinstance(made, tuple) or len(made) != 3:
            raise TypeError("sym_gen(%s) gives (symbol, data_names, label_names), got %r" % (_key_text(key), made))
        return made

    def _make(self, key):
        net, data_names, label_names = self._generate(key)
        return Module(self._symbols.get(key, net), data_names, label_names, self.logger, self._context,
                      fixed_param_names=self._fixed, state_names=self._states)

    @property
    def default_bucket_key(self):
        return self._default

    _default_bucket_key = default_bucket_key

    @property
    def _curr_module(self):
        return self._current

    @property
    def symbol(self):
        """That of the current bucket."""
        self._check(self.binded, "bound")
        return self._current.symbol

    @property
    def data_names(self):
        return list(self._current.data_names if self.binded else self._generate(self._default)[1])

    @property
    def output_names(self):
        return self._current.output_names if self.binded else self._generate(self._default)[0].list_outputs()

    data_shapes, label_shapes, output_shapes = map(_of_current, ("data_shapes", "label_shapes", "output_shapes"))

    # --- Shapes and parameters ---------------------------------------------

    def bind(self, data_shapes, label_shapes=None, for_training=True, inputs_need_grad=False, force_rebind=False,
             shared_module=None, grad_req="write"):
        """Shapes of the default bucket."""
        if shared_module is not None:
            raise SymcError("a BucketingModule takes no shared_module: its buckets share parameters")
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        self.for_training, self.inputs_need_grad, self._grad_req = bool(for_training), bool(inputs_need_grad), grad_req
        params = self.get_params() if self.binded and self.params_initialized else self._loaded
        self._reset_bind()
        self.params_initialized = False
        module = self._make(self._default)
        module.bind(data_shapes, label_shapes, for_training, inputs_need_grad, grad_req=grad_req)
        self._buckets[self._default] = self._current = module
        self._current_key, self.binded, self._loaded = self._default, True, None
        if params is not None:
            self.set_params(*params)

    def switch_bucket(self, bucket_key, data_shapes, label_shapes=None):
        """The bucket is the current one; it is bound to these shapes where it was not yet."""
        self._check(self.binded, "bound")
        if bucket_key not in self._buckets:
            module = self._make(bucket_key)
            try:
                module.bind(data_shapes, label_shapes, self.for_training, self.inputs_need_grad,
                            shared_module=self._buckets[self._default], grad_req=self._grad_req)
            except ValueError as reason:
                raise ValueError("bucket %s: %s" % (_key_text(bucket_key), reason)) from None
            if self._monitor is not None:
                module.install_monitor(self._monitor)
            self._buckets[bucket_key] = module
        self._current, self._current_key = self._buckets[bucket_key], bucket_key
        self._current.params_initialized = self.params_initialized

    def get_params(self):
        """(arg_params, aux_params), copies."""
        self._check(self.params_initialized, "given parameters")
        return self._buckets[self._default].get_params()

    def init_params(self, initializer=initializer.Uniform(0.01), arg_params=None, aux_params=None, allow_missing=False,
                    force_init=False, allow_extra=False):
        """As of a Module."""
        self._check(self.binded, "bound")
        if not self.params_initialized or force_init:
            self._buckets[self._default].init_params(initializer, arg_params, aux_params, allow_missing, True, allow_extra)
        self._initialized()

    def set_params(self, arg_params, aux_params, allow_missing=False, force_init=True, allow_extra=False):
        self._check(self.binded, "bound")
        self._buckets[self._default].set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
        self._initialized()

    def _initialized(self):
        self.params_initialized = True
        for each in self._buckets.values():
            each.params_initialized = True

    # --- Training ----------------------------------------------------------

    def init_optimizer(self, kvstore="local", optimizer="sgd", optimizer_params=(("learning_rate", 0.01),),
                       force_init=False):
        """One optimizer for all buckets, by the indices of parameters in the default one."""
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        owner = self._buckets[self._default]
        owner.init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        for each in self._buckets.values():
            if each is not owner:
                each.borrow_optimizer(owner)
        self.optimizer_initialized = True

    def backward(self, out_grads=None):
        self._check(self.binded, "bound")
        self._current.backward(out_grads)

    def update(self):
        self._check(self.binded, "bound")
        self._check(self.optimizer_initialized, "given an optimizer")
        self._current.update()

    def get_input_grads(self, merge_multi_context=True):
        self._check(self.binded, "bound")
        return self._current.get_input_grads(merge_multi_context)

    def install_monitor(self, mon):
        """Of all buckets, and of those that come."""
        self._check(self.binded, "bound")
        self._monitor = mon
        for each in self._buckets.values():
            each.install_monitor(mon)

    def save_optimizer_states(self, fname):
        self._check(self.optimizer_initialized, "given an optimizer")
        self._buckets[self._default].save_optimizer_states(fname)

    def load_optimizer_states(self, fname):
        self._check(self.optimizer_initialized, "given an optimizer")
        self._buckets[self._default].load_optimizer_states(fname)

    # --- Batches -----------------------------------------------------------

    def forward(self, data_batch, is_train=None):
        """Computes a batch by the network of its bucket_key, provide_data and provide_label; a batch without a key is of
        the default bucket."""
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        key = getattr(data_batch, "bucket_key", None)
        if key is None:
            key = self._default
        shapes = getattr(data_batch, "provide_data", None)
        if key not in self._buckets and shapes is None:
            raise ValueError("the first batch of bucket %s has no provide_data, which binds it" % _key_text(key))
        self.switch_bucket(key, shapes, getattr(data_batch, "provide_label", None))
        self._current.forward(data_batch, is_train)

    def get_outputs(self, merge_multi_context=True):
        self._check(self.binded, "bound")
        return self._current.get_outputs(merge_multi_context)

    def get_states(self, merge_multi_context=True):
        self._check(self.binded, "bound")
        return self._current.get_states(merge_multi_context)

    def set_states(self, states=None, value=None):
        self._check(self.binded, "bound")
        self._current.set_states(states, value)

    def update_metric(self, eval_metric, labels, pre_sliced=False):
        self._check(self.binded, "bound")
        self._current.update_metric(eval_metric, labels, pre_sliced)

    # --- Files -------------------------------------------------------------

    def save_checkpoint(self, prefix, epoch, remove_amp_cast=False):
        """PREFIX-EPOCH.params, PREFIX-KEY-symbol.json of each bucket that was bound, and PREFIX.buckets, their keys,
        which are ints."""
        keys = list(self._buckets)
        if any(isinstance(key, bool) or not hasattr(key, "__index__") for key in keys):
            raise TypeError("keys of buckets are %s, a checkpoint needs ints" % ", ".join(map(_key_text, keys)))
        self.save_params("%s-%04d.params" % (prefix, epoch))
        for key, module in self._buckets.items():
            module.symbol.save("%s-%s-symbol.json" % (prefix, key), remove_amp_cast)
        ndarray.save("%s.buckets" % prefix, [ndarray.array(keys, dtype="int32")])

    @staticmethod
    def load(prefix, epoch, sym_gen=None, default_bucket_key=None, **kwargs):
        """The module of such files; bind comes next."""
        found = {}
        for key in np.asarray(ndarray.load("%s.buckets" % prefix)[0]).astype(int).tolist():
            found[key] = symbol.load("%s-%s-symbol.json" % (prefix, key))
        return BucketingModule.load_dict(found, sym_gen, default_bucket_key, *load_params(prefix, epoch), **kwargs)

    @staticmethod
    def load_dict(sym_dict=None, sym_gen=None, default_bucket_key=None, arg_params=None, aux_params=None, **kwargs):
        """The same of symbols by key and of parameters."""
        module = BucketingModule(sym_gen, default_bucket_key, **kwargs)
        module._symbols = dict(sym_dict or {})
        module._loaded = arg_params or {}, aux_params or {}
        return module


class SequentialModule(BaseModule):
    """Modules one after the other: each reads the outputs of the one before. add(module, take_labels=True) gives a module
    the labels, auto_wiring=True takes outputs for its data_names by their places."""

    META_TAKE_LABELS, META_AUTO_WIRING = "take_labels", "auto_wiring"

    def __init__(self, logger=logging):
        super().__init__(logger)
        self._modules = []

    def add(self, module, **kwargs):
        for key in kwargs:
            if key not in (self.META_TAKE_LABELS, self.META_AUTO_WIRING):
                raise TypeError("add() takes take_labels and auto_wiring, got '%s'" % key)
        self._modules.append((module, bool(kwargs.get(self.META_TAKE_LABELS)), bool(kwargs.get(self.META_AUTO_WIRING))))
        self.binded = self.params_initialized = self.optimizer_initialized = False
        return self

    def _end(self, place):
        if not self._modules:
            raise SymcError("the module is empty: add(module) comes first")
        return self._modules[place][0]

    @property
    def data_names(self):
        return self._end(0).data_names

    @property
    def output_names(self):
        return self._end(-1).output_names

    @property
    def data_shapes(self):
        return self._end(0).data_shapes

    @property
    def output_shapes(self):
        return self._end(-1).output_shapes

    @property
    def label_shapes(self):
        return next((each.label_shapes for each, labels, _ in self._modules if labels), None)

    def bind(self, data_shapes, label_shapes=None, for_training=True, inputs_need_grad=False, force_rebind=False,
             shared_module=None, grad_req="write"):
        """Each module but the first computes gradients of its inputs, too."""
        if shared_module is not None:
            raise SymcError("a SequentialModule takes no shared_module")
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        if inputs_need_grad and not for_training:
            raise ValueError("inputs_need_grad needs for_training=True")
        self._end(0)
        self.for_training, self.inputs_need_grad = bool(for_training), bool(inputs_need_grad)
        shapes = data_shapes
        for place, (module, labels, wired) in enumerate(self._modules):
            if wired:
                shapes = self._wired(module, shapes)
            module.bind(shapes, label_shapes if labels else None, for_training, for_training and (inputs_need_grad or place > 0),
                        force_rebind, grad_req=grad_req)
            shapes = module.output_shapes
        self.binded = True

    @staticmethod
    def _wired(module, shapes):
        """The shapes under the names of a module's inputs."""
        if len(module.data_names) != len(shapes):
            raise ValueError("%d outputs for the inputs %s" % (len(shapes), ", ".join(module.data_names)))
        return [(name, tuple(each[1])) for name, each in zip(module.data_names, shapes)]

    def get_params(self):
        """(arg_params, aux_params) of all modules, copies."""
        self._check(self.params_initialized, "given parameters")
        merged = {}, {}
        for module, _, _ in self._modules:
            for mine, theirs in zip(merged, module.get_params()):
                mine.update(theirs)
        return merged

    def init_params(self, initializer=initializer.Uniform(0.01), arg_params=None, aux_params=None, allow_missing=False,
                    force_init=False, allow_extra=False):
        self._check(self.binded, "bound")
        if self.params_initialized and not force_init:
            return
        owners = {}
        for place, (module, _, _) in enumerate(self._modules):
            module.init_params(initializer, arg_params, aux_params, allow_missing, force_init, allow_extra)
            for names in module.get_params():
                for name in names:
                    if name in owners:
                        raise ValueError("parameter '%s' is in modules %d and %d, which do not share it" % (
                            name, owners[name], place))
                    owners[name] = place
        self.params_initialized = True

    def forward(self, data_batch, is_train=None):
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        batch = io.DataBatch(data_batch.data, getattr(data_batch, "label", None), getattr(data_batch, "pad", None))
        if getattr(data_batch, "provide_data", None):
            batch.provide_data = data_batch.provide_data
        for module, labels, wired in self._modules:
            own = copy.copy(batch)
            if not labels:
                own.label = None
            if wired and own.provide_data:
                own.provide_data = self._wired(module, own.provide_data)
            module.forward(own, is_train)
            batch.data = module.get_outputs()
            batch.provide_data = [(name, each.shape) for name, each in zip(module.output_names, batch.data)]

    def get_outputs(self, merge_multi_context=True):
        return self._end(-1).get_outputs(merge_multi_context)

    def update_metric(self, eval_metric, labels, pre_sliced=False):
        for module, takes, _ in self._modules:
            if takes:
                module.update_metric(eval_metric, labels, pre_sliced)

    # --- Training ----------------------------------------------------------

    def init_optimizer(self, kvstore="local", optimizer="sgd", optimizer_params=(("learning_rate", 0.01),),
                       force_init=False):
        """An optimizer for each module."""
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        for module, _, _ in self._modules:
            module.init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        self.optimizer_initialized = True

    def backward(self, out_grads=None):
        """From the last module to the first: each gets the gradients of the next one's inputs."""
        self._check(self.binded, "bound")
        for place, (module, _, _) in reversed(list(enumerate(self._modules))):
            module.backward(out_grads)
            out_grads = module.get_input_grads() if place else None

    def update(self):
        self._check(self.optimizer_initialized, "given an optimizer")
        for module, _, _ in self._modules:
            module.update()

    def get_input_grads(self, merge_multi_context=True):
        return self._end(0).get_input_grads(merge_multi_context)

    def install_monitor(self, mon):
        self._check(self.binded, "bound")
        for module, _, _ in self._modules:
            module.install_monitor(mon)

    @property
    def symbol(self):
        """None: there are several."""
