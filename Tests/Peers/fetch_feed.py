#!/usr/bin/env python3
"""Fetches an Atom feed over HTTP with feedparser, and prints one JSON object.

    fetch_feed.py ADDRESS [ETAG]

`status` is the status code of the response, `etag` its entity tag, and `ids` the ids of the feed's entries. With ETAG, the tag of an earlier
response, the server sends the feed only if it has changed.
"""

import json
import sys

import feedparser


def main():
    address, etag = (sys.argv[1:] + [None])[:2]
    feed = feedparser.parse(address, etag=etag)
    ids = [entry.id for entry in feed.entries]
    print(json.dumps({"status": feed.get("status"), "etag": feed.get("etag"), "ids": ids}))


if __name__ == "__main__":
    main()
