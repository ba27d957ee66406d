"""Checks the manifest of examples/train-at-scale against the schema of its kind, with no field that the schema does not have.

usage: check_mpijob.py MANIFEST [CRD]    CRD: kubeflow.org_mpijobs.yaml of the MPI operator; without it the fields that the
                                         operator documents for a job of this form, below
"""
import sys

import jsonschema
import yaml

TEXT, NUMBER, LIST = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "array", "items": {"type": "string"}}


def fields(required=(), **known):
    return {"type": "object", "properties": known, "required": list(required), "additionalProperties": False}


CONTAINER = fields(
    ("name", "image"), name=TEXT, image=TEXT, command=LIST, args=LIST,
    resources=fields(limits={"type": "object"}, requests={"type": "object"}),
    volumeMounts={"type": "array", "items": fields(("name", "mountPath"), name=TEXT, mountPath=TEXT)})
POD = fields(("containers",), containers={"type": "array", "minItems": 1, "items": CONTAINER}, volumes={
    "type": "array", "items": fields(("name",), name=TEXT, persistentVolumeClaim=fields(("claimName",), claimName=TEXT))})
REPLICAS = fields(("template",), replicas=NUMBER, restartPolicy={"enum": ["Never", "OnFailure"]}, template=fields(("spec",), spec=POD))
SCHEMA = fields(
    ("apiVersion", "kind", "metadata", "spec"), apiVersion={"const": "kubeflow.org/v2beta1"}, kind={"const": "MPIJob"},
    metadata=fields(("name",), name=TEXT),
    spec=fields(("mpiReplicaSpecs",), slotsPerWorker=NUMBER, sshAuthMountPath=TEXT, mpiImplementation={"enum": ["OpenMPI", "Intel", "MPICH"]},
                runPolicy=fields(cleanPodPolicy={"enum": ["None", "Running", "All"]}, backoffLimit=NUMBER, activeDeadlineSeconds=NUMBER,
                                 ttlSecondsAfterFinished=NUMBER),
                mpiReplicaSpecs=fields(("Launcher", "Worker"), Launcher=REPLICAS, Worker=REPLICAS)))


def closed(schema):
    """The schema of a CRD, in which unknown fields are mistakes, as for an API server that is strict."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: {name: closed(each) for name, each in value.items()} if key == "properties" else closed(value)
            for key, value in schema.items()}
    if made.get("x-kubernetes-int-or-string"):
        made["type"] = ["integer", "string"]
        made.pop("anyOf", None)
    if "properties" in made and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def main():
    with open(sys.argv[1]) as file:
        manifest = yaml.safe_load(file)
    schema = SCHEMA
    if len(sys.argv) > 2:
        with open(sys.argv[2]) as file:
            versions = yaml.safe_load(file)["spec"]["versions"]
        wanted = manifest["apiVersion"].split("/")[1]
        schema = next(each for each in versions if each["name"] == wanted)["schema"]["openAPIV3Schema"]
        schema["properties"]["metadata"] = {"type": "object"}
        schema = closed(schema)
        schema["properties"]["metadata"] = {"type": "object"}
    mistakes = [("/".join(map(str, each.absolute_path)), each.message)
                for each in jsonschema.Draft7Validator(schema).iter_errors(manifest)]
    for place, message in mistakes:
        print("%s: %s: %s" % (sys.argv[1], place, message))
    if not mistakes:
        replicas = manifest["spec"]["mpiReplicaSpecs"]
        words = replicas["Launcher"]["template"]["spec"]["containers"][0]["command"]
        slots = replicas["Worker"]["replicas"] * manifest["spec"]["slotsPerWorker"]
        if words[words.index("-n") + 1] != str(slots):
            mistakes.append("-n")
            print("%s: mpirun starts %s processes, the workers have %d slots" % (sys.argv[1], words[words.index("-n") + 1], slots))
    print("manifest: %d mistakes" % len(mistakes))
    return bool(mistakes)


if __name__ == "__main__":
    sys.exit(main())
