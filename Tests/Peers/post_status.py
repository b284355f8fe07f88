#!/usr/bin/env python3
"""Sends a signed form with requests-oauthlib, and prints the status and the JSON body of the response as one JSON object.

Standard input is one JSON object: `url`, `form` ([[name, value], …]), `consumer_key`, `consumer_secret`, `token`, `token_secret`. With
`file`, an object with `field`, `name`, `type` and `content` (in base64), the form is sent as multipart/form-data.
"""

import argparse
import base64
import json
import sys

from requests_oauthlib import OAuth1Session

SECONDS = 10


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    given = json.load(sys.stdin)
    session = OAuth1Session(
        given["consumer_key"],
        client_secret=given["consumer_secret"],
        resource_owner_key=given["token"],
        resource_owner_secret=given["token_secret"],
    )
    session.trust_env = False
    files = None
    if "file" in given:
        file = given["file"]
        files = {file["field"]: (file["name"], base64.b64decode(file["content"]), file["type"])}
    form = [tuple(pair) for pair in given["form"]]
    response = session.post(given["url"], data=form, files=files, timeout=SECONDS)
    print(json.dumps({"status": response.status_code, "body": response.json() if response.content else None}))


if __name__ == "__main__":
    main()
