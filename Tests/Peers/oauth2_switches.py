"""The switches of the OAuth 2.0 server, set at its start (`--token-life 2`) or at /__control while it runs."""

import json
import random
from dataclasses import asdict, dataclass, field, fields

# Faults before any work: the tokens do not change.
BEFORE = ("429", "500", "503", "drop-before")
# Faults after the work: a token may have been rotated without the client knowing.
AFTER = ("drop", "half", "late", "502")


def switch(default, text, *choices):
    return field(default=default, metadata={"help": text, "choices": choices})


@dataclass
class Switches:
    """Each is a command line option and a member at /__control with the same name."""

    client_auth: str = switch("none", "how the client authenticates at the token endpoint", "none", "basic", "post")
    redirect: str = switch("loopback", "addresses that are let in", "loopback", "any-port", "exact")
    redirect_uri: str = switch("", "the registered one, for any-port and exact")
    redirect_status: int = switch(302, "of the authorise page's answer", 302, 303)
    authorize: str = switch("ask", "a page, or at once", "ask", "approve", "deny")
    scopes: str = switch("profile read", "all that the client may ask for, and gets when it asks for none")
    sub: str = switch("99", "the user who says yes")
    pkce: str = switch("required", "a S256 challenge and its verifier", "required", "optional", "ignored")
    code_life: float = switch(60.0, "seconds")
    token_life: int = switch(3600, "seconds an access token lasts; 0: for ever, and expires_in is left out")
    refresh_life: float = switch(0.0, "seconds a refresh token lasts; 0: for ever")
    refresh_tokens: bool = switch(True, "whether there are any")
    rotation: str = switch(
        "kill", "a refresh token stays, is replaced, or is replaced and kills its family when used again",
        "none", "rotate", "kill",
    )  # fmt: skip
    grace: float = switch(0.0, "seconds that a replaced refresh token still works")
    refresh_kills_access: bool = switch(False, "a refresh ends the access token before it at once")
    access_refusal: str = switch("401", "of a dead access token", "401", "403-empty")
    refresh_refusal: str = switch(
        "400", "for an invalid refresh token: by the standard, empty, with OpenID Connect's errors, or with Microsoft's numbers",
        "400", "400-empty", "interaction", "aadsts-final", "aadsts-pause",
    )  # fmt: skip
    refusal_state: bool = switch(True, "send state when the user says no")
    iss: str = switch("right", "what the redirect says of the issuer", "right", "missing", "wrong", "slash")
    iss_promised: bool = switch(True, "metadata says that the redirect has iss")
    issuer_path: str = switch("", "path of the issuer, such as /realm")
    metadata: str = switch(
        "right", "the document; bare has neither device_authorization_endpoint nor revocation_endpoint, par wants pushed "
        "requests, foreign-oidc is another server's at OpenID Connect's address alone",
        "right", "foreign", "foreign-oidc", "slash", "404", "html", "redirect", "bare", "par",
    )  # fmt: skip
    revoke_auth: str = switch("client", "what the revocation endpoint wants to see", "client", "bearer")
    expires_in_text: bool = switch(False, "expires_in as a string")
    alter: str = switch("", "JSON object whose members replace those of token answers; null takes one away")
    alter_next: int = switch(0, "how many of the next token answers are altered, and no further one; 0: each")
    device_interval: int = switch(5, "seconds between polls")
    device_life: float = switch(600.0, "seconds")
    fault: str = switch("drop", "what goes wrong", *BEFORE, *AFTER)
    fault_at: str = switch("refresh", "where", "refresh", "code", "device", "token", "revoke", "resource", "metadata")
    fault_next: int = switch(0, "how many of the next requests there")
    fault_probability: float = switch(0.0, "of each further one, between 0 and 1")
    fault_seed: int = switch(1, "of those throws; the same seed again begins the same row again")
    fault_seconds: float = switch(1.0, "how late a late answer is; also Retry-After, rounded up")

    def __post_init__(self):
        self._dice = random.Random(self.fault_seed)

    def set(self, values):
        """Sets all of these, or raises ValueError with a message about the first invalid one and sets none."""
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
            raise ValueError("alter wants the text of a JSON object")

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
