#!/usr/bin/env python3
"""Checks JSON files against one of the schemas in docs/schema, using the library jsonschema (draft 2020-12).

    check_schema.py SCHEMA FILE [FILE ...]

Prints a line for each violation, `FILE: PATH: MESSAGE`. Exits with 1 if there is a violation, and with 2 if the schema itself is invalid.
"""

import json
import sys

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError


def main(schema_path, *paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        print(f"{schema_path}: {error.json_path}: {error.message}")
        return 2
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
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
