"""Texts and numbers at which parameters tend to break, for the scripts that change graphs."""

EDGES = (0, 1, -1, 2, 2**31 - 1, 2**31, -2**31, 2**32, 2**48, 2**63 - 1, -2**63, 2**63)
NUMBERS = ("0", "1", "-1", "0.5", "1e38", "-1e38", "1e308", "1e999", "1e-45", "nan", "inf", "-inf", "None", "")
