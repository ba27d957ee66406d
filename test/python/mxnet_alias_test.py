"""If this fails, a script of MXNet that runs with symc in mxnet's place gets a second copy of a module."""
import os
import subprocess
import sys
import unittest

import symc

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "tools", "scripts", "lib")
SCRIPT = """
import sys
sys.path.append(%r)
import mxnet_alias
mxnet_alias.install(%r)
import mxnet as mx
import mxnet.ndarray as nd
from mxnet import sym
from mxnet.io import DataBatch
from mxnet.contrib.amp import amp
import symc
assert mx is symc and nd is symc.nd and sym is symc.symbol and DataBatch is symc.io.DataBatch and amp is symc.contrib.amp
try:
    import mxnet.gluon.model_zoo
except ModuleNotFoundError as reason:
    print(reason)
"""


class Alias(unittest.TestCase):
    def test_modules_are_there_once(self):
        package = os.path.dirname(os.path.dirname(os.path.abspath(symc.__file__)))
        ended = subprocess.run([sys.executable, "-c", SCRIPT % (LIB, package)], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertEqual(ended.stdout, "No module named 'mxnet.gluon.model_zoo'\n")

    def test_modules_may_come_in_any_order(self):
        package = os.path.dirname(os.path.dirname(os.path.abspath(symc.__file__)))
        for first in ("nd.contrib.box_nms", "sym.contrib.foreach", "nd.contrib.foreach", "optimizer.SGD", "mod.Module", "io.CSVIter",
                      "kvstore.create", "mon.Monitor", "recordio.pack", "image.imdecode", "io.ImageRecordIter", "autograd.pause"):
            ended = subprocess.run([sys.executable, "-c", "import sys\nsys.path.insert(0, %r)\nimport symc\nsymc.%s" % (
                package, first)], capture_output=True, text=True, check=False)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), first)


if __name__ == "__main__":
    unittest.main()
