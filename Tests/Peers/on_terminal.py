"""Runs a program on a pseudo-terminal, and prints as JSON what it wrote there.

usage: on_terminal.py OPTIONS PROGRAM [ARGUMENT ...]

OPTIONS is a JSON object:
  columns, rows  the size of the terminal (80 and 24)
  steps          a list; each step waits until the output contains its `after` (after the text of the previous step), and then types the text
                 `type`, or sends the signal `signal` to the program
  output         a file that gets standard output instead of the terminal
  environment    the program's environment, if it is not this script's
  lifetime       the seconds after which the program is killed (60)

The JSON has the exit status (128 plus the number of a signal), the signal that ended the program (0 for none), the output, the time of each read in seconds with the number of bytes, and the
command lines of the processes in the terminal's session that are still running after the program has exited.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


def session_of(process):
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[3])


def running(session):
    names = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if session_of(process) == session and int(process) != session:
                with open(f"/proc/{process}/cmdline") as file:
                    names.append(file.read().replace("\0", " ").strip())
        except (OSError, IndexError):
            pass
    return names


def start(options, arguments):
    """Runs the program as a shell does: as a foreground process group of the terminal's session."""
    process = os.fork()
    # Both processes do this, because either can run first.
    if process:
        try:
            os.setpgid(process, process)
        except (PermissionError, ProcessLookupError):
            pass  # The child has already done this and runs the program.
        return process
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    if "output" in options:
        file = os.open(options["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, 1)
    os.execvpe(arguments[0], arguments, options.get("environment", os.environ))


def lead(options, arguments, report):
    """Leads the terminal's session: starts the program and reports its id and its end."""
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", options.get("rows", 24), options.get("columns", 80), 0, 0))
    process = start(options, arguments)
    os.write(report, f"{process}\n".encode())
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    end = {"status": status if status >= 0 else 128 - status, "signal": max(0, -status), "left": running(os.getpid())}
    os.write(report, json.dumps(end).encode())


def run(options, arguments):
    """Runs the program, and returns the report that is printed as JSON."""
    reading, writing = os.pipe()
    leader, terminal = pty.fork()
    if leader == 0:
        os.close(reading)
        lead(options, arguments, writing)
        os._exit(0)
    os.close(writing)
    report = os.fdopen(reading)
    process = int(report.readline())
    output, reads, steps, searched = b"", [], list(options.get("steps", [])), 0
    began = time.monotonic()
    while time.monotonic() - began < options.get("lifetime", 60):
        while steps and (place := output.find(steps[0]["after"].encode(), searched)) >= 0:
            step = steps.pop(0)
            searched = place + len(step["after"].encode())
            if "type" in step:
                os.write(terminal, step["type"].encode())
            if "signal" in step:
                os.kill(process, getattr(signal, step["signal"]))
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        reads.append([round(time.monotonic() - began, 3), len(chunk)])
        output += chunk
    else:
        os.kill(process, signal.SIGKILL)
    end = json.load(report)
    os.waitpid(leader, 0)
    os.close(terminal)
    report.close()
    missing = [step["after"] for step in steps]
    return {"output": output.decode(errors="replace"), "reads": reads, "missing": missing} | end


if __name__ == "__main__":
    print(json.dumps(run(json.loads(sys.argv[1]), sys.argv[2:])))
