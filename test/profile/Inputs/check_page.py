#!/usr/bin/env python3
"""Checks a page: elements nest, nothing is fetched or executed, pictures have a text and
draw inside of their frames. Usage: check_page.py FILE FIGURES"""
import re
import sys
from html.parser import HTMLParser

VOID = {"meta"}
NUMBER = re.compile(r"-?[0-9.]+(?:e-?\d+)?|nan|inf", re.I)
FETCHING = {"script", "link", "img", "iframe", "object", "embed", "image", "use", "base", "form"}


class Checker(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.problems, self.figures, self.frame = [], [], 0, None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in FETCHING or any(a in ("src", "href", "xlink:href") or a.startswith("on")
                                  for a in attrs):
            self.problems.append(f"<{tag}> fetches or executes")
        if tag == "figure":
            self.figures += 1
        if tag == "svg":
            self.frame = [float(v) for v in attrs["viewbox"].split()]
            if attrs.get("role") != "img" or not attrs.get("aria-label"):
                self.problems.append("a picture has no text")
        if tag == "path":
            self.check_path(attrs["d"])
        if tag == "rect":
            self.check_point(float(attrs["x"]) + float(attrs["width"]),
                             float(attrs["y"]) + float(attrs["height"]))
        if tag not in VOID:
            self.open.append(tag)

    def check_point(self, x, y):
        _, _, width, height = self.frame
        if not (0 <= x <= width and 0 <= y <= height):
            self.problems.append(f"({x}, {y}) is outside of {width} x {height}")

    def check_path(self, text):
        x = y = 0.0
        for command, numbers in re.findall(r"([MLHVvZ])([^MLHVvZ]*)", text):
            values = [float(v) for v in NUMBER.findall(numbers)]
            if command in "ML":
                x, y = values
            elif command == "H":
                x, = values
            elif command == "V":
                y, = values
            elif command == "v":
                y += values[0]
            self.check_point(x, y)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        if self.open[-1:] == ["style"] and re.search(r"url\(|@import|expression", data):
            self.problems.append("the style fetches")
        elif self.open[-1:] != ["style"] and re.search(r"https?:", data):
            self.problems.append("there is an address")


def main():
    checker = Checker()
    with open(sys.argv[1], encoding="utf-8") as file:
        checker.feed(file.read())
    checker.close()
    if checker.open:
        checker.problems.append(f"<{checker.open[-1]}> is not closed")
    if checker.figures != int(sys.argv[2]):
        checker.problems.append(f"{checker.figures} figures instead of {sys.argv[2]}")
    for problem in checker.problems:
        print(problem)
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
