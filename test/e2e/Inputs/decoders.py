"""Pictures of training: writes a .rec of JPEG files, one of them damaged behind its half, and says how pixels of two decoders differ.

usage: decoders.py write PICTURES.rec DAMAGED.rec | decoders.py compare   (twice the package, by SYMC_TURBOJPEG)
"""
import os
import subprocess
import sys

import numpy as np
from symc import image, recordio


def picture(number):
    """Waves with noise, of an odd size."""
    rng = np.random.RandomState(number)
    y, x = np.mgrid[0:37, 0:45]
    waves = np.stack([128 + 90 * np.sin(x / (5. + channel + number)) * np.cos(y / 7.) for channel in range(3)], -1)
    return (waves + 8 * rng.randn(37, 45, 3)).clip(0, 255).astype("uint8")


def write(path, damaged):
    for each, cut in ((path, False), (damaged, True)):
        writer = recordio.MXRecordIO(each, "w")
        for number in range(8):
            file = image.encode(picture(number), ".jpg", 90)
            file = file[:len(file) // 2] if cut and number == 5 else file
            writer.write(recordio.pack(recordio.IRHeader(0, float(number % 2), number, 0), file))
        writer.close()


def compare():
    if len(sys.argv) > 2:
        np.save(sys.argv[2], image.decode(image.encode(picture(1), ".jpg", 90)).astype(int))
        return
    made = []
    for name in ("none", ""):
        subprocess.run([sys.executable, __file__, "compare", "pixels%s.npy" % name], check=True, env=dict(os.environ, SYMC_TURBOJPEG=name))
        made.append(np.load("pixels%s.npy" % name))
    most = abs(made[0] - made[1]).max()
    print("pixels differ by %s of 255" % ("1 to 8" if 1 <= most <= 8 else most))


if sys.argv[1] == "write":
    write(*sys.argv[2:])
else:
    compare()
