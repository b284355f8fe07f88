#!/usr/bin/env python3
"""Logs in with OAuth 1.0a, using requests-oauthlib, to a provider with the given base URL.

Requests a request token, submits the first form of the authorise page with the approving button, exchanges the verifier, and requests the
home timeline two times. Then sends requests that must be refused: a replayed nonce, a changed signature, a second use of the verifier.
Prints one JSON object; exits with 0 if every step succeeded, else with 1. The callback address is never opened.
"""

import argparse
import json
import sys
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from oauthlib.oauth1 import Client
from requests_oauthlib import OAuth1Session

CALLBACK = "http://127.0.0.1:1/callback"
SECONDS = 10


def main():
    options = parse_arguments()
    report = {"ok": False, "steps": []}
    try:
        walk(options, report)
        report["ok"] = all(report["refused"].values())
    except Exception as error:
        report["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(0 if report["ok"] else 1)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="http://127.0.0.1:PORT")
    parser.add_argument("--consumer-key", required=True)
    parser.add_argument("--consumer-secret", required=True)
    parser.add_argument("--signature-method", choices=("HMAC-SHA1", "HMAC-SHA256"), default="HMAC-SHA1")
    parser.add_argument("--request-token", default="/oauth/request_token", metavar="PATH")
    parser.add_argument("--authorize", default="/oauth/authorize", metavar="PATH")
    parser.add_argument("--access-token", default="/oauth/access_token", metavar="PATH")
    parser.add_argument("--verify-credentials", default="/1.1/account/verify_credentials.json", metavar="PATH")
    parser.add_argument("--home-timeline", default="/1.1/statuses/home_timeline.json", metavar="PATH")
    return parser.parse_args()


def walk(options, report):
    def at(path):
        return urljoin(options.base, path)

    keys = {"client_secret": options.consumer_secret, "signature_method": options.signature_method}
    session = OAuth1Session(options.consumer_key, callback_uri=CALLBACK, **keys)
    temporary = session.fetch_request_token(at(options.request_token), timeout=SECONDS)
    report["callback_confirmed"] = temporary.get("oauth_callback_confirmed")
    report["steps"].append("request token")

    location = approve(session.authorization_url(at(options.authorize)))
    returned = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
    expect(location.startswith(CALLBACK + "?"), f"redirect to {location.split('?')[0]}")
    expect(returned.get("oauth_token") == temporary["oauth_token"], "the redirect names another token")
    verifier = returned["oauth_verifier"]
    report["steps"].append("authorised")

    def exchange():
        step = OAuth1Session(
            options.consumer_key,
            resource_owner_key=temporary["oauth_token"],
            resource_owner_secret=temporary["oauth_token_secret"],
            verifier=verifier,
            **keys,
        )
        return step.post(at(options.access_token), timeout=SECONDS)

    granted = exchange()
    expect(granted.status_code == 200, f"access token: {granted.status_code} {granted.text}")
    token = {name: values[0] for name, values in parse_qs(granted.text).items()}
    report["screen_name"] = token.get("screen_name")
    report["steps"].append("access token")

    account = OAuth1Session(
        options.consumer_key,
        resource_owner_key=token["oauth_token"],
        resource_owner_secret=token["oauth_token_secret"],
        **keys,
    )
    user = account.get(at(options.verify_credentials), timeout=SECONDS)
    expect(user.status_code == 200, f"verify_credentials: {user.status_code}")
    report["user"] = user.json()["screen_name"]

    # Servers often decode these characters incorrectly: a space, a plus, an ampersand, other scripts.
    odd = {"count": "5", "note": "a b+c&d=é水~*'()"}
    first = account.get(at(options.home_timeline), params=odd, timeout=SECONDS)
    expect(first.status_code == 200, f"timeline: {first.status_code} {first.text}")
    newest = first.json()[0]["id"]
    older = account.get(at(options.home_timeline), params={"max_id": newest - 1, "count": "5"}, timeout=SECONDS)
    expect(older.status_code == 200, f"second timeline: {older.status_code}")
    expect(all(post["id"] < newest for post in older.json()), "max_id is not obeyed")
    report["posts"] = [len(first.json()), len(older.json())]
    report["newest_id"] = str(newest)
    report["steps"].append("timeline twice")

    report["refused"] = {
        "replayed nonce": replay(first.request) == 401,
        "changed signature": changed(options, token, at(options.home_timeline)) == 401,
        "verifier used twice": exchange().status_code == 401,
    }


def approve(page_url):
    """Submits the first form of the authorise page with the approving button and returns the redirect's target."""
    browser = requests.Session()
    page = browser.get(page_url, timeout=SECONDS)
    expect(page.status_code == 200, f"authorise page: {page.status_code}")
    form = FirstForm()
    form.feed(page.text)
    expect(form.method is not None, "the authorise page has no form")
    expect(form.allow is not None, "the form has no button that allows")
    fields = form.fields + [form.allow]
    target = urljoin(page.url, form.action or page.url)
    # The Origin that a browser sends with the form.
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(target))
    send = {"data": fields} if form.method == "post" else {"params": fields}
    answer = browser.request(
        form.method, target, headers={"Origin": origin}, allow_redirects=False, timeout=SECONDS, **send
    )
    expect(answer.status_code in (302, 303), f"form: {answer.status_code} {answer.text[:200]}")
    return answer.headers["Location"]


class FirstForm(HTMLParser):
    """The first form of a page: its target, its hidden fields, and the approving button."""

    def __init__(self):
        super().__init__()
        self.method = None
        self.action = None
        self.fields = []
        self.allow = None
        self._inside = False

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "form" and self.method is None:
            self._inside = True
            self.method = (found.get("method") or "get").lower()
            self.action = found.get("action")
        if not self._inside or found.get("name") is None:
            return
        pair = (found["name"], found.get("value") or "")
        kind = (found.get("type") or ("submit" if tag == "button" else "text")).lower()
        if tag == "input" and kind not in ("submit", "button", "reset", "image", "checkbox", "radio"):
            self.fields.append(pair)
        elif kind == "submit" and self.allow is None and "allow" in (pair[0], pair[1], found.get("id")):
            self.allow = pair

    def handle_endtag(self, tag):
        if tag == "form":
            self._inside = False


def replay(sent):
    """Sends a request a second time, byte for byte."""
    return requests.Session().send(sent.copy(), timeout=SECONDS).status_code


def changed(options, token, url):
    """Sends a request with a query other than the signed query."""
    client = Client(
        options.consumer_key,
        client_secret=options.consumer_secret,
        resource_owner_key=token["oauth_token"],
        resource_owner_secret=token["oauth_token_secret"],
        signature_method=options.signature_method,
    )
    _, headers, _ = client.sign(url + "?count=5", http_method="GET")
    return requests.get(url + "?count=6", headers=headers, timeout=SECONDS).status_code


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


if __name__ == "__main__":
    main()
