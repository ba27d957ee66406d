"""Writes inputs of custom-gradients.test, and compares gradients with those of
product = 3 a exp(b), s = (a + exp(b))^2; the sign of the sum is that of prediction or training."""
import sys

import numpy

rng = numpy.random.default_rng(7)
a, b, g = (rng.standard_normal((2, 3)).astype("float32") for _ in range(3))
if sys.argv[1] == "write":
    for name, value in (("a", a), ("b", b), ("g", g), ("zeros", 0 * g)):
        numpy.save(name + ".npy", value)
elif sys.argv[1] in ("training", "prediction"):
    sign = -1 if sys.argv[1] == "training" else 1
    numpy.testing.assert_allclose(numpy.load("out/p_sum.npy"), sign * (a + numpy.exp(b)), rtol=1e-5, atol=1e-5)
else:
    e = numpy.exp(b)
    expected = {"a": 3 * g * e + 2 * (a + e), "b": e * (3 * g * a + 2 * (a + e))}
    for name in sys.argv[2:]:
        numpy.testing.assert_allclose(numpy.load("out/grad/%s.npy" % name), expected[name], rtol=1e-5, atol=1e-5)
