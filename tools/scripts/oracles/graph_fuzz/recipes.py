"""The recipes by operator: how to draw a node that MXNet accepts most of the time.

A recipe is a function of (drawing, operator); registry.recipe registers it for names of operators with the tolerance
class of their results (make_conformance.TOLERANCES). `weight` is how often draw_any, which chooses what stands
before and behind the operator that a graph is about, takes one of its names; 0: the recipe makes whole graphs.
An operator without a recipe is drawn from the cases of conformance_cases: one of them with other values and extents.
"""
import conformance_cases
from graph_fuzz import (recipes_detection, recipes_edit, recipes_elementwise, recipes_layers,  # noqa: F401
                        recipes_linear, recipes_place, recipes_quantised, recipes_shape, recipes_training)
from graph_fuzz.registry import RECIPES, TOLERANCE, WEIGHT

CASES = {}


def cases_of(operator):
    if not CASES:
        for case in conformance_cases.all_cases():
            CASES.setdefault(case.op, []).append(case)
    return CASES.get(operator, [])


def is_drawn(operator):
    return operator in RECIPES or bool(cases_of(operator))


def class_of(operator):
    """The class of an operator's recipe, or the widest of its cases."""
    if operator in TOLERANCE:
        return TOLERANCE[operator]
    order = ("exact", "arithmetic", "function", "steep", "reduction", "product", "norm", "step")
    return max((case.tolerance for case in cases_of(operator)), key=order.index, default="function")


def stands_alone(operator):
    return WEIGHT.get(operator, 0) == 0


def draw(drawing, operator):
    if operator in RECIPES:
        RECIPES[operator](drawing, operator)
    else:
        drawing.vary(operator, drawing.pick(cases_of(operator)))


def draw_any(drawing, among=None):
    """A node of any operator, or of one of `among`."""
    names = [name for name in WEIGHT if among is None or name in among]
    weights = [WEIGHT[name] for name in names]
    draw(drawing, names[int(drawing.rng.choice(len(names), p=[w / sum(weights) for w in weights]))])
