#!/usr/bin/env python3
"""Verifies signed requests with oauthlib. Each line of standard input is a JSON request, and each line of standard output is a JSON verdict.

A request has `method`, `url`, `headers` (an object), `body`, `consumer_key`, `consumer_secret`, `token`, `token_secret`.
A verdict has `verified`.
"""

import argparse
import json
import sys

from oauthlib.oauth1 import RequestValidator
from oauthlib.oauth1.rfc5849.endpoints import ResourceEndpoint


class Validator(RequestValidator):
    """A validator that accepts the client and the token of one request, and any nonce and realm."""

    enforce_ssl = False
    dummy_client = "unknown"
    dummy_access_token = "unknown"

    def __init__(self, request):
        super().__init__()
        self._request = request

    def check_client_key(self, client_key):
        return bool(client_key)

    check_access_token = check_nonce = check_client_key

    def validate_client_key(self, client_key, request):
        return client_key == self._request["consumer_key"]

    def validate_access_token(self, client_key, token, request):
        return token == self._request["token"]

    def validate_timestamp_and_nonce(self, *_, **__):
        return True

    def validate_realms(self, *_, **__):
        return True

    def get_client_secret(self, client_key, request):
        return self._request["consumer_secret"]

    def get_access_token_secret(self, client_key, token, request):
        return self._request["token_secret"]


def verified(request):
    endpoint = ResourceEndpoint(Validator(request))
    valid, _ = endpoint.validate_protected_resource_request(
        request["url"], http_method=request["method"], body=request["body"], headers=request["headers"]
    )
    return valid


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for line in sys.stdin:
        print(json.dumps({"verified": verified(json.loads(line))}), flush=True)


if __name__ == "__main__":
    main()
