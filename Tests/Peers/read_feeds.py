#!/usr/bin/env python3
"""Reads feeds with feed readers' libraries, and prints the results as one JSON object.

    read_feeds.py atom PATH     uses feedparser
    read_feeds.py json PATH     uses feedparser-rs, because feedparser does not support JSON Feed

`bozo` is true if the reader found a fault in the feed, and `problem` is the reason. `version`, `title`, `updated`, `author` describe the feed.
Each of `entries` has `id`, `title`, `link`, `related`, `published`, `updated`, `author`, `language`, `html`, `text` and `enclosures`.
The texts are not repaired or shortened. `link` is null if the feed has no link, although feedparser would return the id.
"""

import argparse
import json
import sys


def from_atom(path):
    import feedparser

    with open(path, "rb") as file:
        return feedparser.parse(file.read(), sanitize_html=False, resolve_relative_uris=False)


def from_json(path):
    import feedparser_rs

    with open(path, "rb") as file:
        return feedparser_rs.parse(file.read(), sanitize_html=False, resolve_relative_uris=False)


def content(entry, kind):
    return next((part.value for part in getattr(entry, "content", None) or [] if part.type == kind), None)


def entry(found):
    links = getattr(found, "links", None) or []
    alternate = next((link.href for link in links if link.rel == "alternate"), None)
    return {
        **{
            name: getattr(found, name, None)
            for name in ("id", "title", "published", "updated", "author", "language")
        },
        "link": alternate,
        "related": [link.href for link in links if link.rel == "related"],
        "html": content(found, "text/html"),
        "text": content(found, "text/plain"),
        "enclosures": [
            [part.get("href"), part.get("type")] if isinstance(part, dict) else [part.href, part.type]
            for part in getattr(found, "enclosures", None) or []
        ],
    }


def main():
    arguments = argparse.ArgumentParser(description="Reads feeds as feed readers do.")
    arguments.add_argument("format", choices=["atom", "json"])
    arguments.add_argument("path")
    arguments = arguments.parse_args()
    feed = (from_atom if arguments.format == "atom" else from_json)(arguments.path)
    report = {
        "bozo": bool(feed.bozo),
        "problem": str(getattr(feed, "bozo_exception", "") or ""),
        "version": str(feed.version),
        **{name: getattr(feed.feed, name, None) for name in ("title", "updated", "author")},
        "entries": [entry(found) for found in feed.entries],
    }
    json.dump(report, sys.stdout, ensure_ascii=False, default=str)
    print()


if __name__ == "__main__":
    main()
