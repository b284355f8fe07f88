#!/usr/bin/env python3
"""Runs the commands of the documentation on a pseudo-terminal and checks what a terminal emulator (pyte) then shows.

    screens.py [--setting NAME ...] [--print] BUILD PAGE ...

BUILD is the folder with the built programs, and PAGE is the path of a Markdown file. Each page is read in a new home folder, and once with
each SETTING. All commands in its blocks are run in order, as a reader does, except those that UNRUN names with a reason. Exits with 1 if a
screen has a fault:

- an escape sequence is visible;
- a line is cut within a word, or the program breaks a line within a word or an address;
- colours without being supported;
- two statements that contradict each other.

With --print, the screens are printed too.
"""

import argparse
import atexit
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pyte
from on_terminal import run
from PIL import Image
from wcwidth import wcwidth

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^ {0,3}```(\w*)\n(.*?)^ {0,3}```$", re.MULTILINE | re.DOTALL)
SHELL = {"sh", "console"}

# The terminals. "reference" is so wide that the program breaks no line.
COLOUR = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
SETTINGS = {
    "reference": (1000, COLOUR | {"NO_COLOR": "1"}),
    "80": (80, COLOUR),
    "40": (40, COLOUR),
    "no-color": (80, COLOUR | {"NO_COLOR": "1"}),
    "dumb": (80, COLOUR | {"TERM": "dumb"}),
    "lang-c": (80, COLOUR | {"LANG": "C"}),
}

# The commands of the documentation that are not run here, with the reason.
UNRUN = [
    (r"sudo |.* && sudo ", "changes the system; Tests/Packages"),
    (r"make (?!run)", "builds, or installs a build; Tests/Packages"),
    (r"sha256sum |tar -xf|homeline-\*-linux", "needs a release; Tests/Packages"),
    (r"systemctl |loginctl |journalctl ", "needs systemd's user manager; service_by_systemd.sh"),
    (r"newsboat |newest-post |mbsync |neomutt|aerc|curl |.*\| (msmtp|neomutt) ", "the screen of another program"),
    (r"secret-tool |.*\| secret-tool |homeline keyring (en|dis)able", "needs a keyring; KeyringCommandTests"),
    (r"homeline (login|token) google", "needs an account of Google; MailProgramsTests"),
    (r"homeline login disk", "needs a client's key for users; DriveCommandTests"),
    (r"homeline post bird --media clip.mp4", "needs a video; PostMediaTests"),
    (r"homeline web|ssh ", "needs a service, or another machine; WebCommandTests"),
    (r"rm -r|install -m|install -D|mkdir |echo .*>|printf ", "prints nothing"),
]

# What is done here in place of a command, because no service runs here, or before it. Its screen is not checked.
INSTEAD = {"systemctl --user reload homeline": "homeline refresh || test $? = 75"}
BEFORE = {
    "homeline restore homeline.tar.gz": "rm -r ~/.config/homeline ~/.local ~/.cache",
    "homeline backup homeline.tar.gz": "rm -f homeline.tar.gz",
}

# What is typed, or which signal is sent, after a text of a command.
STEPS = {
    r"homeline sandbox": [("presses", "signal", "SIGINT")],
    r"homeline backup --with-tokens": [
        ("Passphrase for the tokens: ", "type", "twelve letters\r"), ("again: ", "type", "twelve letters\r")
    ],
    r"homeline restore": [("assphrase", "type", "twelve letters\r")],
}

# This script presses Authorise on an authorisation page and shows nothing.
BROWSER = r"""#!/usr/bin/env python3
import sys, urllib.parse, urllib.request
address = urllib.parse.urlsplit(sys.argv[1])
if address.path == "/oauth/authorize":
    form = dict(urllib.parse.parse_qsl(address.query), action="allow")
    page = urllib.parse.urlunsplit(address._replace(query=""))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(page, urllib.parse.urlencode(form).encode(), timeout=30).read()
"""

# What the editor of `homeline post` writes.
EDITOR = "#!/bin/sh\necho 'Written in an editor.' >\"$1\"\n"

VISIBLE_ESCAPE = re.compile(r"\\u\{|\\x1b|\\033|\^\[|␛|\[[0-9;]+m|\]8;")
CONTRADICTIONS = [
    (r"there are no accounts", r"accounts? (is|are) not enabled"),
    (r"everything is ok", r"^(warning|fault) "),
    (r"[Nn]o browser", r"Opening it with"),
    (r"no service is running", r"the service is running"),
]


class Terminal(pyte.HistoryScreen):
    """A terminal that notes the lines that it breaks itself, because they are too long."""

    def __init__(self, columns, rows):
        self.broken = []
        super().__init__(columns, rows, history=100_000)

    def draw(self, data):
        for character in data:
            if self.cursor.x == self.columns and wcwidth(character) > 0:
                self.broken.append((self.characters(self.buffer[self.cursor.y]), character))
            super().draw(character)

    def characters(self, row):
        """The characters of a row, up to its last column."""
        return "".join(row[column].data for column in range(self.columns))

    def shown(self):
        """All rows from the beginning, including those above the screen."""
        buffer = [self.buffer[number] for number in range(self.lines)]
        rows = [self.characters(row).rstrip() for row in [*self.history.top, *buffer]]
        while rows and not rows[-1]:
            rows.pop()
        return rows


