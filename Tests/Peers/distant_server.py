"""A Mastodon API server over TLS, for tests of the addresses that a remote server can direct its client to.

    distant_server.py --certificate FILE --key FILE [--picture URL]... [--redirect PATH=URL]... [--metadata URL]

Its home timeline has one post per --picture, newest first. OWN in a URL is replaced by the server's own origin. --redirect makes the server
respond to a path with 302, and --metadata sets the device authorisation endpoint in its metadata. The server prints a JSON line with its port
when it listens on 127.0.0.1, and then the path of each request. It exits when its standard input ends.
"""

import argparse
import json
import ssl
import struct
import sys
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "social.example"


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def post(number: int, picture: str) -> dict:
    return {
        "id": str(116_000_000_000_000_000 - number),
        "created_at": "2026-11-20T12:00:00.000Z",
        "content": f"<p>number {number}</p>",
        "account": {"id": "7", "acct": "kai", "username": "kai", "display_name": "Kai", "avatar": picture},
        "media_attachments": [{"id": str(number), "type": "image", "url": picture, "preview_url": picture}],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--picture", action="append", default=[])
    parser.add_argument("--redirect", action="append", default=[])
    parser.add_argument("--metadata")
    options = parser.parse_args()
    redirects = dict(entry.split("=", 1) for entry in options.redirect)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def answer(self, status: int, body: bytes, kind: str, location: str | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if location is not None:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            print(path, flush=True)
            own = f"https://{HOST}:{self.server.server_address[1]}"
            if path in redirects:
                self.answer(302, b"", "text/plain", redirects[path])
            elif path == "/api/v1/timelines/home":
                # Only the first request gets the posts, because later requests are for posts above or below them.
                isFirst = "min_id" not in self.path and "max_id" not in self.path
                posts = [post(n, url.replace("OWN", own)) for n, url in enumerate(options.picture)] if isFirst else []
                self.answer(200, json.dumps(posts).encode(), "application/json")
            elif path == "/own.png":
                self.answer(200, png(), "image/png")
            elif path.startswith("/.well-known/") and options.metadata:
                document = {
                    "issuer": own,
                    "token_endpoint": f"{own}/token",
                    "authorization_endpoint": f"{own}/authorize",
                    "device_authorization_endpoint": options.metadata,
                }
                self.answer(200, json.dumps(document).encode(), "application/json")
            else:
                self.answer(404, b"{}", "application/json")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate, options.key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
