"""If this fails, im2rec makes other lists or records than MXNet's, or loses pictures without a word."""
import contextlib
import io as streams
import os
import tempfile
import unittest

import numpy as np
from symc import im2rec, image, recordio


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.prefix = os.path.join(folder.name, "pictures"), os.path.join(folder.name, "set")
        draw = np.random.RandomState(0)
        self.pixels = {}
        for kind in ("cats", "dogs"):
            os.makedirs(os.path.join(self.root, kind))
            for number in range(5):
                name = os.path.join(kind, "%d.png" % number)
                self.pixels[name] = draw.randint(0, 256, (8, 12, 3)).astype("uint8")
                with open(os.path.join(self.root, name), "wb") as file:
                    file.write(image.encode(self.pixels[name]))

    def run_it(self, *words, status=0):
        said, complained = streams.StringIO(), streams.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            try:
                got = im2rec.main([*words, self.prefix, self.root])
            except SystemExit as end:
                got = end.code
        self.assertEqual(got, status, complained.getvalue())
        return said.getvalue(), complained.getvalue()

    def lines(self, ending):
        with open(self.prefix + ending, encoding="utf-8") as file:
            return [line.rstrip("\n").split("\t") for line in file]

    def records(self):
        with recordio.MXIndexedRecordIO(self.prefix + ".idx", self.prefix + ".rec", "r") as reader:
            return {key: recordio.unpack(reader.read_idx(key)) for key in reader.keys}

    def test_lists(self):
        said, _ = self.run_it("--list", "--recursive", "--no-shuffle")
        self.assertEqual(said.split(), ["cats", "0", "dogs", "1"])
        lines = self.lines(".lst")
        self.assertEqual(lines[0], ["0", "0.000000", os.path.join("cats", "0.png")])
        self.assertEqual(lines[9], ["9", "1.000000", os.path.join("dogs", "4.png")])
        self.run_it("--list", "--recursive")
        self.assertNotEqual(self.lines(".lst"), lines)
        self.assertEqual(sorted(self.lines(".lst")), lines)
        self.run_it("--list", "--recursive", "--train-ratio", "0.5", "--test-ratio", "0.2")
        self.assertEqual([len(self.lines(each + ".lst")) for each in ("_test", "_train", "_val")], [2, 5, 3])
        self.run_it("--list", "--recursive", "--chunks", "3")
        self.assertEqual([len(self.lines("_%d.lst" % each)) for each in range(3)], [4, 4, 2])
        self.assertIn("has no pictures (.jpeg, .jpg, .png); --recursive looks into its folders, too", self.run_it("--list", status=1)[1])

    def test_records(self):
        self.run_it("--list", "--recursive", "--no-shuffle")
        self.run_it("--encoding", ".png", "--num-thread", "3")
        for number, (header, data) in self.records().items():
            name = self.lines(".lst")[number][2]
            self.assertEqual((header.id, header.label), (number, float(number > 4)))
            self.assertEqual(image.imdecode(data).tolist(), self.pixels[name].tolist())
        self.run_it("--pass-through")
        with open(os.path.join(self.root, "cats", "0.png"), "rb") as file:
            self.assertEqual(self.records()[0][1], file.read())
        self.run_it("--resize", "4")
        self.assertEqual({image.imdecode(data).shape for _, data in self.records().values()}, {(4, 6, 3)})
        self.assertEqual(self.records()[0][1][:2], b"\xff\xd8")  # JPEG
        self.run_it("--center-crop", "--encoding", ".png")
        self.assertEqual(image.imdecode(self.records()[0][1]).tolist(), self.pixels[os.path.join("cats", "0.png")][:, 2:10].tolist())
        self.run_it("--color", "0", "--encoding", ".png")
        self.assertTrue(image.is_gray(self.records()[0][1]))

    def test_labels(self):
        with open(self.prefix + ".lst", "w", encoding="utf-8") as file:
            file.write("7\t1.5\t2.5\t%s\n\n" % os.path.join("cats", "0.png"))
        self.run_it("--pack-label")
        self.assertEqual(self.records()[7][0].label.tolist(), [1.5, 2.5])
        self.run_it()
        self.assertEqual(self.records()[7][0].label, 1.5)

    def test_opacity(self):
        with open(os.path.join(self.root, "clear.png"), "wb") as file:
            file.write(image.encode(np.full((3, 3, 4), 9, "uint8")))
        self.run_it("--list")
        self.run_it("--color", "-1", "--encoding", ".png")
        self.assertEqual(image.decode(self.records()[0][1], 4).tolist(), np.full((3, 3, 4), 9).tolist())
        self.run_it("--color", "-1")
        self.assertEqual(image.imdecode(self.records()[0][1]).shape, (3, 3, 3))

    def test_damaged_pictures_are_named(self):
        with open(os.path.join(self.root, "bad.png"), "wb") as file:
            file.write(b"no picture")
        self.run_it("--list", "--recursive", "--no-shuffle")
        said, complained = self.run_it(status=1)
        self.assertIn("10 records in %s.rec" % self.prefix, said)
        self.assertIn("im2rec: 'bad.png' is left out: the picture cannot be decoded: no picture that can be read", complained)
        self.assertIn("im2rec: 1 of 11 pictures are left out", complained)
        self.assertEqual(len(self.records()), 10)

    def test_mistakes(self):
        self.assertIn("no list '%s*.lst' is there; --list makes one" % self.prefix, self.run_it(status=1)[1])
        for words, text in ((["--quality", "0"], "--quality is 0, needs 1 to 100"), (["--chunks", "0"], "--chunks is 0, needs 1"),
                            (["--train-ratio", "0.9", "--test-ratio", "0.2"], "make up 1.1, needs at most 1"),
                            (["--colour", "1"], "unrecognized arguments: --colour")):
            self.assertIn(text, self.run_it(*words, status=2)[1])
        with open(self.prefix + ".lst", "w", encoding="utf-8") as file:
            file.write("0\ta.png\n")
        self.assertIn("set.lst:1: needs a number, labels and a path between tabs, got '0\\ta.png'", self.run_it(status=1)[1])
        self.root += "x"
        self.assertIn("x' is no folder", self.run_it(status=1)[1])


if __name__ == "__main__":
    unittest.main()
