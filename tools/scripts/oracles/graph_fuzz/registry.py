"""The recipes that families of operators register (see recipes.py)."""
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
