"""symc.mod: Module, a symbol with its parameters for batches, by MXNet's names: it predicts, and it trains.

    module = symc.mod.Module(net)
    module.fit(batches, optimizer_params={"learning_rate": 0.1}, num_epoch=10)
    answers = module.predict(symc.io.NDArrayIter(pictures, batch_size=32))

Gradients are computed by compiled code (executor.py), parameters are updated by an optimizer (module_update.py).
"""
import logging
import types

import numpy as np

from . import executor, initializer, io
from .base_module import BaseModule, BatchEndParam  # noqa: F401, mx.mod's names
from .checkpoint import load_checkpoint, save_checkpoint
from .context import on_processor
from .errors import MissingParameter, SymcError
from .module_update import Trained
from .ndarray_class import NDArray


def _descs(shapes, names, kind):
    descs = [each if isinstance(each, io.DataDesc) else io.DataDesc(*each) for each in shapes or []]
    for each in descs:
        if not all(hasattr(extent, "__index__") and not isinstance(extent, np.ndarray) for extent in each.shape):
            raise TypeError("the shape of '%s' is %r, needs ints" % (each.name, each.shape))
    if sorted(each.name for each in descs) != sorted(names):
        raise ValueError("%s are of %s, the module's are %s" % (
            kind, ", ".join(each.name for each in descs) or "nothing", ", ".join(names) or "nothing"))
    return descs


def _shapes_of(arrays):
    return [tuple(each.shape) for each in arrays]


def _resized(descs, arrays):
    """The same inputs with the shapes of arrays."""
    return [io.DataDesc(each.name, array.shape, each.dtype, each.layout) for each, array in zip(descs, arrays)]


def _names(given, key, arguments):
    """A list of names, all of them arguments."""
    for name in given or []:
        if name not in arguments:
            raise ValueError("the symbol has no argument '%s', which %s has; its arguments are %s" % (
                name, key, ", ".join(arguments)))
    return list(given or [])


