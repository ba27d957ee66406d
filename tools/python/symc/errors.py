"""SymcError: what symc refuses, in the text that the command line would print."""
import difflib


def nearest(name, names):
    """The end of a message on an unknown name: "did you mean 'adam'?", or the list of all."""
    near = difflib.get_close_matches(name, names, 1)
    return "did you mean '%s'?" % near[0] if near else "there are %s" % ", ".join(names)


class SymcError(RuntimeError):
    """A model, symbol or file that cannot be used, and why."""


class NotImplementedForSymbol(SymcError):
    """What arrays can do and symbols cannot."""


class MissingFile(SymcError, FileNotFoundError):
    """There is no such file."""


class MissingParameter(SymcError, ValueError):
    """A parameter has no value."""


class EmptyArray(SymcError, ValueError):
    """An operator on arrays got one without elements. MXNet raises MXNetError, and scripts catch that."""


class UnusedInput(ValueError, AssertionError):
    """The body of a loop does not read what the loop gives it. MXNet asserts it, and scripts catch that."""


class AbsentFunction(SymcError, AttributeError):
    """A function of MXNet that is not here, and why."""
