"""The switches of the OAuth 2.0 server, set at its start (`--token-life 2`) or at /__control while it runs."""

import json
import random
from dataclasses import asdict, dataclass, field, fields

# These faults occur before the request is processed, so the tokens do not change.
BEFORE = ("429", "500", "503", "drop-before")
# These faults occur after the request is processed, so a token may have been rotated without the client's knowledge.
AFTER = ("drop", "half", "late", "502")


def switch(default, text, *choices):
    return field(default=default, metadata={"help": text, "choices": choices})


@dataclass
class Switches:
    """The switches. Each is a command line option, and a member of the same name at /__control."""

    client_auth: str = switch("none", "the client's authentication method at the token endpoint", "none", "basic", "post")
    redirect: str = switch("loopback", "the redirect addresses that are accepted", "loopback", "any-port", "exact")
    redirect_uri: str = switch("", "the registered redirect address, for any-port and exact")
    redirect_status: int = switch(302, "the status of the authorise page's redirect", 302, 303)
    authorize: str = switch("ask", "show a page, or approve or deny immediately", "ask", "approve", "deny")
    scopes: str = switch("profile read", "the scopes that the client may request, and gets if it requests none")
    sub: str = switch("99", "the id of the user who approves")
    pkce: str = switch("required", "whether an S256 challenge and its verifier are required", "required", "optional", "ignored")
    code_life: float = switch(60.0, "the lifetime of an authorisation code in seconds")
    token_life: int = switch(3600, "the lifetime of an access token in seconds; 0: no expiry and no expires_in")
    refresh_life: float = switch(0.0, "the lifetime of a refresh token in seconds; 0: no expiry")
    refresh_tokens: bool = switch(True, "whether the server issues refresh tokens")
    rotation: str = switch(
        "kill", "whether a refresh token stays, is replaced, or is replaced and revokes its family when used again",
        "none", "rotate", "kill",
    )  # fmt: skip
    grace: float = switch(0.0, "how many seconds a replaced refresh token still works")
    refresh_kills_access: bool = switch(False, "whether a refresh invalidates the previous access token immediately")
    access_refusal: str = switch("401", "the response to an invalid access token", "401", "403-empty")
    refresh_refusal: str = switch(
        "400", "the response to an invalid refresh token: standard, empty, with OpenID Connect's errors, or with Microsoft's numbers",
        "400", "400-empty", "interaction", "aadsts-final", "aadsts-pause",
    )  # fmt: skip
    refusal_state: bool = switch(True, "whether a refusal includes the state")
    iss: str = switch("right", "the issuer in the redirect", "right", "missing", "wrong", "slash")
    iss_promised: bool = switch(True, "whether the metadata promises iss in the redirect")
    issuer_path: str = switch("", "the path of the issuer, such as /realm")
    metadata: str = switch(
        "right", "the metadata; bare has neither device_authorization_endpoint nor revocation_endpoint, par requires pushed "
        "requests, foreign-oidc has another server's document, but only at OpenID Connect's address, tenants has a placeholder for "
        "the tenant in its issuer, which is needed with the issuer path /common",
        "right", "foreign", "foreign-oidc", "slash", "404", "html", "redirect", "bare", "par", "tenants",
    )  # fmt: skip
    revoke_auth: str = switch("client", "the authentication that the revocation endpoint requires", "client", "bearer")
    expires_in_text: bool = switch(False, "whether expires_in is a string")
    alter: str = switch("", "a JSON object whose members replace those of token responses; null removes a member")
    alter_next: int = switch(0, "the number of next token responses that are altered; 0: all")
    device_interval: int = switch(5, "the seconds between polls")
    device_life: float = switch(600.0, "the lifetime of a device code in seconds")
    fault: str = switch("drop", "the kind of fault", *BEFORE, *AFTER)
    fault_at: str = switch("refresh", "the requests that the fault affects", "refresh", "code", "device", "token", "revoke", "resource", "metadata")
    fault_next: int = switch(0, "the number of next requests that the fault affects")
    fault_probability: float = switch(0.0, "the probability that a further request is affected, between 0 and 1")
    fault_seed: int = switch(1, "the seed for fault_probability; setting it again repeats the sequence")
    fault_seconds: float = switch(1.0, "the delay of a late response; also Retry-After, rounded up")

    def __post_init__(self):
        self._dice = random.Random(self.fault_seed)

    def set(self, values):
        """Sets all given switches, or raises ValueError with a message about the first invalid switch and sets none."""
        for name, value in values.items():
            self._check(name, value)
        for name, value in values.items():
            setattr(self, name, value)
        if "fault_seed" in values:
            self._dice = random.Random(self.fault_seed)

    def _check(self, name, value):
        known = {one.name: one for one in fields(self)}.get(name)
        if known is None:
            raise ValueError(f"there is no switch {name!r}")
        # An integer is also a valid fraction; True is not a number.
        right = (int, float) if known.type is float else known.type
        if not isinstance(value, right) or (known.type is not bool and isinstance(value, bool)):
            raise ValueError(f"{name} wants {known.type.__name__}, not {json.dumps(value)}")
        choices = known.metadata["choices"]
        if choices and value not in choices:
            raise ValueError(f"{name} is one of {', '.join(map(str, choices))}, not {json.dumps(value)}")
        if name == "alter" and value and not isinstance(json.loads(value), dict):
            raise ValueError("alter must be the text of a JSON object")

    def draw_fault(self, kinds, places):
        """The fault of these kinds for this request, or None. The caller holds the lock."""
        if self.fault not in kinds or self.fault_at not in places:
            return None
        if self.fault_next > 0:
            self.fault_next -= 1
            return self.fault
        return self.fault if self._dice.random() < self.fault_probability else None

    def draw_alterations(self):
        """The members to change in this token response. The caller holds the lock."""
        altered = json.loads(self.alter or "{}")
        if self.alter_next > 0:
            self.alter_next -= 1
            if self.alter_next == 0:
                self.alter = ""
        return altered

    def as_json(self):
        return asdict(self)

    @classmethod
    def add_options(cls, parser):
        for one in fields(cls):
            parser.add_argument(
                "--" + one.name.replace("_", "-"),
                type=(lambda text: {"yes": True, "no": False}[text]) if one.type is bool else one.type,
                choices=None if one.type is bool else one.metadata["choices"] or None,
                metavar="yes|no" if one.type is bool else None,
                default=one.default,
                help=one.metadata["help"],
            )

    @classmethod
    def from_options(cls, options):
        switches = cls()
        switches.set({one.name: getattr(options, one.name) for one in fields(cls)})
        return switches
