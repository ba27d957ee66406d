"""MXNet's autograd, as far as prediction needs it: nothing is recorded, nothing trains. What would train is refused."""
import contextlib

from .errors import SymcError


def is_recording():
    return False


def is_training():
    return False


@contextlib.contextmanager
def pause(train_mode=False):
    """A scope in which nothing is recorded, as everywhere."""
    if train_mode:
        _refuse("pause(train_mode=True)")
    yield


@contextlib.contextmanager
def predict_mode():
    """A scope in which operators predict, as everywhere."""
    yield


def _refuse(name):
    raise SymcError("%s needs training, which comes later: symc computes predictions" % name)


def _refused(name):
    def function(*_args, **_kwargs):
        _refuse("autograd." + name)
    function.__name__ = name
    function.__doc__ = "Is refused: there is no training."
    return function


record, train_mode, mark_variables, backward, grad, get_symbol = map(
    _refused, ("record", "train_mode", "mark_variables", "backward", "grad", "get_symbol"))


def set_recording(is_recording):
    """Returns what it was: False."""
    if is_recording:
        _refuse("autograd.set_recording")
    return False


def set_training(train_mode):
    """Returns what it was: False."""
    if train_mode:
        _refuse("autograd.set_training")
    return False
