#!/usr/bin/env python3
"""Checks authlib_oauth2_server.py with Authlib's own client, including requests that must be refused.

    oauth2_walk.py BASE --client-id ID --client-secret SECRET --client-auth none|basic|post

Prints one JSON object whose members are the checks, each true or a message about the failure. Exits with 0 if all are true,
else with 1. The callback address is never opened.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2 import rfc8414, rfc9207

from login_to_sandbox import SECONDS, approve, expect

CALLBACK = "http://127.0.0.1:1/callback"
METHODS = {"none": "none", "basic": "client_secret_basic", "post": "client_secret_post"}
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="http://127.0.0.1:PORT")
    parser.add_argument("--client-id", required=True)
    parser.add_argument("--client-secret", required=True)
    parser.add_argument("--client-auth", choices=METHODS, required=True)
    # Allows Authlib's client to use loopback without TLS.
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    walk = Walk(parser.parse_args())
    report = {}
    for name, check in CHECKS.items():
        walk.control(do="forget_counts")
        try:
            check(walk)
            report[name] = True
        except Exception as error:
            report[name] = f"{type(error).__name__}: {error}"
        finally:
            walk.put_back()
    print(json.dumps(report, ensure_ascii=False, indent=1))
    sys.exit(0 if all(one is True for one in report.values()) else 1)


class Walk:
    """The steps of the checks."""

    def __init__(self, options):
        self.options = options
        self.base = options.base
        self._at_first = self.state()["switches"]

    # The server's switches.

    def state(self):
        return requests.get(self.base + "/__control", timeout=SECONDS).json()

    def control(self, **orders):
        answer = requests.post(self.base + "/__control", json=orders, timeout=SECONDS)
        expect(answer.status_code == 200, answer.text)

    def put_back(self):
        self.control(**self._at_first)

    def counted(self, **expected):
        counts = self.state()["counts"]
        found = {name: counts.get(name, 0) for name in expected}
        expect(found == expected, f"counted {found}, expected {expected}")

    # Authlib's client.

    def session(self, **more):
        secret = None if self.options.client_auth == "none" else self.options.client_secret
        return OAuth2Session(
            self.options.client_id,
            secret,
            token_endpoint_auth_method=METHODS[self.options.client_auth],
            revocation_endpoint_auth_method=METHODS[self.options.client_auth],
            **{"redirect_uri": CALLBACK, "scope": "profile", "code_challenge_method": "S256", **more},
        )

    def at(self, path):
        return self.base + path

    def redirect(self, session, **parameters):
        """The redirect address after approval, and the verifier of the login."""
        verifier = generate_token(48)
        address, _ = session.create_authorization_url(
            self.at("/oauth/authorize"), code_verifier=verifier, **parameters
        )
        return approve(address), verifier

    def login(self):
        session = self.session()
        location, verifier = self.redirect(session)
        return session, session.fetch_token(
            self.at("/oauth/token"), authorization_response=location, code_verifier=verifier, timeout=SECONDS
        )

    def refresh(self, token):
        return self.session().refresh_token(
            self.at("/oauth/token"), refresh_token=token["refresh_token"], timeout=SECONDS
        )

    def raw_refresh(self, token):
        """Sends the token request without Authlib's parsing of the response."""
        form = {"grant_type": "refresh_token", "refresh_token": token["refresh_token"]}
        return self.session().request(
            "POST", self.at("/oauth/token"), withhold_token=True, data=form, timeout=SECONDS,
            auth=self.session().client_auth(METHODS[self.options.client_auth]),
        )  # fmt: skip

    def me(self, token):
        field = {"Authorization": f"Bearer {token['access_token']}"}
        return requests.get(self.at("/api/me"), headers=field, timeout=SECONDS)


def query_of(location):
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}


def refused(expected, work):
    """Expects that Authlib's client gets the given error."""
    try:
        work()
    except OAuthError as error:
        expect(error.error == expected, f"refused with {error.error}, not with {expected}")
    else:
        raise AssertionError(f"not refused with {expected}")


# The checks.


def metadata(walk):
    address = rfc8414.get_well_known_url(walk.base, external=True)
    document = requests.get(address, timeout=SECONDS).json()
    known = rfc8414.AuthorizationServerMetadata(document)
    known.validate(metadata_classes=[rfc9207.AuthorizationServerMetadata])
    expect(known["issuer"] == walk.base, "another issuer")
    expect(known["code_challenge_methods_supported"] == ["S256"], "the metadata does not offer only S256")


