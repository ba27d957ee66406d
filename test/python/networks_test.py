"""If this fails, a network of examples/networks is no longer the published one, or does not compile."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import symc

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
FOLDER = os.path.join(TOP, "examples", "networks")
SYMC = os.environ.get("SYMC") or os.path.join(os.path.dirname(symc.__file__), os.pardir, os.pardir, "bin", "symc")
sys.path.insert(0, FOLDER)
import catalog

#: Arguments; published parameters, and how many more there are here: bn_data's scales (6), a convolution of 64 x 64 in
#: the first shortcut (4096) with its norm (128), MobileNetV2's expansion by 1 with its norm (1088), the transformer's
#: own network (17406).
FACTS = {
    "mlp": (8, 109386, 0), "lenet": (10, 431080, 0), "lenet-stn": (16, 431080, 17406), "alexnet": (18, 62378344, 0),
    "vgg11": (24, 132863336, 0), "vgg16": (34, 138357544, 0), "googlenet": (118, 6998552, 0),
    "inception-bn": (280, 11295240, 0), "inception-v3": (286, 23834568, 0), "resnet18-v1": (67, 11689512, 4096 + 128),
    "resnet50-v1": (163, 25557032, 0), "resnet18-v2": (63, 11687854, 4096), "resnet50-v2": (159, 25549486, 0),
    "resnext50": (165, 25028904, 6), "mobilenet": (85, 4231976, 0), "mobilenet-v2": (163, 3504872, 1088),
    "densenet121": (368, 7978856, 6), "squeezenet1.0": (54, 1248424, 0), "squeezenet1.1": (54, 1235496, 0),
    "ssd300": (72, 26285486, 0), "lstm-unrolled": (17, 19780400, 0), "lstm-fused": (8, 19780400, 0),
    "bert-base": (202, 109482240, 0),
}
OUTPUTS = {
    "mlp": [(1, 10)], "lenet": [(1, 10)], "lenet-stn": [(1, 10)], "ssd300": [(1, 8732, 6)],
    "lstm-unrolled": [(35, 10000)] + 4 * [(1, 650)], "lstm-fused": [(35, 10000), (2, 1, 650), (2, 1, 650)],
    "bert-base": [(1, 128, 768), (1, 768)],
}


class Networks(unittest.TestCase):
    def test_each_is_the_published_one(self):
        self.assertEqual(list(catalog.NETWORKS), list(FACTS))
        for name, (arguments, published, more) in FACTS.items():
            with self.subTest(name):
                symbol, shapes = catalog.compose(name)
                self.assertEqual(len(symbol.list_arguments()), arguments)
                self.assertEqual(symbol.infer_shape(**shapes)[1], OUTPUTS.get(name, [(1, 1000)]))
                self.assertEqual(catalog.count_parameters(symbol, shapes), published + more)
                self.assertEqual(catalog.NETWORKS[name].parameters, published + more)
                self.assertEqual(symc.sym.load_json(symbol.tojson()).tojson(), symbol.tojson())

    def test_other_sizes_depths_and_widths(self):
        for name, size, options, parameters in (
                ("alexnet", None, {"groups": 2}, 60965224), ("resnet50-v1", None, {"num_layers": 152}, 60192808),
                ("resnet18-v1", 32, {"num_layers": 20, "num_classes": 10}, 272762),
                ("resnet18-v2", 32, {"num_layers": 164, "num_classes": 10}, 1703264),
                ("densenet121", None, {"num_layers": 161, "drop_out": 0}, 28681006),
                ("mobilenet", 128, {"alpha": 0.25}, 470072), ("inception-bn", 28, {"num_classes": 10}, 1652826),
                ("vgg11", None, {"num_layers": 19, "batch_norm": True}, 143678248),
                ("bert-base", 16, {"num_classes": 2, "layers": 24, "units": 1024, "heads": 16, "hidden": 4096},
                 335141888 + 2050)):
            with self.subTest(name=name, **options):
                self.assertEqual(catalog.count_parameters(*catalog.compose(name, size, **options)), parameters)

    def test_what_there_is_not(self):
        for name, size, options, text in (
                ("vgg11", None, {"num_layers": 12}, "VGG has 11, 13, 16 or 19 layers, not 12"),
                ("resnet18-v1", None, {"num_layers": 42},
                 "ResNet has 18, 34, 50, 101 or 152 layers for pictures over 32 x 32, not 42"),
                ("resnet18-v1", 32, {}, "ResNet has 6n + 2 layers for pictures of up to 32 x 32, not 18"),
                ("resnet18-v2", None, {"num_layers": 42},
                 "ResNet v2 has 18, 34, 50, 101, 152, 200 or 269 layers for pictures over 32 x 32, not 42"),
                ("resnet18-v2", 32, {},
                 "ResNet v2 has 9n + 2 layers from 164 on and 6n + 2 below for pictures of up to 32 x 32, not 18"),
                ("resnext50", None, {"num_layers": 18}, "ResNeXt has 50, 101 or 152 layers, not 18"),
                ("mobilenet", None, {"alpha": 2}, "MobileNet's alpha is 0.25, 0.5, 0.75 or 1, not 2"),
                ("densenet121", None, {"num_layers": 120}, "DenseNet has 121, 161, 169, 201 or 264 layers, not 120"),
                ("squeezenet1.0", None, {"version": "2"}, "SqueezeNet's versions are '1.0' and '1.1', not '2'")):
            with self.subTest(name=name, **options), self.assertRaisesRegex(ValueError, "^%s$" % re.escape(text)):
                catalog.compose(name, size, **options)


@unittest.skipUnless(os.access(SYMC, os.X_OK), "there is no %s" % os.path.normpath(SYMC))
class CompileNetwork(unittest.TestCase):
    def run_it(self, *arguments, folder=FOLDER, **variables):
        done = subprocess.run([sys.executable, os.path.join(folder, "compile-network"), *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "SYMC_COMPILER": SYMC, "PYTHONPATH": os.pathsep.join(sys.path), **variables})
        return done.returncode, done.stdout, done.stderr

    def test_the_two_smallest_compile_and_run(self):
        for name, parameters in (("mlp", 109386), ("lenet", 431080)):
            status, text, said = self.run_it(name, "--runs", "3")
            self.assertEqual((status, said), (0, ""))
            self.assertRegex(text, r"^input  data: 1 x 1 x 28 x 28\nparameters: %d\ncomposed in \d+ ms\n"
                                   r"compiled in [\d.]+ s, [\d.]+ MB\n"
                                   r"output softmax_output: 1 x 10, from 0\.\d+ to 0\.\d+\n"
                                   r"min [\d.]+ ms .*\(runs 3, .*\)\n$" % parameters)

    def test_mistakes(self):
        self.assertIn("bert-base        109.5 M parameters, bert.py\n", self.run_it("--list")[1])
        for arguments, status, text in (
                (["lenet5"], 2, "compile-network: no network 'lenet5'; there are mlp, lenet, "),
                ([], 2, "compile-network: no network is named; --list shows them"),
                (["mlp", "--image-size", "0"], 2, "argument --image-size: '0' is no extent, needs a number from 1 on"),
                (["resnet18-v1", "--image-size", "32"], 1,
                 "compile-network: ResNet has 6n + 2 layers for pictures of up to 32 x 32, not 18"),
                (["mlp", "-o", "/nowhere/mlp"], 1, "compile-network: symc ends with status 3\n")):
            with self.subTest(text):
                found = self.run_it(*arguments)
                self.assertEqual(found[0], status)
                self.assertIn(text, found[2])

    def test_what_is_not_as_it_should_be(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(FOLDER, "compile-network"), folder)
            self.assertEqual(self.run_it("mlp", folder=folder, PYTHONPATH=""),
                             (1, "", "compile-network: no Python package symc; build it first (cmake --build --preset release)\n"))
            self.assertEqual(self.run_it("mlp", SYMC_COMPILER="/nowhere/symc"),
                             (1, "", "compile-network: the program symc is not found; looked for /nowhere/symc\n"))
            # A compiler whose programs answer with nine numbers, one of them none.
            compiler = os.path.join(folder, "symc")
            with open(compiler, "w", encoding="utf-8") as file:
                file.write("#!%s\nimport os, shutil, sys\n"
                           "if '-o' in sys.argv:\n  shutil.copy(__file__, sys.argv[sys.argv.index('-o') + 1])\n"
                           "else:\n  shutil.copy('%s/nine.npy', sys.argv[-1] + '/softmax_output.npy')\n"
                           % (sys.executable, folder))
            os.chmod(compiler, 0o755)
            np.save(os.path.join(folder, "nine.npy"), np.array([[np.nan] + 8 * [0.125]]))
            status, _, said = self.run_it("mlp", SYMC_COMPILER=compiler)
            self.assertEqual((status, said), (1, "compile-network: output 'softmax_output' has shape 1 x 9 and 8 "
                                                 "finite numbers, needs shape 1 x 10 and finite ones alone\n"))


if __name__ == "__main__":
    unittest.main()
