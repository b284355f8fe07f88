#!/usr/bin/env python3
"""An OAuth 1.0a provider with a v1.1 timeline, whose signatures oauthlib verifies.

Prints one JSON line when it listens (`url`, `port`, `consumer_key`, `consumer_secret`, and `request_token`, `authorize`,
`access_token`, `verify_credentials`, `home_timeline` as complete URLs). Exits when standard input ends, or after --lifetime.
A log line has `method`, `path`, `status`, `verified` (true, false, or null for an unsigned request), `reason`, `nonce`,
`parameters` (names only).
"""

import hashlib
import html
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

from oauthlib.oauth1 import WebApplicationServer

import peer
from oauth1_store import Store
from timeline import Timeline

# Twitter's messages and codes for invalid signed requests.
TWITTER_ERRORS = {
    "timestamp": (135, "Timestamp out of bounds."),
    "token": (89, "Invalid or expired token."),
    "unsigned": (215, "Bad Authentication data."),
}
OTHER_ERROR = (32, "Could not authenticate you.")

FORM = "application/x-www-form-urlencoded"


def main():
    options = parse_arguments()
    provider = Provider(options)

    class BoundHandler(Handler):
        pass

    BoundHandler.provider = provider
    server = ThreadingHTTPServer(("127.0.0.1", options.port), BoundHandler)
    base = f"http://127.0.0.1:{server.server_address[1]}"
    peer.serve(
        server,
        options.lifetime,
        consumer_key=options.consumer_key,
        consumer_secret=options.consumer_secret,
        **{name: base + path for name, path in PATHS.items()},
    )


def parse_arguments():
    parser = peer.arguments(__doc__.splitlines()[0])
    parser.add_argument("--authorize", choices=("ask", "approve", "deny"), default="ask", help="show a page, or approve or deny immediately")
    parser.add_argument(
        "--denial",
        choices=("problem", "problem-with-token", "denied"),
        default="problem",
        help="the form of a refusal: oauth_problem=user_refused without or with oauth_token, or denied=TOKEN",
    )
    parser.add_argument("--redirect-status", type=int, choices=(302, 303), default=302)
    parser.add_argument("--clock-offset", type=float, default=0, metavar="SECONDS", help="the error of the server's clock")
    parser.add_argument("--unconfirmed", action="store_true", help="omit oauth_callback_confirmed")
    parser.add_argument("--confirmed-text", default="true", help="the value of oauth_callback_confirmed")
    parser.add_argument("--refuse-with-200", action="store_true", help="the token endpoints refuse with 200 and 'Error: …'")
    parser.add_argument("--used-nonces", type=int, default=0, metavar="N", help="treat the nonces of the first N requests to each address as used")
    parser.add_argument("--nonce-answer", choices=NONCE_ANSWERS, default="problem", help="how a used nonce is refused")
    parser.add_argument("--require-tls", choices=("yes", "no"), default="no")
    parser.add_argument("--posts", type=int, default=450, help="the number of posts at the start")
    parser.add_argument("--grow", type=int, default=0, metavar="N", help="add N posts before each request without max_id, except the first")
    parser.add_argument("--no-id-str", action="store_true", help="ids are numbers only")
    parser.add_argument("--etag", action="store_true", help="timelines have an ETag, and If-None-Match is answered with 304")
    return parser.parse_args()


PATHS = {
    "request_token": "/oauth/request_token",
    "authorize": "/oauth/authorize",
    "access_token": "/oauth/access_token",
    "verify_credentials": "/1.1/account/verify_credentials.json",
    "home_timeline": "/1.1/statuses/home_timeline.json",
}


# The forms of a refusal: OAuth Problem Reporting in the body or in the challenge, Twitter's, and those of MediaWiki's API and OAuth pages.
NONCE_ANSWERS = ("problem", "challenge", "twitter", "mediawiki", "text")


class Answer:
    """A status, a body and its headers."""

    def __init__(self, status, body="", content_type="text/html; charset=utf-8", **headers):
        self.status = status
        self.body = body.encode()
        self.headers = {"Content-Type": content_type, **{k.replace("_", "-"): v for k, v in headers.items()}}


