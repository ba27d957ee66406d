"""symc.kvstore: values by key, which gradients are pushed to and weights pulled from, by MXNet's names. Keys of a store are
dicts, and an optimizer updates a value when a gradient comes. `local` and `device` are of this process alone; `dist_sync` is of
all processes that mpirun or srun started: each has all values, and what is pushed is summed over them.

    store = symc.kvstore.create("local")
    store.init(3, nd.ones((2, 3)))
    store.push(3, [nd.ones((2, 3)), nd.ones((2, 3))])   # their sum
    store.pull(3, out=a)
"""
import numpy as np

from . import _world
from .errors import SymcError, nearest
from .ndarray_class import NDArray
from .optimizer import Updater, get_updater

_TOGETHER = ("dist_sync", "dist_device_sync", "dist_sync_device")
_LOCAL = ("local", "local_update_cpu", "local_allreduce_cpu", "local_allreduce_device", "device")


def create(name="local"):
    """The store of a type. Of several processes there is dist_sync; dist_device_sync and dist_sync_device are the same."""
    if not isinstance(name, str):
        raise TypeError("the type of a kvstore is a str, got %r" % (name,))
    if name in _TOGETHER:
        return _SharedStore(name)
    if name not in _LOCAL:
        if name.startswith("dist") and "async" in name:
            raise SymcError("kvstore '%s' lets workers go on with old parameters, which symc does not do: "
                            "use 'dist_sync'" % name)
        if name.startswith("dist") or name in ("nccl", "horovod", "byteps", "p3"):
            raise SymcError("kvstore '%s' needs what symc has not: use 'dist_sync', 'local' or 'device'" % name)
        raise ValueError("kvstore '%s' is unknown; %s" % (name, nearest(name, _LOCAL + _TOGETHER)))
    return KVStore(name)


def _pairs(key, value):
    """[(key, [arrays])] of a key and its value, or of lists of both; a value is an array or a list of one a device."""
    keys, values = (key, value) if isinstance(key, (list, tuple)) else ([key], [value])
    if not isinstance(values, (list, tuple)) or len(keys) != len(values):
        raise ValueError("%d keys for %s values" % (len(keys), len(values) if isinstance(values, (list, tuple)) else "no"))
    pairs = []
    for each, arrays in zip(keys, values):
        if not isinstance(each, (int, str)) or isinstance(each, bool):
            raise TypeError("a key is an int or a str, got %r" % (each,))
        arrays = list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]
        for array in arrays:
            if not isinstance(array, np.ndarray):
                raise TypeError("key %r takes arrays, got %r" % (each, array))
        pairs.append((each, arrays))
    return pairs


