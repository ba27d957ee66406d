"""change_case.py FOLDER JSON: sets members of FOLDER/case.json."""
import json
import sys

path = sys.argv[1] + "/case.json"
with open(path) as file:
    case = json.load(file)
case.update(json.loads(sys.argv[2]))
with open(path, "w") as file:
    json.dump(case, file)
