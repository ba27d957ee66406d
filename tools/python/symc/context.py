"""Devices by MXNet's names. Compiled models run on processors; a GPU is a device of a name here."""


_entered = []


class Context:
    """A device: "cpu" or "gpu" and its number. `with mx.cpu():` makes it the current one, which changes nothing else."""

    def __init__(self, device_type, device_id=0):
        self.device_type, self.device_id = device_type, device_id

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


def gpu(device_id=0):
    return Context("gpu", device_id)


def current_context():
    """The context whose with statement encloses the call, else the processor."""
    return _entered[-1] if _entered else cpu()
