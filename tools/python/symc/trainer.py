"""Trainer: steps of training in compiled code, of a library that `symc train` makes.

    trainer = symc.Trainer(net, {"data": (64, 784)}, "adam", {"learning_rate": 0.001})
    for batch in batches:
        probabilities, = trainer.step(batch)
    args, auxiliary = trainer.get_params()

Parameters, their gradients and the optimizer's states lie in the library's context; get_params copies them out. A trainer
is called by one thread at a time.
"""
import ctypes
import os
import shutil
import tempfile
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _library, _runtime, _world, checkpoint, compiler, library
from ._runtime import Tensor, TensorInfo
from .errors import SymcError

_NAN = float("nan")


class _Training(ctypes.Structure):
    _fields_ = [("prediction", c_void_p), ("parameters", c_void_p), ("inputs", POINTER(TensorInfo)),
                ("classes", POINTER(c_int64)), ("sources", c_void_p), ("predicted_of", c_void_p),
                ("prepared_of", c_void_p), ("optimizer", c_void_p), ("values", POINTER(c_double)),
                ("initializer", c_char_p), ("work", c_void_p), ("n_inputs", c_int32), ("n_heads", c_int32)]


class _Hyper(ctypes.Structure):
    _fields_ = [("bytes", c_uint32), ("flags", c_uint32)] + [(name, c_double) for name in (
        "learning_rate", "wd", "momentum", "rescale_grad", "clip_gradient")]


_RUN = (c_int32, c_void_p, POINTER(Tensor), c_int32, POINTER(Tensor), c_int32)
_FUNCTIONS = {
    "train_step": (*_RUN, POINTER(_Hyper)), "gradients": _RUN, "update": (c_int32, c_void_p, POINTER(_Hyper)),
    "predict": _RUN, "initialize": (c_int32, c_void_p, c_char_p, c_uint64),
    "get_parameter": (c_int32, c_void_p, c_char_p, c_void_p, c_size_t),
    "set_parameter": (c_int32, c_void_p, c_char_p, c_void_p, c_size_t),
    "get_gradient": (c_int32, c_void_p, c_char_p, c_void_p, c_size_t),
    "gradient_memory": (c_void_p, c_void_p, POINTER(c_size_t)),
    "optimizer_state_count": (c_int32, c_void_p),
    "get_optimizer_state": (c_int32, c_void_p, c_char_p, c_int32, c_void_p, c_size_t),
    "set_optimizer_state": (c_int32, c_void_p, c_char_p, c_int32, c_void_p, c_size_t),
    "get_step": (c_int64, c_void_p), "set_step": (c_int32, c_void_p, c_int64),
    "get_schedule": (c_int32, c_void_p, POINTER(c_double)), "set_schedule": (c_int32, c_void_p, POINTER(c_double)),
    "get_hyper": (c_int32, c_void_p, c_char_p, POINTER(c_double)), "set_hyper": (c_int32, c_void_p, c_char_p, c_double),
    "get_iteration": (c_uint64, c_void_p), "set_iteration": (c_int32, c_void_p, c_uint64),
    "share_rows": (c_int32, c_void_p, c_int64, c_int64),
    "join_ranks": (c_int32, c_void_p, c_int32, c_void_p, c_void_p),
    "watch_gradients": (c_int32, c_void_p, c_void_p, c_void_p)}


def _text(options):
    """{"momentum": 0.9} as the words of a command line."""
    return "".join(",%s=%s" % (key, str(value).lower() if isinstance(value, bool) else value)
                   for key, value in dict(options or {}).items() if value is not None)


