"""A small IMAP and SMTP server for mail programs that authenticate with an OAuth 2.0 token.

Both protocols use TLS from the start (RFC 8314), and offer only XOAUTH2 and OAUTHBEARER (RFC 7628). A token is valid if the authorisation
server answers a request with it. The mailbox INBOX (RFC 3501) contains one message. Messages that are sent (RFC 5321) are kept.
"""

import base64
import json
import re
import socket
import ssl
import threading
import urllib.error
import urllib.request

MECHANISMS = ("OAUTHBEARER", "XOAUTH2")
HEAD = (
    "From: Liam <liam@example.org>\r\nTo: Mira <mira@example.org>\r\nSubject: A test of tokens\r\n"
    "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <one@example.org>\r\nMIME-Version: 1.0\r\n"
    "Content-Type: text/plain; charset=utf-8\r\n\r\n"
)
BODY = "It works.\r\n"
ADDRESSES = '(("Liam" NIL "liam" "example.org")) ' * 3 + '(("Mira" NIL "mira" "example.org")) NIL NIL NIL'
ENVELOPE = f'("Sat, 21 Nov 2026 10:00:00 +0000" "A test of tokens" {ADDRESSES} "<one@example.org>")'
STRUCTURE = f'("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" {len(BODY)} 1)'
# What a server sends in place of a plain refusal, which the program must answer first (RFC 7628 §3.2.2).
CHALLENGE = base64.b64encode(json.dumps({"status": "401", "schemes": "bearer"}).encode()).decode()


