#!/usr/bin/env python3
"""Talks to an executable on a pseudo-terminal: lines, commands, Ctrl-C, Ctrl-D, a full
context. Usage: terminal.py EXECUTABLE    Exit status 1 with one line per failure."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

PROMPT = "> "
INTERRUPT, END = b"\x03", b"\x04"
LIMIT_S = 60
failures = []


def check(ok, message):
    if not ok:
        failures.append(message)
        print(f"FAIL {message}", flush=True)


class Terminal:
    """The program on a terminal without echo; text is everything it has printed."""

    def __init__(self, program, *flags):
        self.text = ""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit's workers ignore it
            subprocess.run(["stty", "-echo"], check=True)
            os.execv(program, [program, "--temp", "0", *flags])

    def until(self, end):
        """What comes up to and with `end`, a regular expression; all where it ends before."""
        deadline = time.monotonic() + LIMIT_S
        while not re.search(end, self.text):
            ready, _, _ = select.select([self.file], [], [], max(0, deadline - time.monotonic()))
            try:
                piece = os.read(self.file, 4096) if ready else b""
            except OSError:  # the program has ended
                piece = b""
            if not piece:
                check(False, f"no {end!r} after {self.text[-200:]!r}")
                break
            self.text += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        found = re.search(end, self.text)
        split = found.end() if found else len(self.text)
        text, self.text = self.text[:split], self.text[split:]
        return text

    def answer(self):
        """What comes before the next prompt."""
        return self.until(r"(?m)^> $")[:-len(PROMPT)]

    def say(self, line):
        os.write(self.file, line.encode() + b"\n")
        return self.answer()

    def send(self, key):
        os.write(self.file, key)

    def exit_code(self):
        """Waits for the end; whatever was printed goes to text."""
        deadline = time.monotonic() + LIMIT_S
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self.file], [], [], 0.05)
            try:
                piece = os.read(self.file, 4096) if ready else b""
            except OSError:
                piece = b""
            self.text += piece.decode("utf-8", "replace").replace("\r\n", "\n")
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.file)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return "it did not end"


def completion(program, *flags):
    return subprocess.run([program, "--temp", "0", *flags], check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def test_conversation(program):
    terminal = Terminal(program, "-n", "8")
    check("/help" in terminal.answer(), "the greeting names /help")
    first = terminal.say("Once upon a time")
    check(first == completion(program, "-p", "Once upon a time", "-n", "8") + "\n", f"first answer: {first!r}")
    # An empty line goes on: together they are the longer completion.
    both = first[:-1] + terminal.say("")[:-1]
    check(both == completion(program, "-p", "Once upon a time", "-n", "16"), f"continued: {both!r}")
    # A line goes on from there too: not the answer it would get in an empty context.
    other = terminal.say("The king")
    check(other != completion(program, "-p", "The king", "-n", "8") + "\n", "a line continues the context")
    check("the context is empty" in terminal.say("/reset"), "/reset says so")
    check(terminal.say("Once upon a time") == first, "after /reset the first answer comes again")
    help_text = terminal.say("/help")
    check(all(word in help_text for word in ("/reset", "/stats", "/exit", "Ctrl-C")), f"/help: {help_text!r}")
    check(re.search(r"context: \d+ of \d+ tokens", terminal.say("/stats")), "/stats says how full the context is")
    check("no command /nothing" in terminal.say("/nothing"), "an unknown command is named")
    terminal.send(END)
    check(terminal.exit_code() == 0, "Ctrl-D ends with 0")
    check("generated: " in terminal.text, f"statistics at the end: {terminal.text!r}")
    ended = Terminal(program)
    ended.answer()
    os.write(ended.file, b"/exit\n")
    check(ended.exit_code() == 0, "/exit ends with 0")


def test_interrupt(program):
    terminal = Terminal(program, "--ignore-eos")
    terminal.answer()
    os.write(terminal.file, b"Once upon a time\n")
    terminal.until("man")  # it is answering
    terminal.send(INTERRUPT)
    terminal.answer()
    terminal.say("/reset")
    # The prompt works as before, and so does the next Ctrl-C.
    os.write(terminal.file, b"Once upon a time\n")
    terminal.until("man")
    terminal.send(INTERRUPT)
    check("stopped" not in terminal.answer(), "interrupted before the context was full")
    terminal.send(INTERRUPT)
    check(terminal.exit_code() == 130, "Ctrl-C at the prompt ends with 130")
    check("generated: " in terminal.text, f"statistics: {terminal.text!r}")
    fresh = Terminal(program)
    fresh.answer()
    fresh.send(INTERRUPT)
    check(fresh.exit_code() == 130, "Ctrl-C at the first prompt ends with 130")


def test_full_context(program):
    terminal = Terminal(program, "--ignore-eos", "-c", "30")
    terminal.answer()
    full = "the context of 30 tokens is full; /reset begins a new text"
    check(full in terminal.say("Once upon a time"), "a full context is said")
    check(full in terminal.say("more"), "and again at the next line")
    check(full not in terminal.say("/reset"), "/reset empties it")
    check("was a man" in terminal.say("Once upon a time"), "then it answers")
    terminal.say("/reset")
    check("the context holds 30; " in terminal.say("many words " * 30), "a long line is refused")
    check(terminal.say("") == "", "and left no trace")
    terminal.send(END)
    check(terminal.exit_code() == 0, "Ctrl-D ends with 0")


def test_first_prompt(program):
    terminal = Terminal(program, "-i", "-p", "Once upon a time", "-n", "8")
    expected = completion(program, "-p", "Once upon a time", "-n", "16")
    text = terminal.answer()[:-1] + terminal.say("")[:-1]
    check(text.endswith(expected), f"-i -p answers, then goes on: {text!r}")
    terminal.send(END)
    check(terminal.exit_code() == 0, "Ctrl-D ends with 0")


def test_plain_interrupt(program):
    """Ctrl-C in plain generation, on a terminal: the text, a line end, statistics, 130."""
    terminal = Terminal(program, "-p", "Once upon a time", "--ignore-eos")
    terminal.until("man")
    terminal.send(INTERRUPT)
    check(terminal.exit_code() == 130, "Ctrl-C ends with 130")
    check(re.search(r"\nprompt: \d+ tokens.*generated: \d+ tokens", terminal.text), f"statistics: {terminal.text!r}")


def test_usage(program):
    terminal = Terminal(program, "--json")
    check(terminal.exit_code() == 2, "--json without a prompt on a terminal is misuse")
    check("need a prompt" in terminal.text, f"and says so: {terminal.text!r}")


def main():
    for test in (test_conversation, test_interrupt, test_full_context, test_first_prompt, test_plain_interrupt,
                 test_usage):
        test(sys.argv[1])
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
