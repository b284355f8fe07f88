#!/usr/bin/env python3
"""Prints the ids of the user's markers, as Mastodon.py reads them, as one JSON object.

The argument is the server's base URL; standard input is the access token. With `--set ID`, first sets the marker of the home timeline.
"""

import argparse
import json
import sys

from mastodon import Mastodon

SECONDS = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="http://127.0.0.1:PORT")
    parser.add_argument("--set", help="the id of the newest read post of the home timeline")
    options = parser.parse_args()
    token = sys.stdin.readline().strip()
    account = Mastodon(access_token=token, api_base_url=options.base, request_timeout=SECONDS)
    if options.set:
        account.markers_set(["home"], [options.set])
    markers = account.markers_get(["home", "notifications"])
    print(json.dumps({name: str(marker.last_read_id) for name, marker in markers.items()}))


if __name__ == "__main__":
    main()