class MailServer:
    """The listening sockets of both protocols on 127.0.0.1, and what has happened."""

    def __init__(self, certificate, key, user, resource):
        """`resource` is an address that answers with status 200 if a request has a valid token."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._user, self._resource = user, resource
        self._changed = threading.Condition()
        self.logins = []  # (protocol, mechanism, whether it succeeded)
        self.fetched = 0
        self.messages = []  # the text of the sent messages
        self.imap_port = self._listen(ImapSession)
        self.smtp_port = self._listen(SmtpSession)

    def _listen(self, kind):
        listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, args=(listener, kind), daemon=True).start()
        return listener.getsockname()[1]

    def _accept(self, listener, kind):
        while True:
            plain, _ = listener.accept()
            threading.Thread(target=self._talk, args=(plain, kind), daemon=True).start()

    def _talk(self, plain, kind):
        try:
            with self._context.wrap_socket(plain, server_side=True) as connection:
                kind(self, connection).run()
        except (OSError, EOFError):
            # The program has disconnected.
            pass

    def is_valid(self, protocol, mechanism, response):
        """Whether a response in base64 names the user and has a valid token."""
        text = base64.b64decode(response).decode()
        found = re.fullmatch(
            {
                "XOAUTH2": r"user=([^\x01]*)\x01auth=Bearer ([^\x01]+)\x01\x01",
                "OAUTHBEARER": r"n,a=([^,]*),\x01(?:host=[^\x01]*\x01)?(?:port=\d+\x01)?auth=Bearer ([^\x01]+)\x01\x01",
            }[mechanism],
            text,
        )
        is_valid = bool(found) and found[1] == self._user and self._accepts(found[2])
        with self._changed:
            self.logins.append((protocol, mechanism, is_valid))
            self._changed.notify_all()
        return is_valid

    def _accepts(self, token):
        request = urllib.request.Request(self._resource, headers={"Authorization": f"Bearer {token}"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            return opener.open(request, timeout=30).status == 200
        except urllib.error.HTTPError:
            return False

    def note_fetch(self):
        with self._changed:
            self.fetched += 1
            self._changed.notify_all()

    def keep(self, message):
        with self._changed:
            self.messages.append(message)
            self._changed.notify_all()

    def wait(self, condition, seconds=60):
        """Whether a condition about this server became true in time."""
        with self._changed:
            return self._changed.wait_for(condition, timeout=seconds)


class Session:
    """The lines of one connection."""

    def __init__(self, server, connection):
        self.server = server
        self._stream = connection.makefile("rwb")

    def line(self):
        line = self._stream.readline(65536)
        if not line:
            raise EOFError
        return line.decode(errors="replace").rstrip("\r\n")

    def octets(self, count):
        return self._stream.read(count)

    def say(self, *lines):
        for line in lines:
            self._stream.write(line.encode() + b"\r\n")
        self._stream.flush()


class ImapSession(Session):
    is_open = False

    def run(self):
        self.say("* OK IMAP4rev1 ready")
        while True:
            tag, _, rest = self.line().partition(" ")
            name, _, arguments = rest.partition(" ")
            if name.upper() == "UID":
                name, _, arguments = arguments.partition(" ")
                name = "UID" + name
            handler = getattr(self, "do_" + name.lower(), None)
            if handler is None:
                self.say(f"{tag} BAD unknown command")
            elif name.upper() not in ("CAPABILITY", "AUTHENTICATE", "LOGOUT", "NOOP", "ID") and not self.is_open:
                self.say(f"{tag} NO authenticate first")
            else:
                result = handler(arguments)
                self.say(f"{tag} {result or 'OK done'}")
            if name.upper() == "LOGOUT":
                return

    def do_capability(self, _):
        methods = " ".join("AUTH=" + one for one in MECHANISMS)
        self.say(f"* CAPABILITY IMAP4rev1 SASL-IR IDLE UIDPLUS {methods}")

    def do_authenticate(self, arguments):
        mechanism, _, response = arguments.partition(" ")
        if mechanism not in MECHANISMS:
            return "NO no such mechanism"
        if not response:
            self.say("+ ")
            response = self.line()
        if self.server.is_valid("imap", mechanism, response):
            self.is_open = True
            return "OK welcome"
        self.say(f"+ {CHALLENGE}")
        self.line()
        return "NO the token is not valid"

    def do_noop(self, _):
        pass

    do_check = do_close = do_unselect = do_subscribe = do_create = do_store = do_uidstore = do_expunge = do_noop

    def do_id(self, _):
        self.say('* ID ("name" "mail_server.py")')

    def do_logout(self, _):
        self.say("* BYE")

    def do_list(self, arguments):
        is_root = arguments.split()[-1] in ('""', "")
        self.say('* LIST (\\Noselect) "/" ""' if is_root else '* LIST () "/" INBOX')

    def do_lsub(self, _):
        self.say('* LSUB () "/" INBOX')

    def do_status(self, _):
        self.say("* STATUS INBOX (MESSAGES 1 RECENT 0 UIDNEXT 2 UIDVALIDITY 1 UNSEEN 1)")

    def do_select(self, _):
        self.say(
            "* 1 EXISTS", "* 0 RECENT", "* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)",
            "* OK [PERMANENTFLAGS (\\Seen)] flags", "* OK [UIDVALIDITY 1] valid", "* OK [UIDNEXT 2] next",
        )  # fmt: skip
        return "OK [READ-WRITE] selected"

    do_examine = do_select

    def do_search(self, _):
        self.say("* SEARCH 1")

    do_uidsearch = do_search

    def do_idle(self, _):
        self.say("+ idling")
        self.line()

    def do_uidfetch(self, arguments):
        self.do_fetch("(UID " + arguments + ")", place=arguments)

    def do_fetch(self, arguments, place=None):
        if (place or arguments).startswith("2"):
            return
        wanted = arguments.upper()
        known = [
            ("UID", "UID 1"), ("FLAGS", "FLAGS ()"), ("INTERNALDATE", 'INTERNALDATE "21-Nov-2026 10:00:00 +0000"'),
            ("RFC822.SIZE", f"RFC822.SIZE {len(HEAD + BODY)}"), ("ENVELOPE", "ENVELOPE " + ENVELOPE),
            ("BODYSTRUCTURE", "BODYSTRUCTURE " + STRUCTURE),
        ]  # fmt: skip
        items = [item for name, item in known if re.search(rf"[( ]{re.escape(name)}[ )]", wanted + " ")]
        for section in re.findall(r"BODY(?:\.PEEK)?\[([^\]]*)\]", arguments, re.IGNORECASE):
            text = {"HEADER": HEAD, "": HEAD + BODY, "TEXT": BODY, "1": BODY}.get(section.upper(), HEAD)
            items.append(f"BODY[{section}] {{{len(text)}}}\r\n{text}")
            self.server.note_fetch()
        self.say(f"* 1 FETCH ({' '.join(items)})")

    def do_append(self, arguments):
        self.say("+ go on")
        self.octets(int(re.search(r"\{(\d+)\}", arguments)[1]))
        self.line()


class SmtpSession(Session):
    is_open = False

    def run(self):
        self.say("220 localhost ready")
        while True:
            verb, _, rest = self.line().partition(" ")
            verb = verb.upper()
            if verb == "EHLO":
                self.say("250-localhost", f"250-AUTH {' '.join(MECHANISMS)}", "250 8BITMIME")
            elif verb == "AUTH":
                self._authenticate(rest)
            elif verb == "QUIT":
                return self.say("221 bye")
            elif verb in ("NOOP", "RSET"):
                self.say("250 done")
            elif not self.is_open:
                self.say("530 5.7.0 authenticate first")
            elif verb in ("MAIL", "RCPT"):
                self.say("250 accepted")
            elif verb == "DATA":
                self.say("354 go on")
                lines = []
                while (line := self.line()) != ".":
                    lines.append(line)
                self.server.keep("\n".join(lines))
                self.say("250 kept")
            else:
                self.say("502 5.5.1 unknown command")

    def _authenticate(self, arguments):
        mechanism, _, response = arguments.partition(" ")
        if mechanism not in MECHANISMS:
            return self.say("504 5.5.4 no such mechanism")
        if not response:
            self.say("334 ")
            response = self.line()
        if self.server.is_valid("smtp", mechanism, response):
            self.is_open = True
            return self.say("235 2.7.0 welcome")
        self.say(f"334 {CHALLENGE}")
        self.line()
        return self.say("535 5.7.8 the token is not valid")
