"""symbol.pyi and ndarray.pyi beside the package tell of every operator with MXNet's order of arguments.

Breaks where the stubs do not parse, lack an operator, or were not made of this package's table.
"""
import ast
import inspect
import os
import unittest

import symc
from symc import operators

FILE = os.path.join(os.path.dirname(symc.__file__), "symbol.pyi")
WITHOUT_STUBS = {"onnx_backend.py"}  # it needs the package onnx, which a build does not have; module_stubs.py says so too


@unittest.skipUnless(os.path.exists(FILE), "the package has no symbol.pyi: it was built without Python")
class StubsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(FILE, encoding="utf-8") as text:
            body = ast.parse(text.read()).body
        cls.functions = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
        cls.classes = {each.name: {inner.name: inner for inner in each.body if isinstance(inner, ast.FunctionDef)}
                       for each in body if isinstance(each, ast.ClassDef)}

    def test_every_operator_is_there(self):
        for part, found in (("", self.functions), *(
                (part, self.classes["_Of_" + part]) for part in ("contrib", "linalg", "random", "image", "npx"))):
            self.assertEqual(set(operators.names_in(part)) - set(found) - operators._described, set(), part)
        self.assertTrue({"add", "sin", "concatenate", "sum"} <= set(self.classes["_Of_np"]))
        self.assertTrue({"uniform", "choice"} <= set(self.classes["_Of_np_random"]))
        self.assertTrue({"foreach", "while_loop", "cond"} <= set(self.classes["_Of_contrib"]))

    def test_arguments_are_in_mxnets_order(self):
        arguments = [each.arg for each in self.functions["Convolution"].args.args]
        self.assertEqual(arguments, ["data", "weight", "bias", "kernel", "stride", "dilate", "pad", "num_filter",
                                     "num_group", "workspace", "no_bias", "cudnn_tune", "cudnn_off", "layout",
                                     "name", "attr"])
        self.assertEqual(self.functions["Concat"].args.vararg.arg, "data")

    def test_symbols_have_methods(self):
        self.assertTrue({"infer_shape", "tojson", "__add__", "exp", "reshape"} <= set(self.classes["Symbol"]))
        self.assertEqual(ast.unparse(self.classes["Symbol"]["eval"].returns), "List[Any]")
        self.assertEqual([each.arg for each in self.classes["Symbol"]["expand_dims"].args.args][:2], ["self", "axis"])

    def test_every_module_is_typed(self):
        folder = os.path.dirname(FILE)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        bodies = {}
        for name in os.listdir(folder):
            if name.endswith(".py") and (name[0] != "_" or name == "__init__.py") and name not in WITHOUT_STUBS:
                with open(os.path.join(folder, name + "i"), encoding="utf-8") as text:
                    bodies[name[:-3]] = ast.parse(text.read()).body
        names = {alias.asname for each in bodies["__init__"] if isinstance(each, ast.ImportFrom) for alias in each.names}
        self.assertEqual({each for each in dir(symc) if each[0] != "_"} - names - {"importlib"} - set(bodies), set())
        parts = [each for module in ("model", "model_states") for each in bodies[module] if isinstance(each, ast.ClassDef) and
                 each.name in ("Model", "ModelStates")]
        self.assertEqual([ast.unparse(base) for base in parts[0].bases], [parts[1].name])
        methods = {each.name for part in parts for each in part.body if isinstance(each, ast.FunctionDef)}
        fields = {each.target.id for part in parts for each in part.body if isinstance(each, ast.AnnAssign)}
        self.assertEqual({each for each in dir(symc.Model) if each[0] != "_"} - methods, set())
        self.assertTrue({"inputs", "states", "parameters", "name", "path"} <= fields)
        (compile_stub,) = [each for each in bodies["compiler"] if getattr(each, "name", "") == "compile"]
        self.assertEqual([each.arg for each in compile_stub.args.args],
                         list(inspect.signature(symc.compile).parameters))
        self.assertTrue(all(each.annotation for each in compile_stub.args.args))
        self.assertEqual(ast.unparse(compile_stub.returns), "'Model'")

    def test_arrays_have_functions_and_methods(self):
        with open(os.path.join(os.path.dirname(FILE), "ndarray.pyi"), encoding="utf-8") as text:
            body = ast.parse(text.read()).body
        functions = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
        classes = {each.name: {inner.name: inner for inner in each.body if isinstance(inner, ast.FunctionDef)}
                   for each in body if isinstance(each, ast.ClassDef)}
        self.assertEqual(set(operators.names_in("")) - set(functions) - operators._described, set())
        self.assertTrue({"array", "concat", "add", "load", "save", "waitall"} <= set(functions))
        self.assertEqual([each.arg for each in functions["topk"].args.args],
                         ["data", "axis", "k", "ret_typ", "is_ascend", "dtype", "out", "name"])
        self.assertTrue({"exp", "tile", "asnumpy", "reshape", "attach_grad"} <= set(classes["NDArray"]))
        self.assertTrue({"uniform", "shuffle"} <= set(classes["_Of_random"]))
        self.assertTrue({"foreach", "box_nms"} <= set(classes["_Of_contrib"]))


if __name__ == "__main__":
    unittest.main()