class Screen:
    """What a terminal shows after a command."""

    def __init__(self, page, command, setting, output):
        self.page, self.command, self.setting, self.output = page, command, setting, output
        self.columns = SETTINGS[setting][0]
        terminal = Terminal(self.columns, 24)
        pyte.Stream(terminal).feed(output)
        self.lines, self.broken = terminal.shown(), terminal.broken
        # On a very wide terminal, each line ends where the program ends it.
        unbroken = Terminal(4000, 24)
        pyte.Stream(unbroken).feed(output)
        self.program_lines = unbroken.shown()

    @property
    def is_data(self):
        """Whether another program prints the output, or it is a format for programs."""
        last = re.split(r"(?<!\|)\|(?!\|)|;|&&", self.command)[-1].strip()
        return not re.match(r"(\w+=\S+ )*(homeline|make run)\b", last) or "json" in last or "--format" in last

    def faults(self, reference):
        for line in self.lines:
            if VISIBLE_ESCAPE.search(line):
                yield f"a visible escape: {line}"
        text = "\n".join(self.lines)
        for one, other in CONTRADICTIONS:
            if re.search(one, text, re.MULTILINE) and re.search(other, text, re.MULTILINE):
                yield f"a contradiction: {one} and {other}"
        if self.is_data:
            return
        if self.setting in ("no-color", "dumb") and re.search(r"\x1b\[[0-9;]*m", self.output):
            yield "colours"
        if self.setting == "dumb" and "\x1b" in self.output:
            yield "an escape sequence"
        # A line for crontab(5) is one line, which the user copies.
        crontab = [line for line in self.program_lines if line.startswith("*/2 * * * * ")]
        for row, character in self.broken:
            if any(row in line for line in crontab):
                continue
            # A path or an address that is wider than the terminal is alone on its line, or in a quotation. Chinese is broken between any
            # two characters.
            if " " in row.strip("> ") and not row.endswith(" ") and character != " " and wcwidth(character) < 2 and wcwidth(row[-1]) < 2:
                yield f"the terminal cuts a word: {row}|{character}"
        if reference:
            yield from self.broken_words(reference)

    def broken_words(self, reference):
        """Words that end with a line, and are continued on the next one."""
        known = set("\n".join(reference.program_lines).split())
        words = [line.split() for line in self.program_lines]
        for above, below in zip(words, words[1:]):
            # Scripts without spaces are broken between any two letters.
            if not above or not below or wcwidth(above[-1][-1]) == 2 or wcwidth(below[0][0]) == 2:
                continue
            if above[-1] + below[0] in known and above[-1] not in known:
                yield f"the program breaks a word: {above[-1]} {below[0]}"


class Home:
    """A reader's home folder, with a simulated server in place of social.example."""

    def __init__(self, build):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="h"))
        self.build = build
        for name, text in [("browser", BROWSER), ("editor", EDITOR)]:
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        self.environment = {
            "HOME": str(self.folder), "PATH": f"{build}:{os.environ['PATH']}", "BROWSER": str(self.folder / "browser"),
            "EDITOR": str(self.folder / "editor"), "NO_PROXY": "127.0.0.1", "PAGER": "cat", "USER": "mira",
        }  # fmt: skip
        self.programs = []
        self.assignments = []

    def start(self, provider):
        """Starts a simulated provider and returns what it prints."""
        program = subprocess.Popen(
            [f"{self.build}/homeline", "sandbox", "--provider", provider, "--port", "0"], stdout=subprocess.PIPE, text=True,
            env=self.environment,
        )  # fmt: skip
        self.programs.append(program)
        guide = {}
        for line in program.stdout:
            name, _, value = line.strip().partition(":")
            guide[name] = value.strip()
            if name == "server":
                return guide

    def configure(self, members=None):
        """Writes a configuration, or changes the present one, so that it uses free ports."""
        file = self.folder / ".config/homeline/config.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        if members is None:
            members = json.loads(file.read_text()) if file.exists() else {}
        file.write_text(json.dumps(members | {"callback": {"port": 0}, "sandbox": {"port": 0}}))

    def silently(self, command):
        outcome = subprocess.run(
            ["bash", "-c", command], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120,
        )  # fmt: skip
        if outcome.returncode:
            raise SystemExit(f"wrong: {command}: {outcome.stdout}{outcome.stderr}")
        return outcome.stdout

    def type(self, page, command, setting):
        """Runs a command on a terminal and returns the screen and the exit status."""
        columns, variables = SETTINGS[setting]
        steps = next((steps for pattern, steps in STEPS.items() if re.match(pattern, command)), [])
        options = {
            "columns": columns, "environment": self.environment | variables,
            "steps": [{"after": after, kind: value} for after, kind, value in steps],
        }  # fmt: skip
        script = "\n".join([f"cd {self.folder}", *self.assignments, command])
        report = run(options, ["bash", "-c", script])
        if report["missing"]:
            raise SystemExit(f"wrong: {page}: {command}: no {report['missing']} in\n{report['output']}")
        return Screen(page, command, setting, report["output"]), report["status"]

    def close(self):
        for program in self.programs:
            program.terminate()
            program.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def prepare_posts(home):
    """An account named bird on a Mastodon server, with its own post to delete and pictures to post."""
    server = home.start("mastodon")["server"]
    home.configure({"accounts": {"bird": {"provider": "mastodon", "server": server, "scopes": ["read", "write"]}}})
    home.silently("homeline login bird")
    own = json.loads(home.silently("homeline post bird 'A post to delete.' --json"))["results"][-1]["post"]
    for name in ("a.jpg", "b.jpg"):
        Image.new("RGB", (64, 48)).save(home.folder / name)
    other = json.loads(home.silently("homeline show bird --limit 2 --format json"))[-1]["id"]
    return {"https://mastodon.example/@mia/": "", "115586": other, "115587": own}


