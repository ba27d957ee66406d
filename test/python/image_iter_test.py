"""If this fails, mx.image.ImageIter or ImageDetIter makes other batches of pictures than MXNet, whose numbers these are."""
import os
import random
import tempfile
import unittest

import numpy as np
from symc import SymcError, image, recordio


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.record, self.index, self.list = (os.path.join(self.folder, "a." + each) for each in ("rec", "idx", "lst"))
        draw = np.random.RandomState(0)
        self.pictures = [draw.randint(0, 256, (8 + number % 2, 9, 3)).astype("uint8") for number in range(5)]
        with recordio.MXIndexedRecordIO(self.index, self.record, "w") as writer, open(self.list, "w") as lines:
            for number, each in enumerate(self.pictures):
                file = image.encode(each)
                writer.write_idx(number, recordio.pack((0, float(number), number, 0), file))
                lines.write("%d\t%d.5\t%d.png\n" % (number, number, number))
                with open(os.path.join(self.folder, "%d.png" % number), "wb") as picture:
                    picture.write(file)


class Batches(Folder):
    def made(self, **options):
        source = {} if "imglist" in options or "path_imglist" in options else {"path_imgrec": self.record}
        return image.ImageIter(2, (3, 8, 9), path_root=self.folder, **source, **options)

    def labels(self, batches):
        return [(each.label[0].tolist(), each.pad) for each in batches]

    def test_sources(self):
        batches = self.made()
        self.assertEqual((batches.provide_data, batches.provide_label), ([("data", (2, 3, 8, 9))], [("softmax_label", (2,))]))
        first = batches.next()
        self.assertEqual(first.data[0][0].asnumpy().tolist(), self.pictures[0].transpose(2, 0, 1).tolist())
        for options, expected in (({}, [0, 1]), ({"path_imgidx": self.index}, [0, 1]), ({"path_imglist": self.list}, [0.5, 1.5]),
                                  ({"path_imgidx": self.index, "path_imglist": self.list}, [0.5, 1.5]),
                                  ({"imglist": [[3.0, "1.png"], [4.0, "0.png"]]}, [3, 4])):
            with self.subTest(options):
                batches = self.made(**options)
                for _ in range(2):
                    self.assertEqual(self.labels(batches)[0], (expected, 0))
                    batches.reset()
        several = self.made(imglist=[[[1, 2], "1.png"], [[3, 4], "0.png"]], label_width=2)
        self.assertEqual(self.labels(several), [([[1, 2], [3, 4]], 0)])

    def test_last_batch(self):
        for handle, epochs in (("pad", [[([0, 1], 0), ([2, 3], 0), ([4, 0], 1)]] * 2), ("discard", [[([0, 1], 0), ([2, 3], 0)]] * 2),
                               ("roll_over", [[([0, 1], 0), ([2, 3], 0)], [([4, 0], 0), ([1, 2], 0), ([3, 4], 0)]])):
            for options in ({}, {"path_imgidx": self.index}):
                batches, found = self.made(last_batch_handle=handle, **options), []
                for _ in epochs:
                    found.append(self.labels(batches))
                    batches.reset()
                self.assertEqual(found, epochs, handle)
        batches.hard_reset()
        self.assertEqual(batches.next().label[0].tolist(), [0, 1])

    def test_order_and_parts(self):
        random.seed(3)
        batches = self.made(path_imgidx=self.index, shuffle=True)
        found = [sum((each[0] for each in self.labels(batches)), [])[:5]]
        batches.reset()
        found.append(sum((each[0] for each in self.labels(batches)), [])[:5])
        self.assertEqual([sorted(each) for each in found], [[0, 1, 2, 3, 4]] * 2)
        self.assertNotEqual(*found)
        self.assertEqual(self.labels(self.made(path_imgidx=self.index, num_parts=2, part_index=1)), [([2, 3], 0)])

    def test_augmenters_of_ones_own(self):
        class Half(image.Augmenter):
            def __call__(self, src):
                return src * 0.5
        batches = self.made(aug_list=[image.CenterCropAug((9, 8)), image.CastAug(), Half()])
        self.assertEqual(batches.next().data[0][0].asnumpy().tolist(), (self.pictures[0].transpose(2, 0, 1) / 2).tolist())

    def test_refused(self):
        for options, kind, sentence in (
                ({"last_batch_handle": "keep"}, ValueError, "last_batch_handle is 'keep', needs pad, discard, roll_over"),
                ({"num_parts": 2, "part_index": 2}, ValueError, "part_index is 2 of num_parts = 2, needs 0 to 1"),
                ({"shuffle": True}, ValueError, "shuffle and num_parts find records by path_imgidx, which is missing"),
                ({"rand_resize": True}, ValueError, "rand_resize crops at drawn places: it needs rand_crop=True"),
                ({"mean": [1, 2, 3]}, ValueError, "mean is True, None or an array of 1 or 3 numbers, got [1, 2, 3]")):
            with self.assertRaises(kind) as raised:
                self.made(**options)
            self.assertEqual(str(raised.exception), sentence)
        with self.assertRaisesRegex(ValueError, "ImageIter reads path_imgrec, path_imglist or a list imglist; none was given"):
            image.ImageIter(2, (3, 8, 9))
        with self.assertRaisesRegex(ValueError, r"data_shape is \(1, 8, 9\), needs \(3, height, width\)"):
            image.ImageIter(2, (1, 8, 9), path_imgrec=self.record)
        with open(self.list, "a") as lines:
            lines.write("six\t1\t6.png\n")
        with self.assertRaises(SymcError) as raised:
            self.made(path_imglist=self.list)
        self.assertEqual(str(raised.exception),
                         "%s:6: needs a number, labels and a path between tabs, got 'six\\t1\\t6.png'" % self.list)
        with open(os.path.join(self.folder, "0.png"), "wb") as picture:
            picture.write(b"no picture")
        with self.assertRaisesRegex(RuntimeError, "^file 0.png: the picture cannot be decoded: no picture that can be read$"):
            self.made(imglist=[[0, "0.png"]]).next()


