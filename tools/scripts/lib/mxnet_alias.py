"""Puts symc in mxnet's place: `import mxnet`, `import mxnet.ndarray as nd` and `from mxnet.io import DataBatch` give symc's
modules, each once. Scripts of MXNet run unchanged behind it.

    import mxnet_alias
    mxnet_alias.install("build/release/python")
"""
import importlib
import importlib.abc
import importlib.machinery
import os
import sys


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """mxnet.a.b is the attribute b of symc's module a. `absent` makes a module in place of one that symc lacks; without
    it the import fails."""

    def __init__(self, absent=None):
        self.absent = absent

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("mxnet."):
            return None
        if self.absent is None and self.own(name) is None:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    @staticmethod
    def own(name):
        """symc's module of this name, None where there is none."""
        found = sys.modules["symc"]
        for part in name.split(".")[1:]:
            found = getattr(found, part, None)
        return found

    def create_module(self, spec):
        own = self.own(spec.name)
        return own if own is not None else self.absent(spec.name)

    def exec_module(self, module):
        pass


def install(packages, absent=None):
    """`packages`: the folder that holds symc. Gives symc."""
    sys.path.insert(0, os.path.abspath(packages))
    symc = importlib.import_module("symc")
    sys.modules["mxnet"] = symc
    sys.meta_path.insert(0, Finder(absent))
    return symc
