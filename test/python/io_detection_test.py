"""If this fails, ImageDetRecordIter gives other boxes than MXNet, or boxes that are not where the picture has them."""
import os
import tempfile
import unittest

import numpy as np
from symc import SymcError, image, io, recordio

HEIGHT, WIDTH = 72, 96


def inside(pixels, label):
    """(the part of the bright pixels that the boxes hold, the part of the boxes that is bright)."""
    head, width = 4 + int(label[4]), int(label[5])
    boxes, bright = np.zeros(pixels.shape[1:], bool), (pixels > 100).all(0)
    for row in label[head:4 + int(label[3])].reshape(-1, width):
        left, top, right, bottom = (row[1:5] * np.tile(pixels.shape[:0:-1], 2)).round().astype(int)
        boxes[top:bottom, left:right] = True
    return (bright & boxes).sum() / bright.sum(), (bright & boxes).sum() / max(1, boxes.sum())


class Detection(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.rec")
        self.pictures = []
        with recordio.MXRecordIO(self.path, "w") as writer:
            for number in range(6):  # a bright box, with a noise that tells its sides apart
                pixels = np.random.RandomState(number).randint(0, 60, (HEIGHT, WIDTH, 3)).astype("uint8")
                pixels[18:54, 24:72] = 120 + 20 * np.arange(3)
                self.pictures.append(pixels)
                boxes = [number, .25, .25, .75, .75, 9] + ([3, 0, 0, .01, .01, 9] if number == 1 else [])
                writer.write(recordio.pack((0, [2, 6, *boxes], number, 0), image.encode(pixels)))

    def made(self, batch_size=6, shape=(3, HEIGHT, WIDTH), **options):
        return io.ImageDetRecordIter(self.path, shape, batch_size, **options)

    def first(self, **options):
        batch = self.made(**options).next()
        return batch.data[0].asnumpy(), batch.label[0].asnumpy()

    def test_batches(self):
        """The labels are MXNet 1.9.1's."""
        batches = self.made(4, label_pad_width=16, label_pad_value=-7)
        self.assertEqual((batches.provide_data, batches.provide_label), ([("data", (4, 3, HEIGHT, WIDTH))], [("softmax_label", (4, 20))]))
        batch = batches.next()
        np.testing.assert_allclose(batch.label[0].asnumpy()[:2], [
            [3, HEIGHT, WIDTH, 8, 2, 6, 0, .25, .25, .75, .75, 9] + [-7] * 8,
            [3, HEIGHT, WIDTH, 14, 2, 6, 1, .25, .25, .75, .75, 9, 3, 0, 0, .01, .01, 9, -7, -7]], rtol=1e-6)
        self.assertEqual(batch.data[0][0].asnumpy().tolist(), self.pictures[0].transpose(2, 0, 1).tolist())
        self.assertEqual((batches.next().pad, self.made().provide_label[0][1]), (2, (6, 18)))
        lines = self.path + ".lst"
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines("%d\t2\t5\t%d\t0\t0\t1\t1\ta.png\n" % (number, number + 10) for number in range(6))
        self.assertEqual(self.first(path_imglist=lines, label_width=7)[1][2].tolist(), [3, HEIGHT, WIDTH, 7, 2, 5, 12, 0, 0, 1, 1])

    def test_values(self):
        data, _ = self.first(mean_r=10, mean_g=20, mean_b=30, std_r=2, std_g=4, std_b=5, scale=.5)
        wanted = (self.pictures[0].astype("float32") - [10, 20, 30]) / [2, 4, 5] * .5
        np.testing.assert_allclose(data[0], wanted.transpose(2, 0, 1), rtol=1e-6)
        self.assertEqual(self.first(shape=(1, HEIGHT, WIDTH))[0].shape, (6, 1, HEIGHT, WIDTH))
        halved, _ = self.first(shape=(3, HEIGHT // 2, WIDTH // 2), inter_method=3)
        wanted = self.pictures[0].astype(float).reshape(HEIGHT // 2, 2, WIDTH // 2, 2, 3).mean((1, 3)).transpose(2, 0, 1)
        self.assertLessEqual(abs(halved[0] - wanted).max(), 1)
        blurred, _ = self.first(resize=24)
        self.assertGreater(abs(blurred[0] - self.pictures[0].transpose(2, 0, 1)).max(), 10)

    def test_boxes_stay_on_what_they_hold(self):
        for options in ({"rand_mirror_prob": 1}, {"rand_pad_prob": 1, "max_pad_scale": 3, "fill_value": 5},
                        {"rand_crop_prob": 1, "min_crop_scales": .5, "min_crop_aspect_ratios": .5, "max_crop_aspect_ratios": 2,
                         "crop_emit_mode": "overlap", "emit_overlap_thresh": .01}):
            plain = self.first()
            data, labels = self.first(inter_method=0, seed=3, **options)
            with self.subTest(options):
                self.assertFalse((data == plain[0]).all() or np.allclose(labels, plain[1]) and "rand_mirror_prob" not in options)
                for pixels, label in zip(data, labels):
                    if label[3] == 8:  # one box
                        self.assertGreater(min(inside(pixels, label)), .8, (options, label))
        mirrored, labels = self.first(rand_mirror_prob=1)
        self.assertEqual(mirrored[0].tolist(), self.pictures[0][:, ::-1].transpose(2, 0, 1).tolist())
        np.testing.assert_allclose(labels[1][12:18], [3, .99, 0, 1, .01, 9], atol=1e-6)

    def test_samplers(self):
        """Each condition of a crop counts: what it allows is what is seen."""
        loose = {"rand_crop_prob": 1, "min_crop_scales": .2, "min_crop_aspect_ratios": .5, "max_crop_aspect_ratios": 2, "max_crop_trials": 200}
        wide = self.first(**loose)[1]

        def height(label):  # of the box in the part: 0.5 over the part's
            return label[10] - label[8]
        self.assertGreater(len({round(float(height(each)), 3) for each in wide}), 3)
        for more, suits in (({"min_crop_object_coverages": 1}, lambda label: label[7] > 0 and label[8] > 0 and label[9] < 1 and label[10] < 1),
                            ({"min_crop_sample_coverages": .9}, lambda label: (label[9] - label[7]) * height(label) > .88),
                            ({"max_crop_sample_coverages": .3}, lambda label: (label[9] - label[7]) * height(label) < .32),
                            ({"min_crop_overlaps": .8}, lambda label: (label[9] - label[7]) * height(label) > .78),
                            ({"max_crop_overlaps": .26}, lambda label: (label[9] - label[7]) * height(label) < .9),
                            ({"min_crop_scales": .95}, lambda label: height(label) < .6)):
            labels = self.first(**{**loose, **more})[1]
            chosen = [bool(suits(each)) for each in labels
                      if abs(height(each) - .5) > 1e-6 and each[6] != 1]  # others found none; 1 has a second box that suits
            with self.subTest(more):
                self.assertTrue(chosen and all(chosen), labels)
        several = self.first(num_crop_sampler=2, **{**loose, "min_crop_scales": (1, .2), "max_crop_scales": (1, .3)})[1]
        self.assertGreater(len({round(float(height(each)), 2) for each in several}), 1)
        none = self.first(**{**loose, "max_crop_trials": 0})
        self.assertEqual(none[0].tolist(), self.first()[0].tolist())
        centre = self.first(**{**loose, "max_crop_scales": .3, "crop_emit_mode": "center"})[1]
        for label in centre:
            self.assertLessEqual(label[7], .5 + 1e-6)

    def test_colours(self):
        plain = self.first()[0]
        for kind, most in (("hue", 90), ("saturation", 120), ("illumination", 60), ("contrast", .5)):
            options = {"max_random_" + kind: most}
            with self.subTest(kind):
                self.assertEqual(self.first(**options)[0].tolist(), plain.tolist())  # its probability is 0
                options["random_%s_prob" % kind] = 1
                changed = self.first(**options)
                self.assertGreater(abs(changed[0] - plain).max(), 3)
                np.testing.assert_allclose(changed[1], self.first()[1])

    def test_draws_follow_from_seed_epoch_and_record(self):
        options = {"rand_crop_prob": .5, "min_crop_scales": .3, "min_crop_aspect_ratios": .5, "max_crop_aspect_ratios": 2, "rand_mirror_prob": .5,
                   "rand_pad_prob": .5, "max_pad_scale": 2, "max_random_hue": 20, "random_hue_prob": .5, "shuffle": True}

        def run(threads, seed):
            batches, found = self.made(preprocess_threads=threads, seed=seed, **options), []
            for _ in range(2):
                batch = batches.next()
                found += [batch.data[0].asnumpy(), batch.label[0].asnumpy()]
                batches.reset()
            return found
        one, three, other = run(1, 1), run(3, 1), run(1, 2)
        self.assertTrue(all((a == b).all() for a, b in zip(one, three)))
        self.assertFalse((one[0] == one[2]).all() or (one[0] == other[0]).all())

    def test_mistakes(self):
        for kind, text, call in (
                (ValueError, r"^ImageDetRecordIter has no option 'rand_mirror'; did you mean 'rand_mirror_prob'\?$", lambda: self.made(rand_mirror=1)),
                (ValueError, "^ImageDetRecordIter: resize_mode is 'fit', needs 'force', which gives all pictures of a batch one size$",
                 lambda: self.made(resize_mode="fit")),
                (ValueError, "^ImageDetRecordIter: crop_emit_mode is 'all', needs 'center' or 'overlap'$", lambda: self.made(crop_emit_mode="all")),
                (ValueError, "^ImageDetRecordIter: max_crop_scales has 3 values, needs 1 or num_crop_sampler = 2$",
                 lambda: self.made(num_crop_sampler=2, max_crop_scales=(1, 1, 1))),
                (ValueError, "^label_pad_width is 9, .*a.rec has a picture with 14 numbers$", lambda: self.made(label_pad_width=9)),
                (SymcError, "a.rec: the record at byte 0 has 8 labels, label_width is 7$", lambda: self.made(label_width=7))):
            with self.subTest(text):
                self.assertRaisesRegex(kind, text, call)
        lines = self.path + ".lst"
        with open(lines, "w", encoding="utf-8") as file:
            file.write("0\ttwo\t5\ta.png\n")
        self.assertRaisesRegex(SymcError, r"a.rec.lst:1: needs a number, labels and a path between tabs, got '0\\ttwo\\t5\\ta.png'$",
                               self.made, path_imglist=lines)
        with open(lines, "w", encoding="utf-8") as file:
            file.write("7\t2\t5\t1\t0\t0\t1\t1\ta.png\n")
        self.assertRaisesRegex(SymcError, "a.rec: the record at byte 0 has the id 0, which path_imglist lacks$", self.made, path_imglist=lines)
        with recordio.MXRecordIO(self.path, "w") as writer:
            writer.write(recordio.pack((0, [2, 6, 0, .1, .1, .5, .5], 0, 0), image.encode(self.pictures[0])))
        self.assertRaisesRegex(SymcError, "a.rec: the record at byte 0: labels of boxes are the head's width, from 2 on, a row's, from 5 on, "
                                          "and whole rows, got 7 numbers$", self.made, 1)
        with recordio.MXRecordIO(self.path, "w") as writer:
            writer.write(recordio.pack((0, [2, 5, 0, .1, .1, .5, .5], 0, 0), b"no picture"))
        self.assertRaisesRegex(SymcError, "a.rec: the record at byte 0: the picture cannot be decoded: no picture that can", self.made(1).next)


if __name__ == "__main__":
    unittest.main()
