"""Asks compare_training, whose path is the argument, which losses it takes for MXNet's."""
import importlib.machinery
import importlib.util
import sys

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("compare_training", sys.argv[1])
module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_training", loader))
loader.exec_module(module)
assert module.learns_as([2.0, 1.5, 1.0], [2.0, 1.5, 1.0])
assert module.learns_as([2.0, 1.51, 1.01], [2.0, 1.5, 1.0])
assert not module.learns_as([2.0, 1.5, 1.1], [2.0, 1.5, 1.0])
assert not module.learns_as([2.0, 2.0, 2.0], [2.0, 1.5, 1.0])
assert not module.learns_as([2.0, 2.0, 2.0], [2.0, 2.0, 2.0])  # MXNet has to learn, too
