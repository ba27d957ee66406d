"""If this fails, compare_peers takes wrong outputs for right ones, or right ones for wrong."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "bench", "peers"))
import results


class Wrong(unittest.TestCase):
    def test_by_precision(self):
        errors = {"symc": 2e-5, "openvino": 2e-4, "openvino-own": 2e-2, "mxnet": float("nan")}
        precisions = {"symc": "f32", "openvino": "f32", "openvino-own": "bf16", "mxnet": "f32"}
        self.assertEqual(results.wrong(errors, precisions), ["openvino", "mxnet"])
        self.assertEqual(results.wrong({"openvino-own": 0.3}, {"openvino-own": "f32"}), ["openvino-own"])
        self.assertEqual(results.wrong({"openvino-own": float("inf")}, {"openvino-own": "bf16"}), ["openvino-own"])

    def test_a_precision_that_openvino_chose_is_judged_by_its_own_bound(self):
        result = {"errors": {"openvino-own": 0.3}, "about": {"openvino-own": {"precision": "bf16"}}}
        self.assertEqual(results.wrong(result["errors"], {"openvino-own": "bf16"}), [])
        self.assertEqual(results.coarse(result), ["openvino-own in bf16 differs from MXNet by 3.0e-01, above the bound of its precision, 0.1"])
        self.assertEqual(results.coarse(dict(result, errors={"openvino-own": 0.05})), [])


class Bound(unittest.TestCase):
    RESULT = {"threads": 1, "compile": {"gflop": 0.1, "weights_bytes": 10**6, "arena_bytes": 0}}

    def test_the_cache_that_holds_the_weights(self):
        machine = {"peak_gflops": 1e6, "l2_bytes": 10**5, "l2_gbs": 100.0, "l3_bytes": 10**7, "l3_gbs": 50.0, "dram_gbs": 20.0}
        self.assertAlmostEqual(results.bound_ms(self.RESULT, machine), 0.02)

    def test_rates_that_the_probe_does_not_know(self):
        machine = {"peak_gflops": 1e6, "l3_bytes": 10**7, "l3_gbs": 0.0, "dram_gbs": 20.0}
        self.assertAlmostEqual(results.bound_ms(self.RESULT, machine), 0.05)
        self.assertIsNone(results.bound_ms(self.RESULT, dict(machine, dram_gbs=0.0)))
        self.assertIsNone(results.bound_ms(self.RESULT, dict(machine, peak_gflops=0.0)))


if __name__ == "__main__":
    unittest.main()
