#!/usr/bin/env python3
"""Sets up a mail program as docs/how-to/mail.md describes, and runs the section's commands with a server that checks the token.

    mail_programs.py PAGE SECTION --user ADDRESS --resource URL

A code block of the section is either commands (`sh`), or the content of the file that the text before it names. The script replaces
only the servers of Google, their ports, and the certificate authorities. Programs that need a terminal get one. Prints one JSON line: `logins`
(the protocol, the mechanism, and whether the token was valid), `fetched` (the number of messages or heads), `messages` (the texts that
were sent), `codes` (the exit codes of the commands) and `output`.
"""

import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import termios
import threading

from mail_server import MailServer

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
BLOCK = re.compile(r"(?P<before>[^\n]*)\n+```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("section")
    parser.add_argument("--user", required=True)
    parser.add_argument("--resource", required=True)
    options = parser.parse_args()
    home = pathlib.Path(os.environ["HOME"])
    certificate, key = make_certificate(home)
    server = MailServer(certificate, key, options.user, options.resource)
    os.environ["SSL_CERT_FILE"] = str(certificate)
    os.environ["EDITOR"] = "true"
    codes, output = [], ""
    for before, kind, text in blocks(pathlib.Path(options.page).read_text(encoding="utf-8"), options.section):
        text = at_this_machine(text, server, certificate)
        if kind != "sh":
            write(home, re.findall(r"`(~/[^`]+)`", before)[-1], text)
            continue
        code, shown = run(text, server)
        codes.append(code)
        output += shown
    report = {"logins": server.logins, "fetched": server.fetched, "messages": server.messages, "codes": codes}
    print(json.dumps({**report, "output": output}))


def blocks(page, section):
    found = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return [(one["before"], one["kind"], one["text"]) for one in BLOCK.finditer(found[1])]


def at_this_machine(text, server, certificate):
    for former, new in [
        ("imap.gmail.com", "localhost"),
        ("smtp.gmail.com", "localhost"),
        (CERTIFICATES, str(certificate)),
    ]:
        text = text.replace(former, new)
    text = re.sub(r"\b993\b", str(server.imap_port), text)
    return re.sub(r"\b465\b", str(server.smtp_port), text)


def write(home, name, text):
    path = home / name.removeprefix("~/")
    configuration = os.environ.get("XDG_CONFIG_HOME")
    if configuration and name.startswith("~/.config/"):
        path = pathlib.Path(configuration) / name.removeprefix("~/.config/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)


def make_certificate(home):
    certificate, key = home / "certificate.pem", home / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return certificate, key


class Terminal:
    """Commands that run in a terminal."""

    def __init__(self, command):
        self.pid, self._file = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            os.execvp("bash", ["bash", "-ec", command])
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._changed = threading.Condition()
        self._shown = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        # The terminal is closed when its last program exits.
        with contextlib.suppress(OSError):
            while data := os.read(self._file, 65536):
                with self._changed:
                    self._shown += data
                    self._changed.notify_all()

    @property
    def text(self):
        return self._shown.decode(errors="replace")

    def wait(self, text, seconds=60):
        """Waits until the commands have shown a text."""
        with self._changed:
            self._changed.wait_for(lambda: text in self.text, timeout=seconds)

    def press(self, keys):
        # A program that has already exited needs no keys.
        with contextlib.suppress(OSError):
            os.write(self._file, keys)

    def end(self, seconds=60):
        """The exit code, which is negative for a signal. Commands that do not exit are killed."""
        killer = threading.Timer(seconds, os.kill, (self.pid, signal.SIGKILL))
        killer.start()
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        killer.cancel()
        self._reader.join(timeout=10)
        return code


def run(command, server):
    """Runs commands, and presses the keys that send the message and leave the program once the server has seen that it
    works. Returns the exit code, and what the terminal received."""
    terminal = Terminal(command)
    refused = lambda: any(not is_valid for _, _, is_valid in server.logins)
    if command.strip() in ("neomutt", "aerc"):
        server.wait(lambda: server.fetched or refused())
        terminal.press(b"q" if command.strip() == "neomutt" else b":quit\r")
    elif command.startswith("aerc "):
        terminal.wait("Send this email?")
        terminal.press(b"y")
        server.wait(lambda: server.messages or refused())
        # Without -f, aerc does not quit if it has not yet read the server's response to the message.
        terminal.press(b":quit -f\r")
    return terminal.end(), terminal.text


main()
