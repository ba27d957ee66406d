"""The memory plan of a model: which steps of a run keep which bytes of its one arena.

`symc --memory-plan FILE` writes the text; symc.compile keeps it, and Model.memory_plan() gives it. A notebook shows
the picture: steps from left to right, bytes of the arena from top to bottom, a box for each buffer.
"""
import html
import re
from typing import List, NamedTuple

from . import _picture
from .errors import SymcError

WIDTH, HEIGHT, LEFT, TOP = 800, 360, 80, 24  # of the field, and where it begins
COLORS = ("#8dd3c7", "#fb8072", "#80b1d3", "#fdb462", "#b3de69", "#fccde5", "#bebada", "#ffffb3")


def _ticks():
    """1, 2, 5, 10, 20, 50, ..."""
    return (digit * 10 ** power for power in range(18) for digit in (1, 2, 5))


def _amount(count):
    """"7.68 MB"."""
    for unit, name in ((10 ** 9, "GB"), (10 ** 6, "MB"), (10 ** 3, "kB")):
        if count >= unit:
            return "%.3g %s" % (count / unit, name)
    return "%d bytes" % count


def _widest_gap(begin, end, intervals):
    """The widest part of a line that none of these covers."""
    best, at = (begin, begin), begin
    for left, right in sorted(intervals) + [(end, end)]:
        if min(left, end) - at > best[1] - best[0]:
            best = (at, min(left, end))
        at = max(at, min(right, end))
    return best


class Buffer(NamedTuple):
    """Bytes of the arena from `offset` on, which the steps from `first` to `last` need. The step `first` writes them,
    for `node`."""

    offset: int
    bytes: int
    first: int
    last: int
    node: str


class MemoryPlan(List[Buffer]):
    """Buffers in the program's order; printed as a table."""

    def __init__(self, text):
        super().__init__()
        head, *lines = text.splitlines() or [""]
        found = re.match(r"arena (\d+) bytes, (\d+) steps, (\d+) buffers$", head)
        if not found:
            raise SymcError("'%s' begins no memory plan" % head)
        self.text, self.arena_bytes, self.steps = text.rstrip("\n"), int(found.group(1)), int(found.group(2))
        for line in lines[1:]:
            words = line.split(None, 4)
            self.append(Buffer(*map(int, words[:4]), words[4] if len(words) == 5 else ""))

    def __str__(self):
        return self.text

    def live_bytes(self) -> List[int]:
        """For each step the bytes that it needs; those that buffers share count once."""
        sums = []
        for step in range(self.steps):
            total = end = 0
            for offset, size in sorted((each.offset, each.bytes) for each in self if each.first <= step <= each.last):
                total += max(0, offset + size - max(offset, end))
                end = max(end, offset + size)
            sums.append(total)
        return sums

    def svg(self) -> str:
        """The picture, as text."""
        across, down = WIDTH / max(self.steps, 1), HEIGHT / max(self.arena_bytes, 1)
        parts = [_picture.text(4, TOP + 11, "byte 0"), _picture.text(4, TOP + HEIGHT, _amount(self.arena_bytes)),
                 '<rect x="%d" y="%d" width="%d" height="%d" fill="#f4f4f4" stroke="black"/>' % (LEFT, TOP, WIDTH, HEIGHT)]
        boxes = [(LEFT + each.first * across, TOP + each.offset * down, (each.last - each.first + 1) * across,
                  each.bytes * down) for each in self]
        for number, (each, box) in enumerate(zip(self, boxes)):
            parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" fill-opacity="0.8" stroke="#404040" '
                         'stroke-width="0.5"><title>%s</title></rect>' % (
                             *box, COLORS[number % len(COLORS)], html.escape("%s: %d bytes from %d on, steps %d to %d" % (
                                 each.node, each.bytes, each.offset, each.first, each.last))))
        parts += self._labels(boxes)
        every = next(n for n in _ticks() if n * 20 >= self.steps)
        for step in range(0, self.steps, every):
            parts.append(_picture.text(LEFT + (step + 0.5) * across, TOP + HEIGHT + 14, str(step), ' text-anchor="middle"'))
        parts.append(_picture.text(LEFT + WIDTH / 2, TOP + HEIGHT + 30, "step", ' text-anchor="middle"'))
        return _picture.frame(WIDTH + LEFT + 16, HEIGHT + TOP + 40,
                              "An arena of %d bytes over %d steps" % (self.arena_bytes, self.steps), parts)

    def _labels(self, boxes):
        """Names in the boxes, where no other box lies."""
        names = _picture.short_names([each.node for each in self])
        for number, (each, (x, y, width, height)) in enumerate(zip(self, boxes)):
            baseline = y + min(height / 2 + 4, 14)
            others = [(left, left + across) for place, (left, top, across, down) in enumerate(boxes)
                      if place != number and top < baseline + 3 and top + down > baseline - 9]
            begin, end = _widest_gap(x, x + width, others)
            name = _picture.fit_name(names[each.node], end - begin - 6) if height >= 13 else ""
            if name:
                yield _picture.text(begin + 3, baseline, name)

    def _repr_svg_(self):
        return self.svg()
