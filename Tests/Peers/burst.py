#!/usr/bin/env python3
"""Opens thousands of connections to a local port in waves and leaves them in bad states.

    burst.py PORT CONNECTIONS WAVE

A third of each wave stays silent, a third sends half a request, and a third sends a complete request. All connections are reset when
the next wave is connected, so that none stays in TIME_WAIT. Prints `wave N` after each wave, and the number of connections at the end.
"""

import errno
import resource
import selectors
import socket
import struct
import sys
import time

HALF = b"GET /callback?oauth_token=guess HTTP/1.1\r\nHost: 127.0.0."
WAVE_SECONDS = 20


def main():
    port, connections, wave = map(int, sys.argv[1:4])
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * wave + 64), hard))
    whole = f"GET /callback?oauth_token=guess&oauth_verifier=x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    made, former = 0, []
    for number in range(-(-connections // wave)):
        sockets = open_all(port, wave)
        if not sockets:
            print(f"the listener refuses connections after {made}", flush=True)
            return
        made += len(sockets)
        for index, end in enumerate(sockets):
            try:
                end.send((b"", HALF, whole)[index % 3])
            except OSError:
                pass  # The server has closed this connection to accept another.
        reset(former)
        former = sockets
        print(f"wave {number + 1}", flush=True)
    reset(former)
    print(f"{made} connections", flush=True)


def open_all(port, count):
    """Opens the given number of connections at once. Leaves out connections that are not established in time."""
    selector = selectors.DefaultSelector()
    for _ in range(count):
        end = socket.socket(socket.AF_INET)
        end.setblocking(False)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if end.connect_ex(("127.0.0.1", port)) not in (0, errno.EINPROGRESS):
            end.close()
            continue
        selector.register(end, selectors.EVENT_WRITE)
    connected, deadline = [], time.monotonic() + WAVE_SECONDS
    while selector.get_map() and time.monotonic() < deadline:
        for key, _ in selector.select(0.5):
            selector.unregister(key.fileobj)
            if key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0:
                connected.append(key.fileobj)
            else:
                key.fileobj.close()
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    selector.close()
    return connected


def reset(sockets):
    for end in sockets:
        end.close()


if __name__ == "__main__":
    main()
