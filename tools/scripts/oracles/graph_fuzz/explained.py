"""What is not compared, and why: operators that are not drawn, and differences that are MXNet's own.

Faults of MXNet that the recipes avoid are named there: decimal fractions that MXNet reads an ULP off (drawing.real), sums
of uint8 products that saturate (recipes_quantised), pictures of odd extents, results of loops beyond their last iteration.

NOT_DRAWN: {operator: reason}. MXNETS_OWN: rows (operator or None for any, test, reason), where the test is a
function of a shrunk Difference (its single node's attributes, and the message) that returns whether the
row explains it.
"""
import json
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import ndarray_file

#: Where symc-conformance found the largest difference, and both numbers.
WORST = re.compile(r"worst at (\d+): expected (\S+), got (\S+), allowed")
#: What gradients hold before MXNet writes them.
UNWRITTEN = 271828.0

RANDOM = "random numbers: MXNet's bits cannot be matched; moments and distributions have tests of their own"
NOT_DRAWN = {name: RANDOM for name in (
    "_npi_bernoulli", "_npi_choice", "_npi_gamma", "_npi_multinomial", "_npi_exponential", "_npi_gumbel", "_npi_logistic", "_npi_normal", "_npi_normal_n", "_npi_pareto",
    "_npi_powerd", "_npi_rayleigh", "_npi_uniform", "_npi_uniform_n", "_npi_weibull",
    "_random_exponential", "_random_exponential_like", "_random_gamma", "_random_gamma_like",
    "_random_generalized_negative_binomial", "_random_generalized_negative_binomial_like", "_random_negative_binomial",
    "_random_negative_binomial_like", "_random_normal", "_random_normal_like", "_random_poisson", "_random_poisson_like",
    "_random_randint", "_random_uniform", "_random_uniform_like", "_sample_exponential", "_sample_gamma",
    "_sample_generalized_negative_binomial", "_sample_multinomial", "_sample_negative_binomial", "_sample_normal",
    "_sample_poisson", "_sample_uniform", "_sample_unique_zipfian", "_shuffle", "_image_random_color_jitter",
    "_image_random_flip_left_right", "_image_random_flip_top_bottom")}
NOT_DRAWN.update({name: "values decide the size of its result, which MXNet's inference does not find" for name in (
    "_contrib_boolean_mask", "_npi_bincount", "_npi_boolean_mask", "_npi_delete", "_npi_nonzero", "_npi_unique", "_npx_nonzero")})
NOT_DRAWN.update({
    "_CrossDeviceCopy": "has no kernel in MXNet: its graph executor puts it between devices",
    "_contrib_SparseEmbedding": "its weight has sparse storage in MXNet",
})
# Operators with a gradient that --train does not draw, and why.
NOT_TRAINED = {
    "_contrib_BatchNormWithReLU": "MXNet computes it by oneDNN only, without the same results backwards",
    "_slice_assign": "MXNet has no gradient of it",
    "_slice_assign_scalar": "MXNet has no gradient of it",
}


def only_second(difference):
    """Whether the shrunk graph gives the node's second result and not its first."""
    with open(os.path.join(difference.folder, "symbol.json")) as file:
        return [head[1] for head in json.load(file)["heads"]] == [1]


def named_gradient(difference):
    """The argument whose gradient differs, and the nodes of the graph."""
    with open(os.path.join(difference.folder, "symbol.json")) as file:
        return difference.message.partition("grad:")[2].partition(":")[0], json.load(file)["nodes"]


def is_length(difference):
    """Whether the argument is a sequence's length, too."""
    name, nodes = named_gradient(difference)
    return any(node["op"].startswith("Sequence") and len(node["inputs"]) > 1 and nodes[node["inputs"][1][0]]["name"] == name
               for node in nodes)


def is_slope(difference):
    """Whether the argument is the slope of a prelu whose gradient MXNet takes of that of the data, which it has written over that
    of the result: where the data is a node's result, whose gradient MXNet computes, in place. There the slope is once more a
    factor, so that its own gradient has to differ by just that, unless other nodes add to it."""
    name, nodes = named_gradient(difference)
    readers = [node for node in nodes if any(nodes[each[0]]["name"] == name for each in node["inputs"])]
    if not any(node["op"] == "LeakyReLU" and len(node["inputs"]) > 1 and nodes[node["inputs"][1][0]]["name"] == name and
               nodes[node["inputs"][0][0]]["op"] != "null" for node in readers):
        return False
    numbers = WORST.search(difference.message)
    arrays = {key.partition(":")[::2]: array.floats() for key, array in
              ndarray_file.read(os.path.join(difference.folder, "io.params")).items()}
    slopes = arrays.get(("data", name)) or arrays.get(("arg", name))
    if not numbers or not slopes:
        return False
    if len(readers) > 1:
        return True
    at, expected, got = int(numbers[1]), float(numbers[2]), float(numbers[3])
    before = arrays.get(("grad_before", name), [0.0] * len(slopes))[at]
    size = max(abs(expected), abs(got), abs(before))
    return abs((expected - before) - slopes[at] * (got - before)) <= 1e-3 * size


