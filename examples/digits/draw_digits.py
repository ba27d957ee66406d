"""Draws digits with a pen: polylines of our own, bent, rotated and blurred.

draw(digit, rng) gives one picture, [28, 28] float32 from 0 (paper) to 1 (ink).
No font is used, so the pictures and whatever is trained on them are free.
"""
import numpy as np

SIDE = 28


def arc(cx, cy, rx, ry, start, end, count=9):
    """Points of an ellipse; angles in degrees, 0 to the right, 90 down."""
    angles = np.radians(np.linspace(start, end, count))
    return [(cx + rx * np.cos(a), cy + ry * np.sin(a)) for a in angles]


# Strokes in a box of width 1 and height 1, y down: digit -> ways to write it,
# each a list of strokes, each a list of points.
GLYPHS = {
    0: [[arc(.5, .5, .36, .48, 0, 360, 21)], [arc(.5, .5, .28, .48, -60, 300, 21)]],
    1: [[[(.5, .02), (.5, .98)]], [[(.3, .22), (.55, .02), (.55, .98)]],
        [[(.3, .22), (.55, .02), (.55, .98)], [(.3, .98), (.8, .98)]]],
    2: [[arc(.5, .3, .35, .28, -160, 30) + [(.15, .97), (.88, .97)]],
        [arc(.48, .27, .32, .25, -150, 60) + [(.2, .85)] + arc(.3, .9, .12, .08, 180, 400, 6) + [(.9, .97)]]],
    3: [[arc(.47, .27, .32, .25, -150, 80) + arc(.47, .74, .36, .25, -80, 150)],
        [[(.18, .04), (.8, .04), (.45, .42)] + arc(.46, .7, .36, .28, -90, 150)]],
    4: [[[(.68, .98), (.68, .02), (.12, .66), (.92, .66)]], [[(.25, .04), (.18, .55), (.85, .55)], [(.72, .1), (.72, .98)]]],
    5: [[[(.84, .03), (.26, .03), (.2, .46)] + arc(.48, .68, .34, .29, -140, 140)]],
    6: [[[(.72, .03), (.35, .35)] + arc(.5, .7, .32, .27, 190, 560, 15)],
        [arc(.6, .5, .42, .47, -100, -190, 7) + arc(.5, .72, .32, .25, 180, 540, 15)]],
    7: [[[(.14, .04), (.86, .04), (.4, .98)]], [[(.14, .04), (.86, .04), (.4, .98)], [(.3, .52), (.78, .52)]],
        [[(.16, .2), (.16, .04), (.84, .04), (.5, .5), (.45, .98)]]],
    8: [[arc(.5, .26, .28, .24, 90, 450, 15) + arc(.5, .74, .34, .25, -90, 270, 15)],
        [arc(.5, .27, .27, .24, 60, -240, 13) + arc(.5, .74, .32, .24, -120, 240, 15)]],
    9: [[arc(.5, .3, .32, .27, 20, 380, 15) + [(.78, .98)]],
        [arc(.5, .3, .3, .27, 0, 360, 15) + arc(.4, .5, .42, .47, 0, 110, 8)]],
}


def distance_to(segments):
    """The distance of every pixel's centre from the nearest segment, in pixels."""
    starts, ends = segments[:, 0], segments[:, 1]
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    pixels = np.stack([columns.ravel() + .5, rows.ravel() + .5], 1)[:, None]
    along = ends - starts
    length2 = np.maximum((along ** 2).sum(1), 1e-9)
    part = np.clip(((pixels - starts) * along).sum(2) / length2, 0, 1)[..., None]
    return np.sqrt((((starts + part * along) - pixels) ** 2).sum(2).min(1)).reshape(SIDE, SIDE)


def draw(digit, rng, plain=False):
    """One picture of `digit`; plain leaves out noise and strong distortion."""
    ways = GLYPHS[digit]
    strokes = ways[rng.integers(len(ways))]
    strength = 0.35 if plain else 1.0
    height = 20 + strength * rng.uniform(-3.5, 2.5)
    width = height * (0.62 + strength * rng.uniform(-0.14, 0.22))
    angle = strength * rng.normal(0, 0.16)
    slant = strength * rng.normal(0, 0.18)
    bend = strength * rng.uniform(-0.05, 0.05, 4)
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ \
        np.array([[width, -slant * height], [0, height]])
    segments = []
    for stroke in strokes:
        points = np.array(stroke, float) - .5
        points = points + strength * rng.normal(0, 0.012, points.shape)
        points[:, 0] += bend[0] * np.sin(3 * points[:, 1] + 6 * bend[1])
        points[:, 1] += bend[2] * np.sin(3 * points[:, 0] + 6 * bend[3])
        points = points @ matrix.T
        segments.extend(zip(points[:-1], points[1:]))
    segments = np.array(segments)
    middle = (segments.reshape(-1, 2).min(0) + segments.reshape(-1, 2).max(0)) / 2
    segments += SIDE / 2 - middle + strength * rng.uniform(-2, 2, 2)
    pen = 1.35 + strength * rng.uniform(-0.55, 0.65)
    ink = np.clip((pen - distance_to(segments)) / rng.uniform(0.8, 1.3) + 0.5, 0, 1)
    if not plain:
        ink = ink * rng.uniform(0.75, 1.0)
        if rng.random() < 0.5:
            ink = ink + rng.normal(0, rng.uniform(0, 0.08), ink.shape)
    return np.clip(ink, 0, 1).astype(np.float32)
