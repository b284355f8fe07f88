#!/usr/bin/env python3
"""Reads pages of the web page with a browser, judges each with axe-core and an HTML parser, and prints one JSON object.

    web_pages.py chromium|firefox ENTRY AXE PATH... [--pictures FOLDER]

ENTRY is an address with a ticket, from `homeline web --print`, and AXE the path of axe.min.js. The object has a member for each PATH:

title       the title
faults      what the parser finds: elements that are not closed, ids used twice, handlers in attributes
light dark  the rules of WCAG 2.2 AA that the page violates in each colour scheme, with the elements (axe-core)
narrow      the width of the document in a window of 320 pixels
foreign     the addresses of other origins that the page has loaded
broken      the number of pictures that cannot be shown
walked      for a page with a link to older posts: the titles of the pages that following it shows, at most 3

With --pictures, screenshots are stored in FOLDER. Exits with 77 if the browser is missing.
"""

import argparse
import json
import pathlib
import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import browsers

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# In SVG, they can end with `/>`.
NARROW = (320, 640)
WIDE = (1100, 900)


class Judge(HTMLParser):
    """Finds faults in the HTML as it was sent."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.faults, self.stack, self.ids = [], [], set()
        self.feed(html)
        self.close()
        if self.stack:
            self.faults.append(f"not closed: {self.stack}")

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.faults.append(f"an attribute of {tag} twice")
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.faults.append(f"{name} of {tag}")
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"the id {value} twice")
                self.ids.add(value)
        if tag in ("script", "iframe", "object", "embed", "base"):
            self.faults.append(tag)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.faults.append(f"</{tag}> does not match")


def violations(browser):
    run = f"axe.run(document, {{ runOnly: {json.dumps(TAGS)} }})"
    found = browser.run_async(
        f"{run}.then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).slice(0, 3).join(', ')))")
    return [found] if isinstance(found, str) else found


def look(browser, base, path, axe, pictures):
    seen = {}
    browser.size(*WIDE)
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        browser.go(base + path)
        browser.run(axe)
        seen[scheme] = violations(browser)
        if pictures:
            browser.picture(pictures / f"{name_of(path)}-{scheme}.png")
    browser.scheme("light")
    seen["title"] = browser.title()
    html = browser.run_async("fetch(location.href).then(r => r.text())")
    seen["faults"] = Judge(html).faults
    resources = browser.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
    seen["foreign"] = [address for address in resources if not address.startswith(base + "/")]
    browser.run("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
    browser.wait("[...document.images].every(image => image.complete)")
    seen["broken"] = browser.run("return [...document.images].filter(image => !image.naturalWidth).length")
    browser.size(*NARROW)
    browser.run("document.querySelectorAll('details').forEach(details => details.open = true)")
    seen["narrow"] = browser.run("return document.documentElement.scrollWidth")
    if pictures:
        browser.picture(pictures / f"{name_of(path)}-narrow.png")
    browser.size(*WIDE)
    seen["walked"] = []
    for _ in range(3):
        if not browser.run("return !!document.querySelector('a[rel=next]')"):
            break
        before = browser.url()
        browser.click("a[rel=next]")
        browser.wait(f"location.href !== {json.dumps(before)} && document.readyState === 'complete'")
        seen["walked"].append(browser.title())
    return seen


def name_of(path):
    return re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-") or "home"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("browser")
    parser.add_argument("entry")
    parser.add_argument("axe", type=pathlib.Path)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    parts = urlsplit(arguments.entry)
    base = f"{parts.scheme}://{parts.netloc}"
    axe = arguments.axe.read_text(encoding="utf-8")
    with browsers.ALL[arguments.browser]() as browser:
        browser.go(arguments.entry)
        report = {path: look(browser, base, path, axe, arguments.pictures) for path in arguments.paths}
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
