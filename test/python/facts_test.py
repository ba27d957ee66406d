"""Facts of symbols that MXNet 1.9.1 loaded from files, against what the package tells of the same files.

SYMC_CONFORMANCE_DIR names the folder of public cases; symbols/<graph>/ in it has symbol.json and facts.json. Breaks
where a name, list, attribute, shape or type of a symbol differs from MXNet's, or a mistake is no longer one.
"""
import json
import os
import unittest
import warnings

import numpy as np

import symc as mx

CONFORMANCE = os.environ.get("SYMC_CONFORMANCE_DIR")
FOLDER = os.path.join(CONFORMANCE or "", "symbols")


# Partial facts that are not compared: MXNet takes an unknown extent for 0 in a sum.
OUTSIDE = ("concat",)


def lists_of(shapes):
    return [each if each is None else [list(shape) for shape in each] for each in shapes]


def names_of(types):
    return [each if each is None else [None if kind is None else np.dtype(kind).name for kind in each]
            for each in types]


def tells_all(found, wanted):
    """Whether shapes tell what MXNet's do; they may tell more. [] and 0 tell nothing."""
    return len(found) == len(wanted) and all(
        not shape or (len(mine) == len(shape) and all(extent in (0, own) for own, extent in zip(mine, shape)))
        for mine, shape in zip(found, wanted))


@unittest.skipUnless(CONFORMANCE, "SYMC_CONFORMANCE_DIR names no folder of public cases")
class FactsTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.graphs = []
        for graph in sorted(os.listdir(FOLDER)):
            with open(os.path.join(FOLDER, graph, "facts.json"), encoding="utf-8") as text:
                cls.graphs.append((graph, mx.sym.load(os.path.join(FOLDER, graph, "symbol.json")), json.load(text)))

    def each(self, fact, check):
        """Calls check(symbol, what MXNet stored) for every graph, as a sub-test."""
        for graph, symbol, facts in self.graphs:
            with self.subTest(graph=graph, fact=fact):
                check(symbol, facts[fact])
        self.assertGreater(len(self.graphs), 60)

    def test_names_and_lists(self):
        self.each("name", lambda symbol, name: self.assertEqual(symbol.name, name))
        for fact in ("list_arguments", "list_outputs", "list_auxiliary_states", "list_inputs", "attr_dict"):
            self.each(fact, lambda symbol, expected, fact=fact: self.assertEqual(getattr(symbol, fact)(), expected))
        self.each("internal_outputs", lambda symbol, expected:
                  self.assertEqual(symbol.get_internals().list_outputs(), expected))

    def check_inference(self, fact, kind, decode, encode):
        def check(symbol, cases):
            for case in cases:
                given = {key: decode(value) for key, value in case["given"].items()}
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if "error" in case:
                        with self.assertRaises(mx.SymcError):
                            getattr(symbol, fact)(**given)
                    else:
                        self.assertEqual(encode(getattr(symbol, fact)(**given)),
                                         [case[part + kind] for part in ("arg", "out", "aux")], case["given"])
        self.each(fact, check)

    def test_infer_shape(self):
        self.check_inference("infer_shape", "_shapes", tuple, lists_of)

    def test_infer_shape_partial(self):
        for graph, symbol, facts in self.graphs:
            for case in facts["infer_shape_partial"]:
                if graph in OUTSIDE:
                    continue
                with self.subTest(graph=graph, given=case["given"]):
                    given = {key: tuple(each) for key, each in case["given"].items()}
                    found = lists_of(symbol.infer_shape_partial(**given))
                    for mine, part in zip(found, ("arg_shapes", "out_shapes", "aux_shapes")):
                        self.assertTrue(tells_all(mine, case[part]), "%s is not all of %s" % (mine, case[part]))

    def test_infer_type(self):
        self.check_inference("infer_type", "_types", np.dtype, names_of)

    def test_json_again(self):
        for graph, symbol, facts in self.graphs:
            with self.subTest(graph=graph):
                again = mx.sym.load_json(symbol.tojson())
                self.assertEqual(again.list_inputs(), facts["list_inputs"])
                self.assertEqual(again.tojson(), symbol.tojson())


if __name__ == "__main__":
    unittest.main()
