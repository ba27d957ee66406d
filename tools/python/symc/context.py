"""Devices by MXNet's names. Arrays, executors and modules are on the processor: a context that names a GPU lets a
script go on there, after one warning by warnings.warn."""
import sys
import warnings

_TYPES = {"cpu": 1, "gpu": 2, "cpu_pinned": 3, "cpu_shared": 5}  # MXNet's numbers
_entered = []
_told = []


class Context:
    """A device: its type and number. `with mx.cpu():` makes it the current one, which changes nothing else."""

    def __init__(self, device_type, device_id=0):
        if isinstance(device_type, Context):
            device_type, device_id = device_type.device_type, device_type.device_id
        if device_type not in _TYPES:
            raise ValueError("device type %r is unknown, needs %s" % (device_type, ", ".join(_TYPES)))
        self.device_type, self.device_id = device_type, device_id

    @property
    def device_typeid(self):
        return _TYPES[self.device_type]

    def __enter__(self):
        _entered.append(self)
        return self

    def __exit__(self, *_):
        _entered.pop()

    def __eq__(self, other):
        return isinstance(other, Context) and (self.device_type, self.device_id) == (other.device_type, other.device_id)

    def __hash__(self):
        return hash((self.device_type, self.device_id))

    def __repr__(self):
        return "%s(%d)" % (self.device_type, self.device_id)


def cpu(device_id=0):
    return Context("cpu", device_id)


def cpu_pinned(device_id=0):
    return Context("cpu_pinned", device_id)


def gpu(device_id=0):
    return Context("gpu", device_id)


def num_gpus():
    """How many GPUs arrays may be on: none."""
    return 0


def current_context():
    """The context whose with statement encloses the call, else the processor."""
    return _entered[-1] if _entered else cpu()


def on_processor(context):
    """Takes what a script gives for the place of an array or a network: None, a context, or a list of them."""
    for each in context if isinstance(context, (list, tuple)) else [context]:
        if each is not None and not isinstance(each, Context):
            raise TypeError("a context is cpu() or gpu(), got %r" % (each,))
        if each is not None and each.device_type == "gpu" and not _told:
            _told.append(each)
            level, frame = 2, sys._getframe(1)
            while frame.f_back and frame.f_globals.get("__package__") == __package__:  # to the script's line
                level, frame = level + 1, frame.f_back
            warnings.warn("%s is taken for the processor, which has all arrays, executors and modules; for a GPU, "
                          "symc.compile takes options=['--target=cuda']" % each, stacklevel=level)