def prepare_nothing(home):
    return {"social.example": home.start("mastodon")["server"], "logout bird": "logout social"}


def prepare_drive(home):
    server = home.start("gokuai")["server"]
    (home.folder / "report.pdf").write_bytes(b"%PDF-1.4 " * 1000)
    (home.folder / "Downloads").mkdir()
    disk = {
        "provider": "gokuai", "server": server, "client_id": "sandbox-library",
        "client_secret": "gokuai-sandbox-library-secret",
    }  # fmt: skip
    home.configure({"accounts": {"disk": disk}})
    home.silently("homeline refresh disk")
    home.silently("homeline drive mkdir disk:docs disk:archive || true")
    return {}


def prepare_account(home):
    """The account of the tutorial."""
    home.configure({"publish": ["atom", "html"], "accounts": {"demo": {"provider": "sandbox"}}})
    home.silently("homeline login demo")
    return {}


# The state that the commands of a page run in; the tutorial's account for other pages.
PREPARED = {
    "README.md": prepare_nothing, "README.zh-CN.md": prepare_nothing, "docs/tutorial/first-account.md": prepare_nothing,
    "docs/how-to/systemd.md": prepare_nothing, "docs/how-to/post.md": prepare_posts, "docs/how-to/drive.md": prepare_drive,
}  # fmt: skip


def steps(text):
    """The commands in a page's blocks, and its whole configurations as documents."""
    for language, block in BLOCK.findall(text):
        if language == "json" and block.startswith("{\n") and '"accounts"' in block:
            yield json.loads(block)
        elif language in SHELL:
            for line in re.sub(r"\\\n\s*", "", block).splitlines():
                if language == "console":
                    line = line[2:] if line.startswith("$ ") else ""
                command = re.split(r"\s{2,}#", line)[0].strip()
                if command:
                    yield command


def is_unrun(command):
    return any(re.match(pattern, command) for pattern, _ in UNRUN)


def adapted(command, replaced):
    """The command with the simulated server, and with free ports."""
    if command.startswith("homeline login social.example") and "--name" not in command:
        command += " --name social"
    for old, new in replaced.items():
        command = command.replace(old, new)
    if command.startswith("homeline sandbox"):
        command += " --port 0"
    command = re.sub(r"^make run( ARGS=--once)?", "homeline demo --once --sandbox-port 0", command)
    return command.replace("fortune |", "echo 'Fortune favours the bold.' |")


def read(page, build, setting):
    """Runs the commands of a page, and yields the screen and the exit status of each."""
    home = Home(build)
    atexit.register(home.close)
    replaced = PREPARED.get(page, prepare_account)(home)
    for step in steps((REPOSITORY / page).read_text(encoding="utf-8")):
        if isinstance(step, dict):
            if page == "docs/tutorial/first-account.md":
                home.configure(step)
        elif step in INSTEAD:
            home.silently(INSTEAD[step])
        elif is_unrun(step):
            continue
        elif re.match(r"(export )?\w+=\S+$", step):
            home.assignments.append(step)
        else:
            if step in BEFORE:
                home.silently(BEFORE[step])
            if step.startswith("homeline login"):
                home.configure()
            yield home.type(page, adapted(step, replaced), setting)
    home.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--setting", action="append", choices=SETTINGS, default=[])
    parser.add_argument("--print", action="store_true", dest="prints")
    parser.add_argument("build")
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    build = os.path.realpath(options.build)
    faults, count = [], 0
    for page in options.pages:
        reference = {}
        for setting in ["reference"] + (options.setting or [name for name in SETTINGS if name != "reference"]):
            for number, (screen, status) in enumerate(read(page, build, setting)):
                count += 1
                found = list(screen.faults(reference.get(number)))
                if setting == "reference":
                    reference[number] = screen
                if options.prints:
                    print(f"--- {page}: {setting}: {screen.command} (exit {status})", *screen.lines, sep="\n")
                faults += [f"{page}: {setting}: {screen.command}: {fault}" for fault in found]
                if status not in (0, 130):
                    faults.append(f"{page}: {setting}: {screen.command}: exit {status}")
    print(*faults, sep="\n")
    print(f"{count} screens, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
