#!/usr/bin/env python3
"""An OAuth 2.0 authorisation server that is built on Authlib, with a resource that requires its tokens.

Prints one JSON line when it listens: `url`, `port`, `issuer`, `client_id`, `client_secret`, and `authorize`, `token`,
`revoke`, `device_authorization`, `device`, `me` as complete URLs. Exits when standard input ends, or after --lifetime.
A log line has `method`, `path`, `status`, `fault` (the fault that was applied to the response, or null), `grant`,
`parameters` (names only), `extra` (the parameters of an authorisation request that the protocol does not define, with their
values), `authentication` (how a client authenticated in a POST request: basic, post or none). GET /__control returns `switches` and `counts`. POST /__control accepts a JSON object of
switches, where `do` is one of DEEDS.
"""

import contextlib
import html
import json
import logging
import math
import os
import socket
import time

from authlib.common.security import generate_token
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6750 import BearerTokenGenerator, InvalidTokenError
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url
from flask import Flask, Response, g, request
from werkzeug.serving import WSGIRequestHandler, make_server

import peer
from oauth2_grants import parts
from oauth2_store import AUTHENTICATIONS, DEVICE_GRANT, Client, Store, User
from oauth2_switches import AFTER, BEFORE, Switches

PATHS = {
    "authorize": "/oauth/authorize",
    "token": "/oauth/token",
    "revoke": "/oauth/revoke",
    "device_authorization": "/oauth/device_authorization",
    "device": "/device",
    "me": "/api/me",
}
KINDS = {"authorization_code": "code", "refresh_token": "refresh", DEVICE_GRANT: "device"}
# The names of these grants in the counts.
PLURALS = {"code": "codes", "refresh": "refreshes", "device": "devices", "other": "others"}
DEEDS = {
    "revoke_all": Store.revoke_all,
    "expire_access": Store.expire_access,
    "forget_counts": lambda store: store.counts.clear(),
}
# Refusals to renew a token, in the forms that Microsoft and others send.
REFUSALS = {
    "interaction": {"error": "interaction_required", "error_description": "The user has to sign in."},
    "aadsts-final": {
        "error": "invalid_request",
        "error_description": "AADSTS700082: The refresh token has expired due to inactivity.",
        "error_codes": [700082],
    },
    "aadsts-pause": {
        "error": "invalid_grant",
        "error_description": "AADSTS50196: The server terminated an operation because of a request loop.",
        "error_codes": [50196],
    },
}
# The parameters of an authorisation request that OAuth 2.0, PKCE and OpenID Connect define.
PROTOCOL_PARAMETERS = {
    "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method", "nonce",
}  # fmt: skip
# A tenant's id in the issuer of its tokens, where the metadata of all tenants has a placeholder.
TENANT = "9f1c2e4a-0000-4000-8000-5f6b7c8d9e0f"
NO_STORE = {"Cache-Control": "no-store"}


def main():
    parser = peer.server_arguments(__doc__.splitlines()[0])
    parser.add_argument("--client-id", default="peer-client-0001")
    parser.add_argument("--client-secret", default="peer&client=secret:0001")
    Switches.add_options(parser)
    options = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    # Authlib requires TLS, which loopback does not need.
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    site = Site(options)
    server = make_server("127.0.0.1", options.port, site.app, threaded=True, request_handler=KeepAlive)
    site.base = f"http://127.0.0.1:{server.server_port}"
    peer.serve(
        server,
        options.lifetime,
        issuer=site.issuer(),
        client_id=options.client_id,
        client_secret=options.client_secret,
        **{name: site.base + path for name, path in PATHS.items()},
    )


