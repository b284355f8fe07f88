#!/usr/bin/env python3
"""An OAuth 1.0a provider with a v1.1 timeline that is built on Authlib. It has the same endpoints as oauth1_server.py.

The ready line, the paths and the log are also those of oauth1_server.py. Authlib differs in these ways: it sends
`oauth_callback_confirmed=True`, supports only HMAC-SHA1, sends errors as forms, and invalidates a request token after any refused
exchange, such as one with a wrong verifier.
"""

import json
import logging
import threading
from urllib.parse import parse_qsl

from authlib.integrations.flask_oauth1 import (
    AuthorizationServer,
    ResourceProtector,
    create_exists_nonce_func,
)
from authlib.integrations.flask_oauth1 import (
    register_nonce_hooks,
    register_temporary_credential_hooks,
)
from authlib.oauth1 import ClientMixin, TokenCredentialMixin
from authlib.oauth1.errors import OAuth1Error
from flask import Flask, Request, Response, request
from werkzeug.serving import WSGIRequestHandler, make_server

import peer
from oauth1_server import PATHS, authorize_page
from timeline import Timeline


def main():
    parser = peer.arguments(__doc__.splitlines()[0])
    parser.add_argument("--authorize", choices=("ask", "approve", "deny"), default="ask", help="show a page, or approve or deny immediately")
    parser.add_argument("--posts", type=int, default=450)
    options = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", options.port, make_app(options), threaded=True, request_handler=KeepAlive)
    base = f"http://127.0.0.1:{server.server_port}"
    peer.serve(
        server,
        options.lifetime,
        consumer_key=options.consumer_key,
        consumer_secret=options.consumer_secret,
        **{name: base + path for name, path in PATHS.items()},
    )


class KeepAlive(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30


class RawRequest(Request):
    """A request whose `url` is unchanged. Flask would decode the URL, and Authlib would then refuse non-ASCII text."""

    @property
    def url(self):
        return self.host_url.rstrip("/") + self.environ["RAW_URI"]


class Cache:
    """A dictionary with the four methods that Authlib's hooks call. No entry expires within a test."""

    def __init__(self):
        self._values = {}
        self._lock = threading.Lock()

    def get(self, key):
        with self._lock:
            return self._values.get(key)

    def set(self, key, value, timeout=None):
        with self._lock:
            self._values[key] = value

    def has(self, key):
        with self._lock:
            return key in self._values

    def delete(self, key):
        with self._lock:
            self._values.pop(key, None)


class Consumer(ClientMixin):
    def __init__(self, key, secret):
        self.key = key
        self._secret = secret

    def get_default_redirect_uri(self):
        return None

    def get_client_secret(self):
        return self._secret

    def get_rsa_public_key(self):
        return None


class AccessToken(TokenCredentialMixin):
    def __init__(self, token):
        self._token = token

    def get_oauth_token(self):
        return self._token["oauth_token"]

    def get_oauth_token_secret(self):
        return self._token["oauth_token_secret"]


class Owner:
    """The user who approves."""

    def get_user_id(self):
        return 99


def make_app(options):
    app = Flask("oauth1_server_authlib")
    app.request_class = RawRequest
    consumer = Consumer(options.consumer_key, options.consumer_secret)
    cache = Cache()
    tokens = {}
    timeline = Timeline(options.posts)
    log = peer.Log(options.log)

    def query_client(key):
        return consumer if key == consumer.key else None

    def keep_token(token, temporary):
        tokens[token["oauth_token"]] = AccessToken(token)
        return tokens[token["oauth_token"]]

    server = AuthorizationServer(app, query_client=query_client)
    register_temporary_credential_hooks(server, cache)
    register_nonce_hooks(server, cache)
    server.register_hook("create_token_credential", keep_token)
    protect = ResourceProtector(
        app,
        query_client=query_client,
        query_token=lambda key, token: tokens.get(token) if key == consumer.key else None,
        exists_nonce=create_exists_nonce_func(cache),
    )

    @app.post(PATHS["request_token"])
    def request_token():
        return server.create_temporary_credentials_response()

    @app.route(PATHS["authorize"], methods=["GET", "POST"])
    def authorize():
        try:
            asked = server.check_authorization_request()
        except OAuth1Error as error:
            return Response(f"<title>Unknown</title><p>{type(error).__name__}</p>", status=401)
        decision = options.authorize
        if request.values.get("deny") or (decision == "deny" and not request.values.get("allow")):
            return server.create_authorization_response(grant_user=None)
        if request.values.get("allow") or request.values.get("approve") or decision == "approve":
            return server.create_authorization_response(grant_user=Owner())
        return Response(authorize_page(asked.token))

    @app.post(PATHS["access_token"])
    def access_token():
        return server.create_token_response()

    @app.get(PATHS["verify_credentials"])
    @protect
    def verify_credentials():
        return as_json(timeline.user())

    @app.get(PATHS["home_timeline"])
    @protect
    def home_timeline():
        query = request.args
        posts = timeline.page(
            since_id=query.get("since_id", type=int),
            max_id=query.get("max_id", type=int),
            count=query.get("count", 20, type=int),
            extended=query.get("tweet_mode") == "extended",
        )
        return as_json(posts)

    @app.after_request
    def write_down(response):
        signed = "oauth_nonce" in request.headers.get("Authorization", "")
        text = response.get_data(as_text=True)
        log.write(
            method=request.method,
            path=request.path,
            parameters=list(request.args),
            status=response.status_code,
            # Authlib accepts only verified requests.
            verified=response.status_code == 200 if signed else None,
            reason=refusal_of(text) if signed and response.status_code != 200 else None,
            nonce=nonce_of(request.headers["Authorization"]) if signed else None,
        )
        return response

    return app


def as_json(value):
    return Response(json.dumps(value, ensure_ascii=False), content_type="application/json; charset=utf-8")


def refusal_of(text):
    """Authlib's error code, from a body that is JSON or a form."""
    try:
        return json.loads(text).get("error")
    except ValueError:
        return dict(parse_qsl(text)).get("error")


def nonce_of(header):
    for part in header.removeprefix("OAuth ").split(","):
        name, _, value = part.strip().partition("=")
        if name == "oauth_nonce":
            return value.strip('"')
    return None


if __name__ == "__main__":
    main()
