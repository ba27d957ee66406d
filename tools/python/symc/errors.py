"""SymcError: what symc refuses, in the text that the command line would print."""


class SymcError(RuntimeError):
    """A model, symbol or file that cannot be used, and why."""


class NotImplementedForSymbol(SymcError):
    """What arrays can do and symbols cannot."""


class MissingFile(SymcError, FileNotFoundError):
    """There is no such file."""


class MissingParameter(SymcError, ValueError):
    """A parameter has no value."""


class UnusedInput(ValueError, AssertionError):
    """The body of a loop does not read what the loop gives it. MXNet asserts it, and scripts catch that."""


class AbsentFunction(SymcError, AttributeError):
    """A function of MXNet that is not here, and why."""
