#!/usr/bin/env python3
"""Logs in with OAuth 2.0, using requests-oauthlib, at X's v2 API with the given base URL.

Submits the first form of the authorise page with the approving button, exchanges the code with PKCE, requests the home timeline, refreshes
and revokes. Then sends requests that must be refused: a second use of the code or of a refresh token, and a use of a revoked token.
Prints one JSON object; exits with 0 if every step succeeded, else with 1. The callback address is never opened.
"""

import argparse
import json
import os
import sys
from urllib.parse import quote, urljoin

import requests
from oauthlib.oauth2 import OAuth2Error
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from login_to_sandbox import SECONDS, approve, expect

SCOPES = ["tweet.read", "users.read", "offline.access"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="http://127.0.0.1:PORT")
    parser.add_argument("--client-id", required=True)
    parser.add_argument("--client-secret", help="the secret of a confidential client")
    parser.add_argument("--redirect", required=True)
    options = parser.parse_args()
    # All requests are sent to loopback.
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
    report = {"ok": False, "steps": []}
    try:
        walk(options, report)
        report["ok"] = all(report["refused"].values())
    except Exception as error:
        report["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(0 if report["ok"] else 1)


def walk(options, report):
    def at(path):
        return urljoin(options.base, path)

    # The identifier and the secret must be form-encoded first (RFC 6749 §2.3.1), which requests does not do.
    pair = [quote(options.client_id, safe=""), quote(options.client_secret or "", safe="")]
    basic = HTTPBasicAuth(*pair) if options.client_secret else None
    sender = {"auth": basic} if basic else {"include_client_id": True}
    session = OAuth2Session(options.client_id, redirect_uri=options.redirect, scope=SCOPES, pkce="S256")
    address, _ = session.authorization_url(at("/i/oauth2/authorize"))
    location = approve(address)
    report["steps"].append("authorised")

    # requests-oauthlib checks the state and keeps the verifier.
    def exchange():
        return session.fetch_token(at("/2/oauth2/token"), authorization_response=location, timeout=SECONDS, **sender)

    token = exchange()
    expect(token["expires_in"] == 7200 and token["token_type"] == "bearer", "token answer")
    report["steps"].append("token")

    def status(path, access):
        return requests.get(at(path), headers={"Authorization": f"Bearer {access}"}, timeout=SECONDS).status_code

    me = session.get(at("/2/users/me"), timeout=SECONDS)
    expect(me.status_code == 200, f"users/me: {me.status_code} {me.text}")
    report["user"] = me.json()["data"]["username"]
    timeline = at(f"/2/users/{me.json()['data']['id']}/timelines/reverse_chronological")
    page = session.get(timeline, params={"max_results": "50", "tweet.fields": "created_at,author_id"}, timeout=SECONDS)
    expect(page.status_code == 200, f"timeline: {page.status_code} {page.text}")
    report["posts"] = len(page.json()["data"])
    report["steps"].append("timeline")

    def refresh(text):
        form = {} if basic else {"client_id": options.client_id}
        return OAuth2Session(options.client_id, token=token).refresh_token(
            at("/2/oauth2/token"), refresh_token=text, auth=basic, timeout=SECONDS, **form
        )

    second = refresh(token["refresh_token"])
    expect(second["refresh_token"] != token["refresh_token"], "the refresh token was not rotated")
    expect(status("/2/users/me", second["access_token"]) == 200, "the refreshed token opens nothing")
    report["steps"].append("refresh")
    form = {"token": second["access_token"]} | ({} if basic else {"client_id": options.client_id})
    revoked = requests.post(at("/2/oauth2/revoke"), data=form, auth=basic, timeout=SECONDS)
    expect(revoked.status_code == 200, f"revoke: {revoked.status_code} {revoked.text}")

    report["refused"] = {
        "revoked token": status("/2/users/me", second["access_token"]) == 401,
        "refresh token used twice": is_refused(lambda: refresh(token["refresh_token"])),
        "its successor afterwards": is_refused(lambda: refresh(second["refresh_token"])),
        "code used twice": is_refused(exchange),
    }


def is_refused(call):
    """Whether a call to the token endpoint is refused the way X refuses it."""
    try:
        call()
    except OAuth2Error as error:
        return error.error == "invalid_request"
    return False


if __name__ == "__main__":
    main()
