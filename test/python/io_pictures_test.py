"""If this fails, batches of pictures are not those of their file, or depend on the number of threads."""
import colorsys
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

    def test_sizes(self):
        """Steps that change the form, where what they make is known."""
        first = self.pictures[0]
        rotated = self.made((3, 6, 6), rotate=90, inter_method=0, fill_value=7).next().data[0][0].asnumpy()
        wanted = np.full((6, 6, 3), 7)  # (x, y) comes from (7 - y, x): MXNet rotates corners of pixels, not their middles
        for y in range(1, 6):
            wanted[y] = first[:6, 7 - y]
        self.assertEqual(rotated.transpose(1, 2, 0).tolist(), wanted.tolist())
        halved = self.made((3, 3, 3), min_random_scale=0.5, max_random_scale=0.5).next().data[0][0].asnumpy()
        self.assertEqual(halved.shape, (3, 3, 3))
        square = self.made((3, 3, 3), max_crop_size=6, min_crop_size=6).next().data[0][0].asnumpy()
        wanted = first[:, :6].astype(float).reshape(3, 2, 3, 2, 3).mean((1, 3)).transpose(2, 0, 1)
        self.assertLessEqual(abs(square - wanted).max(), 1)
        whole = self.made((3, 3, 3), resize=3).next().data[0][0].asnumpy()
        self.assertEqual(whole.shape, (3, 3, 3))
        parts = self.made((3, 4, 4), 7, random_resized_crop=True, min_random_area=0.2, max_random_area=0.9,
                          max_aspect_ratio=0.3, seed=3)
        one = parts.next().data[0].asnumpy()
        parts.reset()
        self.assertFalse((one == parts.next().data[0].asnumpy()).all())
        low = np.array([each.min() for each in self.pictures])
        self.assertTrue((one.min((1, 2, 3)) >= low).all())
        stretched = self.made((3, 5, 5), max_aspect_ratio=0.2, max_shear_ratio=0.1, max_rotate_angle=20, max_random_scale=1.2,
                              min_random_scale=1.0, fill_value=9).next().data[0].asnumpy()
        self.assertFalse((stretched[0] == first[:5, 1:6].transpose(2, 0, 1)).all())

    def colours(self, epochs=1, **kwargs):
        """The first picture, plain and as it is in each epoch, [height, width, channels]."""
        batches, found = self.made(batch_size=1, **kwargs), []
        for _ in range(epochs):
            found.append(batches.next().data[0][0].asnumpy().transpose(1, 2, 0))
            batches.reset()
        return self.pictures[0].astype(float), found

    def test_each_option_counts(self):
        """Without the one option of each row, beside what it needs, other pixels come out."""
        scaled = {"min_random_scale": 0.8, "max_random_scale": 1.5}
        area = {"random_resized_crop": True, "min_random_area": 0.2, "max_random_area": 0.5}
        for option, needs in (
                ({"resize": 5}, {}), ({"random_resized_crop": True}, {"min_random_area": 0.2, "max_random_area": 0.5}),
                ({"min_random_area": 0.9}, {**area, "max_random_area": 1}), ({"max_random_area": 0.3}, area),
                ({"min_aspect_ratio": 0.5, "max_aspect_ratio": 2.0}, area), ({"max_aspect_ratio": 0.4}, {}),
                ({"min_random_scale": 0.7}, {"max_random_scale": 1.5}), ({"max_random_scale": 2.0}, {"min_random_scale": 0.8}),
                ({"min_img_size": 12}, scaled), ({"max_img_size": 5}, scaled), ({"max_rotate_angle": 60}, {}), ({"rotate": 30}, {}),
                ({"max_shear_ratio": 0.5}, {}), ({"pad": 2}, {"rand_crop": True}), ({"fill_value": 9}, {"pad": 2, "rand_crop": True}),
                ({"min_crop_size": 6, "max_crop_size": 6}, {}), ({"min_crop_size": 3}, {"max_crop_size": 6}),
                ({"inter_method": 0}, {"resize": 9}), ({"rand_crop": True}, {}), ({"rand_mirror": True}, {}), ({"mirror": True}, {}),
                ({"brightness": 0.5}, {}), ({"contrast": 0.5}, {}), ({"saturation": 0.5}, {}), ({"random_h": 30}, {}), ({"random_s": 60}, {}),
                ({"random_l": 60}, {}), ({"pca_noise": 0.2}, {}), ({"mean_r": 3}, {}), ({"mean_g": 3}, {}), ({"mean_b": 3}, {}),
                ({"std_r": 3}, {}), ({"std_g": 3}, {}), ({"std_b": 3}, {}), ({"scale": 2}, {}), ({"max_random_contrast": 0.5}, {}),
                ({"max_random_illumination": 30}, {}), ({"seed": 8}, {"rand_crop": True}), ({"shuffle": True}, {})):
            with self.subTest(option=option, needs=needs):
                plain, changed = (self.made((3, 4, 4), 7, **options).next().data[0].asnumpy() for options in (needs, {**needs, **option}))
                self.assertGreater(abs(plain - changed).max(), 0.5)

    def test_brightness_contrast_saturation(self):
        plain, found = self.colours(20, brightness=0.4)
        factors = [each[plain > 60].sum() / plain[plain > 60].sum() for each in found]
        self.assertTrue(0.55 < min(factors) < 0.9 and 1 < max(factors) < 1.45)
        for each in found:  # one factor explains a picture, but for rounding and for what is above 255
            dark = plain < 150
            factor = (each[dark] * plain[dark]).sum() / (plain[dark] ** 2).sum()
            self.assertLess(abs(each - np.clip(plain * factor, 0, 255)).max(), 1.1)
        weights = np.array([0.114, 0.587, 0.299])  # MXNet takes blue for red here
        gray = np.rint(plain @ weights)
        for centre, options in ((gray.mean(), {"contrast": 0.5}), (gray[..., None], {"saturation": 0.5})):
            plain, found = self.colours(10, **options)
            for each in found:
                inside = (each > 0) & (each < 255)
                distance = (plain - centre + 0 * plain)[inside]
                factor = ((each - centre)[inside] * distance).sum() / (distance ** 2).sum()
                self.assertTrue(0.5 <= factor <= 1.5)
                self.assertLess(abs(each - np.clip(centre + (plain - centre) * factor, 0, 255)).max(), 2)
            self.assertGreater(np.std([each.std() for each in found]), 1)

    def test_hue_lightness_saturation(self):
        plain, found = self.colours(3, random_h=0, random_s=0, random_l=60)
        values = np.array([[colorsys.rgb_to_hls(*pixel) for pixel in row] for row in plain / 255])
        for each in found:
            here = np.array([[colorsys.rgb_to_hls(*pixel) for pixel in row] for row in each / 255])
            inside = (here[..., 1] > 0.02) & (here[..., 1] < 0.98)
            changes = (here - values)[..., 1][inside] * 255
            self.assertLess(changes.max() - changes.min(), 4)  # the same for all pixels
        plain, found = self.colours(3, random_h=20)
        for each in found:
            here = np.array([[colorsys.rgb_to_hls(*pixel) for pixel in row] for row in each / 255])
            clear = (values[..., 2] > 0.4) & (values[..., 1] > 0.3) & (values[..., 1] < 0.7) & (
                values[..., 0] > 0.15) & (values[..., 0] < 0.85)
            changes = (here - values)[..., 0][clear] * 180
            self.assertLess(np.ptp(changes), 3)
            self.assertLessEqual(abs(changes).max(), 21)

    def test_noise_of_colours(self):
        plain, found = self.colours(60, pca_noise=0.1)
        changes = []
        for each in found:
            inside = ((each > 0) & (each < 255)).all(2)
            changes.append(np.median((each - plain)[inside], 0))
        directions = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])
        along = np.array(changes) @ directions
        self.assertTrue(3.5 < along[:, 0].std() < 8 and along[:, 1].std() < 1.2 and along[:, 2].std() < 0.8)
        self.assertEqual(self.colours(1, pca_noise=0)[1][0].tolist(), plain.tolist())

    def test_contrast_and_illumination_of_values(self):
        plain, found = self.colours(8, max_random_contrast=0.3, max_random_illumination=20, mean_r=100, mean_g=100, mean_b=100)
        for each in found:
            slope, more = np.polyfit((plain - 100).ravel(), each.ravel(), 1)
            self.assertTrue(0.7 <= slope <= 1.3 and abs(more) <= 20)
            np.testing.assert_allclose(each, (plain - 100) * slope + more, atol=0.01)

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
                (ValueError, "^ImageRecordIter: pictures have no option 'brightnes'; did you mean 'brightness'.$",
                 lambda: self.made(brightnes=0.5)),
                (ValueError, "^ImageRecordIter: contrast is 2.*, needs a number from 0.* to 1", lambda: self.made(contrast=2)),
                (ValueError, "^ImageRecordIter: random_h is 0.5.*, needs a whole number", lambda: self.made(random_h=0.5)),
                (ValueError, "^ImageRecordIter: min_random_scale is above max_random_scale$",
                 lambda: self.made(min_random_scale=2)),
                (ValueError, "^ImageRecordIter: max_aspect_ratio is 1 or more, without min_aspect_ratio$",
                 lambda: self.made(max_aspect_ratio=1)),
                (SymcError, "a.rec: the record at byte 0: the picture has 7 x 6 pixels, a crop of up to 9 x 9 does not fit$",
                 lambda: self.made(max_crop_size=9).next()),
                (SymcError, "a.rec: the record at byte 0: a step makes more than 64 million pixels of the picture of 7 x 6",
                 lambda: self.made(resize=16384, inter_method=0).next()),
                (ValueError, r"^data_shape is \(3, 6\), needs \(1 or 3 channels", lambda: self.made((3, 6))),
                (ValueError, "^batch_size is 0, needs at least 1$", lambda: self.made(batch_size=0)),
                (ValueError, "^part_index is 1 of num_parts = 1, needs 0 to 0$", lambda: self.made(part_index=1)),
                (ValueError, "a.rec has 7 records in this part, a batch needs 9$", lambda: self.made(batch_size=9)),
                (SymcError, "a.rec: the record at byte 0: the picture has 7 x 6 pixels, input 'data' needs 9 x 9; --resize scales pictures$",
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
