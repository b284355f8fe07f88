#!/usr/bin/env python3
"""Checks JSON files against one of the schemas in docs/schema, using the library jsonschema (draft 2020-12).

    check_schema.py SCHEMA FILE [FILE ...]

A schema can refer to another one in its folder by its file name. Prints a line for each violation, `FILE: PATH: MESSAGE`. Exits with 1 if there is a violation, and with 2 if the schema itself is invalid.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012


def main(schema_path, *paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        print(f"{schema_path}: {error.json_path}: {error.message}")
        return 2
    folder = pathlib.Path(schema_path).parent

    def sibling(name):
        with open(folder / pathlib.PurePath(name).name, encoding="utf-8") as file:
            return Resource.from_contents(json.load(file), default_specification=DRAFT202012)

    validator = Draft202012Validator(
        schema, registry=Registry(retrieve=sibling), format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    violations = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        for error in validator.iter_errors(document):
            print(f"{path}: {error.json_path}: {error.message}")
            violations += 1
    return 1 if violations else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