class Provider:
    """The handlers of all addresses. oauthlib decides which requests are accepted."""

    def __init__(self, options):
        self.options = options
        self.log = peer.Log(options.log)
        self.store = Store(
            options.consumer_key,
            options.consumer_secret,
            clock_offset=options.clock_offset,
            require_tls=options.require_tls == "yes",
        )
        self.oauth = WebApplicationServer(self.store)
        self.timeline = Timeline(options.posts, with_id_str=not options.no_id_str)
        self._timeline_was_read = False
        self._spoiled = Counter()
        self._lock = threading.Lock()

    def spoils_nonce(self, path):
        """Whether the nonce of the next request to this address is treated as used."""
        with self._lock:
            self._spoiled[path] += 1
            return self._spoiled[path] <= self.options.used_nonces

    def answer(self, method, url, headers, body):
        path = urlsplit(url).path
        routes = {
            ("POST", PATHS["request_token"]): self.request_token,
            ("GET", PATHS["request_token"]): self.request_token,
            ("GET", PATHS["authorize"]): self.authorize,
            ("POST", PATHS["authorize"]): self.authorize,
            ("POST", PATHS["access_token"]): self.access_token,
            ("GET", PATHS["access_token"]): self.access_token,
            ("GET", PATHS["verify_credentials"]): self.verify_credentials,
            ("GET", PATHS["home_timeline"]): self.home_timeline,
        }
        route = routes.get((method, path))
        return route(method, url, headers, body) if route else Answer(404, "Not found\n", "text/plain")

    # The three OAuth endpoints.

    def request_token(self, method, url, headers, body):
        confirmed = {"oauth_callback_confirmed": self.options.confirmed_text}
        _, text, status = self.oauth.create_request_token_response(url, method, body, headers, confirmed)
        if status == 200 and self.options.unconfirmed:
            text = urlencode([(k, v) for k, v in parse_qsl(text) if k != "oauth_callback_confirmed"])
        return self._token_answer(text, status)

    def access_token(self, method, url, headers, body):
        user = self.timeline.user()
        whose = {"user_id": str(user["id"]), "screen_name": user["screen_name"]}
        _, text, status = self.oauth.create_access_token_response(url, method, body, headers, whose)
        return self._token_answer(text, status)

    def _token_answer(self, text, status):
        if status == 200:
            return Answer(200, text, FORM)
        if self.options.refuse_with_200:
            _, reason = self.store.seen()
            return Answer(200, f"Error: the {reason or 'signature'} is not right.", "text/html; charset=utf-8")
        # oauthlib explains why a malformed request is refused, but not why a well-formed request is.
        return Answer(status, text, FORM) if text else self._refusal()

    def authorize(self, method, url, headers, body):
        fields = dict(parse_qsl(urlsplit(url).query) + parse_qsl(body))
        token = fields.get("oauth_token", "")
        callback = self.store.callback_of(token)
        if callback is None:
            return Answer(401, "<title>Unknown</title><p>This request token is not known.</p>")
        decision = self.options.authorize
        if fields.get("deny") or (decision == "deny" and not fields.get("allow")):
            return self._deny(token, callback)
        if fields.get("allow") or fields.get("approve") or decision == "approve":
            return self._approve(url, token)
        return Answer(200, authorize_page(token))

    def _approve(self, url, token):
        bare = url.split("?")[0] + "?" + urlencode({"oauth_token": token})
        headers, text, status = self.oauth.create_authorization_response(bare)
        if status == 200:
            verifier = dict(parse_qsl(text))["oauth_verifier"]
            return Answer(200, f"<title>PIN</title><p>Your PIN is <code id=verifier>{html.escape(verifier)}</code></p>")
        return Answer(self.options.redirect_status, Location=headers["Location"])

    def _deny(self, token, callback):
        self.store.forget_request_token(token)
        parameters = {
            "problem": {"oauth_problem": "user_refused"},
            "problem-with-token": {"oauth_problem": "user_refused", "oauth_token": token},
            "denied": {"denied": token},
        }[self.options.denial]
        if callback == "oob":
            return Answer(200, "<title>Refused</title><p>You refused.</p>")
        joined = callback + ("&" if "?" in callback else "?") + urlencode(parameters)
        return Answer(self.options.redirect_status, Location=joined)

    # API endpoints for authorised accounts.

    def verify_credentials(self, method, url, headers, body):
        return self._protected(method, url, headers, body, lambda _: self.timeline.user())

    def home_timeline(self, method, url, headers, body):
        return self._protected(method, url, headers, body, self._page)

    def _page(self, query):
        max_id = query.get("max_id")
        if max_id is None:
            if self._timeline_was_read:
                self.timeline.number_of_posts += self.options.grow
            self._timeline_was_read = True
        return self.timeline.page(
            since_id=int(query["since_id"]) if "since_id" in query else None,
            max_id=int(max_id) if max_id is not None else None,
            count=int(query.get("count", 20)),
            extended=query.get("tweet_mode") == "extended",
        )

    def _protected(self, method, url, headers, body, content):
        valid, _ = self.oauth.validate_protected_resource_request(url, method, body, headers)
        if not valid:
            return self._refusal(signed="authorization" in headers)
        text = json.dumps(content(dict(parse_qsl(urlsplit(url).query))), ensure_ascii=False)
        if not self.options.etag:
            return json_answer(200, text)
        etag = '"' + hashlib.sha256(text.encode()).hexdigest()[:32] + '"'
        if headers.get("if-none-match") == etag:
            return Answer(304, ETag=etag)
        return json_answer(200, text, ETag=etag)

    def _refusal(self, signed=True):
        _, reason = self.store.seen()
        if reason == "nonce":
            return nonce_answer(self.options.nonce_answer)
        code, message = TWITTER_ERRORS.get(reason if signed else "unsigned", OTHER_ERROR)
        return json_answer(401 if signed else 400, json.dumps({"errors": [{"code": code, "message": message}]}))


