"""Arrays as ctypes passes them: where they lie, and whether those of a call are the ones of the last call."""
import operator


def address(array):
    return array.__array_interface__["data"][0]


def lie_apart(arrays):
    """Whether no two of the arrays, which are contiguous, have a byte in common."""
    end = 0
    for begin, length in sorted([(address(each), each.nbytes) for each in arrays]):
        if begin < end:
            return False
        end = begin + length
    return True


def same(one, other):
    """Whether two lists have the same objects. `one` may be None."""
    return one is not None and len(one) == len(other) and all(map(operator.is_, one, other))