def metadata_switches(walk):
    address = rfc8414.get_well_known_url(walk.base, external=True)
    ask = lambda at=address: requests.get(at, timeout=SECONDS, allow_redirects=False)
    walk.control(metadata="foreign")
    expect(ask().json()["issuer"] == "https://attacker.example", "foreign")
    walk.control(metadata="slash")
    expect(ask().json()["issuer"] == walk.base + "/", "slash")
    walk.control(metadata="404")
    expect(ask().status_code == 404, "404")
    walk.control(metadata="html")
    expect((ask().status_code, ask().text[:9]) == (200, "<!DOCTYPE"), "html")
    walk.control(metadata="redirect")
    expect(ask().status_code == 302, "redirect")
    walk.control(metadata="right", issuer_path="/realm")
    inserted = rfc8414.get_well_known_url(walk.base + "/realm", external=True)
    expect(ask(inserted).json()["issuer"] == walk.base + "/realm", "an issuer with a path")
    expect(ask().status_code == 404, "an issuer with a path, requested without the path")


def login(walk):
    _, token = walk.login()
    expect(token["token_type"] == "Bearer" and token["scope"] == "profile", "the token's kind or scope")
    expect(token["expires_in"] == 3600, "expires_in")
    expect(walk.me(token).json() == {"sub": "99", "name": "A Peer"}, "the user's id and name")
    expect(walk.me({"access_token": token["access_token"] + "x"}).status_code == 401, "a made-up token")
    walk.counted(token_requests=1, codes_asked=1, codes_answered=1, resource_answered=1, resource_refused=1)


def issuer(walk):
    said = {"right": walk.base, "slash": walk.base + "/", "wrong": "https://attacker.example", "missing": None}
    for kind, value in said.items():
        walk.control(iss=kind)
        location, _ = walk.redirect(walk.session(), state="a b&c")
        expect(query_of(location).get("iss") == value, f"{kind}: {location}")
        expect(query_of(location)["state"] == "a b&c", location)


def user_refuses(walk):
    address, _ = walk.session().create_authorization_url(walk.at("/oauth/authorize"), code_verifier=generate_token(48))
    form = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    deny = lambda: query_of(
        requests.post(
            walk.at("/oauth/authorize"), data={**form, "action": "deny"}, allow_redirects=False, timeout=SECONDS
        ).headers["Location"]
    )
    expect(deny() | {"error_description": ""} == {
        "error": "access_denied", "error_description": "", "state": form["state"], "iss": walk.base,
    }, str(deny()))  # fmt: skip
    walk.control(refusal_state=False)
    expect("state" not in deny() and deny()["error"] == "access_denied", str(deny()))


def pkce(walk):
    bare = walk.session(code_challenge_method=None)
    address, _ = bare.create_authorization_url(walk.at("/oauth/authorize"))
    ask = lambda at: requests.get(at, allow_redirects=False, timeout=SECONDS)
    refusal = query_of(ask(address).headers["Location"])
    expect((refusal["error"], refusal["iss"]) == ("invalid_request", walk.base), f"no challenge: {refusal}")
    plain = address + "&code_challenge=" + "x" * 43 + "&code_challenge_method=plain"
    expect(query_of(ask(plain).headers["Location"])["error"] == "invalid_request", "plain")
    unsaid = address + "&code_challenge=" + "x" * 43
    expect(query_of(ask(unsaid).headers["Location"])["error"] == "invalid_request", "no method")
    session = walk.session()
    location, _ = walk.redirect(session)
    fetch = lambda **more: session.fetch_token(
        walk.at("/oauth/token"), authorization_response=location, timeout=SECONDS, **more
    )
    refused("invalid_grant", lambda: fetch(code_verifier=generate_token(48)))
    refused("invalid_request", lambda: fetch())
    walk.control(pkce="ignored")
    fetch(code_verifier=generate_token(48))


def unknown_redirect(walk):
    for address in ("https://attacker.example/callback", "http://localhost:1/callback"):
        session = walk.session(redirect_uri=address)
        asked, _ = session.create_authorization_url(walk.at("/oauth/authorize"), code_verifier=generate_token(48))
        page = requests.get(asked, allow_redirects=False, timeout=SECONDS)
        expect(page.status_code == 400 and "Location" not in page.headers, f"{address}: {page.status_code}")
    walk.control(redirect="any-port", redirect_uri="http://127.0.0.1/callback")
    walk.redirect(walk.session())
    walk.control(redirect="exact")
    asked, _ = walk.session().create_authorization_url(
        walk.at("/oauth/authorize"), code_verifier=generate_token(48)
    )
    expect(requests.get(asked, allow_redirects=False, timeout=SECONDS).status_code == 400, "another port")


