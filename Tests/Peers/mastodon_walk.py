#!/usr/bin/env python3
"""Logs in and reads a timeline, using Mastodon.py, from a server with the given base URL.

Registers, submits the first form of the authorise page with the approving button, exchanges the code, requests the token's user, reads the
home timeline downwards and upwards, refreshes if the server has refresh tokens, and revokes. Prints one JSON object. Exits with 0 if every
step succeeded, else with 1. Never opens the callback address.
"""

import argparse
import json
import sys
from urllib.parse import parse_qs, urlsplit

from mastodon import Mastodon, MastodonError

from login_to_sandbox import approve, expect

SCOPES = ["read:accounts", "read:statuses"]
STATE = "St-ate_1"
SECONDS = 10


def main():
    options = parse_arguments()
    report = {"ok": False, "steps": []}
    try:
        walk(options, report)
        report["ok"] = True
    except Exception as error:
        report["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(0 if report["ok"] else 1)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="http://127.0.0.1:PORT")
    parser.add_argument("--registered", default="http://127.0.0.1:1/callback", help="the address that is registered")
    parser.add_argument("--redirect", default="http://127.0.0.1:1/callback", help="the address that is used")
    parser.add_argument("--refresh", action="store_true", help="the server has refresh tokens")
    parser.add_argument("--unsorted", action="store_true", help="the server's ids are not sorted, and the server does not support min_id")
    return parser.parse_args()


def walk(options, report):
    client_id, client_secret = Mastodon.create_app(
        "walker", scopes=SCOPES, redirect_uris=options.registered, api_base_url=options.base, request_timeout=SECONDS
    )
    report["steps"].append("registered")

    account = Mastodon(
        client_id, client_secret, api_base_url=options.base, request_timeout=SECONDS, ratelimit_method="throw"
    )
    page = account.auth_request_url(redirect_uris=options.redirect, scopes=SCOPES, state=STATE, allow_http=True)
    location = approve(page)
    expect(location.startswith(options.redirect + "?"), f"redirect to {location.split('?')[0]}")
    returned = parse_qs(urlsplit(location).query)
    expect(returned.get("state") == [STATE], "the state is another one")
    report["iss"] = returned.get("iss", [None])[0]
    report["steps"].append("authorised")

    def log_in(**grant):
        # Without this, Mastodon.py also sends its old token to the token endpoint, which expects only client credentials.
        account.access_token = None
        grant = grant or {"code": returned["code"][0], "redirect_uri": options.redirect}
        return account.log_in(scopes=SCOPES, allow_http=True, **grant)

    token = log_in()
    expect(bool(token), "no token")
    report["steps"].append("token")
    report["code twice"] = refused(log_in)

    # A reused code revokes its tokens, so this logs in again.
    returned = parse_qs(urlsplit(approve(page)).query)
    log_in()
    report["user"] = account.account_verify_credentials().acct

    timeline(account, options, report)

    if options.refresh:
        before = account.access_token
        log_in(refresh_token=account._refresh_token)
        expect(account.access_token != before, "the refresh gave the same token")
        expect(account.account_verify_credentials().acct == report["user"], "another user after the refresh")
        report["steps"].append("refreshed")

    ended = account.access_token
    account.revoke_access_token(allow_http=True)
    account.access_token = ended
    report["works after its end"] = not refused(account.account_verify_credentials)
    report["steps"].append("ended")


def timeline(account, options, report):
    first = account.timeline_home(limit=5)
    expect(len(first) == 5, f"{len(first)} posts")
    newest_first(first)
    second = account.timeline_home(limit=5, max_id=first[-1].id)
    expect(len(second) == 5, f"{len(second)} posts below")
    expect(account.fetch_next(first)[0].id == second[0].id, "the link to the next page leads elsewhere")
    ids = [post.id for post in first + second]
    expect(len(set(ids)) == 10, "a post came twice")
    report["steps"].append("timeline downwards")

    if not options.unsorted:
        # min_id returns the page directly above the id, and since_id returns the newest page.
        above = account.timeline_home(limit=3, min_id=second[-1].id)
        expect([post.id for post in above] == ids[6:9], "min_id does not give the posts just above")
        newest = account.timeline_home(limit=3, since_id=second[-1].id)
        expect([post.id for post in newest] == ids[0:3], "since_id does not give the newest posts")
        # The link to newer posts must lead to the posts directly above the page: from the second five posts to the first five.
        again = account.fetch_previous(second)
        expect([post.id for post in again] == ids[0:5], "the link to the previous page leads elsewhere")
        report["steps"].append("timeline upwards")
    report["newest"] = {"id": str(first[0].id), "content": first[0].content}


def newest_first(posts):
    times = [post.created_at for post in posts]
    expect(times == sorted(times, reverse=True), "not newest first")


def refused(action):
    try:
        action()
    except MastodonError:
        return True
    return False


if __name__ == "__main__":
    main()
