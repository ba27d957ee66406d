#!/usr/bin/env python3
"""Writes the project's own cases of training: DIR/train/<operator>/<case>/.

usage: make_training_cases.py DIR OPERATORS.md [OPERATOR...]

Runs in the environment of make-oracle-env. The cases are those of conformance_cases, forward in
training and then backward with drawn gradients of the outputs: of each operator whose gradient the
page of operators (docs/generated/operators.md) names, the first two that MXNet 1.9.1 computes
backwards, or more of those in MOST_OF, and all of conformance_training. Beside the files of make_conformance.py, whose form they have: ograd:K gradients of the
outputs, grad:NAME what MXNet writes for each argument that holds floats, aux_out:NAME the states
after both. mode is train. Names of operators behind the page restrict it to these.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import zlib

import make_conformance as base
import mxnet as mx
import numpy as np

import conformance_cases
import conformance_graphs
import conformance_numpy_cases
import conformance_training

OF_EACH = 2
# Operators whose parameters and values lead to other rules: so many of each.
MOST_OF = {"Correlation": 20, "ROIPooling": 3, "SpatialTransformer": 3, "BilinearSampler": 5, "_contrib_ROIAlign": 6,
           "_contrib_DeformableConvolution": 20, "_contrib_DeformablePSROIPooling": 3, "_contrib_box_nms": 20,
           "_random_pdf_dirichlet": 3, "LeakyReLU": 14, "_linalg_det": 10,
           "_npi_average": 20,
           # A gradient whose extents values decide is no input.
           "_contrib_boolean_mask": 0, "_npi_boolean_mask": 0}
MOST_ELEMENTS = 4096  # of a case's largest array
# What MXNet 1.9.1 gives for the first three is not the derivative; symc gives that. Of the last one,
# oneDNN's backward has other results than MXNet's own operators.
LEFT_OUT = {"_npi_rarctan2_scalar", "_npi_rot90", "_npi_where_lscalar", "_contrib_BatchNormWithReLU"}
UNWRITTEN = 271828.0  # what a gradient holds that MXNet never writes


def differentiable(page):
    """MXNet's names of operators with a gradient."""
    names = set()
    for text in page.split("\n### ")[1:]:
        if re.search(r"^Gradient: (by its own rule|of the operators that replace it)$", text, re.M):
            names.update(re.findall(r"\w+", re.search(r"^MXNet names: (.*)$", text, re.M)[1]))
    return names


def backward(symbol, arrays, aux, gradients, floats):
    """Outputs, the gradient of each argument of `floats` that is written, and the states behind."""
    to = lambda value: mx.nd.array(value, dtype=value.dtype)
    written = {name: mx.nd.full(arrays[name].shape, UNWRITTEN, dtype=arrays[name].dtype) for name in floats}
    executor = symbol.bind(mx.cpu(), {name: to(value) for name, value in arrays.items()}, args_grad=written,
                           grad_req={name: "write" if name in written else "null" for name in arrays},
                           aux_states={name: to(value) for name, value in aux.items()})
    outputs = [out.asnumpy() for out in executor.forward(is_train=True)]
    executor.backward([to(gradient) for gradient in gradients(outputs)])
    found = {name: array.asnumpy() for name, array in written.items()}
    found = {name: value for name, value in found.items() if not (value.size and np.all(value == UNWRITTEN))}
    return outputs, found, {name: array.asnumpy() for name, array in executor.aux_dict.items()}


def has_gradient(symbol, arrays, aux, gradients, name):
    try:
        backward(symbol, arrays, aux, gradients, [name])
    except mx.MXNetError:
        return False
    return True


def widen(arrays):
    return {name: value.astype(np.float64) if value.dtype == np.float32 else value for name, value in arrays.items()}