def other_authentication(walk):
    _, token = walk.login()
    for method in set(METHODS) - {walk.options.client_auth}:
        session = OAuth2Session(
            walk.options.client_id, walk.options.client_secret, token_endpoint_auth_method=METHODS[method]
        )
        refused(
            "invalid_client",
            lambda: session.refresh_token(
                walk.at("/oauth/token"), refresh_token=token["refresh_token"], timeout=SECONDS
            ),
        )
    walk.refresh(token)


def code_twice(walk):
    session = walk.session()
    location, verifier = walk.redirect(session)
    fetch = lambda: session.fetch_token(
        walk.at("/oauth/token"), authorization_response=location, code_verifier=verifier, timeout=SECONDS
    )
    token = fetch()
    refused("invalid_grant", fetch)
    expect(walk.me(token).status_code == 401, "its token still works")
    walk.counted(codes_asked=2, codes_answered=1, codes_refused=1, codes_reused=1)


def late_code(walk):
    walk.control(code_life=0.0)
    refused("invalid_grant", walk.login)


def rotation(walk):
    _, first = walk.login()
    second = walk.refresh(first)
    expect(second["refresh_token"] != first["refresh_token"], "the refresh token was not replaced")
    expect(second["access_token"] != first["access_token"], "the access token was not replaced")
    expect(walk.me(first).status_code == 200 and walk.me(second).status_code == 200, "access tokens")
    third = walk.refresh(second)
    expect(walk.me(third).status_code == 200, "the third")
    walk.counted(refreshes_asked=2, refreshes_answered=2, rotations=2, reuse_detected=0, families_killed=0)
    walk.control(refresh_kills_access=True)
    fourth = walk.refresh(third)
    expect(walk.me(third).status_code == 401 and walk.me(fourth).status_code == 200, "the previous access token still works")


def reuse(walk):
    _, first = walk.login()
    _, stranger = walk.login()
    second = walk.refresh(first)
    refused("invalid_grant", lambda: walk.refresh(first))
    refused("invalid_grant", lambda: walk.refresh(second))
    expect(walk.me(second).status_code == 401, "a token of the family still works")
    expect(walk.me(stranger).status_code == 200, "a token of another login was revoked")
    walk.counted(refreshes_refused=2, reuse_detected=1, families_killed=1)
    walk.counted(reuse_after_answer=1, reuse_after_lost_answer=0)


def race(walk):
    """Two requests with one token. The later request invalidates the new token of the earlier request before its response arrives."""
    walk.control(fault="late", fault_at="refresh", fault_next=1, fault_seconds=0.2)
    _, token = walk.login()
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda _: walk.raw_refresh(token), range(2)))
    expect(sorted(one.status_code for one in answers) == [200, 400], str(answers))
    winner = next(one.json() for one in answers if one.status_code == 200)
    expect(walk.me(winner).status_code == 401, "the winner's token works")
    walk.counted(refreshes_asked=2, refreshes_answered=1, refreshes_refused=1, reuse_after_answer=1, families_killed=1)


def other_rotations(walk):
    walk.control(rotation="rotate")
    _, first = walk.login()
    second = walk.refresh(first)
    refused("invalid_grant", lambda: walk.refresh(first))
    walk.refresh(second)
    walk.control(rotation="none")
    _, first = walk.login()
    expect("refresh_token" not in walk.raw_refresh(first).json(), "a new refresh token")
    expect(walk.raw_refresh(first).status_code == 200, "the second refresh with one token")
    walk.control(rotation="kill", grace=60.0)
    _, first = walk.login()
    walk.refresh(first)
    walk.refresh(walk.refresh(first))
    walk.counted(grace_used=1, families_killed=0)


def dead_tokens(walk):
    walk.control(token_life=1)
    _, token = walk.login()
    walk.control(do="expire_access")
    expect(walk.me(token).status_code == 401, "an expired token works")
    walk.control(access_refusal="403-empty")
    answer = walk.me(token)
    expect((answer.status_code, answer.content) == (403, b""), "403 with an empty body")
    walk.control(refresh_life=0.00001)
    _, token = walk.login()
    refused("invalid_grant", lambda: walk.refresh(token))
    walk.control(refresh_refusal="400-empty")
    answer = walk.raw_refresh(token)
    expect((answer.status_code, answer.content) == (400, b""), "400 with an empty body")
    walk.control(token_life=0, expires_in_text=True, refresh_life=0.0)
    _, token = walk.login()
    expect("expires_in" not in token, "a token without expiry has expires_in")
    walk.control(token_life=7200, alter='{"token_type": "bearer", "scope": null}')
    answer = walk.raw_refresh(token).json()
    expect((answer["expires_in"], answer["token_type"], "scope" in answer) == ("7200", "bearer", False), str(answer))
    walk.control(do="revoke_all", refresh_refusal="400")
    refused("invalid_grant", lambda: walk.refresh(answer))


