"""If this fails, a change of generated code is taken for none, or none for one."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "scripts", "oracles"))
import same_code

LISTING = """
	.section	.rodata.cst4,"aM",@progbits,4
.LCPI%(n)d_0:
	.long	%(constant)s
	.section	.text.net_run_0_k0_loops,"ax",@progbits
net_run_0_k0_loops:                     # @net_run_0_k0_loops
	vbroadcastss	.LCPI%(n)d_0(%%rip), %%ymm0
.LBB%(n)d_1:                                # %%loop
	vmulps	%%ymm0, %%ymm1, %%ymm1
	jne	.LBB%(n)d_1
	retq
	.section	.text.symc_create,"ax",@progbits
symc_create:
	retq
"""


def functions(n, constant):
    return same_code.functions_of(LISTING % {"n": n, "constant": constant}, "net")


class SameCode(unittest.TestCase):
    def test_only_the_models_functions(self):
        self.assertEqual(list(functions(0, "0x3f800000")), ["net_run_0_k0_loops"])

    def test_numbers_of_labels_do_not_matter(self):
        self.assertEqual(functions(3, "0x3f800000"), functions(17, "0x3f800000"))

    def test_constants_do(self):
        self.assertNotEqual(functions(3, "0x3f800000"), functions(3, "0x40000000"))


if __name__ == "__main__":
    unittest.main()
