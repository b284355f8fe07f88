"""Authlib's grants and endpoints, connected to the store, and rotation with reuse detection, which Authlib does not have."""

import time
from collections import namedtuple

from authlib.oauth2.rfc6749 import InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oauth2.rfc9207 import IssuerParameter

from oauth2_store import Code, User

# The client determines which of these methods it allows.
METHODS = ["client_secret_basic", "client_secret_post", "none"]

Parts = namedtuple("Parts", "code challenge refresh revocation device_authorization device bearer issuer")


def parts(store, issuer, verification_uri):
    """The objects that a server registers. `issuer` and `verification_uri` are functions, because the port is not known until later."""
    switches = store.switches

    class Codes(AuthorizationCodeGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = METHODS

        def save_authorization_code(self, code, request):
            store.codes[code] = Code(
                code=code,
                redirect_uri=request.payload.redirect_uri,
                scope=request.scope,
                code_challenge=request.payload.data.get("code_challenge"),
                code_challenge_method=request.payload.data.get("code_challenge_method"),
                expires=time.monotonic() + switches.code_life,
            )

        def query_authorization_code(self, code, client):
            known = store.codes.get(code)
            if known is None:
                return None
            if known.used:
                # RFC 6749 §4.1.2: a reused code revokes its tokens.
                store.counts["codes_reused"] += 1
                store.kill_family(known.family)
                return None
            return known if time.monotonic() < known.expires else None

        def delete_authorization_code(self, authorization_code):
            authorization_code.used = True

        def authenticate_user(self, authorization_code):
            return User()

    class Challenge(CodeChallenge):
        SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]

        def validate_code_challenge(self, grant, redirect_uri):
            if switches.pkce == "ignored":
                return
            super().validate_code_challenge(grant, redirect_uri)
            asked = grant.request.payload.data
            if asked.get("code_challenge") and not asked.get("code_challenge_method"):
                # Authlib treats a missing method as `plain` (RFC 7636 §4.3).
                raise InvalidRequestError("Missing 'code_challenge_method'")
            if switches.pkce == "required" and not asked.get("code_challenge"):
                raise InvalidRequestError("Missing 'code_challenge'")

        def validate_code_verifier(self, grant, result):
            if switches.pkce == "ignored":
                return
            self.required = switches.pkce == "required"
            super().validate_code_verifier(grant, result)

    class Refreshes(RefreshTokenGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = METHODS

        @property
        def INCLUDE_NEW_REFRESH_TOKEN(self):
            return switches.rotation != "none"

        def authenticate_refresh_token(self, refresh_token):
            token = store.by_refresh(refresh_token)
            if token is None or token.refresh_revoked or token.is_refresh_expired():
                return None
            if token.replaced is None:
                return token
            if time.monotonic() < token.replaced + switches.grace:
                store.counts["grace_used"] += 1
                return token
            store.counts["reuse_detected"] += 1
            # Counts the cause of the reuse: either the client had received the new token, or this server had lost the response.
            store.counts["reuse_after_lost_answer" if token.successor.lost else "reuse_after_answer"] += 1
            if switches.rotation == "kill":
                store.counts["families_killed"] += 1
                store.kill_family(token.family)
            return None

        def authenticate_user(self, refresh_token):
            return User()

        def revoke_old_credential(self, refresh_token):
            if switches.rotation != "none":
                store.counts["rotations"] += 1
                store.replace(refresh_token)
            if switches.refresh_kills_access:
                store.kill_access_before_newest(refresh_token.family)

    class Revocation(RevocationEndpoint):
        CLIENT_AUTH_METHODS = METHODS

        def query_token(self, token_string, token_type_hint):
            # RFC 7009 §2.1: the hint is only an optimisation.
            return store.by_refresh(token_string) or store.by_access(token_string)

        def revoke_token(self, token, request):
            store.counts["revocations"] += 1
            if token.refresh == request.form["token"]:
                store.kill_family(token.family)
            else:
                token.access_revoked = True

    class DeviceAuthorization(DeviceAuthorizationEndpoint):
        CLIENT_AUTH_METHODS = METHODS

        @property
        def INTERVAL(self):
            return switches.device_interval

        @property
        def EXPIRES_IN(self):
            return int(switches.device_life)

        def get_verification_uri(self):
            return verification_uri()

        def save_device_credential(self, client_id, scope, data):
            store.devices[data["device_code"]] = DeviceCredentialDict(
                data, client_id=client_id, scope=scope, expires_at=time.time() + switches.device_life, decision=None
            )

    class Devices(DeviceCodeGrant):
        def query_device_credential(self, device_code):
            store.counts["device_polls"] += 1
            return store.devices.get(device_code)

        def query_user_grant(self, user_code):
            decision = store.device_by_user_code(user_code)["decision"]
            return None if decision is None else (User(), decision == "allow")

        def validate_device_credential(self, credential):
            user = super().validate_device_credential(credential)
            # A device code can be used once, which Authlib does not enforce.
            del store.devices[credential["device_code"]]
            return user

        def should_slow_down(self, credential):
            now = time.monotonic()
            soon = now < credential.get("polled", -1e9) + credential["interval"]
            credential["polled"] = now
            if soon:
                credential["interval"] += 5
                store.counts["slow_downs"] += 1
            return soon

    class Bearer(BearerTokenValidator):
        def authenticate_token(self, token_string):
            return store.by_access(token_string)

    class Issuer(IssuerParameter):
        def get_issuer(self):
            return {
                "right": issuer(),
                "missing": None,
                "wrong": "https://attacker.example",
                "slash": issuer() + "/",
            }[switches.iss]

    return Parts(Codes, Challenge(), Refreshes, Revocation, DeviceAuthorization, Devices, Bearer(), Issuer())
