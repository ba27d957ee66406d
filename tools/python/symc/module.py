"""symc.mod: Module, a symbol with its parameters for prediction on batches, by MXNet's names. Training is not there.

    module = symc.mod.Module.load("net", 10)
    module.bind(data_shapes=[("data", (32, 1, 28, 28))], for_training=False)
    answers = module.predict(symc.io.NDArrayIter(pictures, batch_size=32))
"""
import numpy as np

from . import executor, initializer, io
from .base_module import BaseModule, BatchEndParam  # noqa: F401, mx.mod's names
from .checkpoint import load_checkpoint, save_checkpoint
from .context import on_processor
from .errors import SymcError


def _descs(shapes, names, kind):
    descs = [each if isinstance(each, io.DataDesc) else io.DataDesc(*each) for each in shapes or []]
    if sorted(each.name for each in descs) != sorted(names):
        raise ValueError("%s are of %s, the module's are %s" % (
            kind, ", ".join(each.name for each in descs) or "nothing", ", ".join(names) or "nothing"))
    return descs


def _shapes_of(arrays):
    return [tuple(each.shape) for each in arrays]


def _resized(descs, arrays):
    """The same inputs with the shapes of arrays."""
    return [io.DataDesc(each.name, array.shape, each.dtype, each.layout) for each, array in zip(descs, arrays)]


class Module(BaseModule):
    """Bind it, give it parameters, and forward batches. Code is compiled for each shape of batches that comes."""

    def __init__(self, symbol, data_names=("data",), label_names=("softmax_label",), logger=None, context=None,
                 work_load_list=None, fixed_param_names=None, state_names=None):
        if not hasattr(symbol, "list_arguments"):
            raise TypeError("a module is made of a Symbol, got %r" % (symbol,))
        on_processor(context)
        self.symbol, self._context = symbol, context
        arguments = symbol.list_arguments()
        self.data_names = list(data_names or [])
        for name in self.data_names:
            if name not in arguments:
                raise ValueError("the symbol has no argument '%s', which data_names has; its arguments are %s" % (
                    name, ", ".join(arguments)))
        self.label_names = list(label_names or [])  # one that is no argument is for metrics alone
        self.state_names = list(state_names or [])
        for name in self.state_names:
            if name not in arguments:
                raise ValueError("the symbol has no argument '%s', which state_names has; its arguments are %s" % (
                    name, ", ".join(arguments)))
        self.output_names = symbol.list_outputs()
        self._arguments = arguments
        inputs = self.data_names + self.label_names + self.state_names
        self._param_names = [name for name in arguments if name not in inputs]
        self._aux_names = symbol.list_auxiliary_states()
        self.binded = self.params_initialized = self.for_training = False
        self._loaded = None
        self._executors, self._group = {}, []  # those of the module, and of all that share its parameters
        self._current = self._lender = None
        self._data_shapes = self._label_shapes = None
        self._bound_labels = []
        self._arg_params, self._aux_params = {}, {}

    @staticmethod
    def load(prefix, epoch, load_optimizer_states=False, **kwargs):
        symbol, *params = load_checkpoint(prefix, epoch)
        module = Module(symbol, **kwargs)
        module._loaded = params
        return module

    def save_checkpoint(self, prefix, epoch, save_optimizer_states=False):
        save_checkpoint(prefix, epoch, self.symbol, *self.get_params())

    # --- Shapes and parameters ---------------------------------------------

    def bind(self, data_shapes, label_shapes=None, for_training=False, inputs_need_grad=False, force_rebind=False,
             shared_module=None, grad_req="null"):
        """Shapes of a batch, as an iterator's provide_data and provide_label give them. A shared_module that is bound
        lends its parameters: both modules have the same arrays."""
        self._refuse_training(for_training, inputs_need_grad)
        if self.binded and not force_rebind:
            return
        if shared_module is not None:
            if shared_module._current is None:
                raise SymcError("shared_module is not bound yet")
            self._lender, self._group = shared_module, shared_module._group
        self._bind(data_shapes, label_shapes)
        self.binded = True
        if shared_module is not None and shared_module.params_initialized:
            self.params_initialized = True
        if self._loaded is not None:
            loaded, self._loaded = self._loaded, None
            self.set_params(*loaded)

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
            made = executor.simple_bind(self.symbol, self._context, type_dict=self._types(data, labels), **shapes)
            made._watch = False
            source = self._current or (self._lender._current if self._lender else None)
            if source is not None:
                self._share(source.arg_dict, made.arg_dict, self._param_names, data)
                self._share(source.aux_dict, made.aux_dict, self._aux_names, data)
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
                    raise ValueError("parameter '%s' is not given; allow_missing=True draws it" % name)
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

    # --- Prediction --------------------------------------------------------

    def forward(self, data_batch, is_train=None):
        """Computes a batch, whose arrays stand in the order of bind's shapes; one of another shape compiles code for
        it."""
        self._check(self.binded, "bound")
        self._check(self.params_initialized, "given parameters")
        if is_train:
            raise SymcError("forward(is_train=True) needs training, symc compiles prediction only")
        data, labels = list(data_batch.data), list(getattr(data_batch, "label", None) or [])
        if len(data) != len(self._data_shapes):
            raise ValueError("the batch has %d arrays, the module %d inputs" % (len(data), len(self._data_shapes)))
        descs, label_descs = self._data_shapes, self._label_shapes or []
        if _shapes_of(data) != _shapes_of(descs) or (labels and _shapes_of(labels) != _shapes_of(label_descs)):
            named = getattr(data_batch, "provide_data", None)
            descs = _resized(_descs(named, self.data_names, "data_shapes") if named else descs, data)
            label_descs = _resized(self._bound_labels, labels)
            self._select(descs, label_descs)
        self._current.forward(**{each.name: value for each, value in zip(descs + label_descs, data + labels)
                                 if each.name in self._arguments})

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
        return outputs if merge_multi_context else [[each] for each in outputs]

    def update_metric(self, eval_metric, labels, pre_sliced=False):
        """Gives a metric the outputs, and labels in the order of bind's label_shapes; `pre_sliced`: a list of them for
        each device."""
        labels = (labels[0] if pre_sliced else labels) or []
        names = [each.name for each in self._bound_labels] or self.label_names or range(len(labels))
        eval_metric.update_dict(dict(zip(names, labels)), dict(zip(self.output_names, self.get_outputs())))


def _draw(given, name, attributes, array):
    given = initializer.create(given)
    given(initializer.InitDesc(name, attributes, given), array)


def __getattr__(key):
    if key in ("BucketingModule", "SequentialModule"):
        from . import module_groups
        return getattr(module_groups, key)
    if key in ("PythonModule", "PythonLossModule"):
        raise AttributeError("module 'symc.module' has no attribute '%s': it needs training" % key)
    raise AttributeError("module 'symc.module' has no attribute '%s'" % key)
