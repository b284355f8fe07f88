#!/usr/bin/env python3
"""Acts as a process of another user of this machine at a login's callback, using only the standard library. Run by root,
or by USER.

    other_user.py USER get HOST ADDRESS             requests ADDRESS over HOST (127.0.0.1 or ::1), and prints the status
    other_user.py USER close HOST ADDRESS           sends the request, and closes the connection immediately
    other_user.py USER reset HOST ADDRESS           sends the request, and resets the connection immediately
    other_user.py USER follow ADDRESS               follows redirects like a browser, and prints the last page's heading
    other_user.py USER grant ADDRESS                approves at the sandbox, and prints the redirect address
    other_user.py USER take PROGRAM                 finds a login's address among the arguments of PROGRAM in /proc, and
                                                    approves there
    other_user.py USER serve SOCKET                 runs commands from a Unix socket, one line of arguments per connection,
                                                    until it is killed, and writes the output there

USER is a number.
"""

import os
import re
import socket
import struct
import sys
import time
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

PATIENCE = 30


def become(user):
    if os.getuid() == user:
        return
    # These modules are loaded now, because Python may be in a folder that only root can read.
    "localhost".encode("idna")
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def request(address):
    parts = urlsplit(address)
    target = parts.path + ("?" + parts.query if parts.query else "")
    return f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode()


def connected(host, address):
    return socket.create_connection((host, urlsplit(address).port), timeout=PATIENCE)


def get(host, address):
    with connected(host, address) as connection:
        connection.sendall(request(address))
        with connection.makefile("rb") as answer:
            parts = answer.readline().split()
        return parts[1].decode() if len(parts) > 1 else "nothing"


def leave(host, address, by_reset):
    with connected(host, address) as connection:
        connection.sendall(request(address))
        if by_reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return "gone"


class Staying(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def opener(*handlers):
    # All requests are sent to loopback, which a proxy would not reach.
    return build_opener(ProxyHandler({}), *handlers)


def follow(address):
    with opener().open(address, timeout=PATIENCE) as answer:
        heading = re.search("<h1>(.*?)</h1>", answer.read().decode())
    return heading[1] if heading else "no heading"


def found_in_arguments(program):
    """The first argument with a request token of a process that has PROGRAM among its arguments."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline") as file:
                    arguments = file.read().split("\0")
            except OSError:
                continue
            if program in arguments:
                for argument in arguments:
                    if "oauth_token=" in argument:
                        return argument
        time.sleep(0.05)
    raise SystemExit(f"no process has both {program} and an address among its arguments")


def grant(address):
    address = urlsplit(address)
    token = parse_qs(address.query)["oauth_token"][0]
    form = urlencode({"oauth_token": token, "action": "allow"}).encode()
    try:
        opener(Staying).open(f"{address.scheme}://{address.netloc}{address.path}", form, timeout=PATIENCE)
    except OSError as answer:  # urllib raises an error for a redirect that it does not follow.
        return answer.headers["Location"]
    return "no redirect"


def do(arguments):
    match arguments:
        case ["get", host, address]:
            return get(host, address)
        case ["close", host, address]:
            return leave(host, address, by_reset=False)
        case ["reset", host, address]:
            return leave(host, address, by_reset=True)
        case ["follow", address]:
            return follow(address)
        case ["grant", address]:
            return grant(address)
        case ["take", program]:
            return grant(found_in_arguments(program))
    raise SystemExit(__doc__)


def serve(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection, connection.makefile("rw") as stream:
                try:
                    answer = do(stream.readline().split())
                except (OSError, SystemExit) as error:
                    answer = repr(error)
                stream.write(f"{answer}\n")


def main():
    user, *arguments = sys.argv[1:]
    become(int(user))
    if arguments[0] == "serve":
        serve(arguments[1])
    else:
        print(do(arguments))


if __name__ == "__main__":
    main()
