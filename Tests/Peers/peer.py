"""Code shared by the programs in this folder: the ready line, exiting, logging and environments."""

import argparse
import json
import os
import stat
import sys
import threading
import time


def server_arguments(description):
    """A parser with the options of every server here."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=0, help="the port on 127.0.0.1; 0, the default, selects a free port")
    parser.add_argument("--log", metavar="FILE", help="append a JSON line for each request")
    parser.add_argument("--lifetime", type=float, default=120, metavar="SECONDS", help="how long until the server exits by itself")
    return parser


def arguments(description):
    """A parser with the options of every server and with the consumer of an OAuth 1.0a server."""
    parser = server_arguments(description)
    parser.add_argument("--consumer-key", default="peer-consumer-key-0001")
    parser.add_argument("--consumer-secret", default="peer&consumer=secret%0001")
    return parser


class Log:
    """JSON lines in a file, complete even with several threads. Without a path, nothing is written."""

    def __init__(self, path):
        self._path = path
        self._lock = threading.Lock()

    def write(self, **fields):
        if self._path is None:
            return
        line = json.dumps(fields) + "\n"
        with self._lock, open(self._path, "a", encoding="utf-8") as file:
            file.write(line)


def serve(server, lifetime, **ready):
    """Prints the ready line, serves, and returns when the time is up or standard input has ended."""
    port = server.server_address[1]
    print(json.dumps({"ready": True, "url": f"http://127.0.0.1:{port}", "port": port, **ready}), flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    _wait_for_the_end(lifetime)
    server.shutdown()


def _wait_for_the_end(lifetime):
    over = threading.Event()
    threading.Thread(target=_watch_standard_input, args=(over,), daemon=True).start()
    over.wait(timeout=max(0, lifetime))


def _watch_standard_input(over):
    # A pipe, socket or terminal ends when the parent process exits. /dev/null ends immediately, so its end is ignored.
    kind = os.fstat(0).st_mode
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind) or os.isatty(0)):
        return
    while os.read(0, 4096):
        pass
    over.set()


def environment(home, **more):
    """The environment for a program that keeps all its files below the home folder."""
    # The variables with this prefix name other folders.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**inherited, "HOME": home, **more}


def skip(reason):
    """Exits the program with the status of a test that cannot run on this machine."""
    print(f"skipped: {reason}", flush=True)
    sys.exit(77)


def http_date(offset=0.0):
    """The value of a `Date` header (RFC 9110 §5.6.7), `offset` seconds from now."""
    # strftime's names depend on the locale.
    t = time.gmtime(time.time() + offset)
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[t.tm_wday]
    month = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()[t.tm_mon - 1]
    return f"{day}, {t.tm_mday:02} {month} {t.tm_year} {t.tm_hour:02}:{t.tm_min:02}:{t.tm_sec:02} GMT"
