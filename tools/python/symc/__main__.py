"""`python -m symc` is the program symc."""
from ._programs import symc

if __name__ == "__main__":
    symc()
