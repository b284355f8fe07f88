#!/usr/bin/env python3
"""Reads pages of the web page with a browser, judges each with axe-core and an HTML parser, and prints one JSON object.

    web_pages.py chromium|firefox ENTRY AXE PATH... [--pictures FOLDER]

ENTRY is an address with a ticket, from `homeline web --print`, and AXE the path of axe.min.js. The object has a member for each PATH:

title       the title
faults      what the parser finds: elements that are not closed, ids used twice, handlers in attributes
light dark  the rules of WCAG 2.2 AA that the page violates in each colour scheme, with the elements (axe-core)
narrow      the width of the document in a window of 320 pixels
split       the labels and buttons of one word that have several lines there or in a wide window
foreign     the addresses of other origins that the page has loaded
zoomed      the width of the document in a window of 1280 pixels at a zoom of 200 %
cut         the elements whose text is then cut off
enlarged    the width of the document in that window with only the text at 200 %
unreached   the links, buttons and fields that the Tab key does not reach
unseen      those that look the same with and without the focus
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
SHIFT, TAB = "\ue008", "\ue004"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# In SVG, they can end with `/>`.
NARROW = (320, 640)
WIDE = (1100, 900)
ZOOMED = (640, 512)

CUT = """
return [...document.querySelectorAll("body *")].filter((e) => {
  const isHiding = /hidden|clip/.test(getComputedStyle(e).overflow) && !e.closest(".unseen, svg") && e.innerText;
  return isHiding && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1);
}).map((e) => e.className || e.localName);
"""

# Labels and buttons of one word that have several lines.
SPLIT = """
return [...document.querySelectorAll("label, button, summary, dt, nav a")].filter((e) => {
  const range = document.createRange();
  range.selectNodeContents(e);
  return !/\\s/.test(e.innerText.trim()) && new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1;
}).map((e) => e.innerText);
"""
OPEN = "document.querySelectorAll('details').forEach(details => details.open = true)"

# The look of an element and of what surrounds it, which must differ when it has the focus (WCAG 2.2, 2.4.7).
WATCH_FOCUS = """
window.look = (e) => {
  const style = getComputedStyle(e);
  return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.top].join();
};
const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
window.expected = all.filter((e) => e.type !== "hidden" && !e.disabled && e.checkVisibility() && !(e.type === "radio" && !e.checked));
// A field may have the focus already.
document.activeElement.blur();
window.before = new Map(expected.map((e) => [e, look(e)]));
window.reached = new Set();
window.alike = new Set();
document.addEventListener("focusin", (event) => {
  reached.add(event.target);
  if (look(event.target) === before.get(event.target)) alike.add(event.target);
});
expected[1].focus();
return expected.length;
"""
NAMES = "return [...%s].map((e) => (e.closest('[id]')?.id ?? '') + ' ' + e.outerHTML.slice(0, 80))"


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
        if tag == "script" and not (dict(attrs).get("src") or "").startswith("/x/"):
            self.faults.append("a script within the page")
        if tag in ("iframe", "object", "embed", "base"):
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
        browser.run(OPEN)
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
    seen["split"] = browser.run(SPLIT)
    browser.run("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
    browser.wait("[...document.images].every(image => image.complete)")
    seen["broken"] = browser.run("return [...document.images].filter(image => !image.naturalWidth).length")
    browser.size(*NARROW)
    browser.run(OPEN)
    seen["narrow"] = browser.run("return document.documentElement.scrollWidth")
    seen["split"] += browser.run(SPLIT)
    if pictures:
        browser.picture(pictures / f"{name_of(path)}-narrow.png")
    browser.size(*ZOOMED, zoom=2)
    seen["zoomed"] = browser.run("return document.documentElement.scrollWidth")
    seen["cut"] = browser.run(CUT)
    browser.size(2 * ZOOMED[0], 2 * ZOOMED[1])
    browser.run("document.documentElement.style.fontSize = '200%'")
    seen["enlarged"] = browser.run("return document.documentElement.scrollWidth")
    browser.size(*WIDE)
    browser.go(base + path)
    seen |= keyboard(browser)
    browser.go(base + path)
    seen["walked"] = []
    for _ in range(3):
        if not browser.run("return !!document.querySelector('a[rel=next]')"):
            break
        before = browser.url()
        browser.click("a[rel=next]")
        browser.wait(f"location.href !== {json.dumps(before)} && document.readyState === 'complete'")
        seen["walked"].append(browser.title())
    return seen


def keyboard(browser):
    """Moves the focus through the whole page."""
    count = browser.run(WATCH_FOCUS)
    browser.press(SHIFT + TAB, *[TAB] * (count - 1))
    unreached = NAMES % "expected.filter((e) => !reached.has(e))"
    return {"unreached": browser.run(unreached), "unseen": browser.run(NAMES % "alike")}


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
