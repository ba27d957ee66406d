"""The recipes by operator: how to draw a node that MXNet accepts most of the time.

A recipe is a function of (drawing, operator); `recipe` registers it for names of operators with the tolerance
class of their results (make_conformance.TOLERANCES). `weight` is how often draw_any, which chooses what stands
before and behind the operator that a graph is about, takes one of its names; 0: the recipe makes whole graphs.
"""
RECIPES, TOLERANCE, WEIGHT = {}, {}, {}


def recipe(*operators, tolerance, weight=1.0):
    def register(function):
        for operator in operators:
            if operator in RECIPES:
                raise ValueError("two recipes for " + operator)
            RECIPES[operator], TOLERANCE[operator] = function, tolerance
            WEIGHT[operator] = weight / len(operators)
        return function
    return register


def load():
    from graph_fuzz import (recipes_detection, recipes_elementwise, recipes_layers,  # noqa: F401
                            recipes_linear, recipes_place, recipes_quantised, recipes_shape, recipes_training)


def class_of(operator):
    return TOLERANCE[operator]


def stands_alone(operator):
    return WEIGHT[operator] == 0


def draw(drawing, operator):
    RECIPES[operator](drawing, operator)


def draw_any(drawing):
    names = list(WEIGHT)
    weights = [WEIGHT[name] for name in names]
    draw(drawing, names[int(drawing.rng.choice(len(names), p=[w / sum(weights) for w in weights]))])