class KeepAlive(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30


class Site:
    """The handlers of all addresses. Authlib decides which requests are accepted; the switches decide which faults occur."""

    def __init__(self, options):
        self.switches = Switches.from_options(options)
        self.store = Store(self.switches)
        self.log = peer.Log(options.log)
        self.base = None
        self.app = Flask("authlib_oauth2_server")
        self.parts = parts(self.store, self.tenant_issuer, lambda: self.base + PATHS["device"])
        self.server = self._make_server(Client(options.client_id, options.client_secret, self.switches))
        self.protector = ResourceProtector()
        self.protector.register_token_validator(self.parts.bearer)
        self._add_routes()

    def issuer(self):
        return self.base + self.switches.issuer_path

    def tenant_issuer(self):
        """The issuer of redirects and tokens, which is the tenant's own if the metadata is that of all tenants."""
        if self.switches.metadata == "tenants":
            return self.issuer().replace("/common", "/" + TENANT)
        return self.issuer()

    def _make_server(self, client):
        server = AuthorizationServer(
            self.app,
            query_client=lambda client_id: client if client_id == client.client_id else None,
            save_token=self.store.save_token,
        )
        random = lambda **_: generate_token(48)
        life = lambda client, grant_type: self.switches.token_life
        server.register_token_generator("default", BearerTokenGenerator(random, random, life))
        server.register_grant(self.parts.code, [self.parts.challenge])
        server.register_grant(self.parts.refresh)
        server.register_grant(self.parts.device)
        server.register_endpoint(self.parts.revocation)
        server.register_endpoint(self.parts.device_authorization)
        server.register_extension(self.parts.issuer)
        return server

    def _add_routes(self):
        route = self.app.add_url_rule
        route(PATHS["authorize"], view_func=self.authorize, methods=["GET", "POST"])
        route(PATHS["token"], view_func=self.token, methods=["POST"])
        route(PATHS["revoke"], view_func=self.revoke, methods=["POST"])
        route(PATHS["device_authorization"], view_func=self.device_authorization, methods=["POST"])
        route(PATHS["device"], view_func=self.device, methods=["GET", "POST"])
        route(PATHS["me"], "me", self.me)
        route("/userinfo", "userinfo", self.me)
        route("/.well-known/oauth-authorization-server", "metadata", self.metadata)
        route("/.well-known/oauth-authorization-server/<path:rest>", "metadata of a path", self.metadata)
        route("/.well-known/openid-configuration", "metadata of OpenID Connect", self.metadata)
        route("/__control", view_func=self.control, methods=["GET", "POST"])
        self.app.after_request(self._write_down)

    # Pages for browsers.

    def authorize(self):
        with self.store.lock:
            try:
                grant = self.server.get_consent_grant(end_user=User())
            except OAuth2Error as error:
                return self._refuse_to_ask(error)
            action = request.form.get("action") or {"approve": "allow", "deny": "deny"}.get(self.switches.authorize)
            if action not in ("allow", "deny"):
                return page("Authorise this program?", form(PATHS["authorize"], request.values))
            user = User() if action == "allow" else None
            response = self.server.create_authorization_response(grant_user=user, grant=grant)
            response.status_code = self.switches.redirect_status
            if action == "deny" and not self.switches.refusal_state:
                response.location = without_state(response.location)
            return response

    def _refuse_to_ask(self, error):
        # RFC 6749 §4.1.2.1: never redirect to an unregistered address.
        if not error.redirect_uri:
            return page(error.error, f"<p>{html.escape(error.description or '')}</p>", status=400)
        response = self.server.handle_error_response(None, error)
        self.parts.issuer.add_issuer_parameter(self.server, response)
        return response

    def device(self):
        with self.store.lock:
            code = request.values.get("user_code", "").strip().upper()
            known = self.store.device_by_user_code(code)
            if known is None:
                field = '<form><label>Code <input name="user_code"></label><button>Next</button></form>'
                return page("Which code does the program show?", field)
            if request.form.get("action") not in ("allow", "deny"):
                return page("Authorise this program?", form(PATHS["device"], {"user_code": code}))
            known["decision"] = request.form["action"]
            return page("Done", "<p>Go back to the program.</p>")

    # Endpoints for clients.

    def token(self):
        kind = KINDS.get(request.form.get("grant_type"), "other")
        return self._counted(PLURALS[kind], lambda: self._faulty(self._token_answer, kind, "token"))

    def _counted(self, what, work):
        with self.store.lock:
            self.store.counts["token_requests"] += 1
            self.store.counts[what + "_asked"] += 1
        response = work()
        with self.store.lock:
            self.store.counts[f"{what}_{self._outcome(response)}"] += 1
        return response

    def _outcome(self, response):
        """`lost` if the work was done but the response lost, `failed` if the work was not done."""
        fault = g.get("fault")
        if fault in BEFORE:
            return "failed"
        if fault in AFTER and fault != "late":
            return "lost"
        return "answered" if response.status_code == 200 else "refused"

    def _token_answer(self):
        response = self.server.create_token_response()
        if response.status_code == 200:
            return self._altered(response)
        dead = request.form.get("grant_type") == "refresh_token" and response.get_json()["error"] == "invalid_grant"
        return self._refuse_to_renew(response) if dead else response

    def _refuse_to_renew(self, response):
        kind = self.switches.refresh_refusal
        if kind == "400-empty":
            return Response("", status=400)
        return as_json(REFUSALS[kind], status=400) if kind in REFUSALS else response

    def _altered(self, response):
        answer = response.get_json()
        if self.switches.expires_in_text and "expires_in" in answer:
            answer["expires_in"] = str(answer["expires_in"])
        for name, value in self.switches.draw_alterations().items():
            if value is None:
                answer.pop(name, None)
            else:
                answer[name] = value
        response.set_data(json.dumps(answer))
        return response

    def revoke(self):
        return self._faulty(self._revoke, "revoke")

    def _revoke(self):
        if self.switches.revoke_auth == "bearer" and not request.headers.get("Authorization", "").startswith("Bearer "):
            self.store.counts["revocations_without_bearer"] += 1
            return Response("", status=401)
        return self.server.create_endpoint_response("revocation")

    def device_authorization(self):
        with self.store.lock:
            return self.server.create_endpoint_response("device_authorization")

    def me(self):
        return self._faulty(self._me, "resource")

    def _me(self):
        try:
            self.protector.acquire_token()
        except OAuth2Error as error:
            self.store.counts["resource_refused"] += 1
            if isinstance(error, InvalidTokenError) and self.switches.access_refusal == "403-empty":
                return Response("", status=403)
            return Response(json.dumps(dict(error.get_body())), error.status_code, error.get_headers())
        self.store.counts["resource_answered"] += 1
        return as_json({"sub": self.switches.sub, "name": "A Peer"})

    def metadata(self, rest=None):
        return self._faulty(self._metadata, "metadata")

    def _metadata(self):
        self.store.counts["metadata_asked"] += 1
        kind = self.switches.metadata
        suffix = "openid-configuration" if kind == "foreign-oidc" else "oauth-authorization-server"
        if kind == "404" or request.path != get_well_known_url(self.issuer(), suffix=suffix):
            return Response("Not found\n", status=404, content_type="text/plain")
        if kind == "html":
            return page("Welcome", "<p>This domain is for sale.</p>")
        if kind == "redirect":
            return Response(status=302, headers={"Location": "http://127.0.0.1:1/elsewhere"})
        issuers = {"foreign": "https://attacker.example", "foreign-oidc": "https://attacker.example", "slash": self.issuer() + "/", "tenants": self.issuer().replace("/common", "/{tenantid}")}  # fmt: skip
        document = AuthorizationServerMetadata(
            issuer=issuers.get(kind, self.issuer()),
            authorization_endpoint=self.base + PATHS["authorize"],
            token_endpoint=self.base + PATHS["token"],
            revocation_endpoint=self.base + PATHS["revoke"],
            device_authorization_endpoint=self.base + PATHS["device_authorization"],
            scopes_supported=self.switches.scopes.split(),
            response_types_supported=["code"],
            grant_types_supported=list(KINDS),
            token_endpoint_auth_methods_supported=[AUTHENTICATIONS[self.switches.client_auth]],
            code_challenge_methods_supported=["S256"],
            authorization_response_iss_parameter_supported=self.switches.iss_promised,
        )
        if self.switches.pkce == "ignored":
            del document["code_challenge_methods_supported"]
        if kind == "bare":
            del document["device_authorization_endpoint"], document["revocation_endpoint"]
        if kind == "par":
            document["require_pushed_authorization_requests"] = True
        return as_json(document)

    # Faults.

    def _faulty(self, work, *places):
        with self.store.lock:
            g.fault = self.switches.draw_fault(BEFORE, places)
            if g.fault:
                return self._fail(g.fault)
            response = work()
            # A refusal changes nothing, so losing it is a different kind of fault.
            if response.status_code != 200:
                return response
            fault = g.fault = self.switches.draw_fault(AFTER, places)
            if fault is None:
                return response
            if fault != "late":
                self._note_loss(response)
        if fault == "late":
            time.sleep(self.switches.fault_seconds)
            return response
        if fault == "502":
            return page("Bad Gateway", "<p>The upstream went away.</p>", status=502)
        return cut(half_of(response) if fault == "half" else b"")

    def _note_loss(self, response):
        token = self.store.by_access((response.get_json(silent=True) or {}).get("access_token"))
        if token:
            token.lost = True

    def _fail(self, fault):
        if fault == "drop-before":
            return cut(b"")
        if fault == "500":
            return page("Internal Server Error", "<p>Something is broken.</p>", status=500)
        response = Response("", status=int(fault))
        response.headers["Retry-After"] = str(math.ceil(self.switches.fault_seconds))
        return response

    # Control by tests.

    def control(self):
        with self.store.lock:
            if request.method == "POST":
                try:
                    self._take_orders(json.loads(request.get_data()))
                except ValueError as error:
                    return as_json({"error": str(error)}, status=400)
            return as_json(
                {
                    "switches": self.switches.as_json(),
                    "counts": dict(self.store.counts),
                    "replaced_refresh_tokens": self.store.replaced_refresh_tokens(),
                }
            )

    def _take_orders(self, orders):
        if not isinstance(orders, dict):
            raise ValueError("the request must be a JSON object")
        deed = orders.pop("do", None)
        if deed is not None and deed not in DEEDS:
            raise ValueError(f"do must be one of {', '.join(DEEDS)}")
        self.switches.set(orders)
        if deed:
            DEEDS[deed](self.store)

    def _write_down(self, response):
        if request.path != "/__control":
            self.log.write(
                method=request.method,
                path=request.path,
                parameters=list(request.args),
                status=response.status_code,
                fault=g.get("fault"),
                grant=request.form.get("grant_type"),
                extra=extra_parameters() if request.path == PATHS["authorize"] else {},
                authentication=authentication() if request.method == "POST" else None,
            )
        return response


def extra_parameters():
    """The parameters that a user added to the authorisation request. The page's button sends them again, with `action`."""
    return {name: value for name, value in request.values.items() if name not in PROTOCOL_PARAMETERS and name != "action"}


def authentication():
    """How the client of this request authenticated, rightly or wrongly."""
    if request.headers.get("Authorization", "").startswith("Basic "):
        return "basic"
    return "post" if "client_secret" in request.form else "none"


def cut(bytes):
    """A response that closes the connection after the given bytes. It is counted and logged first. Flask writes its own head to a dummy."""
    connection = request.environ["werkzeug.socket"]

    def send():
        # The client may have disconnected.
        with contextlib.suppress(OSError):
            if bytes:
                connection.sendall(bytes)
            connection.shutdown(socket.SHUT_RDWR)
        yield b""

    return Response(send(), status=499)


def half_of(response):
    """The intended head, and the first half of the body."""
    body = response.get_data()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body[: len(body) // 2]


def without_state(location):
    bare, _, query = location.partition("?")
    return bare + "?" + "&".join(part for part in query.split("&") if not part.startswith("state="))


def as_json(value, status=200):
    return Response(json.dumps(value), status=status, content_type="application/json", headers=NO_STORE)


def page(title, inside, status=200):
    text = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>{html.escape(title)}</title></head>
<body>
<h1>{html.escape(title)}</h1>
{inside}
</body></html>
"""
    return Response(text, status=status, content_type="text/html; charset=utf-8")


def form(action, fields):
    """A form that sends the same fields back, with the pressed button as `action`."""
    hidden = "\n".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in fields.items()
    )
    return f"""<form method="post" action="{action}">
{hidden}
<button type="submit" id="allow" name="action" value="allow">Authorise</button>
<button type="submit" id="deny" name="action" value="deny">Cancel</button>
</form>"""


if __name__ == "__main__":
    main()
