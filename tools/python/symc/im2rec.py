"""python -m symc.im2rec: lists of pictures, and files of records of them, by the options of MXNet's tools/im2rec.py.

    python -m symc.im2rec --list --recursive flowers pictures      # flowers.lst: number, label, path between tabs
    python -m symc.im2rec --resize 256 --num-thread 8 flowers pictures  # flowers.rec and flowers.idx

A folder of `pictures` is a class where --recursive. Pictures that cannot be read are named and left out; the status is 1 then.
"""
import argparse
import os
import random
import sys
from concurrent import futures

import numpy as np

from . import image, recordio
from .errors import SymcError

_SEED = 100  # MXNet's, of Python's generator: lists have its order


def _parser():
    parser = argparse.ArgumentParser(
        prog="im2rec", formatter_class=argparse.ArgumentDefaultsHelpFormatter, allow_abbrev=False,
        description="Makes a list of the pictures in a folder, or a file of records (.rec, .idx) of the pictures of a list.")
    parser.add_argument("prefix", help="lists are PREFIX*.lst; records are written beside them")
    parser.add_argument("root", help="folder of the pictures")
    lists = parser.add_argument_group("Lists")
    lists.add_argument("--list", action="store_true", help="make a list; without it: records of each PREFIX*.lst")
    lists.add_argument("--exts", nargs="+", default=[".jpeg", ".jpg", ".png"], help="endings of pictures")
    lists.add_argument("--chunks", type=int, default=1, help="number of lists")
    lists.add_argument("--train-ratio", type=float, default=1.0, help="part of the pictures that is for training")
    lists.add_argument("--test-ratio", type=float, default=0.0, help="part for tests; the rest is for validation")
    lists.add_argument("--recursive", action="store_true", help="a label for each folder with pictures; else all have 0")
    lists.add_argument("--no-shuffle", dest="shuffle", action="store_false", help="keep the order of names")
    records = parser.add_argument_group("Records")
    records.add_argument("--pass-through", action="store_true", help="keep the files as they are")
    records.add_argument("--resize", type=int, default=0, help="scale the shorter side to so many pixels; 0: not")
    records.add_argument("--center-crop", action="store_true", help="take the square in the middle first")
    records.add_argument("--quality", type=int, default=95, help="1 to 100 of JPEG, 0 to 9 of PNG")
    records.add_argument("--num-thread", type=int, default=1, help="threads; their number changes nothing")
    records.add_argument("--color", type=int, default=1, choices=[-1, 0, 1],
                         help="1: colours; 0: gray; -1: as in the file, with opacity if it is written as PNG")
    records.add_argument("--encoding", default=".jpg", choices=[".jpg", ".png"], help="how pictures are written")
    records.add_argument("--pack-label", action="store_true", help="all labels of a line; else the first one")
    return parser


def _check(parser, args):
    for value, low, high, name in ((args.chunks, 1, 1 << 20, "--chunks"), (args.resize, 0, 16384, "--resize"),
                                   (args.num_thread, 1, 1024, "--num-thread"), (args.train_ratio, 0, 1, "--train-ratio"),
                                   (args.test_ratio, 0, 1, "--test-ratio"),
                                   (args.quality, *((1, 100) if args.encoding == ".jpg" else (0, 100)), "--quality")):
        if not low <= value <= high:
            parser.error("%s is %s, needs %s to %s" % (name, value, low, high))
    if args.train_ratio + args.test_ratio > 1:
        parser.error("--train-ratio and --test-ratio make up %g, needs at most 1" % (args.train_ratio + args.test_ratio))


# --- Lists ---------------------------------------------------------------------

def list_image(root, recursive, exts):
    """(number, path below root, label) of each picture, in the order of names."""
    wanted, number, labels = {each.lower() for each in exts}, 0, {}
    for path, folders, files in os.walk(root, followlinks=True):
        folders.sort()
        for name in sorted(files):
            full = os.path.join(path, name)
            if os.path.splitext(name)[1].lower() in wanted and os.path.isfile(full):
                label = labels.setdefault(path, len(labels)) if recursive else 0
                yield number, os.path.relpath(full, root), label
                number += 1
        if not recursive:
            return
    for path, label in labels.items():
        print(os.path.relpath(path, root), label)


def write_list(path, pictures):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines("%d\t%f\t%s\n" % (number, label, name) for number, name, label in pictures)


