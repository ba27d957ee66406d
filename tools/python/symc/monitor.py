"""symc.mon: Monitor, which reports a number of each output, argument and state of a network every few batches, by MXNet's
names.

    monitor = symc.mon.Monitor(100, pattern=".*weight")
    module.install_monitor(monitor)          # or fit(..., monitor=monitor)
    monitor.tic(); module.forward(batch); monitor.toc_print()
"""
import logging
import math
import re

import numpy as np

from .ndarray_class import NDArray


def _size(array):
    """The norm divided by the square root of the number of elements."""
    return (np.linalg.norm(np.asarray(array).ravel()) / math.sqrt(array.size)).astype(array.dtype).reshape(1).view(NDArray)


class Monitor:
    """`stat_func` makes an array of an array; names have to begin with `pattern`, a regular expression; `monitor_all`: inputs
    of nodes as well as their outputs; `sort`: by name."""

    def __init__(self, interval, stat_func=None, pattern=".*", sort=False, monitor_all=False):
        self.interval, self.stat_func, self.sort, self.monitor_all = interval, stat_func or _size, sort, monitor_all
        self.re_prog = re.compile(pattern)
        self.activated, self.step, self.queue, self.exes = False, 0, [], []

    def stat_helper(self, name, array):
        """What executors call with the name and value of each output of a node."""
        if self.activated and self.re_prog.match(name):
            self.queue.append((self.step, name, self.stat_func(array)))

    def install(self, exe):
        """Makes an executor report its values from here on."""
        self.exes.append(exe)
        if self.activated:
            exe.set_monitor_callback(self.stat_helper, self.monitor_all)

    def tic(self):
        """Before forward: every `interval` calls, what follows is noted up to toc."""
        if self.step % self.interval == 0:
            self.queue, self.activated = [], True
            for exe in self.exes:  # only while it is noted: an executor computes what it reports once more
                exe.set_monitor_callback(self.stat_helper, self.monitor_all)
        self.step += 1

    def toc(self):
        """[(number of tic's calls, name, text)] of what was noted, and of arguments and states as they are now."""
        if not self.activated:
            return []
        for exe in self.exes:
            exe.set_monitor_callback(None)
            for name, array in [*exe.arg_dict.items(), *exe.aux_dict.items()]:
                self.stat_helper(name, array)
        self.activated = False
        noted = sorted(self.queue, key=lambda each: each[1]) if self.sort else self.queue
        self.queue = []
        return [(step, name, "".join(self._text(name, each) + "\t" for each in
                                     (values if isinstance(values, (list, tuple)) else [values])))
                for step, name, values in noted]

    @staticmethod
    def _text(name, value):
        if not isinstance(value, np.ndarray):
            raise TypeError("stat_func makes arrays, of '%s' it made %r" % (name, value))
        return str(value.view(np.ndarray)[0] if value.shape == (1,) else value.view(np.ndarray))

    def toc_print(self):
        for step, name, text in self.toc():
            logging.info("Batch: %7d %-30s %s", step, name, text)
