"""The op table's generator refuses records that contradict themselves. Run by ctest as
check-scripts.
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "ir"))
sys.dont_write_bytecode = True
import generate_op_table


class Initializers(unittest.TestCase):
    def family(self, operand):
        family = generate_op_table.Family.__new__(generate_op_table.Family)
        family.records = {"T": {"!superclasses": []},
                          "I": {"operand": operand, "value": "[\"zero\", {}]"}}
        return family

    OP = {"opName": "norm", "arguments": {"args": [[{"def": "T"}, "mean"]]},
          "initializers": [{"def": "I"}]}

    def test_of_an_operand(self):
        self.assertEqual(self.family("mean").initializers(self.OP), {"mean": "[\"zero\", {}]"})

    def test_of_no_operand(self):
        with self.assertRaises(SystemExit) as left:
            self.family("var").initializers(self.OP)
        self.assertEqual(str(left.exception), "sg.norm initialises 'var', which is no operand")


if __name__ == "__main__":
    unittest.main()
