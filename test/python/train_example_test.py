"""If this fails, examples/train-mnist does not learn, or what it saves cannot be trained further or compiled."""
import gzip
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import symc

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
SCRIPT = os.path.join(TOP, "examples", "train-mnist", "train-mnist")


class Example(unittest.TestCase):
    def run_script(self, folder, *words):
        ended = subprocess.run([sys.executable, SCRIPT, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return float(re.search(r"^accuracy (\d\.\d{4})$", ended.stdout, re.M).group(1)), ended.stderr

    def test_drawn_digits(self):
        with tempfile.TemporaryDirectory() as folder:
            first, log = self.run_script(folder, "--num-examples", "1200", "--num-epochs", "2")
            self.assertGreater(first, 0.6)
            self.assertIn("Epoch[1] Validation-accuracy=", log)
            then, log = self.run_script(folder, "--num-examples", "1200", "--num-epochs", "8", "--load-epoch", "2")
            self.assertGreater(then, 0.85)
            self.assertEqual(re.findall(r"Epoch\[(\d)\] Time", log), list("234567"))
            symbol, arguments, _ = symc.model.load_checkpoint(os.path.join(folder, "mnist"), 8)
            model = symc.compile(symbol, arguments, {"data": (1, 1, 28, 28)})
            sys.path.append(os.path.join(TOP, "examples", "digits"))
            import draw_digits
            picture = draw_digits.draw(7, np.random.default_rng(3), plain=True)
            self.assertEqual(int(np.argmax(model(data=picture[None, None]))), 7)
            model.close()

    def test_files_of_mnist(self):
        """Digits of two kinds, bright above or below, in the four files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, count in (("train", 256), ("t10k", 64)):
                labels = np.arange(count) % 2
                pictures = np.random.RandomState(count).randint(0, 99, (count, 28, 28))
                pictures[labels == 0, :14] += 120
                pictures[labels == 1, 14:] += 120
                with gzip.open(os.path.join(folder, name + "-images-idx3-ubyte.gz"), "wb") as file:
                    file.write(struct.pack(">4i", 2051, *pictures.shape) + pictures.astype("uint8").tobytes())
                with open(os.path.join(folder, name + "-labels-idx1-ubyte"), "wb") as file:
                    file.write(struct.pack(">2i", 2049, count) + labels.astype("uint8").tobytes())
            accuracy, _ = self.run_script(folder, "--data-dir", folder, "--num-epochs", "3", "--optimizer", "adam", "--lr",
                                          "0.001", "--model-prefix", os.path.join(folder, "own"))
            self.assertEqual(accuracy, 1.0)
            self.assertTrue(os.path.exists(os.path.join(folder, "own-0003.states")))


if __name__ == "__main__":
    unittest.main()