class Module(Trained, BaseModule):
    """Bind it, give it parameters, and forward batches. Code is compiled for each shape of batches that comes. Parameters of
    fixed_param_names get no gradient."""

    def __init__(self, symbol, data_names=("data",), label_names=("softmax_label",), logger=logging, context=None,
                 work_load_list=None, fixed_param_names=None, state_names=None, group2ctxs=None, compression_params=None):
        super().__init__(logger)
        if not hasattr(symbol, "list_arguments"):
            raise TypeError("a module is made of a Symbol, got %r" % (symbol,))
        on_processor(context)
        self.symbol, self._context = symbol, context
        self._several = isinstance(context, (list, tuple)) and len(context) > 1
        arguments = symbol.list_arguments()
        self.data_names = _names(data_names, "data_names", arguments)
        self.label_names = list(label_names or [])  # one that is no argument is for metrics alone
        self.state_names = _names(state_names, "state_names", arguments)
        self._fixed = _names(fixed_param_names, "fixed_param_names", arguments)
        self.output_names = symbol.list_outputs()
        self._arguments = arguments
        inputs = self.data_names + self.label_names + self.state_names
        self._param_names = [name for name in arguments if name not in inputs]
        self._aux_names = symbol.list_auxiliary_states()
        self._loaded = None
        self._grad_req = "write"
        self._monitor = None
        self._executors, self._group = {}, []  # those of the module, and of all that share its parameters
        self._current = self._lender = None
        self._data_shapes = self._label_shapes = None
        self._bound_labels = []
        self._arg_params, self._aux_params = {}, {}

    @staticmethod
    def load(prefix, epoch, load_optimizer_states=False, **kwargs):
        """The module of a checkpoint; init_optimizer reads PREFIX-EPOCH.states with load_optimizer_states."""
        symbol, *params = load_checkpoint(prefix, epoch)
        module = Module(symbol, **kwargs)
        module._loaded = params
        if load_optimizer_states:
            module._preload_opt_states = "%s-%04d.states" % (prefix, epoch)
        return module

    def save_checkpoint(self, prefix, epoch, save_optimizer_states=False, remove_amp_cast=True):
        """PREFIX-symbol.json, PREFIX-EPOCH.params and, with save_optimizer_states, PREFIX-EPOCH.states."""
        save_checkpoint(prefix, epoch, self.symbol, *self.get_params())
        if save_optimizer_states:
            path = "%s-%04d.states" % (prefix, epoch)
            self.save_optimizer_states(path)
            logging.info('Saved optimizer state to "%s"', path)

    # --- Shapes and parameters ---------------------------------------------

    def bind(self, data_shapes, label_shapes=None, for_training=True, inputs_need_grad=False, force_rebind=False,
             shared_module=None, grad_req="write"):
        """Shapes of a batch, as an iterator's provide_data and provide_label give them. A shared_module that is bound
        lends its parameters: both modules have the same arrays. grad_req: of all parameters, or of single ones in a
        dict."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        if inputs_need_grad and not for_training:
            raise ValueError("inputs_need_grad needs for_training=True")
        if shared_module is not None:
            if shared_module._current is None:
                raise SymcError("shared_module is not bound yet")
            self._lender, self._group = shared_module, shared_module._group
        self.for_training, self.inputs_need_grad, self._grad_req = bool(for_training), bool(inputs_need_grad), grad_req
        for each in self._executors.values():  # their gradients were requested otherwise
            self._group.remove(each)
        self._executors = {}
        self._bind(data_shapes, label_shapes)
        self.binded = True
        if shared_module is not None and shared_module.params_initialized:
            self.params_initialized = True
        if shared_module is not None and shared_module.optimizer_initialized:
            self.borrow_optimizer(shared_module)
        if self._loaded is not None:
            loaded, self._loaded = self._loaded, None
            self.set_params(*loaded)

    def _requests(self):
        """{argument: grad_req}."""
        made = dict.fromkeys(self._arguments, "null")
        if self.for_training:
            one = self._grad_req if isinstance(self._grad_req, str) else "write"
            made.update(dict.fromkeys(self._param_names, one))
            made.update(dict.fromkeys(self.data_names, one if self.inputs_need_grad else "null"))
            if not isinstance(self._grad_req, str):
                made.update(self._grad_req if hasattr(self._grad_req, "items") else zip(self._arguments, self._grad_req))
            made.update(dict.fromkeys(self._fixed, "null"))
        return made

    def reshape(self, data_shapes, label_shapes=None):
        self._check(self.binded, "bound")
        self._bind(data_shapes, label_shapes)

    def _bind(self, data_shapes, label_shapes):
        labels = _descs(label_shapes, self.label_names, "label_shapes") if label_shapes else []
        self._select(_descs(data_shapes, self.data_names, "data_shapes"), labels)
        self._bound_labels = labels  # also while batches without labels come

    def _select(self, data, labels):
        """The executor of these shapes is the current one."""
        key = tuple((each.name, each.shape) for each in data + labels)
        if key not in self._executors:
            shapes = self._shapes(data, labels)
            if self.state_names:
                found = dict(zip(self._arguments, self.symbol.infer_shape_partial(**shapes)[0]))
                shapes.update({name: found[name] for name in self.state_names})
            made = executor.simple_bind(self.symbol, self._context, self._requests(), self._types(data, labels), **shapes)
            made._watch = False
            source = self._current or (self._lender._current if self._lender else None)
            if source is not None:
                self._share(source.arg_dict, made.arg_dict, self._param_names, data)
                self._share(source.aux_dict, made.aux_dict, self._aux_names, data)
                made.grad_dict.update({name: each for name, each in source.grad_dict.items()
                                       if name in self._param_names and made.grad_dict.get(name) is not None
                                       and each is not None})
            if self._monitor is not None:
                self._monitor.install(made)
            self._executors[key] = made
            self._group.append(made)
        self._current = self._executors[key]
        self._data_shapes, self._label_shapes = data, labels or None
        self._arg_params = {name: self._current.arg_dict[name] for name in self._param_names
                            if name in self._current.arg_dict}  # not a label without a shape
        self._aux_params = dict(self._current.aux_dict)

    def _types(self, data, labels):
        """Types of inputs. Those of labels are given where an operator needs them, else they follow from others."""
        types = {each.name: each.dtype for each in data}
        try:
            self.symbol.infer_type_partial(**types)
        except SymcError:
            types.update({name: np.float32 for name in self.label_names if name in self._arguments})
            types.update({each.name: each.dtype for each in labels if each.name in self._arguments})
        return types

    def _shapes(self, data, labels):
        return {each.name: each.shape for each in data + labels if each.name in self._arguments}

    @staticmethod
    def _share(mine, theirs, names, data):
        """Parameters are one set of arrays for all shapes of inputs."""
        for name in names:
            if name not in theirs:
                continue
            if name not in mine:
                raise ValueError("parameter '%s' is not among those of the module that lends its parameters" % name)
            if theirs[name].shape != mine[name].shape:
                raise ValueError("%s needs parameter '%s' of shape %s, the module has it of shape %s" % (
                    ", ".join("'%s' of shape %s" % each for each in data), name, theirs[name].shape, mine[name].shape))
            theirs[name] = mine[name]

    @property
    def _symbol(self):
        return self.symbol

    @property
    def _exec_group(self):
        """What scripts read of MXNet's group of executors, one for each device."""
        self._check(self.binded, "bound")
        current = self._current
        names = [name for name in self._param_names if name in current.arg_dict]
        return types.SimpleNamespace(
            execs=[current], param_names=names, aux_names=self._aux_names, arg_names=self._arguments,
            param_arrays=[[current.arg_dict[name]] for name in names],
            grad_arrays=[[current.grad_dict.get(name)] for name in names],
            aux_arrays=[[each] for each in current.aux_dict.values()])

    @property
    def data_shapes(self):
        """[DataDesc] in the order in which a batch has its arrays."""
        self._check(self.binded, "bound")
        return self._data_shapes

    @property
    def label_shapes(self):
        """The same of labels, None where bind was given none."""
        self._check(self.binded, "bound")
        return self._label_shapes

    @property
    def output_shapes(self):
        self._check(self.binded, "bound")
        (_, outputs, _), _, _ = self.symbol._infer_shapes((), self._shapes(self._data_shapes,
                                                                           self._label_shapes or []))
        return list(zip(self.output_names, outputs))

    def get_params(self):
        """(arg_params, aux_params), copies."""
        self._check(self.params_initialized, "given parameters")
        return tuple({name: value.copy() for name, value in each.items()}
                     for each in (self._arg_params, self._aux_params))

    def init_params(self, initializer=initializer.Uniform(0.01), arg_params=None, aux_params=None, allow_missing=False,
                    force_init=False, allow_extra=False):
        """Parameters from the dicts; those that they lack are drawn by the initialiser where allow_missing, or no dict
        at all, lets them. What the symbol lacks is passed over, as in MXNet, whatever allow_extra is."""
        self._check(self.binded, "bound")
        if self.params_initialized and not force_init:
            return
        allow_missing = allow_missing or (arg_params is None and aux_params is None)
        attributes = self.symbol.attr_dict()
        for given, arrays in ((arg_params or {}, self._arg_params), (aux_params or {}, self._aux_params)):
            for name, array in arrays.items():
                value = given.get(name)
                if value is not None:
                    if np.shape(value) != array.shape:
                        raise ValueError("parameter '%s': expected shape %s, got %s" %
                                         (name, array.shape, np.shape(value)))
                    array[...] = value
                elif not allow_missing:
                    raise MissingParameter("parameter '%s' is not given; allow_missing=True draws it" % name)
                elif initializer is not None:
                    _draw(initializer, name, attributes.get(name), array)
        for each in self._group:
            each.parameters_changed()
        self.params_initialized = True

    def set_params(self, arg_params, aux_params, allow_missing=False, force_init=True, allow_extra=False):
        """The same without drawing: what allow_missing lets be missing stays as it is. Then, and as in MXNet only then,
        a parameter that the symbol lacks is refused unless allow_extra passes over it."""
        for given, names in ((arg_params, self._arg_params), (aux_params, self._aux_params)):
            extra = [name for name in given or {} if name not in names]
            if extra and allow_missing and not allow_extra:
                raise ValueError("parameter '%s' is not in the symbol; allow_extra=True passes over it" % extra[0])
        self.init_params(None, arg_params or {}, aux_params or {}, allow_missing, force_init, allow_extra)

    # --- Batches -----------------------------------------------------------

    def forward(self, data_batch, is_train=None):
        """Computes a batch, whose arrays stand in the order of bind's shapes, as in training where is_train, or bind's
        for_training where that is None; one of another shape compiles code for it. A list of batches is one batch."""
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        if isinstance(data_batch, list):
            data_batch = _joined(data_batch)
        data, labels = list(data_batch.data), list(getattr(data_batch, "label", None) or [])
        if len(data) != len(self._data_shapes):
            raise ValueError("the batch has %d arrays, the module %d inputs" % (len(data), len(self._data_shapes)))
        descs, label_descs = self._data_shapes, self._label_shapes or []
        if _shapes_of(data) != _shapes_of(descs) or (labels and _shapes_of(labels) != _shapes_of(label_descs)):
            named = getattr(data_batch, "provide_data", None)
            descs = _resized(_descs(named, self.data_names, "data_shapes") if named else descs, data)
            label_descs = _resized(self._bound_labels, labels)
            self._select(descs, label_descs)
        self._current._ranks = 1 if self._shared is None else self._shared.num_workers
        self._current.forward(self.for_training if is_train is None else bool(is_train),
                              **{each.name: value for each, value in zip(descs + label_descs, data + labels)
                                 if each.name in self._arguments})

    def backward(self, out_grads=None):
        """The gradients of the last forward(is_train=True). out_grads: those of outputs that are no losses."""
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        self._check(self.for_training, "bound with for_training=True")
        self._current.backward(out_grads)

    def get_input_grads(self, merge_multi_context=True):
        """The gradients of the inputs, in the order of bind's data_shapes, where inputs_need_grad requested them."""
        self._check(self.binded, "bound")
        self._check(self.inputs_need_grad, "bound with inputs_need_grad=True")
        found = [self._current.grad_dict[each.name] for each in self._data_shapes]
        return found if merge_multi_context else [[each] for each in found]

    def install_monitor(self, mon):
        """A monitor reports what the module's executors compute from here on."""
        self._check(self.binded, "bound")
        self._monitor = mon
        for each in self._executors.values():
            mon.install(each)

    def get_states(self, merge_multi_context=True):
        """Values of state_names, as get_outputs gives outputs; they stay as they are from batch to batch."""
        self._check(self._current is not None, "bound")
        states = [self._current.arg_dict[name] for name in self.state_names]
        return states if merge_multi_context else [[each] for each in states]

    def set_states(self, states=None, value=None):
        """Gives state_names arrays, or all of them one number."""
        self._check(self._current is not None, "bound")
        if (states is None) == (value is None):
            raise ValueError("set_states takes states or a value, needs one of the two")
        if states is not None and len(states) != len(self.state_names):
            raise ValueError("%d states for %s" % (len(states), ", ".join(self.state_names) or "no state_names"))
        for place, name in enumerate(self.state_names):
            given = value if states is None else states[place]
            given = given[0] if isinstance(given, (list, tuple)) else given  # of the one device
            array = self._current.arg_dict[name]
            if states is not None and np.shape(given) != array.shape:
                raise ValueError("state '%s': expected shape %s, got %s" % (name, array.shape, np.shape(given)))
            array[...] = given

    def get_outputs(self, merge_multi_context=True):
        """Those of the last forward; merge_multi_context=False gives the list of each for the one device."""
        self._check(self._current is not None, "bound")
        outputs = self._current.outputs
        if merge_multi_context and self._several:  # which each forward makes anew, of those of the devices
            return [each.copy() for each in outputs]
        return outputs if merge_multi_context else [[each] for each in outputs]

    def update_metric(self, eval_metric, labels, pre_sliced=False):
        """Gives a metric the outputs, and labels in the order of bind's label_shapes; `pre_sliced`: a list of them for
        each device."""
        if pre_sliced and len(labels) > 1:
            labels = [np.concatenate(each).view(NDArray) for each in zip(*labels)]
        else:
            labels = (labels[0] if pre_sliced else labels) or []
        names = [each.name for each in self._bound_labels] or self.label_names or range(len(labels))
        eval_metric.update_dict(dict(zip(names, labels)), dict(zip(self.output_names, self.get_outputs())))


def _joined(batches):
    """One batch of the rows of several, as a module of several devices gets them."""
    data, labels = ([np.concatenate(arrays) for arrays in zip(*(getattr(each, key) or [] for each in batches))]
                    for key in ("data", "label"))
    return io.DataBatch(data, labels, batches[-1].pad)


def _draw(given, name, attributes, array):
    given = initializer.create(given)
    given(initializer.InitDesc(name, attributes, given), array)


def __getattr__(key):
    if key in ("BucketingModule", "SequentialModule"):
        from . import module_groups
        return getattr(module_groups, key)
    if key in ("PythonModule", "PythonLossModule"):
        from . import python_module
        return getattr(python_module, key)
    raise AttributeError("module 'symc.module' has no attribute '%s'" % key)
