"""check_moments.py FOLDER NAME=MEAN,DEVIATION...: FOLDER/NAME.npy holds floats whose mean and
standard deviation are these, within six standard errors of 20000 draws."""
import array
import math
import sys

folder, *wanted = sys.argv[1:]
for word in wanted:
    name, numbers = word.split("=")
    mean, deviation = map(float, numbers.split(","))
    data = open("%s/%s.npy" % (folder, name), "rb").read()
    values = array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])
    found = sum(values) / len(values)
    spread = math.sqrt(sum((value - found) ** 2 for value in values) / len(values))
    close = abs(found - mean) < 6 * deviation / math.sqrt(len(values)) and abs(spread / deviation - 1) < 0.1
    print("%s: mean %.4f, deviation %.4f%s" % (name, found, spread, "" if close else ": differs"))