def shapes_of(difference):
    """{argument: shape}"""
    return {key.partition(":")[2]: tuple(array.shape) for key, array in
            ndarray_file.read(os.path.join(difference.folder, "io.params")).items() if key.startswith(("data:", "arg:"))}


def is_one_element(difference):
    """Whether the argument has one element."""
    shape = shapes_of(difference).get(named_gradient(difference)[0], ())
    return shape != () and set(shape) == {1}


def is_of_matrices(difference):
    """Whether norm reduces two axes: those that are named, or by an order (flag 0) the last two."""
    _, nodes = named_gradient(difference)
    norms = [node.get("attrs", {}) for node in nodes if node["op"] == "_npi_norm"]
    return any(attrs.get("axis", "None").count(",") == 1 and not attrs["axis"].rstrip(") ").endswith(",") or
               attrs.get("axis", "None") == "None" and attrs.get("flag") == "0" for attrs in norms)


def is_behind_none(difference):
    """Whether an operand without a gradient stands in front of the argument in hstack."""
    name, nodes = named_gradient(difference)
    with open(os.path.join(difference.folder, "case.json")) as file:
        requests = json.load(file)["grad_req"]
    for node in nodes:
        names = [nodes[each[0]]["name"] for each in node["inputs"]]
        if node["op"] == "_npi_hstack" and name in names:
            return any(requests.get(each) == "null" for each in names[:names.index(name)])
    return False


def lacks_first(difference):
    """Whether the operator's first operand, whose request MXNet takes for those of all, has no gradient."""
    name, nodes = named_gradient(difference)
    with open(os.path.join(difference.folder, "case.json")) as file:
        requests = json.load(file)["grad_req"]
    inputs = [[nodes[each[0]]["name"] for each in node["inputs"]] for node in nodes if node["op"] == difference.operator]
    return any(name in names and requests.get(names[0]) == "null" for names in inputs)


def is_repeated(difference):
    """Whether matmul repeats the argument's matrices along an axis of the stack behind one along which they differ."""
    name, nodes = named_gradient(difference)
    shapes = shapes_of(difference)
    for node in nodes:
        names = [nodes[each[0]]["name"] for each in node["inputs"]]
        if node["op"] == "_npi_matmul" and name in names and all(each in shapes for each in names):
            stacks = [shapes[each][:-2] for each in names]
            rank = max(map(len, stacks))
            stacks = [(1,) * (rank - len(each)) + each for each in stacks]
            own = stacks[names.index(name)]
            if any(own[axis] == 1 < max(each[axis] for each in stacks) and max(own[:axis], default=1) > 1 for axis in range(rank)):
                return True
    return False


def shares_lengths(difference):
    """Whether two SequenceLast without lengths stand in the graph: the gradient reads its length from scratch memory, where
    that of the one that ran last stands."""
    name, nodes = named_gradient(difference)
    lasts = [node for node in nodes if node["op"] == "SequenceLast" and
             node.get("attrs", {}).get("use_sequence_length", "False") not in ("True", "1")]
    return bool(name) and len(lasts) > 1


MXNETS_OWN = [
    (None, shares_lengths, "MXNet takes in the gradient of SequenceLast the length that another one left in scratch memory"),
    ("_npi_norm", is_of_matrices, "MXNet multiplies the gradient of a norm of matrices by that of the output twice"),
    ("_npi_hstack", is_behind_none, "MXNet begins at the first place of the result behind an operand that has no gradient"),
    ("_npi_norm", is_one_element, "MXNet writes the gradient of one element over that of the output, which it reads again"),
    ("_npi_einsum", lambda d: "expected %d," % UNWRITTEN in d.message,
     "MXNet leaves the gradient of elements unwritten that einsum does not read"),
    ("_npi_matmul", is_repeated, "MXNet sums over the first axes of a stack, also where matmul repeats matrices along another"),
    (None, is_length, "MXNet leaves the gradient of a sequence's lengths unwritten, and adds it to another one of the argument"),
    (None, is_slope, "MXNet takes for the gradient of prelu's slope one that the data's has overwritten in place"),
    ("mp_lamb_update_phase2", lambda d: "auxiliary states change" in d.message,
     "MXNet leaves weight32, which the step is there to change, as it was"),
    ("_contrib_hawkesll", only_second, "MXNet leaves the state as it was where nothing reads the likelihood"),
    ("_contrib_hawkesll", lacks_first, "MXNet writes no gradient where the first operand's is not wanted"),
    ("_npi_ediff1d", lacks_first, "MXNet writes no gradient where the first operand's is not wanted"),
    ("moments", only_second, "MXNet takes the variance around a mean that it does not write where nothing reads it"),
]


def explain(difference):
    """The reason why a shrunk difference is MXNet's own, or None."""
    for operator, test, reason in MXNETS_OWN:
        if operator in (None, difference.operator) and test(difference):
            return reason
    return None
