"""Check that documents fit the shipped JSON Schemas, and that the schemas refuse broken ones.

usage: check_schemas.py SCHEMA_DIRECTORY DOCUMENT...
Exit code 77, for "skipped", when python3-jsonschema is not installed.
"""

import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

BROKEN_BELOW_BYTES = 65536  # a catalogue is checked as it is: breaking each row teaches no more
NESTED = {"probe", "storage", "link", "play"}  # documents in a plan, checked by their own schema
SIGNED = ("min_buffer_s", "lead_slope")  # below zero they mean something, too


def load_validators(directory):
    validators = {}
    for path in sorted(directory.glob("streamcalc.*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[path.name[: -len(".schema.json")]] = jsonschema.Draft202012Validator(schema)
    return validators


def documents_of(path):
    """The document of a file and those that stand in it."""
    document = json.loads(path.read_text(encoding="utf-8"))
    yield path.name, document
    for key in sorted(NESTED):
        if isinstance(document.get(key), dict):
            yield f"{path.name}: {key}", document[key]


def places(value, path=()):
    """Every value below a document, as a path of keys; not inside of nested documents."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        nested = not path and key in NESTED
        if isinstance(inner, (dict, list)) and not nested:
            yield from places(inner, (*path, key))


def parent_of(document, path):
    for key in path[:-1]:
        document = document[key]
    return document


def wrong_values(value):
    """Values that must not stand where this one does."""
    if isinstance(value, bool) or value is None:
        return [True, [[]]] if value is None else [1, "true"]
    if isinstance(value, (int, float)):
        return [str(value), [value], -1]
    if isinstance(value, str):
        return [5, [value]]
    return [5, "text"]


def broken_ones(document):
    """Copies of a good document with one thing wrong."""
    whole = document.get("error") is None
    for path in places(document):
        parent = parent_of(document, path)
        if path[0] in NESTED and len(path) == 1:
            continue
        for wrong in wrong_values(parent[path[-1]]):
            if wrong == -1 and path[-1] in SIGNED:
                continue
            broken = copy.deepcopy(document)
            parent_of(broken, path)[path[-1]] = wrong
            yield path, wrong, broken
        if isinstance(parent, dict) and (whole or len(path) > 1):
            broken = copy.deepcopy(document)
            del parent_of(broken, path)[path[-1]]
            yield path, "removed", broken
        if isinstance(parent[path[-1]], dict):
            broken = copy.deepcopy(document)
            parent_of(broken, path)[path[-1]]["unheard_of"] = 1
            yield path, "an unknown key", broken
    yield (), "an unknown key", {**document, "unheard_of": 1}
    yield (), "another version", {**document, "version": 2}
    yield (), "another schema", {**document, "schema": "streamcalc.other"}


def check(name, document, validator):
    """Complaints about one document, and how many broken copies of it were refused."""
    complaints = [f"{name}: {error.json_path}: {error.message[:200]}"
                  for error in validator.iter_errors(document)]
    refused = 0
    if len(json.dumps(document)) > BROKEN_BELOW_BYTES:
        return complaints, refused
    for path, wrong, broken in broken_ones(document):
        if validator.is_valid(broken):
            complaints.append(f"{name}: {path}: {wrong!r} was accepted")
        else:
            refused += 1
    return complaints, refused


def main(arguments):
    validators = load_validators(pathlib.Path(arguments[0]))
    complaints, refused, seen = [], 0, set()
    for path in map(pathlib.Path, arguments[1:]):
        for name, document in documents_of(path):
            seen.add(document["schema"])
            more, count = check(name, document, validators[document["schema"]])
            complaints += more
            refused += count
    complaints += [f"no document of {name} was checked" for name in validators.keys() - seen]
    print(*complaints, f"{len(arguments) - 1} files, {refused} broken copies refused", sep="\n")
    return 1 if complaints or not validators else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
