"""The data of an OAuth 1.0a server, in the form that oauthlib's endpoints expect."""

import threading
import time

from oauthlib.oauth1 import RequestValidator

# The lengths and characters that oauthlib accepts. The limits are generous, because RFC 5849 has none.
LENGTHS = (8, 128)
UNRESERVED = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class Store(RequestValidator):
    """One consumer and its tokens, in memory. Records why this thread's last request was refused."""

    client_key_length = request_token_length = access_token_length = nonce_length = verifier_length = LENGTHS
    safe_characters = UNRESERVED
    allowed_signature_methods = ("HMAC-SHA1", "HMAC-SHA256", "PLAINTEXT")
    realms = ()
    # oauthlib compares timestamps with the machine's clock. This server's clock may be wrong on purpose, so it compares them itself.
    timestamp_lifetime = 10**10
    dummy_client = "no-such-consumer"
    dummy_request_token = "no-such-request-token"
    dummy_access_token = "no-such-access-token"
    enforce_ssl = False

    def __init__(self, consumer_key, consumer_secret, clock_offset=0.0, tolerance=300, require_tls=False):
        super().__init__()
        self.enforce_ssl = require_tls
        self._secrets = {consumer_key: consumer_secret}
        self._clock_offset = clock_offset
        self._tolerance = tolerance
        self._lock = threading.Lock()
        self._nonces = set()
        self._request_tokens = {}
        self._access_tokens = {}
        self._seen = threading.local()

    # For the server.

    def begin(self, spoils_nonce=False):
        """Forgets this thread's last request. The nonce of the next one may be treated as used."""
        self._seen.request = None
        self._seen.spoils_nonce = spoils_nonce
        self._seen.reason = None

    def seen(self):
        """This thread's request as far as it was parsed, and the reason for its refusal; or None and None."""
        request, reason = self._seen.request, self._seen.reason
        if reason is None and request is not None and request.validator_log.get("signature") is False:
            reason = "signature"
        return request, reason

    def callback_of(self, token):
        with self._lock:
            entry = self._request_tokens.get(token)
            return entry and entry["callback"]

    def forget_request_token(self, token):
        with self._lock:
            self._request_tokens.pop(token, None)

    # Timestamps and nonces (RFC 5849 §3.3).

    def validate_timestamp_and_nonce(
        self, client_key, timestamp, nonce, request, request_token=None, access_token=None
    ):
        self._seen.request = request
        if abs(time.time() + self._clock_offset - int(timestamp)) > self._tolerance:
            return self._refuse("timestamp")
        key = (client_key, timestamp, nonce, request_token, access_token)
        with self._lock:
            replayed = key in self._nonces or self._seen.spoils_nonce
            self._nonces.add(key)
        return self._refuse("nonce") if replayed else True

    # The consumer.

    def validate_client_key(self, client_key, request):
        return client_key in self._secrets or self._refuse("consumer")

    def get_client_secret(self, client_key, request):
        self._seen.request = request
        return self._secrets.get(client_key, "dummy")

    # Request tokens.

    def validate_redirect_uri(self, client_key, redirect_uri, request):
        return redirect_uri == "oob" or redirect_uri.startswith(("http://", "https://")) or self._refuse("callback")

    def save_request_token(self, token, request):
        with self._lock:
            self._request_tokens[token["oauth_token"]] = {
                "secret": token["oauth_token_secret"],
                "callback": request.redirect_uri,
                "consumer": request.client_key,
                "verifier": None,
            }

    def verify_request_token(self, token, request):
        with self._lock:
            return token in self._request_tokens

    def get_redirect_uri(self, token, request):
        return self.callback_of(token)

    def save_verifier(self, token, verifier, request):
        with self._lock:
            self._request_tokens[token]["verifier"] = verifier["oauth_verifier"]

    def validate_request_token(self, client_key, token, request):
        with self._lock:
            known = self._request_tokens.get(token, {}).get("consumer") == client_key
        return known or self._refuse("token")

    def get_request_token_secret(self, client_key, token, request):
        with self._lock:
            return self._request_tokens.get(token, {}).get("secret", "dummy")

    def validate_verifier(self, client_key, token, verifier, request):
        with self._lock:
            issued = self._request_tokens.get(token, {}).get("verifier")
        return (issued is not None and issued == verifier) or self._refuse("verifier")

    def invalidate_request_token(self, client_key, request_token, request):
        self.forget_request_token(request_token)

    # Access tokens.

    def save_access_token(self, token, request):
        with self._lock:
            self._access_tokens[token["oauth_token"]] = {
                "secret": token["oauth_token_secret"],
                "consumer": request.client_key,
            }

    def validate_access_token(self, client_key, token, request):
        with self._lock:
            known = self._access_tokens.get(token, {}).get("consumer") == client_key
        return known or self._refuse("token")

    def get_access_token_secret(self, client_key, token, request):
        with self._lock:
            return self._access_tokens.get(token, {}).get("secret", "dummy")

    # Realms (RFC 5849 §3.5.1), which this server does not use.

    def check_realms(self, realms):
        return True

    def get_default_realms(self, client_key, request):
        return []

    def get_realms(self, token, request):
        return []

    def validate_requested_realms(self, client_key, realms, request):
        return True

    def validate_realms(self, client_key, token, request, uri=None, realms=None):
        return True

    def _refuse(self, reason):
        # The first reason is kept, because oauthlib continues with dummy values after it.
        self._seen.reason = self._seen.reason or reason
        return False
