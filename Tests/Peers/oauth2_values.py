#!/usr/bin/env python3
"""Creates and reads OAuth 2.0 messages with Authlib and oauthlib. Each line of standard input is a JSON request, and each line of
standard output is a JSON response.

A request has `ask`, which determines its other members:
  `authorize`   `endpoint`, `client_id`, `redirect`, `scopes`, `state`, `verifier`, `further` ([[name, value], …]);
                the answer: `urls`, `challenges`
  `token`       `grant` (authorization_code or refresh_token), `client_id`, `secret`, `method` (none, basic or body), `code` or
                `refresh_token`, `redirect`, `verifier`; the answer: `bodies`, and `headers` (null for none)
  `revoke`      `client_id`, `secret`, `method`, `token`, `hint`; the answer: `bodies`
  `basic`       `header`; the answer: `client_id`, `secret`, as Authlib's server reads them
  `answer`      `body`; the answer: `members` as oauthlib reads them, or `error` and `description`
  `redirect`    `uri`, `state`; the answer: `code` as oauthlib reads it, or `error`
  `metadata`    `issuer`; the answer: `url`
Every error is returned as `failure`.
"""

import argparse
import json
import sys
from urllib.parse import urlencode

from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.client import OAuth2Client
from authlib.oauth2.rfc6749.parameters import prepare_token_request
from authlib.oauth2.rfc6749.util import extract_basic_authorization
from authlib.oauth2.rfc8414 import get_well_known_url
from oauthlib.oauth2 import OAuth2Error, WebApplicationClient
from oauthlib.oauth2.rfc6749.parameters import prepare_token_revocation_request

METHODS = {"none": "none", "basic": "client_secret_basic", "body": "client_secret_post"}


def authorize(question):
    further = dict(map(tuple, question["further"]))
    theirs = OAuth2Client(None, question["client_id"], code_challenge_method="S256")
    authlib_url, _ = theirs.create_authorization_url(
        question["endpoint"], state=question["state"], code_verifier=question["verifier"],
        redirect_uri=question["redirect"], scope=" ".join(question["scopes"]), **further)
    client = WebApplicationClient(question["client_id"])
    challenge = client.create_code_challenge(question["verifier"], "S256")
    oauthlib_url = client.prepare_request_uri(
        question["endpoint"], redirect_uri=question["redirect"], scope=question["scopes"], state=question["state"],
        code_challenge=challenge, code_challenge_method="S256", **further)
    return {"urls": [authlib_url, oauthlib_url], "challenges": [challenge]}


def token(question):
    fields = {
        "authorization_code": ["code", "code_verifier"],
        "refresh_token": ["refresh_token"],
    }[question["grant"]]
    named = {name: question["verifier" if name == "code_verifier" else name] for name in fields}
    redirect = question["redirect"] if question["grant"] == "authorization_code" else None
    body, header = authenticated(question, prepare_token_request(question["grant"], redirect_uri=redirect, **named))
    client = WebApplicationClient(question["client_id"])
    inside = {"include_client_id": question["method"] != "basic"}
    if question["method"] == "body":
        inside["client_secret"] = question["secret"]
    if question["grant"] == "authorization_code":
        other = client.prepare_request_body(
            code=question["code"], redirect_uri=redirect, code_verifier=question["verifier"], **inside)
    else:
        other = client.prepare_refresh_body(refresh_token=question["refresh_token"], **inside)
        if question["method"] != "basic":
            # oauthlib does not add the client id to a refresh.
            other = f"{other}&{prepare_client(question)}"
    return {"bodies": [body, other], "headers": [header]}


def prepare_client(question):
    return urlencode({"client_id": question["client_id"]})


def revoke(question):
    _, _, bare = prepare_token_revocation_request("https://as.example/r", question["token"], question["hint"])
    body, _ = authenticated(question, bare)
    return {"bodies": [body]}


def authenticated(question, body):
    auth = ClientAuth(question["client_id"], question["secret"], METHODS[question["method"]])
    try:
        _, headers, body = auth.prepare("POST", "https://as.example/", {}, body)
    except UnicodeEncodeError:
        # Authlib's client does not encode the identifier and secret for the header, and writes them in Latin-1.
        return body, None
    return body, headers.get("Authorization")


def basic(question):
    identifier, secret = extract_basic_authorization({"Authorization": question["header"]})
    return {"client_id": identifier, "secret": secret}


def answer(question):
    try:
        read = WebApplicationClient("c").parse_request_body_response(question["body"])
    except OAuth2Error as error:
        return {"error": error.error, "description": error.description}
    return {"members": {name: str(value) for name, value in read.items() if name != "scope"}, "scope": read.scope}


def redirect(question):
    try:
        read = WebApplicationClient("c").parse_request_uri_response(question["uri"], state=question["state"])
    except OAuth2Error as error:
        return {"error": error.error}
    return {"code": read["code"]}


def metadata(question):
    return {"url": get_well_known_url(question["issuer"], external=True)}


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    makers = {
        "authorize": authorize, "token": token, "revoke": revoke, "basic": basic, "answer": answer,
        "redirect": redirect, "metadata": metadata,
    }
    for line in sys.stdin:
        try:
            question = json.loads(line)
            result = makers[question["ask"]](question)
        except Exception as error:
            result = {"failure": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
