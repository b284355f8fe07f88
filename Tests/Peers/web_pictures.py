#!/usr/bin/env python3
"""Takes pictures of the web page in Chromium, for docs/how-to/web.md.

    web_pictures.py ENTRY FOLDER

ENTRY is an address with a ticket, from `homeline web --print`. Stores web-light.png, web-dark.png, web-phone.png and web-search.png in
FOLDER, and the texts in them, one a line, in web.txt. Exits with 77 if the browser is missing.
"""

import pathlib
import sys
from urllib.parse import urlsplit

import browsers

# The strings that the window shows, each as it is on the page.
TEXTS = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const isInWindow = Array.from(range.getClientRects()).some((r) => r.width > 1 && r.bottom > 0 && r.top < innerHeight);
  if (isInWindow && node.parentElement.checkVisibility({ visibilityProperty: true }) && !node.parentElement.closest("svg, .unseen")) {
    texts.push(...node.data.split("\\n"));
  }
}
return texts;
"""

# Each picture: its name, the path, the size of the window, the zoom factor, and the colour scheme.
PICTURES = [
    ("web-light", "/a/garden", (860, 800), 1, "light"),
    ("web-dark", "/a/garden", (860, 800), 1, "dark"),
    ("web-phone", "/a/garden", (390, 800), 1, "light"),
    ("web-search", "/search?q=harbour", (860, 820), 1, "light"),
]


def main():
    entry, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    parts = urlsplit(entry)
    base = f"{parts.scheme}://{parts.netloc}"
    texts = set()
    with browsers.ALL["chromium"]() as browser:
        browser.go(entry)
        for name, path, size, zoom, scheme in PICTURES:
            browser.size(*size, zoom=zoom)
            browser.scheme(scheme)
            browser.go(base + path)
            browser.run("document.documentElement.style.scrollbarWidth = 'none'")
            browser.wait("[...document.images].filter((e) => e.getBoundingClientRect().top < innerHeight).every((e) => e.complete)")
            browser.picture(folder / f"{name}.png")
            texts.update(browser.run(TEXTS))
    (folder / "web.txt").write_text("\n".join(sorted(text for text in texts if text.strip())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