def no_answer(work):
    try:
        work()
    except requests.RequestException:
        return
    raise AssertionError("a response arrived")


def lost_answers(walk):
    for fault in ("drop", "half", "502"):
        walk.control(do="forget_counts", fault=fault, fault_at="refresh", fault_next=1)
        _, token = walk.login()
        no_answer(lambda: walk.refresh(token))
        refused("invalid_grant", lambda: walk.refresh(token))
        walk.counted(
            refreshes_asked=2, refreshes_lost=1, refreshes_refused=1, refreshes_answered=0, rotations=1,
            reuse_after_lost_answer=1, reuse_after_answer=0, families_killed=1,
        )  # fmt: skip


def refused_answers(walk):
    _, token = walk.login()
    for fault, status in {"503": 503, "429": 429, "500": 500}.items():
        walk.control(fault=fault, fault_at="refresh", fault_next=1, fault_seconds=1.5)
        answer = walk.raw_refresh(token)
        expect(answer.status_code == status, f"{fault}: {answer.status_code}")
        expect(answer.headers.get("Retry-After") == (None if fault == "500" else "2"), f"{fault}: Retry-After")
        expect(answer.text.startswith("<!DOCTYPE") == (fault == "500"), f"{fault}: {answer.text}")
    walk.control(fault="drop-before", fault_next=1)
    no_answer(lambda: walk.refresh(token))
    walk.control(fault="late", fault_next=1, fault_seconds=0.01)
    walk.refresh(token)
    walk.counted(refreshes_asked=5, refreshes_failed=4, refreshes_answered=1, rotations=1, families_killed=0)


def chance(walk):
    """The same seed loses the same responses."""
    rows = []
    for _ in range(2):
        walk.control(rotation="none", fault="503", fault_at="refresh", fault_probability=0.5, fault_seed=7)
        _, token = walk.login()
        rows.append([walk.raw_refresh(token).status_code for _ in range(12)])
    expect(rows[0] == rows[1] and set(rows[0]) == {200, 503}, str(rows))


def revocation(walk):
    revoke = lambda token, **more: walk.session().revoke_token(
        walk.at("/oauth/revoke"), token=token, timeout=SECONDS, **more
    )
    _, token = walk.login()
    expect(revoke(token["access_token"], token_type_hint="access_token").status_code == 200, "access token")
    expect(walk.me(token).status_code == 401, "the revoked access token works")
    token = walk.refresh(token)
    expect(revoke(token["refresh_token"]).status_code == 200, "refresh token")
    expect(walk.me(token).status_code == 401, "the access token of a revoked refresh token works")
    refused("invalid_grant", lambda: walk.refresh(token))
    expect(revoke("nobody knows this one").status_code == 200, "an unknown token")
    walk.counted(revocations=2)


def device(walk):
    def begin():
        answer = walk.session().request(
            "POST", walk.at("/oauth/device_authorization"), withhold_token=True, data={"scope": "profile"},
            auth=walk.session().client_auth(METHODS[walk.options.client_auth]), timeout=SECONDS,
        )  # fmt: skip
        return answer.json()

    def decide(code, action):
        expect(requests.get(code["verification_uri_complete"], timeout=SECONDS).status_code == 200, "the page")
        form = {"user_code": code["user_code"].lower(), "action": action}
        requests.post(code["verification_uri"], data=form, timeout=SECONDS)

    def poll(code):
        return walk.session().fetch_token(
            walk.at("/oauth/token"), grant_type=DEVICE_GRANT, device_code=code["device_code"], timeout=SECONDS
        )

    code = begin()
    expect(code["interval"] == 5, "interval")
    refused("authorization_pending", lambda: poll(code))
    refused("slow_down", lambda: poll(code))
    decide(code, "allow")
    expect(walk.me(walk.refresh(poll(code))).status_code == 200, "its token")
    refused("invalid_request", lambda: poll(code))
    code = begin()
    decide(code, "deny")
    refused("access_denied", lambda: poll(code))
    walk.control(device_life=0.0)
    refused("expired_token", lambda code=begin(): poll(code))
    walk.counted(devices_answered=1, slow_downs=1)


CHECKS = {
    check.__name__: check
    for check in (
        metadata,
        metadata_switches,
        login,
        issuer,
        user_refuses,
        pkce,
        unknown_redirect,
        other_authentication,
        code_twice,
        late_code,
        rotation,
        reuse,
        race,
        other_rotations,
        dead_tokens,
        lost_answers,
        refused_answers,
        chance,
        revocation,
        device,
    )
}


if __name__ == "__main__":
    main()