def make(case, folder, any_type=False):
    """Writes the case; the reason why not, or None. `any_type`: not of float32 alone."""
    rng = np.random.default_rng(zlib.crc32(("train/%s/%s" % (case.op, case.name)).encode()))
    symbol, names = base.build(case)
    inputs = {name: base.draw(spec, rng) for name, spec in case.inputs.items()}
    parameters, aux = base.draw_parameters(symbol, inputs, rng)
    arrays = {**inputs, **parameters}
    if any(value.size > MOST_ELEMENTS for value in arrays.values()):
        return "large"
    kinds = {value.dtype for value in arrays.values() if value.dtype.kind == "f"}
    if not any_type and (np.dtype("float32") not in kinds or np.dtype("float16") in kinds):
        return "not float32"
    drawn = {}

    def gradients(outputs):
        for index, out in enumerate(outputs):
            if index not in drawn:
                drawn[index] = rng.standard_normal(out.shape).astype(out.dtype if out.dtype.kind == "f" else np.float32)
        return [drawn[index].astype(out.dtype) for index, out in enumerate(outputs)]

    floats = [name for name, value in arrays.items() if value.dtype.kind == "f"]
    try:
        backward(symbol, arrays, aux, gradients, floats)
    except mx.MXNetError:  # of a label or an index MXNet computes none
        floats = [name for name in floats if has_gradient(symbol, arrays, aux, gradients, name)]
    drawn.clear()
    if not floats:
        return "no gradient in MXNet"
    outputs, found, after = backward(symbol, arrays, aux, gradients, floats)
    if any(out.dtype.kind != "f" for out in outputs):
        return "whole numbers"
    if not found or not all(np.isfinite(value).all() for value in [*outputs, *found.values()]):
        return "no finite gradient"
    rtol, atol = base.TOLERANCES[case.tolerance]
    rtol, atol = max(rtol, 1e-5), max(atol, 1e-5)
    if np.dtype("float16") in kinds:
        rtol, atol = 4e-3, 4e-3
    exact = outputs, found
    if not base.with_onednn:  # whose float64 is MXNet's own code, with other gradients of rnn_relu's middle layers
        try:
            exact = backward(symbol, widen(arrays), widen(aux), gradients, floats)
        except mx.MXNetError:  # float32 only
            pass
    pairs = list(zip(outputs, exact[0])) + [(found[name], exact[1][name]) for name in found]
    for value, better in pairs:
        distance = np.abs(value.astype(np.float64) - better)
        if value.size and distance.max() > 0.02 * max(1e-30, np.abs(better).max()):
            return "ill-conditioned"
        short = 4 * distance - rtol * np.abs(value.astype(np.float64))
        if short.size and short.max() > atol:
            atol = float("%.1e" % (short.max() * 1.05))
    groups = {"data:": inputs, "arg:": parameters, "aux:": aux, "aux_out:": after, "grad:": found,
              "out:": {str(index): value for index, value in enumerate(outputs)},
              "ograd:": {str(index): value for index, value in drawn.items() if outputs[index].dtype.kind == "f"}}
    base.write(folder, symbol, groups,
               {"op": case.op, "mode": "train", "inputs": [name for name in names if name in inputs],
                "outputs": symbol.list_outputs(), "rtol": rtol, "atol": atol, "json_format": "1.9.1", "note": case.note})
    return None


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: make_training_cases.py DIR OPERATORS.md [OPERATOR...]")
    top, wanted = os.path.join(sys.argv[1], "train"), set(sys.argv[3:])
    with open(sys.argv[2], encoding="utf-8") as file:
        names = differentiable(file.read())
    for name in (wanted or [""]) if not base.with_onednn else []:
        shutil.rmtree(os.path.join(top, name), ignore_errors=True)
    made, without = {}, {}
    shared = conformance_cases.all_cases()
    for number, case in enumerate(shared + conformance_training.all_cases()):
        own = number >= len(shared)
        if case.op not in names or (wanted and case.op not in wanted):
            continue
        if not own and made.get(case.op, 0) == MOST_OF.get(case.op, OF_EACH):
            continue
        if (case.op in conformance_graphs.ONEDNN) != base.with_onednn or case.op in LEFT_OUT or case.runs > 1:
            continue
        try:
            with mx.util.np_shape(conformance_numpy_cases.has_numpy_shapes(case.op)), mx.name.NameManager():
                reason = make(case, os.path.join(top, case.op, case.name), own)
        except mx.MXNetError as problem:
            reason = str(problem).strip().splitlines()[-1]
        if reason and own:
            sys.exit("%s/%s: %s" % (case.op, case.name, reason))
        if reason:
            without.setdefault(case.op, set()).add(reason)
        else:
            made[case.op] = made.get(case.op, 0) + 1
    for op in sorted(set(without) - set(made)):
        print("%s: %s" % (op, "; ".join(sorted(without[op]))[:160]))
    print("%d cases of %d operators" % (sum(made.values()), len(made)))
    if not base.with_onednn:
        subprocess.check_call([sys.executable, *sys.argv], env={**os.environ, "SYMC_MAKE_ONEDNN": "1"})


if __name__ == "__main__":
    main()
