#!/usr/bin/env python3
"""Signs requests with oauthlib. Each line of standard input is a JSON request, and each line of standard output is a JSON response.

A request has
  `method`             "GET"
  `url`                a complete URL; its query is signed as parameters
  `form`               [[name, value], …], the pairs of a form body; may be omitted
  `oauth`              [[name, value], …], all protocol parameters but oauth_signature: oauth_consumer_key, oauth_nonce,
                       oauth_timestamp, oauth_signature_method (HMAC-SHA1, HMAC-SHA256 or PLAINTEXT), oauth_token, …
  `consumer_secret`, `token_secret`   strings; `token_secret` may be omitted
A response has `base_string` and `signature`, or `error`.
"""

import argparse
import json
import sys

from oauthlib.oauth1.rfc5849 import signature
from oauthlib.common import urlencode
from urllib.parse import urlsplit


class Message:
    """A request in the form that oauthlib's signing functions expect."""

    def __init__(self, request):
        parts = urlsplit(request["url"])
        form = [tuple(pair) for pair in request.get("form", [])]
        oauth = [tuple(pair) for pair in request["oauth"]]
        self.http_method = request["method"]
        self.uri = request["url"]
        # oauthlib collects the parameters of query and body, as on a server.
        self.params = (
            signature.collect_parameters(uri_query=parts.query, exclude_oauth_signature=True)
            + signature.collect_parameters(body=urlencode(form), exclude_oauth_signature=True)
            + oauth
        )
        self.base_string = signature.signature_base_string(
            self.http_method,
            signature.base_string_uri(self.uri, host=None),
            signature.normalize_parameters(self.params),
        )


def answer(request):
    message = Message(request)
    method = dict(map(tuple, request["oauth"]))["oauth_signature_method"]
    sign = {
        "HMAC-SHA1": signature.sign_hmac_sha1_with_client,
        "HMAC-SHA256": signature.sign_hmac_sha256_with_client,
        "PLAINTEXT": signature.sign_plaintext_with_client,
    }[method]
    secrets = Secrets(request["consumer_secret"], request.get("token_secret", ""))
    signed = sign(message.base_string, secrets) if method != "PLAINTEXT" else sign(None, secrets)
    return {"base_string": message.base_string, "signature": signed}


class Secrets:
    """The two fields of an oauthlib client that its signing functions read."""

    def __init__(self, consumer, token):
        self.client_secret = consumer
        self.resource_owner_secret = token


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for line in sys.stdin:
        try:
            result = answer(json.loads(line))
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
