"""Serves documents for several host names over TLS, on one address, and runs a command meanwhile.

    named_hosts.py --address ADDRESS --certificate FILE --key FILE --documents FILE --log FILE [--inside ADDRESS:PORT]... -- COMMAND...

FILE with documents is JSON: for each host name, the answer for each path: {"status", "location", "body"}, all optional. A path without an
answer gets 404 with a web page. A document of a path with a query is preferred to that of the path alone. The log has a line for each
request (its host and target), and the line "inside" for each connection to an address given by --inside. The exit code is the command's.
"""

import argparse
import json
import socket
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--address", action="append", required=True)
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--documents", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--inside", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with open(options.documents, encoding="utf-8") as file:
        hosts = json.load(file)
    log = open(options.log, "a", encoding="utf-8", buffering=1)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            host = self.headers["Host"]
            log.write(f"{host} {self.path}\n")
            documents = hosts.get(host, {})
            answer = documents.get(self.path) or documents.get(self.path.split("?")[0])
            body = b"<!DOCTYPE html><title>Not found</title>"
            if answer is not None:
                content = answer.get("body", "")
                body = (content if isinstance(content, str) else json.dumps(content)).encode()
            self.send_response(404 if answer is None else answer.get("status", 200))
            self.send_header("Content-Type", "text/html" if answer is None else "application/json")
            self.send_header("Content-Length", str(len(body)))
            if answer is not None and "location" in answer:
                self.send_header("Location", answer["location"])
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate, options.key)
    for address in options.address:
        server = ThreadingHTTPServer((address, 443), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def watch(listener: socket.socket) -> None:
        while True:
            listener.accept()[0].close()
            log.write("inside\n")

    for place in options.inside:
        address, port = place.rsplit(":", 1)
        listener = socket.create_server((address, int(port)))
        threading.Thread(target=watch, args=(listener,), daemon=True).start()
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
