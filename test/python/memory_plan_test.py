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
        self.assertIn("1.5000 ms, 75.0 %", shown)
        self.assertIn("total 2 ms", shown)
        self.assertIn("total 0 ms", texts(Profile().svg()))


if __name__ == "__main__":
    unittest.main()
