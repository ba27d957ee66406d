"""If these fail, cuda_kernels.py passes kernels that spill, use a stack or ask for more than a block may have, or that
ptxas never saw. Run by ctest as check-scripts.
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "scripts", "oracles"))
import cuda_kernels

# As `symc --report` prints them: with a tile and without one.
ROWS = """step  kernel                                   tile     grid           threads  regs  shared  stack  spills
   0  k0_conv1_relu1                           32x32    25                  64    80    4352      0       0      12   0.02       0.5     0.01       6.9  conv1+relu1
   1  k1_sort                                           1x2x3                1    34       0     48       0      32   0.00       0.0     0.00       2.5  sort
  12  k2_pool                                           3                  256     0       0      0       0       8   0.00       0.0     0.00       2.5  pool+a b
launches 3, 0.001 GFLOP, arena 1 bytes, prepared weights 1 bytes
"""
SOURCE = """static __device__ float symc_ref_helper(float x) { return x; }
// conv
extern "C" __global__ void __launch_bounds__(64) k0_conv1_relu1(float *data, const float *filter) {
  int i;
}
extern "C" __global__ void __launch_bounds__(1) k1_sort(const float *a, float *b) {
  of_sort::symc_ref_sort_f32(&args);
}
extern "C" __global__ void k2_pool(float *b) {
}
"""
SASS = """.section\t.text.k1_pool,"ax",@progbits
.text.k1_pool:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
        /*0010*/                   %s
        /*0020*/                   EXIT ;
\t.section\t.text.k0_conv,"ax",@progbits
.text.k0_conv:
        /*0000*/                   FFMA R9, R2, R3, R9 ;
.L_x_1:
        /*0010*/                   LDS R2, [R4] ;
.L_x_0:
        /*0020*/                   FFMA R0, R2, R3, R0 ;
        /*0030*/                   %s
        /*0040*/                   IADD3 R4, R4, 0x1, RZ ;
        /*0050*/               @P0 BRA `(.L_x_0) ;
        /*0060*/              @!P1 BRA `(.L_x_1) ;
        /*0070*/                   EXIT ;
"""


def row(**changed):
    return {**{"tile": None, "threads": "256", "registers": "80", "shared": "0", "stack": "0", "spills": "0", "blocks": "8"}, **changed}


class Judging(unittest.TestCase):
    def test_rows_of_a_report(self):
        rows = {found["kernel"]: found for found in cuda_kernels.ROW.finditer(ROWS)}
        self.assertEqual(sorted(rows), ["k0_conv1_relu1", "k1_sort", "k2_pool"])
        self.assertEqual(rows["k0_conv1_relu1"].group("grid", "threads", "registers", "shared"), ("25", "64", "80", "4352"))
        self.assertEqual(rows["k1_sort"].group("grid", "threads", "registers", "stack"), ("1x2x3", "1", "34", "48"))
        self.assertEqual(cuda_kernels.complaints(rows["k2_pool"], False), ["ptxas does not report it"])

    def test_kernels_that_call_reference_kernels(self):
        self.assertEqual(cuda_kernels.reference_kernels(SOURCE), {"k1_sort"})

    def test_sass(self):
        text = SASS % ("", "FFMA R1, R2, R3, R1 ;")
        self.assertEqual(cuda_kernels.read_sass(text), {"k1_pool": (0, 0), "k0_conv": (0, 0.5)})
        text = SASS % ("STL.64 [R1+0x58], RZ ;", "FADD R1, R2, R1 ;")
        self.assertEqual(cuda_kernels.read_sass(text), {"k1_pool": (1, 0), "k0_conv": (0, 0.25)})

    def test_limits(self):
        complain = cuda_kernels.complaints
        self.assertEqual(complain(row(registers="255", shared="49152"), False), [])
        self.assertEqual(complain(row(tile="wgmma-128x64", shared="73728"), False), [])
        self.assertEqual(complain(row(tile="tma-128x128/3", shared="99328"), False), [])
        self.assertEqual(complain(row(tile="wgmma-128x64", shared="232449"), False), ["232449 bytes of shared memory"])
        self.assertEqual(complain(row(stack="16", spills="8"), False), ["16 bytes of stack", "8 bytes of spills"])
        self.assertEqual(complain(row(stack="16"), True), [])
        self.assertEqual(complain(row(registers="256", shared="49153", blocks="0"), True), [
            "256 registers", "49153 bytes of shared memory", "not one block fits a multiprocessor"])


if __name__ == "__main__":
    unittest.main()
