#!/usr/bin/env python3
"""Reads every timeline of a Mastodon-compatible server with Mastodon.py and with toot, and compares what they find.

Registers at the server with the given base URL, submits the authorise page's form, and reads lists, hashtags, accounts, notifications,
bookmarks and favourites to their ends in small pages. Marks posts, and sets markers. Prints one JSON object; exits with 0 if both programs
found the same entries in the same order without gaps, else with 1. With --names, prints only the lists and the followed hashtags. Never opens
the callback address.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from urllib.parse import parse_qs, urlsplit

from mastodon import Mastodon
from toot import App, User, api

from login_to_sandbox import approve, expect

SCOPES = ["read", "write"]
REDIRECT = "http://127.0.0.1:1/callback"
SECONDS = 10
# Small enough for several pages of each timeline.
LIMIT = 15
GREATEST = 40


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="http://127.0.0.1:PORT")
    parser.add_argument("--no-unread", action="store_true", help="the server does not count unread notifications")
    parser.add_argument("--names", action="store_true", help="only print the names of timelines")
    options = parser.parse_args()
    report = {"ok": False, "steps": [], "entries": {}}
    try:
        if options.names:
            names(log_in(options.base), report)
        else:
            walk(options, report)
        report["ok"] = True
    except Exception as error:
        report["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(0 if report["ok"] else 1)


def names(account, report):
    report["lists"] = [{"id": str(entry.id), "title": entry.title, "exclusive": entry.exclusive} for entry in account.lists()]
    report["tags"] = [tag.name for tag in account.fetch_remaining(account.followed_tags(limit=1))]


def walk(options, report):
    account = log_in(options.base)
    report["steps"].append("authorised")
    host = urlsplit(options.base).netloc
    app = App(host, options.base, account.client_id, account.client_secret)
    user = User(host, "mira_demo", account.access_token)

    lists = account.lists()
    report["lists"] = [entry.title for entry in lists]
    expect([str(entry.id) for entry in lists] == [entry["id"] for entry in api.get_lists(app, user)], "other lists")
    friends = lists[0]
    members = {member.acct for member in account.list_accounts(friends.id)}
    found = account.account_lookup("kai_demo@far.example")
    expect(found.acct in members, "the account is not in its list")

    tag = account.followed_tags()[0].name
    timelines = {
        "list": (account.timeline_list(friends.id, limit=LIMIT), api.timeline_list_generator(app, user, str(friends.id), LIMIT)),
        "tag": (account.timeline_hashtag(tag, limit=LIMIT), api.tag_timeline_generator(app, user, tag, limit=LIMIT)),
        "tag not in ASCII": (
            account.timeline_hashtag("猫", limit=LIMIT), api.tag_timeline_generator(app, user, "猫", limit=LIMIT)),
        "account": (
            account.account_statuses(found.id, exclude_replies=True, exclude_reblogs=True, limit=LIMIT),
            api.account_timeline_generator_by_id(app, user, str(found.id), limit=LIMIT)),
        "bookmarks": (account.bookmarks(limit=LIMIT), api.bookmark_timeline_generator(app, user, limit=LIMIT)),
        "favourites": (account.favourites(limit=LIMIT), api.favourite_timeline_generator(app, user, limit=LIMIT)),
    }
    for name, (first, pages) in timelines.items():
        ids = whole(account, first)
        other = [post["id"] for page in pages for post in page]
        expect(ids == other, f"toot and Mastodon.py read another {name}")
        expect(len(ids) > LIMIT or name.startswith("tag"), f"the {name} has {len(ids)} entries")
        report["entries"][name] = len(ids)
    # Larger pages give the same.
    for name, first in (("bookmarks", account.bookmarks(limit=GREATEST)), ("list", account.timeline_list(friends.id, limit=GREATEST))):
        expect(len(whole(account, first)) == report["entries"][name], f"the {name} depends on the limit")
    report["steps"].append("timelines")

    events = account.notifications(limit=LIMIT)
    ids = whole(account, events)
    report["entries"]["notifications"] = len(ids)
    newest = from_command(app, user, "notifications")
    expect([event["id"] for event in newest] == ids[:len(newest)] and len(newest) == 20, "toot reads other notifications")
    mentions = account.fetch_remaining(account.notifications(types=["mention"], limit=LIMIT))
    expect(all(event.status is not None and event.type == "mention" for event in mentions), "a mention has no post")
    everything = account.fetch_remaining(account.notifications(limit=GREATEST))
    expect([str(event.id) for event in everything] == ids, "the notifications depend on the limit")
    expect(any(event.status is None for event in everything), "every notification has a post")
    expect([e.id for e in everything if e.type == "mention"] == [e.id for e in mentions], "types hide mentions")
    upwards = account.fetch_previous(account.notifications(max_id=ids[40], limit=LIMIT))
    expect([str(event.id) for event in upwards] == ids[41 - LIMIT:41], "the link to newer notifications skips some")
    report["steps"].append("notifications")

    marks(account, report)
    markers(account, ids, options)
    report["steps"].append("markers")


def marks(account, report):
    """Bookmarks in another order than that of the posts."""
    home = account.timeline_home(limit=5)
    before = whole(account, account.bookmarks(limit=GREATEST))
    for post in (home[2], home[0], home[4], home[2]):
        expect(account.status_bookmark(post.id).bookmarked, "the post is not bookmarked")
    wanted = [str(home[index].id) for index in (4, 0, 2)]
    expect(whole(account, account.bookmarks(limit=LIMIT)) == wanted + before, "the order is not that of marking")
    account.status_unbookmark(home[0].id)
    expect(whole(account, account.bookmarks(limit=LIMIT)) == [wanted[0], wanted[2]] + before, "a bookmark is left")
    account.status_favourite(home[1].id)
    expect(str(account.favourites(limit=1)[0].id) == str(home[1].id), "the favourite is not the newest")
    report["steps"].append("marks")


def markers(account, ids, options):
    expect(not account.markers_get(["home", "notifications"]), "there are markers already")
    if not options.no_unread:
        expect(account.notifications_unread_count().count == min(100, len(ids)), "wrong number of unread notifications")
    first = account.markers_set(["home", "notifications"], [account.timeline_home(limit=1)[0].id, ids[7]])
    second = account.markers_set(["notifications"], [ids[3]])
    expect(second["notifications"].version == first["notifications"].version + 1, "the version does not grow")
    expect(str(account.markers_get(["notifications"])["notifications"].last_read_id) == ids[3], "another marker")
    if not options.no_unread:
        expect(account.notifications_unread_count().count == 3, "the count ignores the marker")


def log_in(base):
    names = {"api_base_url": base, "request_timeout": SECONDS}
    client_id, client_secret = Mastodon.create_app("walker", scopes=SCOPES, redirect_uris=REDIRECT, **names)
    account = Mastodon(client_id, client_secret, ratelimit_method="throw", **names)
    location = approve(account.auth_request_url(redirect_uris=REDIRECT, scopes=SCOPES, allow_http=True))
    code = parse_qs(urlsplit(location).query)["code"][0]
    account.log_in(code=code, redirect_uri=REDIRECT, scopes=SCOPES, allow_http=True)
    return account


def whole(account, first):
    """The ids of a page and of all pages that its links lead to. Every id must occur once."""
    ids = [str(entry.id) for entry in account.fetch_remaining(first)]
    expect(len(set(ids)) == len(ids), "an entry came twice")
    return ids


def from_command(app, user, *command):
    """The JSON that the command `toot` prints, with a configuration of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/toot")
        name = f"{user.username}@{user.instance}"
        with open(f"{folder}/toot/config.json", "w", encoding="utf-8") as file:
            json.dump({"apps": {app.instance: app._asdict()}, "users": {name: user._asdict()}, "active_user": name}, file)
        environment = {**os.environ, "XDG_CONFIG_HOME": folder}
        run = subprocess.run(
            [sys.executable, "-m", "toot", *command, "--json"], env=environment, capture_output=True, text=True, timeout=30)
    expect(run.returncode == 0, f"toot: {run.stderr}")
    return json.loads(run.stdout)


if __name__ == "__main__":
    main()
