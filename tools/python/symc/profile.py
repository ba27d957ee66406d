"""Step and Profile: the times of a run's steps, what model.profile() returns.

The table by nodes, largest first, with fills and copies in the row of the node that they serve, is that of `symc-run
--profile`: the compiler's library makes it.
"""
import ctypes
import json
from typing import List, NamedTuple

from . import _library, _picture

TOP = 40  # rows of a picture, which a screen holds


class Step(NamedTuple):
    """One step of a run: its shortest time, its part of all steps, what it computes."""

    milliseconds: float
    share: float
    kernel: str
    node: str
    output: str
    flops: int
    bytes: int


class Row(NamedTuple):
    """What computes a node, or several that are one: the sums of its steps, and the kernel that took longest."""

    node: str
    kernel: str
    milliseconds: float
    flops: int
    bytes: int
    steps: int


class Profile(List[Step]):
    """Steps in order; printed as a table of nodes."""

    def _ask(self, function, top):
        text = "variant -\n" + "".join("%d\t%s\t%s\t%s\t%d\t0\t\n" % (step.flops, step.output, step.kernel, step.node, step.bytes)
                                       for step in self)
        times = (ctypes.c_double * len(self))(*[step.milliseconds for step in self])
        return _library.text_of(function, text.encode(), b"-", ctypes.c_size_t(len(self)), times, ctypes.c_size_t(top))

    def table(self, top: int = 0) -> str:
        """The table as text: `top` nodes and the others together; 0 is all."""
        return self._ask("symc_profile_table", top).rstrip("\n")

    def rows(self, top: int = 0) -> List[Row]:
        """The rows of that table."""
        return [Row(**row) for row in json.loads(self._ask("symc_profile_rows", top))]

    def __str__(self):
        return self.table()

    def svg(self, top: int = TOP) -> str:
        """A picture, as text: a bar for each of `top` nodes, and one for the others together."""
        rows, height = self.rows(top), 18
        names = _picture.short_names([row.node for row in rows])
        total, longest = sum(row.milliseconds for row in rows), max((row.milliseconds for row in rows), default=0) or 1
        parts = []
        for number, row in enumerate(rows):
            y = height * (number + 1)
            bar = 230 * row.milliseconds / longest
            rate = ", %.1f GFLOP/s" % (row.flops / row.milliseconds * 1e-6) if row.flops and row.milliseconds else ""
            parts += ['<g><title>%s</title>' % _picture.html.escape("%s: %s, %d steps" % (row.node, row.kernel, row.steps)),
                      _picture.text(8, y, _picture.fit_name(names[row.node], 250)),
                      _picture.text(266, y, _picture.fit(row.kernel, 180), ' fill="#555"'),
                      '<rect x="454" y="%d" width="%.1f" height="12" fill="#80b1d3"/>' % (y - 10, bar),
                      _picture.text(460 + bar, y, "%.4g ms, %.1f %%%s" % (row.milliseconds, 100 * row.milliseconds / (total or 1),
                                                                         rate)), "</g>"]
        parts.append(_picture.text(8, height * (len(rows) + 1), "total %.4g ms in %d steps" % (total, len(self))))
        return _picture.frame(900, height * (len(rows) + 2), "Milliseconds of %d nodes" % len(rows), parts)

    def _repr_svg_(self):
        return self.svg()