def make_lists(args):
    pictures = list(list_image(args.root, args.recursive, args.exts))
    if not pictures:
        raise SymcError("'%s' has no pictures (%s)%s" % (
            args.root, ", ".join(args.exts), "" if args.recursive else "; --recursive looks into its folders, too"))
    if args.shuffle:
        random.Random(_SEED).shuffle(pictures)
    size = -(-len(pictures) // args.chunks)
    for chunk in range(args.chunks):
        part = pictures[chunk * size:(chunk + 1) * size]
        path = args.prefix + ("_%d" % chunk if args.chunks > 1 else "")
        if args.train_ratio == 1:
            write_list(path + ".lst", part)
            continue
        tests, trains = int(size * args.test_ratio), int(size * args.train_ratio)
        if args.test_ratio:
            write_list(path + "_test.lst", part[:tests])
        if args.train_ratio + args.test_ratio < 1:
            write_list(path + "_val.lst", part[tests + trains:])
        write_list(path + "_train.lst", part[tests:tests + trains])


# --- Records -------------------------------------------------------------------

def read_list(path):
    """[(number, labels, path below the root)] of the lines of a list."""
    found = []
    with open(path, encoding="utf-8") as file:
        for count, line in enumerate(file, 1):
            words = [word.strip() for word in line.strip().split("\t")]
            if words == [""]:
                continue
            try:
                found.append((int(words[0]), [float(word) for word in words[1:-1]], words[-1]))
            except ValueError:
                found.append((0, [], ""))
            if not found[-1][1]:
                raise SymcError("%s:%d: needs a number, labels and a path between tabs, got %.60r" % (path, count, line.rstrip("\n")))
    return found


def _pixels(data, color, opacity):
    if color == 0 or (color < 0 and image.is_gray(data)):
        return image.decode(data, 1)
    has_opacity = data[:4] == b"\x89PNG" and len(data) > 25 and data[25] in (4, 6)
    return image.decode(data, 4 if color < 0 and opacity and has_opacity else 3)


def make_record(args, number, labels, name):
    """The bytes of one record; SymcError or OSError where the picture cannot be read."""
    label = np.array(labels, "float32") if args.pack_label and len(labels) > 1 else labels[0]
    header = recordio.IRHeader(0, label, number, 0)
    with open(os.path.join(args.root, name), "rb") as file:
        data = file.read()
    if args.pass_through:
        return recordio.pack(header, data)
    pixels = _pixels(data, args.color, args.encoding == ".png")
    if args.center_crop:
        side = min(pixels.shape[:2])
        top, left = ((extent - side) // 2 for extent in pixels.shape[:2])
        pixels = pixels[top:top + side, left:left + side]
    if args.resize:
        pixels = np.asarray(image.resize_short(pixels, args.resize, 1))
    return recordio.pack(header, image.encode(pixels, args.encoding, args.quality))


def make_records(args, path):
    """Records of a list. Returns how many pictures were left out."""
    base = os.path.splitext(path)[0]
    print("Creating .rec file from", path)
    lines, lost = read_list(path), 0

    def made(line):
        try:
            return make_record(args, *line)
        except (SymcError, OSError) as reason:
            return reason

    # Aside first: what is there stays until the new files are whole.
    with recordio.MXIndexedRecordIO(base + ".idx.part", base + ".rec.part", "w") as writer, \
            futures.ThreadPoolExecutor(args.num_thread, "symc-im2rec") as pool:
        for begin in range(0, len(lines), 1024):
            part = lines[begin:begin + 1024]
            for line, record in zip(part, pool.map(made, part)):
                if isinstance(record, Exception):
                    lost += 1
                    print("im2rec: '%s' is left out: %s" % (line[2], record), file=sys.stderr)
                else:
                    writer.write_idx(line[0], record)
    for ending in (".rec", ".idx"):
        os.replace(base + ending + ".part", base + ending)
    print("%d records in %s.rec" % (len(lines) - lost, base))
    if lost:
        print("im2rec: %d of %d pictures are left out" % (lost, len(lines)), file=sys.stderr)
    return lost


def _lists(prefix):
    folder = os.path.dirname(prefix)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in names
            if name.startswith(os.path.basename(prefix)) and name.endswith(".lst")]


def main(words=None):
    parser = _parser()
    args = parser.parse_args(words)
    _check(parser, args)
    args.prefix, args.root = os.path.abspath(args.prefix), os.path.abspath(args.root)
    try:
        if not os.path.isdir(args.root):
            raise SymcError("'%s' is no folder" % args.root)
        if args.list:
            make_lists(args)
            return 0
        found = _lists(args.prefix)
        if not found:
            raise SymcError("no list '%s*.lst' is there; --list makes one" % args.prefix)
        return 1 if sum(make_records(args, path) for path in found) else 0
    except (SymcError, OSError) as reason:
        parser.exit(1, "im2rec: error: %s\n" % reason)


if __name__ == "__main__":
    sys.exit(main())
