#!/usr/bin/env python3
"""Runs the commands in docs/tutorial/first-account.md in order in one shell, as a reader does.

    walk_tutorial.py TUTORIAL

Works in the current folder, which must contain docs/examples, and in $HOME, where the programs have been installed. The user manager
must be running. The script differs from a reader in these points: it builds and installs nothing, uses free ports, presses Authorise without
a browser, and replaces social.example by a simulated server. Exits with 1 if a command fails or an output is missing.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys

BLOCK = re.compile(r"^```(sh|json|tmux)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# This script presses Authorise on an authorisation page, and only prints any other address.
BROWSER = r'''#!/usr/bin/env python3
import sys, urllib.parse, urllib.request
address = urllib.parse.urlsplit(sys.argv[1])
if address.path == "/oauth/authorize":
    form = dict(urllib.parse.parse_qsl(address.query), action="allow")
    page = urllib.parse.urlunsplit(address._replace(query=""))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(page, urllib.parse.urlencode(form).encode(), timeout=30).read()
else:
    print("the browser shows", sys.argv[1])
'''

# The output that the tutorial shows.
EXPECTED = [
    "homeline 0.1.0",
    "no errors, 1 account",
    "Authorised as @mira_demo (Mira Demo).",
    "no errors, 2 accounts",
    "Authorised as @mira_demo (Mira Demo).",
]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def configuration(text, server, port):
    """The tutorial's configuration with free ports and the simulated server."""
    document = json.loads(text.replace("social.example", server))
    return json.dumps({"callback": {"port": port}, "sandbox": {"port": 0}, **document}, indent=2)


def commands(tutorial, server):
    """The tutorial as one shell script."""
    port = free_port()
    for kind, text in BLOCK.findall(tutorial):
        if kind == "json":
            yield f"printf '%s\\n' {shlex.quote(configuration(text, server, port))} >~/.config/homeline/config.json"
        elif kind == "tmux":
            yield f"printf '%s' {shlex.quote(text)} >~/.tmux.conf"
            if shutil.which("tmux"):
                yield "tmux -L tutorial new-session -d && tmux -L tutorial show -gv status-right && tmux -L tutorial kill-server"
        else:
            for line in text.splitlines():
                if not line.startswith(("sudo apt ", "make ")):
                    yield line.replace("social.example", server)
    yield "ls ~/.cache/homeline/_views/quiet/home_timeline.atom"


def main():
    tutorial = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    browser = pathlib.Path.home() / "browser"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    environment = dict(os.environ, BROWSER=str(browser), NO_PROXY="127.0.0.1")
    homeline = pathlib.Path.home() / ".local/bin/homeline"
    sandbox = subprocess.Popen(
        [homeline, "sandbox", "--provider", "mastodon", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        server = next(line.split()[-1] for line in sandbox.stdout if line.startswith("server:"))
        expected = list(EXPECTED)
        script = "set -ex\n" + "\n".join(commands(tutorial, server))
        if shutil.which("newsboat"):
            expected.append(" unread articles")
        else:
            script = "newsboat() { :; }\n" + script
        run = subprocess.run(
            ["bash", "-c", script], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
    finally:
        sandbox.terminate()
        sandbox.wait()
    missing = [text for text in expected if run.stdout.count(text) < expected.count(text)]
    if run.returncode or missing:
        print(run.stdout)
        print(f"wrong: the commands exit with {run.returncode}; missing in their output: {missing}")
        sys.exit(1)
    print("the tutorial works")


main()
