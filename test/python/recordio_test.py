"""If this fails, files of records are not those of MXNet, or a damaged one is read; or a picture gets other pixels."""
import base64
import multiprocessing
import os
import pickle
import struct
import tempfile
import unittest

import numpy as np
from symc import SymcError, image, nd, recordio

MAGIC = struct.pack("<I", 0xCED7230A)
RECORDS = [b"", b"a", b"abcd", MAGIC, b"12" + MAGIC, b"1234" + MAGIC + MAGIC + b"xy", MAGIC + b"abcd" + MAGIC, bytes(range(256))]
#: 4 x 2 pixels, gray at the left and red at the right.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgy"
    "PC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAACAAQD"
    "AREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAABv/EABoQAAAHAAAAAAAAAAAAAAAAAAABAwU1grL/xAAVAQEBAAAAAAAAAAAAAAAAAAAFB//E"
    "AB8RAAEACwAAAAAAAAAAAAAAAAABAgMEBjM1gYKxsv/aAAwDAQACEQMRAD8AMO0mtXJAJ8nrW0VWG6Wyy6Sf/9k=")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.rec")

    def written(self, records=tuple(RECORDS)):
        with recordio.MXRecordIO(self.path, "w") as writer:
            for each in records:
                writer.write(each)
        return self.path

    def test_records_are_mxnets(self):
        self.written([b"abc", b"1234" + MAGIC + b"xy"])
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), MAGIC + b"\x03\0\0\0abc\0" + MAGIC + b"\x04\0\0\x20" + b"1234" +
                             MAGIC + b"\x02\0\0\x60xy\0\0")

    def test_what_was_written_is_read(self):
        reader = recordio.MXRecordIO(self.written(), "r")
        for _ in range(2):
            self.assertEqual([reader.read() for _ in RECORDS], RECORDS)
            self.assertIsNone(reader.read())
            reader.reset()
        again = pickle.loads(pickle.dumps(reader))
        self.assertEqual(again.read(), RECORDS[0])
        reader.close()
        self.assertRaisesRegex(SymcError, "a.rec is closed$", reader.read)

    def test_indexed(self):
        index = self.path + ".idx"
        with recordio.MXIndexedRecordIO(index, self.path, "w") as writer:
            for key, each in enumerate(RECORDS):
                writer.write_idx(10 * key, each)
        reader = recordio.MXIndexedRecordIO(index, self.path, "r")
        self.assertEqual(reader.keys, [10 * key for key in range(len(RECORDS))])
        for key in (50, 0, 70):
            self.assertEqual(reader.read_idx(key), RECORDS[key // 10])
        self.assertRaisesRegex(KeyError, "a.rec has no record with the key 5", reader.seek, 5)
        with multiprocessing.get_context("fork").Pool(2) as pool:  # readers of a child have a place of their own
            self.assertEqual(pool.map(reader.read_idx, [50, 0, 70, 20]), [RECORDS[n] for n in (5, 0, 7, 2)])
        with open(index, "a", encoding="utf-8") as file:
            file.write("x\n")
        self.assertRaisesRegex(SymcError, r"a.rec.idx:9: needs a key, a tab and a number of a byte, got 'x'$",
                               recordio.MXIndexedRecordIO, index, self.path, "r")

    def test_damaged_files(self):
        with open(self.written([b"abcd", b"efgh"]), "rb") as file:
            whole = file.read()
        for data, text in (
                (whole[:-1], "a.rec: the file ends at byte 23 inside of the record at byte 12$"),
                (whole[:15], "a.rec: the file ends at byte 15 inside of the record at byte 12$"),
                (whole[:12] + b"\0" + whole[13:], "a.rec: no record begins at byte 12: there is 0xced72300, needs 0xced7230a$"),
                (whole[:12] + MAGIC + b"\0\0\0\x40" + whole[20:],
                 "a.rec: the record at byte 12 has parts in no order: a part of kind 2 at number 0$"),
                (whole[:12] + MAGIC + b"\0\0\0\xa0", "a.rec: the record at byte 12 has a part of kind 5, needs 0 to 3$"),
                (whole[:12] + MAGIC + b"\0\0\0\x20", "a.rec: the file ends at byte 20 inside of the record at byte 12$"),
                (whole[:12] + (MAGIC + b"\0\0\0\x20") * 2,
                 "a.rec: the record at byte 12 has parts in no order: a part of kind 1 at number 1$")):
            with self.subTest(text), open(self.path, "wb") as file:
                file.write(data)
                file.flush()
                reader = recordio.MXRecordIO(self.path, "r")
                self.assertEqual(reader.read(), b"abcd")
                self.assertRaisesRegex(SymcError, text, reader.read)
                reader.close()

    def test_mistakes(self):
        reader = recordio.MXRecordIO(self.written(), "r")
        for kind, text, call in (
                (ValueError, "flag is 'a', needs 'r' or 'w'", lambda: recordio.MXRecordIO(self.path, "a")),
                (SymcError, "none: cannot open the file", lambda: recordio.MXRecordIO(self.path + "none", "r")),
                (SymcError, "none: cannot open the file", lambda: recordio.MXIndexedRecordIO(self.path + "none", self.path, "r")),
                (SymcError, "a.rec is open to be read$", lambda: reader.write(b"")),
                (SymcError, "a.rec is being written and cannot be pickled$",
                 lambda: pickle.dumps(recordio.MXRecordIO(self.path, "w")))):
            with self.subTest(text):
                self.assertRaisesRegex(kind, text, call)
        reader.close()


class Pictures(unittest.TestCase):
    def test_headers(self):
        header = recordio.IRHeader(0, 4.0, 7, 0)
        packed = recordio.pack(header, b"xyz")
        self.assertEqual(packed, struct.pack("<IfQQ", 0, 4, 7, 0) + b"xyz")
        self.assertEqual(recordio.unpack(packed), (header, b"xyz"))
        several, rest = recordio.unpack(recordio.pack((9, [1, 2], 7, 0), b"xyz"))
        self.assertEqual((several.flag, several.label.tolist(), several.label.dtype, rest), (2, [1, 2], np.float32, b"xyz"))
        self.assertEqual(recordio.unpack(recordio.pack((0, np.array([5.0]), 0, 0), b""))[0].label.tolist(), [5])
        self.assertRaisesRegex(SymcError, "a record of a picture has 3 bytes, its header needs 24", recordio.unpack, b"xyz")
        self.assertRaisesRegex(SymcError, "has 2 bytes behind its header, its 1000 labels need 4000", recordio.unpack,
                               struct.pack("<IfQQ", 1000, 0, 0, 0) + b"xy")

    def test_pixels(self):
        pixels = np.arange(24, dtype="uint8").reshape(2, 4, 3) * 10
        header, again = recordio.unpack_img(recordio.pack_img((0, 1, 2, 0), pixels, img_fmt=".png"))
        self.assertEqual((header.label, again.tolist()), (1, pixels.tolist()))
        data = image.encode(pixels)
        self.assertEqual(image.imdecode(data).tolist(), pixels.tolist())
        self.assertEqual(image.imdecode(np.frombuffer(data, "uint8"), to_rgb=0).tolist(), pixels[..., ::-1].tolist())
        self.assertEqual(image.imdecode(data, 0).shape, (2, 4, 1))
        gray = recordio.pack_img((0, 1, 2, 0), pixels[..., 0], img_fmt=".PNG")
        self.assertEqual(recordio.unpack_img(gray)[1].tolist(), pixels[..., 0].tolist())
        self.assertEqual((recordio.unpack_img(gray, 1)[1].shape, recordio.unpack_img(gray, 0)[1].shape), ((2, 4, 3), (2, 4)))
        out = nd.zeros((2, 4, 3), dtype="uint8")
        self.assertIs(image.imdecode(data, out=out), out)
        self.assertEqual(out.tolist(), pixels.tolist())

    def test_jpeg(self):
        found = image.imdecode(JPEG).asnumpy().astype(int)
        self.assertEqual(found.shape, (2, 4, 3))
        self.assertLess(abs(found[:, 0] - 128).max(), 25)
        self.assertLess(abs(found[:, 3] - [255, 0, 0]).max(), 25)
        self.assertFalse(image.is_gray(JPEG))

    def test_written_jpeg(self):
        rows, columns = np.mgrid[:40, :50]
        pixels = np.stack([rows * 5, columns * 4, 128 + 0 * rows], 2).astype("uint8")
        packed = recordio.pack_img(recordio.IRHeader(0, 3.0, 7, 0), pixels, quality=95)
        header, found = recordio.unpack_img(packed)
        self.assertEqual((header.label, header.id), (3.0, 7))
        self.assertLess(abs(found.astype(int) - pixels).mean(), 2)
        small = recordio.pack_img(recordio.IRHeader(0, 3.0, 7, 0), pixels, quality=5)
        self.assertLess(len(small), len(packed) * 0.7)
        gray = recordio.pack_img(recordio.IRHeader(0, 0, 0, 0), pixels[..., 0])
        self.assertLess(abs(recordio.unpack_img(gray, 0)[1].astype(int) - pixels[..., 0]).mean(), 2)

    def test_sizes(self):
        draw = np.random.RandomState(0)
        pixels = draw.randint(0, 256, (8, 12, 3)).astype("uint8")
        halves = pixels.astype(int).reshape(4, 2, 6, 2, 3).mean((1, 3))
        for interp in (1, 3):  # between two pixels linear is their mean, as is area
            self.assertLessEqual(abs(np.asarray(image.imresize(pixels, 6, 4, interp)) - halves).max(), 1)
        self.assertEqual(np.asarray(image.imresize(pixels, 6, 4, 0)).tolist(), pixels[::2, ::2].tolist())
        self.assertEqual(np.asarray(image.imresize(pixels, 24, 16, 0)).tolist(), pixels.repeat(2, 0).repeat(2, 1).tolist())
        plain = np.full((5, 7, 1), 93, "uint8")
        for interp in (0, 1, 2, 3, 4, 9):
            self.assertTrue((np.asarray(image.imresize(plain, 13, 3, interp)) == 93).all())
        ramp = np.arange(0, 200, 10, dtype="uint8").reshape(1, 20, 1).repeat(4, 0)
        for interp in (2, 4):  # a line stays a line
            made = np.asarray(image.imresize(ramp, 40, 4, interp))[0, 8:-8, 0].astype(int)
            self.assertLessEqual(abs(made - (np.arange(8, 32) * 5 - 2.5)).max(), 1.5 if interp == 2 else 2.5)
        self.assertEqual(image.resize_short(pixels, 4).shape, (4, 6, 3))
        self.assertEqual(image.resize_short(pixels.transpose(1, 0, 2), 4).shape, (6, 4, 3))
        self.assertEqual(image.fixed_crop(pixels, 2, 2, 4, 4, (2, 2)).shape, (2, 2, 3))
        self.assertEqual(image.center_crop(pixels, (24, 8))[1], (0, 2, 12, 4))
        part, place = image.random_crop(pixels, (5, 6))
        self.assertEqual(part.tolist(), pixels[place[1]:place[1] + 6, place[0]:place[0] + 5].tolist())

    def test_files_and_parts(self):
        pixels = np.arange(60, dtype="uint8").reshape(4, 5, 3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            with open(path, "wb") as file:
                file.write(image.encode(pixels))
            self.assertEqual(image.imread(path).tolist(), pixels.tolist())
            self.assertRaisesRegex(SymcError, "none: cannot open the file", image.imread, os.path.join(folder, "none"))
        part, place = image.center_crop(nd.array(pixels, dtype="uint8"), (3, 2))
        self.assertEqual((part.tolist(), place), (pixels[1:3, 1:4].tolist(), (1, 1, 3, 2)))
        self.assertEqual(image.fixed_crop(pixels, 1, 0, 2, 4).tolist(), pixels[:, 1:3].tolist())
        self.assertEqual(image.color_normalize(nd.array([4.0, 6.0]), 2.0, nd.array([2.0, 4.0])).tolist(), [1, 1])

    def test_mistakes(self):
        data = image.encode(np.zeros((3, 3), "uint8"))
        for kind, text, call in (
                (SymcError, "the picture is empty", lambda: image.imdecode(b"")),
                (SymcError, "the picture cannot be decoded: no picture that can be read", lambda: image.imdecode(b"abcdefgh" * 9)),
                (SymcError, "the picture cannot be decoded: truncated picture", lambda: image.imdecode(data[:-20])),
                (SymcError, "the picture cannot be decoded: a picture has 1, 3 or 4 channels, not 2",
                 lambda: image.decode(data, 2)),
                (ValueError, "flag is 2, needs 0 .gray. or 1 .colours.", lambda: image.imdecode(data, 2)),
                (ValueError, r"imdecode: out has shape \(1,\), the picture \(3, 3, 3\)",
                 lambda: image.imdecode(data, out=nd.zeros(1))),
                (SymcError, "pictures are written as '.jpg' and '.png', not as '.webp'",
                 lambda: recordio.pack_img((0, 0, 0, 0), np.zeros((2, 2), "uint8"), img_fmt=".webp")),
                (SymcError, "the quality of a JPEG is 1 to 100, not 101",
                 lambda: recordio.pack_img((0, 0, 0, 0), np.zeros((2, 2), "uint8"), 101)),
                (ValueError, "a picture is uint8 .height, width. or .height, width, 1 or 3., got uint8",
                 lambda: image.encode(np.zeros((2, 2, 4), "uint8"), ".jpg")),
                (ValueError, "a picture is uint8 .height, width. or .height, width, 1, 3 or 4., got float64",
                 lambda: image.encode(np.zeros((2, 2)))),
                (ValueError, r"a crop of 9 x 1 at \(0, 0\) is not inside of a picture of 3 x 3",
                 lambda: image.fixed_crop(np.zeros((3, 3, 1)), 0, 0, 9, 1)),
                (ValueError, r"imresize takes uint8 .height, width, channels., got float64 \(2, 2\)",
                 lambda: image.imresize(np.zeros((2, 2)), 1, 1)),
                (SymcError, "a side of a picture has 1 to 16384 pixels, not 0",
                 lambda: image.imresize(np.zeros((2, 2, 3), "uint8"), 0, 1)),
                (SymcError, "a picture is resized by method 0 to 4 or 9, not 5",
                 lambda: image.imresize(np.zeros((2, 2, 3), "uint8"), 1, 1, 5)),
                (SymcError, "a picture has 1 to 4 channels, not 5",
                 lambda: image.imresize(np.zeros((2, 2, 5), "uint8"), 1, 1))):
            with self.subTest(text):
                self.assertRaisesRegex(kind, text, call)


if __name__ == "__main__":
    unittest.main()