class KVStore:
    """push without an optimizer replaces a key's value by the sum of what is pushed; with one it updates the value by that
    sum as its gradient."""

    def __init__(self, type_="local"):
        self.type, self._values, self._updater = type_, {}, None
        self.rank, self.num_workers = 0, 1

    def _stored(self, key):
        if key not in self._values:
            raise SymcError("key %r of the kvstore has no value: init comes first" % (key,))
        return self._values[key]

    @staticmethod
    def _check_shape(key, array, stored):
        if array.shape != stored.shape:
            raise ValueError("key %r: expected shape %s, got %s" % (key, stored.shape, array.shape))

    def init(self, key, value):
        """The first value of each key, which is given once."""
        for each, (array, *_) in _pairs(key, value):
            if each in self._values:
                raise SymcError("key %r of the kvstore has a value already" % (each,))
            kinds = {type(known) for known in self._values} | {type(each)}
            if len(kinds) > 1:
                raise TypeError("keys of a kvstore are ints or strs, not both: %r" % (each,))
            self._values[each] = self._of_first([np.array(array)])[0].view(NDArray)

    @staticmethod
    def _summed(arrays):
        """The arrays, summed over processes."""
        return arrays

    @staticmethod
    def _of_first(arrays):
        """The arrays of rank 0."""
        return arrays

    def push(self, key, value, priority=0):
        keys, totals, stores = [], [], []
        for each, arrays in _pairs(key, value):
            stored = self._stored(each)
            for array in arrays:
                self._check_shape(each, array, stored)
            keys.append(each)
            totals.append(arrays[0] if len(arrays) == 1 else sum(arrays[1:], arrays[0]))
            stores.append(stored)
        totals = [each if type(each) is NDArray else each.view(NDArray) for each in self._summed(totals)]
        if type(self._updater) is Updater and len(set(keys)) == len(keys):
            self._updater.one_by_one(keys, totals, stores)
            return
        for each, total, stored in zip(keys, totals, stores):
            if self._updater is None:
                stored[...] = total
            else:
                self._updater(each, total, stored)

    def pull(self, key, out=None, priority=0, ignore_sparse=True):
        if out is None:
            raise TypeError("pull needs out, the arrays that the values go to")
        for each, arrays in _pairs(key, out):
            stored = self._stored(each)
            for array in arrays:
                self._check_shape(each, array, stored)
                array[...] = stored

    def pushpull(self, key, value, out=None, priority=0):
        """push, then pull into `out`, or into what was pushed."""
        self.push(key, value, priority)
        self.pull(key, value if out is None else out, priority)

    def broadcast(self, key, value, out, priority=0):
        """init, then pull."""
        self.init(key, value)
        self.pull(key, out, priority)

    def row_sparse_pull(self, key, out=None, priority=0, row_ids=None):
        raise SymcError("row_sparse_pull needs sparse arrays, arrays are dense: use pull")

    def set_optimizer(self, optimizer):
        """Updates values by this optimizer from here on."""
        self._set_updater(get_updater(optimizer))

    def _set_updater(self, updater):
        """A function of key, gradient and value, which changes the value."""
        self._updater = updater

    def set_gradient_compression(self, compression_params):
        """It makes what goes between devices smaller, and there is one: no value changes."""
        if self.type != "device":
            raise SymcError("kvstore '%s' has no gradient compression, 'device' takes it" % self.type)
        kind = dict(compression_params).get("type")
        if kind != "2bit":
            raise ValueError("gradient compression of type %r is unknown, there is '2bit'" % (kind,))

    @staticmethod
    def is_capable(capability):
        if capability.lower() != "optimizer":
            raise ValueError("capability '%s' is unknown, there is 'optimizer'" % capability)
        return True

    def _states(self):
        if self._updater is None:
            raise SymcError("the kvstore has no optimizer: set_optimizer comes first")
        return self._updater

    def save_optimizer_states(self, fname, dump_optimizer=False):
        states = self._states().get_states(dump_optimizer)
        with open(fname, "wb") as file:
            file.write(states)

    def load_optimizer_states(self, fname):
        with open(fname, "rb") as file:
            self._states().set_states(file.read(), str(fname))

    def barrier(self):
        """Waits for the other processes, of which there are none."""

    _barrier = barrier


class _SharedStore(KVStore):
    """All processes have the same values: they start with those of rank 0 and take the same updates."""

    def __init__(self, type_):
        super().__init__(type_)
        self.rank, self.num_workers = _world.join()

    def _summed(self, arrays):
        for each in arrays:
            if each.dtype not in (np.float32, np.float16):
                raise SymcError("kvstore '%s' sums arrays of float32, got %s" % (self.type, each.dtype))
        return _world.sum_arrays(arrays)

    def _of_first(self, arrays):
        return self._summed([each if self.rank == 0 else np.zeros_like(each) for each in arrays])

    def set_gradient_compression(self, compression_params):
        raise SymcError("kvstore '%s' sends gradients whole: it has no compression" % self.type)

    def barrier(self):
        """Waits for the other processes."""
        _world.barrier()

    _barrier = barrier


KVStoreBase = KVStore
