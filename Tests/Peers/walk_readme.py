#!/usr/bin/env python3
"""Runs the commands in a README in order in one shell, as a reader does.

    walk_readme.py README BUILD

BUILD is the folder with the built programs. Everything is written to $HOME, which must be empty. The script differs from a reader in these points:
it builds nothing, uses free ports, presses Authorise without a browser, and replaces social.example by a simulated server. Commands in the text
between the blocks must exist and have the options that the text gives. Exits with 1 if a command fails or an output is missing.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
HOME = pathlib.Path(os.environ["HOME"])

# What a command in the README does after it has built the programs. `make test` runs this script. `make test-packages` installs the
# package.
AFTER_BUILD = {
    "make run": "homeline demo --once --sandbox-port 0",
    "make test": "true",
    "make deb && sudo apt install ./.build/packages/homeline_*.deb": "true",
    "make install PREFIX=~/.local": "{build}/homeline-manual share ~/share && PREFIX=~/.local scripts/install put {build} ~/share",
}

# This script presses Authorise on an authorisation page and notes any other address.
BROWSER = r'''#!/usr/bin/env python3
import os, sys, urllib.parse, urllib.request
address = urllib.parse.urlsplit(sys.argv[1])
if address.path == "/oauth/authorize":
    form = dict(urllib.parse.parse_qsl(address.query), action="allow")
    page = urllib.parse.urlunsplit(address._replace(query=""))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(page, urllib.parse.urlencode(form).encode(), timeout=30).read()
else:
    with open(os.environ["HOME"] + "/opened", "a") as opened:
        print(sys.argv[1], file=opened)
'''

# The outputs that a reader sees, in this order: of the login, of jq, and the feed of the view.
EXPECTED = [
    "Authorised as @mira_demo (Mira Demo).",
    '"stale_since": null',
    "/.cache/homeline/_views/quiet/home_timeline.atom",
]


def change_configuration(members):
    """Shell code that merges members into the configuration."""
    program = "import json, sys; p = sys.argv[1]; d = json.load(open(p)); d.update(json.loads(sys.argv[2])); json.dump(d, open(p, 'w'))"
    return f"python3 -c {shlex.quote(program)} ~/.config/homeline/config.json {shlex.quote(members)}"


def commands(readme, build, server):
    for language, text in BLOCK.findall(readme):
        if language == "json":
            yield change_configuration("{" + text + "}")
            yield "homeline check"
            # 75: too early for another request. The view is published nevertheless.
            yield "homeline refresh || test $? = 75"
            yield "ls ~/.cache/homeline/_views/quiet/*"
        elif language == "sh":
            for line in text.splitlines():
                command = line.split("  #")[0].rstrip()
                if command.startswith("make "):
                    yield AFTER_BUILD[command].format(build=shlex.quote(build))
                    continue
                if "social.example" in command:
                    # The simulated server has a free port. Its proposed name would be that of its program.
                    yield change_configuration('{"callback": {"port": 0}}')
                    command = command.replace("social.example", f"{server} --name social")
                yield command
        elif language == "text":
            # A part of the output of `make run`: `shown` reads it.
            continue
        elif language == "":
            # A line for crontab(5): five fields, and a command for sh(1).
            minute, hour, day, month, weekday, command = text.strip().split(" ", 5)
            assert (minute, hour, day, month, weekday) == ("*/2", "*", "*", "*", "*"), text
            # The README names the path of the package; here, the programs are in ~/.local.
            assert command.startswith("/usr/bin/homeline "), command
            yield f"sh -c {shlex.quote(command.replace('/usr/bin', '$HOME/.local/bin', 1))}"
        else:
            raise SystemExit(f"wrong: nothing runs the block:\n{text}")


def shown(readme):
    """The numbered steps in the README's samples of output. The posts between them differ in each run."""
    for language, text in BLOCK.findall(readme):
        if language == "text":
            yield from re.findall(r"^\d+\. .*$", text, re.MULTILINE)


def missing_in_help(readme):
    """The commands and options in the text that the program does not know."""
    prose = BLOCK.sub("", readme)
    for code in CODE.findall(prose):
        parts = code.split()
        if parts[:1] == ["make"] and len(parts) > 1:
            if not re.search(rf"^{re.escape(parts[1])}:", (REPOSITORY / "Makefile").read_text(), re.MULTILINE):
                yield code
        elif parts[:1] == ["homeline"] and len(parts) > 1 and parts[1].isalpha():
            asked = subprocess.run(
                [HOME / ".local/bin/homeline", parts[1], "--help"], capture_output=True, text=True, timeout=60
            )
            for option in parts[2:]:
                if option.startswith("--") and option not in asked.stdout:
                    yield code
            if asked.returncode:
                yield code


def main():
    readme = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    build = os.path.realpath(sys.argv[2])
    browser = HOME / "browser"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    environment = dict(
        os.environ, BROWSER=str(browser), NO_PROXY="127.0.0.1", PATH=f"{HOME}/.local/bin:{build}:{os.environ['PATH']}"
    )
    sandbox = subprocess.Popen(
        [f"{build}/homeline", "sandbox", "--provider", "mastodon", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        server = next(line.split()[-1] for line in sandbox.stdout if line.startswith("server:"))
        script = "set -ex\n" + "\n".join(commands(readme, build, server))
        run = subprocess.run(
            ["bash", "-c", script], cwd=REPOSITORY, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
    finally:
        sandbox.terminate()
        sandbox.wait()
    faults = []
    position = 0
    for text in EXPECTED:
        found = run.stdout.find(text, position)
        if found < 0:
            faults.append(f"missing in the output: {text}")
        position = max(found, position)
    steps = list(shown(readme))
    if not steps:
        faults.append("the README shows no step of `make run`")
    faults += [f"missing in the output: {step}" for step in steps if step not in run.stdout]
    opened = HOME / "opened"
    if not opened.exists() or "file://" not in opened.read_text():
        faults.append("homeline open opens no page")
    if run.returncode:
        faults.append(f"the commands exit with {run.returncode}")
    else:
        faults += [f"the program does not know: {code}" for code in missing_in_help(readme)]
    if faults:
        # The posts are not needed to find the cause.
        print(*[line[:200] for line in run.stdout.splitlines() if not line.startswith("20")], sep="\n")
        print("wrong:", *faults, sep="\n")
        sys.exit(1)
    print("the commands work")


main()