def json_answer(status, text, **headers):
    return Answer(status, text, "application/json; charset=utf-8", **headers)


def nonce_answer(form):
    used = "Nonce already used: 1f"
    if form == "challenge":
        challenge = 'OAuth realm="api", oauth_problem="nonce_used"'
        return Answer(401, "<!DOCTYPE html><title>Unauthorized</title>", WWW_Authenticate=challenge)
    if form == "twitter":
        return json_answer(401, json.dumps({"errors": [{"code": 32, "message": used}]}))
    if form == "mediawiki":
        info = "The authorization headers in your request are not valid: " + used
        return json_answer(200, json.dumps({"error": {"code": "mwoauth-invalid-authorization", "info": info}}))
    if form == "text":
        return Answer(200, "Error: " + used)
    return Answer(401, "oauth_problem=nonce_used&oauth_problem_advice=" + used.replace(" ", "+"), FORM)


def authorize_page(token):
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Authorise</title></head><body>
<h1>Authorise this program?</h1>
<form method="post" action="{PATHS['authorize']}">
<input type="hidden" name="oauth_token" value="{html.escape(token)}">
<button type="submit" id="allow" name="allow" value="1">Authorise</button>
<button type="submit" id="deny" name="deny" value="1">Cancel</button>
</form></body></html>
"""


class Handler(BaseHTTPRequestHandler):
    """Passes a request to the provider and logs it with its response."""

    provider = None
    protocol_version = "HTTP/1.1"
    # Silent connections time out, so that their threads end.
    timeout = 30
    # Sends head and body together, because otherwise the body waits for the acknowledgement of the head.
    wbufsize = -1

    def do_GET(self):
        self._handle()

    def do_POST(self):
        self._handle()

    def _handle(self):
        provider = self.provider
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
        headers = {name.lower(): value for name, value in self.headers.items()}
        url = f"http://{self.headers.get('Host', '')}{self.path}"
        provider.store.begin(spoils_nonce=provider.spoils_nonce(urlsplit(url).path))
        try:
            answer = provider.answer(self.command, url, headers, body)
        except Exception as error:  # An exception in oauthlib must not look like a network fault.
            answer = Answer(500, f"{type(error).__name__}: {error}\n", "text/plain; charset=utf-8")
        self._log(answer)
        self._send(answer)

    def _log(self, answer):
        request, reason = self.provider.store.seen()
        self.provider.log.write(
            method=self.command,
            path=urlsplit(self.path).path,
            parameters=[name for name, _ in parse_qsl(urlsplit(self.path).query, keep_blank_values=True)],
            status=answer.status,
            verified=None if request is None else request.validator_log.get("signature", False),
            reason=reason,
            nonce=request and request.nonce,
        )

    def _send(self, answer):
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def date_time_string(self, timestamp=None):
        return peer.http_date(self.provider.options.clock_offset)

    def log_message(self, format, *args):
        pass


if __name__ == "__main__":
    main()
