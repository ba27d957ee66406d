"""If this fails, examples/networks/lstm.py does not tell how the weights of its two forms go into each other."""
import os
import sys
import tempfile
import unittest

import numpy as np
import symc

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
SYMC = os.environ.get("SYMC") or os.path.join(os.path.dirname(symc.__file__), os.pardir, os.pardir, "bin", "symc")
sys.path[:0] = [os.path.join(TOP, "examples", "networks"), os.path.join(TOP, "tools", "scripts", "lib")]
import catalog
import ndarray_file
from compiled_model import Symc


@unittest.skipUnless(os.access(SYMC, os.X_OK), "there is no %s" % os.path.normpath(SYMC))
class Lstm(unittest.TestCase):
    def test_the_fused_lstm_takes_the_weights_of_the_unrolled_one(self):
        size, rng, answers = {"num_classes": 11, "embed": 5, "hidden": 6}, np.random.default_rng(1), []
        unrolled, shapes = catalog.compose("lstm-unrolled", 4, **size)
        found = dict(zip(unrolled.list_arguments(), unrolled.infer_shape(**shapes)[0]))
        weights = {name: rng.standard_normal(shape).astype("float32") for name, shape in found.items()
                   if catalog.is_parameter(name, shapes)}
        cells = ["lstm_l%d_%%s_%s" % (layer, kind) for kind in ("weight", "bias") for layer in (0, 1)]
        flat = np.concatenate([weights[cell % part].ravel() for cell in cells for part in ("i2h", "h2h")])
        words, states = rng.integers(0, 11, (4, 1)), rng.standard_normal((2, 2, 1, 6)).astype("float32")
        with tempfile.TemporaryDirectory() as work:
            for name in ("lstm-unrolled", "lstm-fused"):
                symbol, shapes = catalog.compose(name, 4, **size)
                values, inputs = weights, {"data": words.astype("float32")}
                if name == "lstm-fused":
                    values = {key: weights[key] for key in weights if key in symbol.list_arguments()}
                    values["lstm_parameters"] = flat
                    inputs.update({"lstm_begin_state_%d" % number: states[number] for number in (0, 1)})
                else:
                    inputs.update({"lstm_l%d_begin_state_%d" % (layer, number): states[number, layer]
                                   for layer in (0, 1) for number in (0, 1)})
                files = [os.path.join(work, name + end) for end in (".json", ".params")]
                symbol.save(files[0])
                ndarray_file.save(files[1], {"arg:" + key: value for key, value in values.items()})
                program, result = Symc(os.path.dirname(SYMC), work).compile(files, shapes, name)
                self.assertEqual((result.status, result.output), (0, ""))
                outputs = Symc(os.path.dirname(SYMC), work).run(program, inputs)[0]
                answers.append([outputs[key] for key in symbol.list_outputs()])
        one, other = answers
        np.testing.assert_allclose(one[0], other[0], rtol=1e-5)
        for number in (0, 1):
            np.testing.assert_allclose([one[1 + number], one[3 + number]], other[1 + number], rtol=1e-5, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