class Augmenters(unittest.TestCase):
    def setUp(self):
        self.picture = np.random.RandomState(1).randint(0, 256, (6, 8, 3)).astype("uint8")

    def test_create(self):
        made = image.CreateAugmenter((3, 4, 5), resize=6, rand_crop=True, rand_mirror=True, mean=True, std=True, brightness=.1, hue=.1,
                                     pca_noise=.1, rand_gray=.1)
        self.assertEqual([type(each).__name__ for each in made], [
            "ResizeAug", "RandomCropAug", "HorizontalFlipAug", "CastAug", "ColorJitterAug", "HueJitterAug", "LightingAug",
            "RandomGrayAug", "ColorNormalizeAug"])
        self.assertEqual(made[0].dumps(), '["resizeaug", {"size": 6, "interp": 2}]')
        self.assertEqual(made[4].dumps(), ["colorjitteraug", ['["brightnessjitteraug", {"brightness": 0.1}]']])

    def test_drawn_as_mxnet_draws(self):
        """What MXNet 1.9.1 makes after the same seed: the sum and the first pixel."""
        floats = self.picture.astype("float32")
        for made, source, total, first in (
                (image.RandomCropAug((3, 2)), self.picture, 2805, [50, 68, 215]),
                (image.RandomSizedCropAug((4, 4), .3, (.7, 1.4), 0), self.picture, 6081, [37, 235, 140]),
                (image.HorizontalFlipAug(.9), self.picture, 18280, [101, 146, 212]),
                (image.BrightnessJitterAug(.3), floats, 16347.8, [33.09, 210.16, 125.2]),
                (image.ContrastJitterAug(.3), floats, 18292.18, [46.59, 223.66, 138.7]),
                (image.SaturationJitterAug(.3), floats, 18292.18, [50.53, 227.6, 142.64]),
                (image.HueJitterAug(.3), floats, 18493.6, [39.45, 219.12, 215.3]),
                (image.RandomGrayAug(.9), floats, 18578.91, [186.77] * 3)):
            with self.subTest(type(made).__name__):
                random.seed(7)
                found = made(source).asnumpy()
                self.assertAlmostEqual(float(found.sum()) / total, 1, places=5)
                np.testing.assert_allclose(found[0, 0], first, atol=.01)

    def test_borders_and_sizes(self):
        made = image.copyMakeBorder(self.picture, 1, 0, 2, 1, values=(9, 8, 7))
        self.assertEqual((made.shape, made[0, 0].tolist(), made[1, 2].tolist()), ((7, 11, 3), [9, 8, 7], self.picture[0, 0].tolist()))
        self.assertEqual(image.copyMakeBorder(self.picture, 1, 0, 0, 0, type=1)[0].tolist(), self.picture[0].tolist())
        with self.assertRaisesRegex(ValueError, r"copyMakeBorder: type is 4, needs 0 \(a value\) or 1 \(the outermost pixels\)"):
            image.copyMakeBorder(self.picture, 1, 1, 1, 1, type=4)
        self.assertEqual(image.scale_down((8, 6), (16, 4)), (8, 2))
        self.assertEqual(image.ResizeAug(3, 9)(self.picture).shape, (3, 4, 3))
        self.assertEqual(image.ForceResizeAug((5, 7), 10)(self.picture).shape, (7, 5, 3))
        with self.assertRaisesRegex(ValueError, "interp is 7, needs 0 to 4, 9 or 10"):
            image.ResizeAug(3, 7)(self.picture)
        with self.assertRaisesRegex(NotImplementedError, "Augmenter has no __call__"):
            image.Augmenter()(self.picture)
        for make in (image.RandomSizedCropAug, lambda *given, **more: image.random_size_crop(self.picture, *given, **more)):
            with self.assertRaisesRegex(TypeError, "(RandomSizedCropAug|random_size_crop) has no option 'most'"):
                make((4, 4), .1, (1, 1), most=3)


