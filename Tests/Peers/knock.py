#!/usr/bin/env python3
"""Requests a page from a service, using only the standard library.

    knock.py http://ADDRESS/     requests / and prints the status
    knock.py /PATH               requests / over a Unix socket and prints the status
    knock.py --free-port         prints a port that is free on 127.0.0.1 and ::1

Exits with 1 and the reason if there is no response within 20 s.
"""

import errno
import http.client
import random
import socket
import sys
from urllib.parse import urlsplit

PATIENCE = 20


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self.path)


def free_port():
    """A port below the ephemeral range, so that no other program gets the port by chance before it is used."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        first = int(file.read().split()[0])
    while True:
        port = random.randrange(max(1024, first - 10000), first)
        with socket.socket(socket.AF_INET) as four, socket.socket(socket.AF_INET6) as six:
            try:
                four.bind(("127.0.0.1", port))
                six.bind(("::1", port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    continue
            return port


def status_at(place):
    if place.startswith("/"):
        connection = UnixConnection(place)
    else:
        connection = http.client.HTTPConnection(urlsplit(place).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status
    finally:
        connection.close()


def main():
    if sys.argv[1:] == ["--free-port"]:
        print(free_port())
        return 0
    try:
        print(status_at(sys.argv[1]))
        return 0
    except (OSError, http.client.HTTPException) as error:
        print(f"{sys.argv[1]}: {error!r}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
