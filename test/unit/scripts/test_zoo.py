"""If this fails, compare_zoo lists nets that are not there, calls wrong boxes right, or sums up wrongly."""
import os
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("this Python has no numpy")

TOOLS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools")
sys.path[:0] = [os.path.join(TOOLS, "bench", "zoo"), os.path.join(TOOLS, "scripts", "lib")]
import answers
import nets
import reference_share
import zoo_page


def row(name, threads=1, error=1e-6, wrong=(), **ratios):
    return {"row": name, "threads": threads, "ratios": ratios, "errors": {"symc": error}, "wrong": list(wrong),
            "ms": dict({"symc": 2.0}, **{peer: 2.0 * ratio for peer, ratio in ratios.items()}),
            "compile": {"reference_percent": 7, "seconds": 1.5, "peak_bytes": 5e8}}


class Zoo(unittest.TestCase):
    def test_the_list(self):
        names = [net.name for net in nets.NETS]
        self.assertGreaterEqual(len(names), 60)
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual([net.name for net in nets.select(",".join(nets.SAMPLE))], [n for n in names if n in nets.SAMPLE])
        self.assertEqual(len(nets.SAMPLE), 8)
        with self.assertRaisesRegex(ValueError, "no such net: resnet5; --list shows them"):
            nets.select("alexnet,resnet5")

    def judge(self, ours, wanted):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "outputs.npz")
            np.savez(path, *ours)
            return answers.judge_detection(path, wanted)

    def test_boxes_are_sets(self):
        rng = np.random.default_rng(1)
        wanted = [rng.integers(0, 20, (1, 300, 1)).astype("f4"), rng.uniform(0, 1, (1, 300, 1)).astype("f4"),
                  rng.uniform(0, 500, (1, 300, 4)).astype("f4")]
        order = rng.permutation(300)
        self.assertLessEqual(self.judge([x[:, order] for x in wanted], wanted), answers.ALLOWED)
        one = [x.copy() for x in wanted]
        one[2][0, 7] += 40
        self.assertLessEqual(self.judge(one, wanted), answers.ALLOWED)  # one of 300 hangs on the last bit of a score
        seven = [x.copy() for x in wanted]
        seven[2][0, 7:14] += 40
        self.assertGreater(self.judge(seven, wanted), answers.ALLOWED)
        self.assertGreater(self.judge([np.repeat(x[:, :1], 300, 1) for x in wanted], wanted), answers.ALLOWED)
        self.assertGreater(self.judge(wanted[:2], wanted), answers.ALLOWED)

    def test_sums(self):
        report = {"machine": {"cpu": "a processor"}, "runs": 3, "flags": "--threads 1", "rows": [
            row("alexnet", mxnet=2.0, openvino=1.5), row("dcgan", mxnet=0.9),
            row("shufflenet_v1", mxnet=4.0, openvino=1.05), row("vgg16", error=0.5, wrong=["symc"], mxnet=3.0),
            row("srgan", wrong=["openvino"], mxnet=1.2, openvino=0.1)]}
        text = zoo_page.summary(report)
        self.assertIn("1 thread: 5 nets, geometric mean over the faster of MXNet and OpenVINO 1.14 (bar 1.3); slower than MXNet: dcgan", text)
        self.assertIn("below their bar to OpenVINO: shufflenet_v1", text)
        self.assertIn("WRONG or not compared: vgg16", text)
        self.assertIn("| dcgan | 1x100x1x1 | 2.00 | 0.90 | - | - | 1.0e-06 | 7 % | 1.5 | 500 |", zoo_page.page(report))
        self.assertIn("symc is WRONG", zoo_page.line(report["rows"][3]))

    def test_measured_shares(self):
        profile = """running on zeros: data f32 [1, 3, 8, 8]
step         ms   share  GFLOP/s       MB  roof  kernel                             node
   0     3.0000   60.0%   115.71    5.804   98%  conv 2x1x14|1x2x3                  first
   1     1.5000   30.0%        -    4.320    1%  call symc_ref_box_nms_f32          boxes
  12     0.5000   10.0%        -    0.301    4%  copy                               last
total 5.000 ms in 3 steps, 5.100 ms a run, 0.350 GFLOP  (least of 2 runs, threads 1, x86-64-v4)
"""
        self.assertAlmostEqual(reference_share.share_of(profile), 30)
        measured = dict(row("alexnet", mxnet=2.0), reference_measured=3.4)
        self.assertEqual(zoo_page.cells(measured)[5], "3 %")


if __name__ == "__main__":
    unittest.main()
