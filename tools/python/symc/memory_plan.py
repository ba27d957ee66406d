"""The memory plan of a model: which steps of a run keep which bytes of its one arena.

`symc --memory-plan FILE` writes the text; symc.compile keeps it, and Model.memory_plan() gives it. A notebook shows
the picture: steps from left to right, bytes of the arena from top to bottom, a box for each buffer.
"""
import html
import re
from typing import List, NamedTuple

from .errors import SymcError

WIDTH, HEIGHT, LEFT, TOP = 800, 360, 80, 24  # of the field, and where it begins
COLORS = ("#8dd3c7", "#fb8072", "#80b1d3", "#fdb462", "#b3de69", "#fccde5", "#bebada", "#ffffb3")


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
        parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
                 'font-family="sans-serif" font-size="11">' % ((WIDTH + LEFT + 16, HEIGHT + TOP + 40) * 2),
                 "<title>An arena of %d bytes over %d steps</title>" % (self.arena_bytes, self.steps),
                 '<text x="4" y="%d">byte 0</text><text x="4" y="%d">%d</text>' % (TOP + 11, TOP + HEIGHT,
                                                                                   self.arena_bytes),
                 '<rect x="%d" y="%d" width="%d" height="%d" fill="#f4f4f4" stroke="black"/>' % (
                     LEFT, TOP, WIDTH, HEIGHT)]
        for number, each in enumerate(self):
            x, width = LEFT + each.first * across, (each.last - each.first + 1) * across
            y, height = TOP + each.offset * down, each.bytes * down
            node = html.escape(each.node)
            parts.append('<g><title>%s: %d bytes from %d on, steps %d to %d</title><rect x="%.1f" y="%.1f" '
                         'width="%.1f" height="%.1f" fill="%s" fill-opacity="0.8" stroke="#404040" '
                         'stroke-width="0.5"/>' % (
                             node, each.bytes, each.offset, each.first, each.last, x, y, width, height,
                             COLORS[number % len(COLORS)]))
            letters = int(width / 6.2)  # that fit
            if height >= 12 and letters >= 3:
                name = each.node if len(each.node) <= letters else each.node[:letters - 1] + "\u2026"
                parts.append('<text x="%.1f" y="%.1f">%s</text>' % (x + 3, y + min(height / 2 + 4, 14),
                                                                   html.escape(name)))
            parts.append("</g>")
        every = max(1, -(-self.steps // 20))
        for step in range(0, self.steps, every):
            parts.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (
                LEFT + (step + 0.5) * across, TOP + HEIGHT + 14, step))
        parts.append('<text x="%d" y="%d" text-anchor="middle">step</text>' % (LEFT + WIDTH / 2, TOP + HEIGHT + 30))
        return "\n".join([*parts, "</svg>", ""])

    def _repr_svg_(self):
        return self.svg()
