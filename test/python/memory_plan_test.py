"""Pictures of what a model does: its memory plan and its profile.

If this fails, a plan tells other bytes than the compiler placed, a notebook shows no picture, or a library without a
plan does not say so.
"""
import os
import tempfile
import unittest
import xml.etree.ElementTree

import numpy as np

import symc
from symc.memory_plan import Buffer, MemoryPlan
from symc.model import Profile, Step

TEXT = """arena 192 bytes, 3 steps, 3 buffers
   offset      bytes  first  last  node
        0        128      0     1  conv & co
      128         64      1     2  pool
        0         64      2     2  
"""


def texts(picture):
    return [each.text for each in xml.etree.ElementTree.fromstring(picture).iter() if each.text]


class MemoryPlanTest(unittest.TestCase):
    def test_reads_what_symc_writes(self):
        plan = MemoryPlan(TEXT)
        self.assertEqual(plan, [Buffer(0, 128, 0, 1, "conv & co"), Buffer(128, 64, 1, 2, "pool"),
                                Buffer(0, 64, 2, 2, "")])
        self.assertEqual(plan.live_bytes(), [128, 192, 128])
        self.assertEqual(str(plan) + "\n", TEXT)
        shown = texts(plan._repr_svg_())
        self.assertIn("An arena of 192 bytes over 3 steps", shown)
        self.assertIn("conv & co: 128 bytes from 0 on, steps 0 to 1", shown)
        self.assertRaisesRegex(symc.SymcError, "'nothing' begins no memory plan", MemoryPlan, "nothing")

    def test_of_models(self):
        x = symc.sym.Variable("x")
        net = symc.sym.softmax(symc.sym.Pooling(x, kernel=(2, 2), pool_type="max", name="p"), name="s")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.so")
            with symc.compile(net, shapes={"x": (1, 2, 8, 8)}, output=path) as model:
                plan = model.memory_plan()
                self.assertIn("p", [each.node for each in plan])
                self.assertIn(plan.arena_bytes - max(plan.live_bytes()), range(64 * len(plan)))  # 64 is the alignment
                self.assertRegex(model.describe(), "arena %d bytes" % plan.arena_bytes)
                self.assertEqual(model(np.zeros((1, 2, 8, 8), "float32")).shape, (1, 2, 7, 7))
            with symc.Model(path) as loaded:
                self.assertRaisesRegex(symc.SymcError, "the memory plan of '.*net.so' is not in its file; symc.compile "
                                       "keeps it", loaded.memory_plan)

    def test_profiles(self):
        profile = Profile([Step(0.5, 0.25, "conv 2x1", "a<b", "1x2", 10, 20), Step(1.5, 0.75, "pool", "p", "1", 0, 4)])
        shown = texts(profile._repr_svg_())
        self.assertIn("a<b", shown)
        self.assertIn("1.5 ms, 75.0 %", shown)
        self.assertIn("0.5 ms, 25.0 %, 0.0 GFLOP/s", shown)
        self.assertIn("total 2 ms in 2 steps", shown)
        self.assertIn("total 0 ms in 0 steps", texts(Profile().svg()))

    def test_profiles_by_node(self):
        steps = [("fill", "c+r", 1), ("copy", "x", 2), ("conv", "c+r", 4), ("pool", "p", 8), ("copy", "", 0.5), ("reduce", "s", 3)]
        profile = Profile(Step(time, 0, kernel, node, "1", 1000 if kernel == "conv" else 0, 10) for kernel, node, time in steps)
        rows = [(row.node, row.kernel, row.milliseconds, row.steps) for row in profile.rows()]
        self.assertEqual(rows, [("p", "pool", 8.5, 2), ("c+r", "conv", 5, 2), ("s", "reduce", 3, 1), ("x", "copy", 2, 1)])
        self.assertEqual([row.node for row in profile.rows(top=1)], ["p", "3 others"])
        self.assertEqual(sum(row.milliseconds for row in profile.rows(top=1)), 18.5)
        self.assertRegex(str(profile), r"^ +ms +share +GFLOP/s +MB +steps +kernel +node\n +8\.5000 +45\.9% +- +0\.000 +2 +pool +p\n")
        self.assertLessEqual(float(xml.etree.ElementTree.fromstring(Profile(
            Step(1, 0, "conv", "n%d" % i, "1", 1, 1) for i in range(400)).svg()).get("height")), 900)


if __name__ == "__main__":
    unittest.main()
