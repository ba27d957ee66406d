"""Prints the bytes that MXNet plans for the results of one net's step (Executor.debug_str), for
compare_training --memory. Runs in MXNet's environment.

    python plan.py NET

The text counts whole MiB; small nets are bound with many batches, and the bytes divided.
"""
import argparse
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import needs

needs.modules("mxnet")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nets

SMALL, MANY = 32, 64  # MiB; batches


def planned(mx, symbol, net, batches):
    """MiB of a batch."""
    executor = symbol.simple_bind(mx.cpu(), grad_req={name: "null" if name in ("data", "softmax_label") else "write"
                                                      for name in symbol.list_arguments()},
                                  data=(batches * net.data[0],) + net.data[1:],
                                  softmax_label=(batches * net.label[0],) + net.label[1:])
    return int(re.search(r"Total (\d+) MB allocated", executor.debug_str()).group(1)) / batches


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", choices=[net.name for net in nets.NETS])
    net = nets.find(parser.parse_args().net)
    import mxnet as mx
    symbol = nets.build(mx, net)
    plan = planned(mx, symbol, net, 1)
    if plan < SMALL:
        plan = planned(mx, symbol, net, MANY)
    print(int(plan * 2**20))


if __name__ == "__main__":
    main()
