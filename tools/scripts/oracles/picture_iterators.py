#!/usr/bin/env python3
"""mx.image.ImageIter and ImageDetIter beside MXNet 1.9.1, in an environment that has it: the same pictures, seeds and options.

  picture_iterators.py --package BUILD/python

Labels and padding have to be equal, pixels within 2.5 of 255 where sizes change (a rounding of each, times a jitter). One thing differs
knowingly: with roll_over MXNet counts a row of the first batch of the next epoch as padding, which is a picture of its own.
Exit status: 0 all are, 1 some are not, 2 wrong usage.
"""
import argparse
import os
import random
import sys
import tempfile
import warnings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
import needs

BOUND, COUNT = 2.5, 11
CASES = {
    "plain": {"path_imgrec": "a.rec"},
    "shuffled": {"path_imgrec": "a.rec", "path_imgidx": "a.idx", "shuffle": True, "rand_crop": True, "rand_mirror": True, "mean": True,
                 "std": True, "resize": 36},
    "list": {"path_imglist": "a.lst", "rand_crop": True, "rand_resize": True, "brightness": .3, "contrast": .3, "saturation": .3,
             "hue": .2, "pca_noise": .1, "rand_gray": .3},
    "methods": {"imglist": [[1.0, "1.jpg"], [2.0, "2.jpg"], [0, "3.jpg"]], "inter_method": 10},
    "by size": {"path_imgrec": "a.rec", "resize": 60, "inter_method": 9},
    "discard": {"path_imgrec": "a.rec", "path_imgidx": "a.idx", "last_batch_handle": "discard", "num_parts": 2, "part_index": 1},
    "roll_over": {"path_imgrec": "a.rec", "path_imgidx": "a.idx", "last_batch_handle": "roll_over"},
    "boxes": {},
    "boxes, drawn": {"rand_crop": .7, "rand_pad": .6, "rand_mirror": True, "mean": True, "std": True, "resize": 50, "inter_method": 1},
    "boxes, several parts": {"rand_crop": 1, "min_object_covered": [.1, .5, .9], "shuffle": True, "brightness": .2},
}


def write(symc, np):
    """Pictures of several sizes, and boxes: (labels and path) for each."""
    boxes, draw = [], np.random.RandomState(3)
    with symc.recordio.MXIndexedRecordIO("a.idx", "a.rec", "w") as writer, open("a.lst", "w") as lines:
        for number in range(COUNT):
            y, x = np.mgrid[0:40 + number, 0:50 - number]
            pixels = np.stack([128 + 90 * np.sin(x / (5. + channel + number)) * np.cos(y / 7.) for channel in range(3)], -1)
            file = symc.image.encode((pixels + 8 * draw.randn(*pixels.shape)).clip(0, 255).astype("uint8"), ".jpg", 95)
            writer.write_idx(number, symc.recordio.pack(symc.recordio.IRHeader(0, float(number % 3), number, 0), file))
            lines.write("%d\t%f\t%d.jpg\n" % (number, number % 3, number))
            with open("%d.jpg" % number, "wb") as picture:
                picture.write(file)
            row = [2, 5]
            for kind in range(1 + number % 3):
                left, top = draw.rand(2) / 2
                row += [kind, left, top, left + .2 + .3 * draw.rand(), top + .2 + .3 * draw.rand()]
            boxes.append([row, "%d.jpg" % number])
    return boxes


def batches(mx, np, name, options):
    random.seed(5)
    np.random.seed(6)
    kind = mx.image.ImageDetIter if "imglist" in options and name.startswith("boxes") else mx.image.ImageIter
    made = kind(4, (3, 32, 32), path_root=".", **options)
    for _ in range(2):
        made.reset()
        yield from made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True)
    options = parser.parse_args()
    needs.modules("mxnet")
    warnings.simplefilter("ignore")
    sys.path.insert(0, os.path.abspath(options.package))
    import numpy as np
    np.bool = bool  # which MXNet takes from there
    import mxnet
    import symc
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        boxes = write(symc, np)
        for name, given in CASES.items():
            given = dict(given, imglist=boxes) if name.startswith("boxes") else given
            found = [list(batches(mx, np, name, given)) for mx in (symc, mxnet)]
            far, same = 0.0, len(found[0]) == len(found[1])
            for one, other in zip(*found):
                far = max(far, float(abs(one.data[0].asnumpy() - other.data[0].asnumpy()).max()))
                same = same and (one.label[0].asnumpy() == other.label[0].asnumpy()).all() and (name == "roll_over" or one.pad == other.pad)
            print("%s: %d batches, labels %s, pixels within %.3g" % (name, len(found[0]), "equal" if same else "DIFFER", far))
            wrong += not same or far > BOUND
        os.chdir("/")
    print("%d cases, %d differ" % (len(CASES), wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
