#!/usr/bin/env python3
"""Reads posts with Mastodon.py from the server with the given base URL and prints a JSON line for each.

The access token is read from standard input. Without --status, the user's newest posts of the last day are read. A line has `id`, `content`,
`visibility`, `warning`, `language`, `reply_to`, `author`, and `media` with the `type` and the `description` of each file.
"""

import argparse
import datetime
import json
import sys

from mastodon import Mastodon

SECONDS = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="http://127.0.0.1:PORT")
    parser.add_argument("--status", action="append", default=[], metavar="ID", help="read this post; repeatable")
    options = parser.parse_args()
    account = Mastodon(
        access_token=sys.stdin.readline().strip(),
        api_base_url=options.base,
        request_timeout=SECONDS,
        ratelimit_method="throw",
    )
    if options.status:
        posts = [account.status(status) for status in options.status]
    else:
        posts = account.account_statuses(account.account_verify_credentials().id, limit=10)
        # The user of the sandbox also has posts from before its timeline began.
        yesterday = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
        posts = [post for post in posts if post.created_at > yesterday]
    for post in posts:
        print(
            json.dumps(
                {
                    "id": str(post.id),
                    "content": post.content,
                    "visibility": post.visibility,
                    "warning": post.spoiler_text,
                    "language": post.language,
                    "reply_to": None if post.in_reply_to_id is None else str(post.in_reply_to_id),
                    "author": post.account.acct,
                    "media": [
                        {"type": file.type, "description": file.description} for file in post.media_attachments
                    ],
                }
            )
        )


if __name__ == "__main__":
    main()
