"""Draws pictures of ten kinds, 32 x 32 in colours, as JPEG files: draw_pictures.py DIR [COUNT].

DIR/KIND/NUMBER.jpg, as many of each kind. A kind is a form; colours, places, sizes and noise are drawn, so that colours alone
say nothing. No picture of others is used.
"""
import os
import sys

import numpy as np
from symc import image

SIDE = 32


def forms(x, y, phase):
    """What each kind covers, of places from -1 to 1 around its middle."""
    far, wide = np.hypot(x, y), np.maximum(abs(x), abs(y))
    return {
        "board": (np.floor(x * 2 + phase) + np.floor(y * 2 + phase)) % 2 == 0,
        "circle": far < 0.8,
        "cross": ((abs(x) < 0.25) | (abs(y) < 0.25)) & (wide < 0.9),
        "diagonal": abs(x - y) < 0.3,
        "dots": np.hypot((x * 2.5 + phase) % 1 - 0.5, (y * 2.5 + phase) % 1 - 0.5) < 0.28,
        "frame": (wide > 0.55) & (wide < 0.85),
        "half": y > 0.1 * phase,
        "ring": (far > 0.5) & (far < 0.85),
        "stripes": (x * 2.5 + phase) % 1 < 0.5,
        "triangle": (y < 0.7) & (abs(x) < (y + 0.9) / 1.6),
    }


def draw(kind, rng):
    """Pixels [32, 32, 3]."""
    rows, columns = np.mgrid[:SIDE, :SIDE]
    size, middle = rng.uniform(9, 14), rng.uniform(13, 18, 2)
    covered = forms((columns - middle[0]) / size, (rows - middle[1]) / size, rng.uniform(0, 1))[kind]
    while True:
        ground, ink = rng.uniform(0, 255, (2, 3))
        if abs(ground - ink).sum() > 200:
            break
    pixels = np.where(covered[..., None], ink, ground) + rng.normal(0, 12, (SIDE, SIDE, 3))
    return np.clip(pixels, 0, 255).astype("uint8")


def main():
    folder, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    rng, kinds = np.random.default_rng(1), sorted(forms(np.zeros(1), np.zeros(1), 0))
    for kind in kinds:
        os.makedirs(os.path.join(folder, kind), exist_ok=True)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        with open(os.path.join(folder, kind, "%d.jpg" % (number // len(kinds))), "wb") as file:
            file.write(image.encode(draw(kind, rng), ".jpg", 92))


if __name__ == "__main__":
    main()