class Boxes(Folder):
    HEAD = [2, 5]

    def made(self, batch_size=2, **options):
        lists = [[self.HEAD + [0, .1, .2, .5, .6], "0.png"], [self.HEAD + [1, .2, .2, .9, .9, 2, 0, 0, .5, .5], "1.png"],
                 [self.HEAD + [3, .5, .5, .4, .9], "2.png"]]  # the last box has no area
        return image.ImageDetIter(batch_size, (3, 8, 9), imglist=options.pop("imglist", lists[:2]), path_root=self.folder, **options)

    def test_batches(self):
        batches = self.made()
        self.assertEqual(batches.provide_label, [("label", (2, 2, 5))])
        batch = batches.next()
        np.testing.assert_allclose(batch.label[0].asnumpy(), [[[0, .1, .2, .5, .6], [-1] * 5], [[1, .2, .2, .9, .9], [2, 0, 0, .5, .5]]])
        self.assertEqual(batch.data[0][0].asnumpy().tolist(), self.pictures[0].transpose(2, 0, 1).tolist())
        random.seed(1)
        random.seed(next(seed for seed in range(99) if not random.seed(seed) and random.random() < .5))
        mirrored = self.made(1, rand_mirror=True)
        np.testing.assert_allclose(mirrored.next().label[0].asnumpy()[0, 0], [0, .5, .2, .9, .6], atol=1e-6)

    def test_parts_and_borders_keep_boxes(self):
        random.seed(2)
        picture, boxes = self.pictures[0], np.array([[1, .25, .25, .75, .75]], "float32")
        inside = np.zeros((40, 60, 3), "uint8")
        inside[10:30, 15:45] = 200  # where the box is
        for made in (image.DetRandomCropAug(.5), image.DetRandomPadAug(area_range=(1.5, 3), pad_val=(0, 0, 0)),
                     image.DetRandomSelectAug([image.DetHorizontalFlipAug(1)])):
            pixels, found = made(inside.copy(), boxes.copy())
            height, width = pixels.shape[:2]
            left, top, right, bottom = (found[0, 1:] * [width, height, width, height]).round().astype(int)
            self.assertEqual((np.asarray(pixels) == 200).sum(), (np.asarray(pixels)[top:bottom, left:right] == 200).sum())
            self.assertGreater((np.asarray(pixels)[top:bottom, left:right] == 200).mean(), .9)
        kinds = [each.dumps()[0] if isinstance(each.dumps(), list) else each.dumps() for each in image.CreateDetAugmenter(
            (3, 8, 9), resize=9, rand_crop=.5, rand_pad=.5, rand_mirror=True, mean=True)]
        self.assertEqual(kinds, ["detborrowaug", "detrandomselectaug", '["dethorizontalflipaug", {"p": 0.5}]', "detrandomselectaug",
                                 "detborrowaug", "detborrowaug", "detborrowaug"])
        self.assertEqual(len(image.CreateMultiRandCropAugmenter([.1, .5, .9]).aug_list), 3)
        self.assertEqual(picture.shape, (8, 9, 3))

    def test_shapes(self):
        batches, other = self.made(), self.made(1, imglist=[[self.HEAD + [0, .1, .2, .5, .6], "0.png"]])
        self.assertIs(batches.sync_label_shape(other, verbose=True), other)
        self.assertEqual((other.label_shape, other.provide_label), ((2, 5), [("label", (1, 2, 5))]))
        batches.reshape((3, 4, 4), (6, 5))
        self.assertEqual((batches.provide_data[0][1], batches.provide_label[0][1]), ((2, 3, 4, 4), (2, 6, 5)))
        with self.assertRaisesRegex(ValueError, r"label_shape is \(1, 5\), needs at least 6 rows of 5"):
            batches.reshape(label_shape=(1, 5))
        with self.assertRaisesRegex(TypeError, "sync_label_shape takes an ImageDetIter, got 3"):
            batches.sync_label_shape(3)

    def test_refused(self):
        with self.assertRaisesRegex(RuntimeError, "no box has an area"):
            self.made(imglist=[[self.HEAD + [3, .5, .5, .4, .9], "2.png"]])
        with self.assertRaisesRegex(RuntimeError, "labels of boxes are the head's width, from 2 on, a row's, from 5 on, and whole rows, "
                                                  "got 8 numbers"):
            self.made(imglist=[[self.HEAD + [3, .5, .5, .4, .9, 1], "2.png"]])
        with self.assertRaisesRegex(TypeError, "DetBorrowAug takes an Augmenter, got 3"):
            image.DetBorrowAug(3)
        with self.assertRaisesRegex(ValueError, "DetRandomSelectAug takes DetAugmenters"):
            image.DetRandomSelectAug([image.CastAug()])
        with self.assertRaisesRegex(ValueError, "lists of options have 2, 3, 1, 1, 1 values, need 1 or 3"):
            image.CreateMultiRandCropAugmenter([.1, .2], [(1, 1), (1, 2), (1, 3)])
        with self.assertWarnsRegex(UserWarning, r"DetRandomCropAug does nothing: area_range is \(0.5, 0.1\) and aspect_ratio_range"):
            self.assertFalse(image.DetRandomCropAug(area_range=(.5, .1)).enabled)
