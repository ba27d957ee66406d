#!/usr/bin/env python3
"""Composes a net of the operators in scale.c and built-in ones, compiles it to a library that opens libscale.so and to
a program that holds scale.o, and compares both with NumPy. The argument is the program symc."""
import os
import subprocess
import sys

import numpy
import symc as mx


def compose():
    """softmax(row_norm(limit(scale(fc(data)))))"""
    mx.library.load("libscale.so")
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="fc")
    net = mx.sym.my_scale(net, alpha=2, beta=0.5, name="scale")
    net = mx.sym.my_row_norm(mx.sym.my_limit(net, most=1.5), norm="l1", name="norm")
    return mx.sym.softmax(net, name="answer")


def expected(data, weights):
    x = 2 * (data @ weights["fc_weight"].T + weights["fc_bias"]) + numpy.float32(0.5)
    x = numpy.clip(x, 0, numpy.float32(1.5))
    x = x / numpy.abs(x).sum(axis=1, keepdims=True) * weights["norm_gamma"]
    x = numpy.exp(x - x.max(axis=1, keepdims=True))
    return x / x.sum(axis=1, keepdims=True)


def tell(way, answer, wanted):
    error = numpy.abs(answer - wanted).max()
    print("%s: differs from NumPy by %s" % (way, "at most 1e-6" if error <= 1e-6 else error))
    return error <= 1e-6


def main():
    net = compose()
    print("arguments: %s" % ", ".join(net.list_arguments()))
    shapes, outputs, _ = net.infer_shape(data=(3, 8))
    print("norm_gamma: %s, answer: %s" % (shapes[-1], outputs[0]))
    random = numpy.random.RandomState(7)
    weights = {name: random.uniform(-1, 1, shape).astype("float32")
               for name, shape in zip(net.list_arguments(), shapes) if name != "data"}
    data = random.uniform(-1, 1, (3, 8)).astype("float32")
    wanted = expected(data, weights)

    os.makedirs("net", exist_ok=True)
    model = mx.compile(net, weights, {"data": (3, 8)}, output="net/libnet.so")
    good = tell("a library that opens libscale.so", model(data=data), wanted)

    net.save("net/net-symbol.json")
    mx.nd.save("net/net-0000.params", weights)
    numpy.save("net/data.npy", data)
    subprocess.run([sys.argv[1], "net/net-symbol.json", "net/net-0000.params", "--custom-op", "scale.o", "--shape",
                    "data=3,8", "-o", "net/net"], check=True)
    subprocess.run(["net/net", "--input", "data=net/data.npy", "--output-dir", "net"], check=True)
    good &= tell("a program that holds scale.o", numpy.load("net/answer_output.npy"), wanted)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