class Trainer:
    """Trains a symbol whose outputs are losses.

    symbol            a Symbol, or the path of a symbol file
    shapes            {data: extents}, the batch first; labels and parameters follow
    optimizer         its name
    optimizer_params  {"learning_rate": 0.1, "momentum": 0.9}, by MXNet's names
    params            {name: array} or the path of a parameter file, where training begins
    initializer       of parameters without a value: "xavier,magnitude=2"; MXNet's default
    freeze            patterns of parameters that keep their values
    seed              of first values and random operators
    threads           that compute; None: SYMC_THREADS, or one for each processor. The number changes no bit
    output            path of the library; None: a temporary one, which goes with the trainer
    options           further words of the command line
    kvstore           "dist_sync", or such a store: step() sums gradients over the processes that mpirun or srun started, each
                      with a batch of its own; parameters begin with those of rank 0, rescale_grad with 1 / the whole batch
    """

    def __init__(self, symbol: Any, shapes: Mapping[str, Sequence[int]], optimizer: str = "sgd",
                 optimizer_params: Optional[Mapping[str, Any]] = None, params: Any = None, initializer: Optional[str] = None,
                 freeze: Union[str, Sequence[str]] = (), seed: int = 0, threads: Optional[int] = None, output: Optional[Any] = None,
                 options: Sequence[str] = (), dtypes: Optional[Mapping[str, Any]] = None,
                 kvstore: Any = None) -> None:
        self._world_size = self._ranks(kvstore)
        self._context, self._library, self.symbol = c_void_p(), None, symbol
        folder = tempfile.mkdtemp(prefix="symc-")
        try:
            words, name = compiler._source(symbol, folder)
            words += compiler._parameters(params, folder)
            for key, shape in compiler._by_input("shapes", shapes).items():
                words += ["--shape", "%s=%s" % (key, compiler._shape_text(key, shape))]
            for key, dtype in compiler._by_input("dtypes", dtypes).items():
                words += ["--dtype", "%s=%s" % (key, compiler._dtype_name(dtype))]
            words += ["--optimizer", optimizer + _text(optimizer_params)]
            words += ["--initializer", initializer] if initializer else []
            for pattern in [freeze] if isinstance(freeze, str) else freeze:
                words += ["--freeze", pattern]
            if output is None:
                words += ["--target-cpu", "native"]
            path = os.fspath(output) if output is not None else os.path.join(folder, name + ".so")
            compiler._execute([compiler.program(), "train", *words, *library.options(), *options, "-shared", "-o", path],
                              folder, None)
            self._open(path, folder if output is None else None, threads)
            self.initialize(self._of_first(seed))
            if self._world_size > 1:
                self._begin_as_first()
        except BaseException:
            self.close()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        if output is not None:
            shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def _ranks(store):
        from . import kvstore as stores
        store = stores.create(store) if isinstance(store, str) else store
        if store is not None and not hasattr(store, "num_workers"):
            raise TypeError("kvstore is a store of symc.kvstore, its type or None, got %r" % (store,))
        return store.num_workers if store is not None else 1

    def _of_first(self, seed):
        """That of rank 0, whose random numbers all ranks draw a part of. Sums are of float32: 16 bits a number."""
        if self._world_size == 1:
            return seed
        own = [seed >> bits & 0xffff if _world.join()[0] == 0 else 0 for bits in (0, 16, 32, 48)]
        parts, = _world.sum_arrays([np.array(own, np.float32)])
        return sum(int(part) << bits for part, bits in zip(parts, (0, 16, 32, 48)))

    def _begin_as_first(self):
        """Parameters and states of rank 0; rates for the batch of all ranks."""
        rank = _world.join()[0]
        for values in self.get_params():
            names = [name for name, value in values.items() if value.dtype == np.float32]
            sums = _world.sum_arrays([values[name] if rank == 0 else np.zeros_like(values[name]) for name in names])
            self.set_params(dict(zip(names, sums)))
        self.set_hyper("rescale_grad", self.get_hyper("rescale_grad") / self._world_size)
        rows = self._inputs[0][1][0] if self._inputs and self._inputs[0][1] else 0
        self._do("share_rows", rows, rank * rows)
        self._do("join_ranks", self._world_size, _world.gatherer(), None)
        self._do("watch_gradients", _world.watcher(), None)  # sums begin while backward runs

    def _open(self, path, folder, threads):
        self._library = _runtime.Library(path, folder=folder)
        self._table = ctypes.cast(self._library.table.training, POINTER(_Training)).contents
        self._call = {}
        for suffix, (result, *arguments) in _FUNCTIONS.items():
            function = self._library.symbol("%s_%s" % (self._library.name, suffix))
            function.restype, function.argtypes = result, arguments
            self._call[suffix] = function
        error = ctypes.create_string_buffer(512)
        threads = _runtime.training_threads() if threads is None else threads
        options = _runtime.Options(threads=threads, error=ctypes.cast(error, c_char_p), error_bytes=len(error))
        if self._library.create(ctypes.byref(options), ctypes.byref(self._context)):
            raise SymcError(error.value.decode())
        table, training = self._library.table, self._table
        self._inputs = [self._info(training.inputs[i]) for i in range(training.n_inputs)]
        self._classes = [training.classes[i] if training.classes else 0 for i in range(training.n_inputs)]
        self._heads = [self._info(table.outputs[i]) for i in range(training.n_heads)]
        self._args = {name: shape for name, shape, _ in map(self._info, table.parameters[:table.n_parameters])}
        self._aux = {name: shape for name, shape, _ in (self._info(each.tensor) for each in table.states[:table.n_states])}

    @staticmethod
    def _info(info):
        return info.name.decode(), tuple(info.shape[:info.rank]), np.dtype(_runtime.DTYPES[info.dtype])

    def close(self) -> None:
        """Frees the trainer's memory; a temporary library goes from disk."""
        if self._context:
            self._library.destroy(self._context)
            self._context = c_void_p()
        if self._library:
            self._library.close()
            self._library = None

    def __enter__(self) -> "Trainer":
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a trainer cannot be pickled or copied: its states are memory of this process; save(prefix) writes "
                        "them, and load(prefix) of another trainer goes on")

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _do(self, name, *args):
        if not self._context:
            raise SymcError("the trainer is closed")
        if self._call[name](self._context, *args):
            raise SymcError(self._library.last_error(self._context).decode())

    # --- Steps -------------------------------------------------------------

    @property
    def inputs(self) -> List[Tuple[str, Tuple[int, ...]]]:
        """(name, shape) of what a step takes."""
        return [(name, shape) for name, shape, _ in self._inputs]

    @property
    def outputs(self) -> List[Tuple[str, Tuple[int, ...]]]:
        """(name, shape) of what it gives."""
        return [(name, shape) for name, shape, _ in self._heads]

    def _batch(self, batch, named, labels=True):
        """Arrays in the order of inputs: of a list, a dict, keywords, or a batch of an iterator."""
        if len(batch) == 1 and hasattr(batch[0], "data") and hasattr(batch[0], "label") and not isinstance(batch[0], np.ndarray):
            batch = [*batch[0].data, *(batch[0].label or ())]
        elif len(batch) == 1 and isinstance(batch[0], (list, tuple)):
            batch = batch[0]
        elif len(batch) == 1 and hasattr(batch[0], "items"):
            batch, named = (), {**batch[0], **named}
        names = [name for name, _, _ in self._inputs]
        if len(batch) > len(names):
            raise SymcError("a step takes %s, got %d arrays" % (", ".join(names), len(batch)))
        given = {**dict(zip(names, batch)), **named}
        unknown = [name for name in given if name not in names]
        missing = [name for name in names if name not in given]
        if unknown:
            raise SymcError("no input is called '%s'; there are %s" % (unknown[0], ", ".join(names)))
        if missing and labels:
            raise SymcError("input '%s' is not given" % missing[0])
        arrays = []
        for (name, shape, dtype), classes in zip(self._inputs, self._classes):
            array = None if given.get(name) is None else np.ascontiguousarray(
                given[name].asnumpy() if hasattr(given[name], "asnumpy") else given[name], dtype)
            if array is not None and array.shape != shape:
                raise SymcError("input '%s' has shape %s, got %s" % (name, shape, array.shape))
            if array is not None and classes:
                self._check_classes(name, array, classes)
            arrays.append(array)
        return arrays

    @staticmethod
    def _check_classes(name, array, classes):
        bad = ~((array >= 0) & (array < classes) & (array == np.floor(array)))
        if bad.any():
            place = int(bad.argmax())
            raise SymcError("row %d: %g is no value for input '%s', which takes 0..%d" % (
                place * array.shape[0] // array.size, array.flat[place], name, classes - 1))

    def _tensors(self, arrays, infos):
        tensors = (Tensor * (len(arrays) + 1))()
        for tensor, array, (_, shape, dtype) in zip(tensors, arrays, infos):
            tensor.data = None if array is None else array.ctypes.data
            tensor.shape = (c_int64 * (len(shape) + 1))(*shape)
            tensor.rank, tensor.dtype = len(shape), _runtime.DTYPES.index(dtype.name)
        return tensors

    def _run(self, function, arrays, *more):
        outputs = [np.empty(shape, dtype) for _, shape, dtype in self._heads]
        self._do(function, self._tensors(arrays, self._inputs), len(arrays), self._tensors(outputs, self._heads),
                 len(outputs), *more)
        return outputs

    @staticmethod
    def _hyper(rates):
        rates = dict(rates or {})
        values = _Hyper(ctypes.sizeof(_Hyper), 0, *[rates.pop(name, _NAN) for name in (
            "learning_rate", "wd", "momentum", "rescale_grad", "clip_gradient")])
        if rates:
            raise SymcError("a step takes no '%s'; set_hyper sets it" % next(iter(rates)))
        return ctypes.byref(values)

    def step(self, *batch: Any, hyper: Optional[Mapping[str, float]] = None, **named: Any) -> "List[np.ndarray[Any, Any]]":
        """One step: the outputs. `batch`: data and labels in order, {name: array}, or a batch of an iterator. `hyper`:
        rates of this step, {"learning_rate": 0.01}."""
        if self._world_size == 1:
            return self._run("train_step", self._batch(batch, named), self._hyper(hyper))
        arrays = self._batch(batch, named)
        count = c_size_t()
        memory = self._call["gradient_memory"](self._context, ctypes.byref(count))
        gradients = ctypes.cast(memory, POINTER(ctypes.c_float)), c_size_t(count.value // 4)
        if count.value:
            _library.call("symc_world_begin_sum", *gradients)
        outputs = self._run("gradients", arrays)
        _library.call("symc_world_sum", *gradients)
        self.update(hyper)
        return outputs

    def gradients(self, *batch: Any, **named: Any) -> "List[np.ndarray[Any, Any]]":
        """The same without the update: outputs; get_gradients and update follow."""
        return self._run("gradients", self._batch(batch, named))

    def update(self, hyper: Optional[Mapping[str, float]] = None) -> None:
        """Changes parameters by the gradients of the last step or of gradients()."""
        self._do("update", self._hyper(hyper))

    def predict(self, *batch: Any, **named: Any) -> "List[np.ndarray[Any, Any]]":
        """Outputs in prediction mode; labels may be left out."""
        return self._run("predict", self._batch(batch, named, labels=False))

    def fit(self, train_data, eval_data=None, num_epoch=1, begin_epoch=0, eval_metric="acc", hyper=None, batch_end_callback=None,
            epoch_end_callback=None, prefix=None, progress=None):
        """Trains for epochs over an iterator and returns a list of {"epoch", "train-accuracy", "validation-accuracy",
        "time-cost"}, a dict an epoch. It logs MXNet's lines, and shows how far it is: a line on a terminal, a line and a picture
        of the metric in a notebook (`progress`: one of training_progress instead). `hyper`: rates, or a function of the
        epoch that gives them. `prefix`: saves behind each epoch. The callbacks are Module.fit's."""
        from . import training_progress
        return training_progress.fit(self, train_data, eval_data, num_epoch, begin_epoch, eval_metric, hyper, batch_end_callback,
                                     epoch_end_callback, prefix, progress)

    def score(self, eval_data, eval_metric="acc"):
        """[(name, value)] of a metric over an iterator."""
        from . import metric, training_progress
        return training_progress.score(self, eval_data, metric.create(eval_metric))

    # --- Parameters --------------------------------------------------------

    def initialize(self, seed: int = 0, initializer: Optional[str] = None) -> None:
        """Begins anew: values of the file and drawn ones; states of the optimizer and their count as at first."""
        if self._library.set_seed(self._context, seed):
            raise SymcError(self._library.last_error(self._context).decode())
        self._do("initialize", initializer.encode() if initializer else None, seed)

    def _get(self, function, name, shape, *index):
        array = np.empty(shape, np.float32)
        self._do(function, name.encode(), *index, array.ctypes.data, array.nbytes)
        return array

    def _set(self, function, name, shape, value, *index):
        value = value.asnumpy() if hasattr(value, "asnumpy") else value
        array = np.ascontiguousarray(value, np.float32)
        if array.shape != shape:
            raise SymcError("'%s' has shape %s, got %s" % (name, shape, array.shape))
        self._do(function, name.encode(), *index, array.ctypes.data, array.nbytes)

    def get_params(self) -> "Tuple[Dict[str, np.ndarray[Any, Any]], Dict[str, np.ndarray[Any, Any]]]":
        """({parameter: array}, {auxiliary state: array}), copies."""
        def values(shapes):
            return {name: self._get("get_parameter", name, shape) for name, shape in shapes.items()}
        return values(self._args), values(self._aux)

    def set_params(self, arg_params: Optional[Mapping[str, Any]], aux_params: Optional[Mapping[str, Any]] = None) -> None:
        """Sets those that are given."""
        for name, value in {**dict(arg_params or {}), **dict(aux_params or {})}.items():
            shape = {**self._args, **self._aux}.get(name)
            if shape is None:
                raise SymcError("no parameter is called '%s'" % name)
            self._set("set_parameter", name, shape, value)

    def get_gradients(self) -> "Dict[str, np.ndarray[Any, Any]]":
        """{parameter: its gradient}: sums over the batch, not yet times rescale_grad."""
        return {name: self._get("get_gradient", name, self._args[name]) for name in self._trained()}

    def _trained(self):
        training = {self._info(self._library.table.outputs[i])[0] for i in range(self._library.table.n_outputs)}
        return [name for name in self._args if "grad:" + name in training]

    def get_hyper(self, name: str) -> float:
        """A hyper-parameter by MXNet's name."""
        value = c_double()
        self._do("get_hyper", name.encode(), ctypes.byref(value))
        return value.value

    def set_hyper(self, name: str, value: float) -> None:
        """It holds for the steps that follow."""
        self._do("set_hyper", name.encode(), value)

    @property
    def num_update(self) -> int:
        """Updates done."""
        return self._call["get_step"](self._context)

    # --- Checkpoints -------------------------------------------------------

    def save(self, prefix: str, epoch: int = 0) -> None:
        """PREFIX-symbol.json and PREFIX-000N.params, which MXNet loads, too, and PREFIX-000N.trainer: the optimizer's
        states and what else an exact continuation needs."""
        from . import ndarray
        symbol = self.symbol if hasattr(self.symbol, "save") else None
        checkpoint.save_checkpoint(prefix, epoch, symbol, *self.get_params())
        states = {"state%d:%s" % (i, name): self._get("get_optimizer_state", name, self._args[name], i)
                  for name in self._trained() for i in range(self._call["optimizer_state_count"](self._context))}
        schedule = (c_double * 4)()
        self._do("get_schedule", schedule)
        numbers = [self.num_update, self._call["get_iteration"](self._context)]
        ndarray.save("%s-%04d.trainer" % (prefix, epoch), {
            **states, "numbers": np.array(numbers, "int64"), "schedule": np.array(schedule, "float64")})

    def load(self, prefix: str, epoch: int = 0) -> None:
        """Goes on from such files; from parameters alone where there is no .trainer."""
        from . import ndarray
        self.set_params(*checkpoint.load_params(prefix, epoch))
        path = "%s-%04d.trainer" % (prefix, epoch)
        if not os.path.exists(path):
            return
        arrays = ndarray.load(path)
        if not isinstance(arrays, dict):
            raise SymcError("'%s' has no names of arrays, which Trainer.save writes" % path)
        for key, value in arrays.items():
            value, (kind, _, name) = value.asnumpy(), key.partition(":")
            count = {"numbers": 2, "schedule": 4}.get(key)
            if count and not (value.shape == (count,) and np.isfinite(value).all()):
                raise SymcError("'%s' has '%s' of shape %s, needs %d finite numbers" % (path, key, value.shape, count))
            if key == "numbers":
                self._do("set_step", int(value[0]))
                self._do("set_iteration", int(value[1]))
            elif key == "schedule":
                self._do("set_schedule", (c_double * 4)(*value))
            elif kind.startswith("state") and kind[5:].isdigit() and name in self._args:
                self._set("set_optimizer_state", name, self._args[name], value, int(kind[5:]))
            else:
                raise SymcError("'%s' holds '%s', which this trainer has no use for" % (path, key))
