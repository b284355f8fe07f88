"""The data of an OAuth 2.0 server, in the form that Authlib's grants expect, and the counts of events."""

import secrets
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
LOOPBACK = ("127.0.0.1", "::1")
# The standard names of the client authentication methods.
AUTHENTICATIONS = {"none": "none", "basic": "client_secret_basic", "post": "client_secret_post"}


class User:
    """The user who approves or refuses."""

    def get_user_id(self):
        return "owner"


class Client(ClientMixin):
    """The only registered client."""

    def __init__(self, client_id, secret, switches):
        self.client_id = client_id
        self._secret = secret
        self._switches = switches

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return self._switches.redirect_uri or None

    def get_allowed_scope(self, scope):
        known = self._switches.scopes.split()
        if not scope:
            return " ".join(known)
        # Authlib refuses the request if this function returns None.
        return " ".join(one for one in scope.split() if one in known) or None

    def check_redirect_uri(self, redirect_uri):
        registered, rule = self._switches.redirect_uri, self._switches.redirect
        if rule == "exact":
            return redirect_uri == registered
        asked = urlsplit(redirect_uri)
        if asked.scheme != "http" or asked.hostname not in LOOPBACK or asked.fragment:
            return False
        known = urlsplit(registered)
        # RFC 8252 §7.3: only the port may differ.
        return rule == "loopback" or (asked.hostname, asked.path, asked.query) == (
            known.hostname,
            known.path,
            known.query,
        )

    def check_client_secret(self, client_secret):
        return secrets.compare_digest(self._secret.encode(), client_secret.encode())

    def check_endpoint_auth_method(self, method, endpoint):
        return method == AUTHENTICATIONS[self._switches.client_auth]

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        if grant_type == "refresh_token":
            return self._switches.refresh_tokens
        return grant_type in ("authorization_code", DEVICE_GRANT)


@dataclass
class Code(AuthorizationCodeMixin):
    """An authorisation code, used or not."""

    code: str
    redirect_uri: str
    scope: str
    code_challenge: str | None
    code_challenge_method: str | None
    expires: float
    family: str = field(default_factory=lambda: secrets.token_hex(8))
    used: bool = False

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


@dataclass
class Token(TokenMixin):
    """An access token and its refresh token. A family consists of all tokens from one login."""

    client_id: str
    family: str
    scope: str
    access: str
    refresh: str | None
    life: int
    refresh_expires: float | None
    issued: float = field(default_factory=time.monotonic)
    access_revoked: bool = False
    refresh_revoked: bool = False
    # When the refresh token was replaced, and by which token.
    replaced: float | None = None
    successor: "Token | None" = None
    # Whether this server lost the response with this token.
    lost: bool = False

    def check_client(self, client):
        return client.client_id == self.client_id

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return self.life

    def is_expired(self):
        return self.life > 0 and time.monotonic() >= self.issued + self.life

    def is_revoked(self):
        return self.access_revoked

    def is_refresh_expired(self):
        return self.refresh_expires is not None and time.monotonic() >= self.refresh_expires


class Store:
    """All tokens and codes. Readers and writers hold `lock`."""

    def __init__(self, switches):
        self.switches = switches
        self.lock = threading.RLock()
        self.counts = Counter()
        self.codes = {}
        self.devices = {}
        self._tokens = []

    def by_access(self, text):
        return next((token for token in self._tokens if token.access == text), None)

    def by_refresh(self, text):
        return next((token for token in self._tokens if text and token.refresh == text), None)

    def device_by_user_code(self, user_code):
        return next((device for device in self.devices.values() if device["user_code"] == user_code), None)

    def save_token(self, token, request):
        """Authlib's hook: stores the token before the response."""
        before = request.refresh_token if isinstance(request.refresh_token, Token) else None
        code = request.authorization_code if isinstance(request.authorization_code, Code) else None
        family = before.family if before else code.family if code else secrets.token_hex(8)
        life = self.switches.refresh_life
        self._tokens.append(
            Token(
                client_id=request.client.client_id,
                family=family,
                scope=token.get("scope", ""),
                access=token["access_token"],
                refresh=token.get("refresh_token"),
                life=self.switches.token_life,
                refresh_expires=time.monotonic() + life if life else None,
            )
        )

    def replace(self, token):
        """Records that the newest token replaces this one."""
        token.replaced, token.successor = time.monotonic(), self._tokens[-1]

    def replaced_refresh_tokens(self):
        """The refresh tokens in whose place the server has issued another one."""
        return [token.refresh for token in self._tokens if token.replaced is not None]

    def kill_access_before_newest(self, family):
        """Invalidates all access tokens of a login except the newest."""
        for token in self._tokens[:-1]:
            if token.family == family:
                token.access_revoked = True

    def kill_family(self, family):
        """Invalidates every token of a login."""
        for token in self._tokens:
            if token.family == family:
                token.access_revoked = token.refresh_revoked = True

    def revoke_all(self):
        """Revokes all tokens, as when a user removes the program from the list of authorised programs."""
        for token in self._tokens:
            token.access_revoked = token.refresh_revoked = True

    def expire_access(self):
        """Makes every access token expire now."""
        for token in self._tokens:
            token.life, token.issued = 1, time.monotonic() - 2
