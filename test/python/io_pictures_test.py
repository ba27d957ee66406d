"""If this fails, batches of pictures are not those of their file, or depend on the number of threads."""
import os
import tempfile
import unittest

import numpy as np
from symc import SymcError, image, io, recordio


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path, self.index = (os.path.join(folder.name, "a." + each) for each in ("rec", "idx"))
        draw = np.random.RandomState(0)
        self.pictures = [draw.randint(0, 256, (6 + number % 2, 7, 3)).astype("uint8") for number in range(7)]
        with recordio.MXIndexedRecordIO(self.index, self.path, "w") as writer:
            for number, each in enumerate(self.pictures):
                writer.write_idx(number, recordio.pack((0, [number, number * 2.0], number, 0), image.encode(each)))

    def made(self, shape=(3, 6, 7), batch_size=3, **kwargs):
        return io.ImageRecordIter(path_imgrec=self.path, data_shape=shape, batch_size=batch_size, **kwargs)

    def test_batches(self):
        batches = self.made()
        self.assertEqual((batches.provide_data, batches.provide_label), ([("data", (3, 3, 6, 7))], [("softmax_label", (3,))]))
        found = list(batches)
        self.assertEqual([(each.label[0].tolist(), each.pad, list(each.index)) for each in found],
                         [([0, 1, 2], 0, [0, 1, 2]), ([3, 4, 5], 0, [3, 4, 5]), ([6, 0, 1], 2, [6, 0, 1])])
        for number in range(7):
            pixels = found[number // 3].data[0][number % 3].asnumpy()
            self.assertEqual(pixels.tolist(), self.pictures[number][:6].transpose(2, 0, 1).tolist())
        batches.reset()  # goes on behind the pictures that filled the last batch
        self.assertEqual([each.label[0].tolist() for each in batches][:2], [[2, 3, 4], [5, 6, 0]])
        open_end = list(self.made(round_batch=False))[-1]
        self.assertEqual((open_end.label[0].tolist(), open_end.pad), ([6, 0, 0], 2))

    def test_what_is_done_to_pictures(self):
        first = self.pictures[0].astype("float32")
        normal = self.made((3, 4, 5), mean_r=1, mean_g=2, mean_b=3, std_r=2, std_g=4, std_b=5, scale=0.5, mirror=True)
        wanted = (first[1:5, 1:6][:, ::-1] - [1, 2, 3]) * 0.5 / [2, 4, 5]
        np.testing.assert_allclose(normal.next().data[0][0].asnumpy(), wanted.transpose(2, 0, 1), rtol=1e-6)
        padded = self.made((3, 10, 11), pad=2, fill_value=9, label_width=2, dtype="uint8").next()
        self.assertEqual(padded.label[0].tolist(), [[0, 0], [1, 2], [2, 4]])
        self.assertEqual((padded.data[0].dtype, padded.data[0][0, 0, 0].tolist()), (np.uint8, [9] * 11))
        self.assertEqual(padded.data[0][0, :, 2:8, 2:9].tolist(), self.pictures[0].transpose(2, 0, 1).tolist())
        self.assertEqual(self.made((1, 6, 7)).next().data[0].shape, (3, 1, 6, 7))

    def test_drawn_ones_depend_on_seed_epoch_and_record(self):
        def run(threads, seed=1, **kwargs):
            batches, found = self.made((3, 4, 4), 7, shuffle=True, rand_crop=True, rand_mirror=True, seed=seed,
                                       preprocess_threads=threads, **kwargs), []
            for _ in range(2):
                found.append(np.concatenate([each.data[0].asnumpy() for each in batches]))
                batches.reset()
            return found
        one, four, other = run(1), run(4), run(1, seed=2)
        self.assertTrue(all((a == b).all() for a, b in zip(one, four)))
        self.assertFalse((one[0] == one[1]).all() or (one[0] == other[0]).all())

    def test_parts_and_lists(self):
        labels = [[int(label) for batch in self.made(batch_size=1, num_parts=3, part_index=part, path_imgidx=index)
                   for label in batch.label[0]] for index in (None, self.index) for part in range(3)]
        self.assertEqual(labels[:3], labels[3:])
        self.assertEqual(sum(labels[:3], []), list(range(7)))
        path = self.path + ".lst"
        with open(path, "w", encoding="utf-8") as file:
            file.writelines("%d\t%d\ta.png\n" % (number, 10 * number) for number in range(7))
        self.assertEqual(self.made(path_imglist=path).next().label[0].tolist(), [0, 10, 20])
        with open(path, "w", encoding="utf-8") as file:
            file.write("0\ta.png\n")
        self.assertRaisesRegex(SymcError, r"a.rec.lst:1: needs a number, 1 labels and a path between tabs, got '0\\ta.png'$",
                               self.made, path_imglist=path)
        with open(path, "w", encoding="utf-8") as file:
            file.write("0\t5\ta.png\n")
        self.assertRaisesRegex(SymcError, "a.rec: the record at byte \\d+ has the id 1, which path_imglist lacks$",
                               self.made(path_imglist=path).next)

    def test_mistakes(self):
        for kind, text, call in (
                (SymcError, "^ImageRecordIter has no option 'resize' here: pictures are cropped", lambda: self.made(resize=8)),
                (ValueError, r"^data_shape is \(3, 6\), needs \(1 or 3 channels", lambda: self.made((3, 6))),
                (ValueError, "^batch_size is 0, needs at least 1$", lambda: self.made(batch_size=0)),
                (ValueError, "^part_index is 1 of num_parts = 1, needs 0 to 0$", lambda: self.made(part_index=1)),
                (ValueError, "a.rec has 7 records in this part, a batch needs 9$", lambda: self.made(batch_size=9)),
                (SymcError, "a.rec: the record at byte 0: the picture has 7 x 6 pixels, data_shape needs 9 x 9$",
                 lambda: self.made((3, 9, 9)).next()),
                (SymcError, "a.rec: the record at byte 0 has 2 labels, label_width is 3$",
                 lambda: self.made(label_width=3).next())):
            with self.subTest(text):
                self.assertRaisesRegex(kind, text, call)
        with recordio.MXRecordIO(self.path, "w") as writer:
            writer.write(recordio.pack((0, 1.0, 0, 0), b"no picture"))
        self.assertRaisesRegex(SymcError, "a.rec: the record at byte 0: the picture cannot be decoded: no picture that can",
                               self.made(batch_size=1).next)
        with recordio.MXRecordIO(self.path, "w") as writer:
            writer.write(b"short")
        self.assertRaisesRegex(SymcError, "a.rec: the record at byte 0: a record of a picture has 5 bytes, its header needs 24$",
                               self.made(batch_size=1).next)
        self.assertRaisesRegex(SymcError, "a.idx names byte .*, .*a.rec has", self.made, path_imgidx=self.index)


if __name__ == "__main__":
    unittest.main()
