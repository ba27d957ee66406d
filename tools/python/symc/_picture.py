"""What pictures share: how wide a text is, names that fit in a box, and the frame of an SVG with its background.

Widths are those of DejaVu Sans, which is wider than most fonts of browsers, so that a text that fits by them fits.
"""
import html
import os

SCREEN = 900  # pixels, the most that a picture of a notebook is high
SIZE = 11     # of letters
_NARROW, _WIDE, _DEFAULT = "ijl|.,:;'!()[]/ fIt", "mwMWQO@%+=<>~\u2026", 0.62
_SEPARATORS = "_./-"


def width(text, size=SIZE):
    """Pixels."""
    return size * sum(0.42 if c in _NARROW else 1.0 if c in _WIDE else 0.72 if c.isupper() else _DEFAULT for c in text)


def fit(text, room, size=SIZE):
    """The text, or its beginning and an ellipsis, in so many pixels; "" where not even two letters fit."""
    if width(text, size) <= room:
        return text
    while text and width(text + "\u2026", size) > room:
        text = text[:-1]
    return text + "\u2026" if len(text) > 1 else ""


def fit_name(name, room):
    """A node's name, of joined nodes the first one's, or as many of its last words as fit: "\u2026conv1"."""
    if width(name) <= room:
        return name
    first = name.split("+")[0]
    begins = [0] + [place + 1 for place, c in enumerate(first) if c in _SEPARATORS]
    for begin in begins:
        words = ("\u2026" if begin else "") + first[begin:] + ("" if first == name else "\u2026")
        if width(words) <= room:
            return words
    return fit(first[begins[-1]:], room)


def _common(names):
    """What the names begin with, up to the end of a word."""
    prefix = os.path.commonprefix(names)
    return prefix[:max(prefix.rfind(c) for c in _SEPARATORS) + 1]


def short_names(names):
    """{node or joined nodes "conv0+bn0": shorter name}: without what all begin with, and, behind the first node of a
    name, without what the node has in common with the first."""
    found = sorted({part for name in names for part in name.split("+") if part})
    every = _common(found) if len(found) > 2 else ""
    result = {}
    for name in names:
        parts = [part[len(every):] or part for part in name.split("+")]
        rest = [part[len(_common([parts[0], part])):] or part for part in parts[1:]]
        result[name] = "+".join([parts[0], *rest])
    return result


def frame(across, down, title, parts, anchor=None):
    """A whole picture: its parts on a white ground, which a dark page needs."""
    return "\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" '
        'font-size="%d"%s>' % (across, down, across, down, SIZE, ' text-anchor="%s"' % anchor if anchor else ""),
        "<title>%s</title>" % html.escape(title), '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])


def text(x, y, words, attributes=""):
    return '<text x="%.1f" y="%.1f"%s>%s</text>' % (x, y, attributes, html.escape(words))
