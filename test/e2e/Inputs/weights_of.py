"""Writes zeros for the arguments of a symbol file but its inputs and labels: weights_of.py NET.json INPUT=SHAPE OUT.params"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "..", "tools", "scripts", "lib"))
sys.path.insert(0, os.environ["SYMC_PACKAGES"])
import ndarray_file
import numpy as np
import symc

symbol = symc.sym.load(sys.argv[1])
name, extents = sys.argv[2].split("=")
shapes, _, aux = symbol.infer_shape(**{name: tuple(map(int, extents.split(",")))})
arrays = {"arg:" + each: np.zeros(shape, "float32") for each, shape in zip(symbol.list_arguments(), shapes)
          if each != name and not each.endswith("label")}
arrays.update(("aux:" + each, np.zeros(shape, "float32")) for each, shape in zip(symbol.list_auxiliary_states(), aux))
ndarray_file.save(sys.argv[3], arrays)
