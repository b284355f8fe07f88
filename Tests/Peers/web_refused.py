#!/usr/bin/env python3
"""Sends forms with files that the service refuses while it reads them, and prints one JSON object.

    web_refused.py chromium|firefox ENTRY FILE...

ENTRY is an address with a ticket, from `homeline web --print`. The object has the list `pages`: for each FILE the heading and the text of
the page that the browser then shows, and the text and the file's description in its form. `kept` lists what the page for writing then
offers to continue.

Exits with 77 if the browser is missing.
"""

import json
import os
import sys
from urllib.parse import urlsplit

import browsers


def refused(browser, base, file):
    browser.go(base + "/post")
    browser.fill("#text", f"Refused, with {os.path.basename(file)}.")
    browser.fill("#alt-1", "A film.")
    browser.choose("#file-1", file)
    browser.run("document.body.id = 'former'; document.querySelector('form.write .main').click()")
    browser.wait("document.body && document.body.id !== 'former' && document.readyState === 'complete'")
    values = [f"return document.getElementById('{name}')?.value" for name in ("text", "alt-1")]
    return [browser.run("return document.querySelector('h1')?.textContent"), browser.text()] + [browser.run(v) for v in values]


def main():
    name, entry, *files = sys.argv[1:]
    parts = urlsplit(entry)
    report = {"pages": []}
    with browsers.ALL[name](scripting=False) as browser:
        try:
            browser.go(entry)
            for file in files:
                report["pages"].append(refused(browser, f"{parts.scheme}://{parts.netloc}", file))
            browser.go(f"{parts.scheme}://{parts.netloc}/post")
            report["kept"] = browser.run("return [...document.querySelectorAll('.rows a')].map((a) => a.textContent)")
        except browsers.Failure as failure:
            report["failure"] = f"{failure}; {browser.text()[:1000]}"
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(1 if "failure" in report else 0)


if __name__ == "__main__":
    main()
