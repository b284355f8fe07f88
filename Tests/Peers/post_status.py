#!/usr/bin/env python3
"""Sends a signed form with requests-oauthlib, and prints the status and the JSON body of the response as one JSON object.

Standard input is one JSON object: `url`, `form` ([[name, value], …]), `consumer_key`, `consumer_secret`, `token`, `token_secret`.
"""

import argparse
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
    response = session.post(given["url"], data=[tuple(pair) for pair in given["form"]], timeout=SECONDS)
    print(json.dumps({"status": response.status_code, "body": response.json()}))


if __name__ == "__main__":
    main()
