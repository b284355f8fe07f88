#!/usr/bin/env python3
"""Sends forms with files that the service refuses while it reads them, and prints one JSON object.

    web_refused.py chromium|firefox ENTRY FILE...

ENTRY is an address with a ticket, from `homeline web --print`. The object has the list `pages`: for each FILE the heading and the text of
the page that the browser then shows, and the text in the form after Back.

Exits with 77 if the browser is missing.
"""

import json
import sys
from urllib.parse import urlsplit

import browsers


def refused(browser, base, file):
    browser.go(base + "/post")
    browser.fill("#text", "Refused.")
    browser.choose("#file-1", file)
    browser.run("document.body.id = 'former'; document.querySelector('form.write .main').click()")
    browser.wait("document.body && document.body.id !== 'former' && document.readyState === 'complete'")
    shown = [browser.run("return document.querySelector('h1')?.textContent"), browser.text()]
    browser.run("history.back()")
    browser.wait("document.readyState === 'complete' && document.querySelector('form.write')")
    return shown + [browser.run("return document.getElementById('text').value")]


def main():
    name, entry, *files = sys.argv[1:]
    parts = urlsplit(entry)
    report = {"pages": []}
    with browsers.ALL[name](scripting=False) as browser:
        try:
            browser.go(entry)
            for file in files:
                report["pages"].append(refused(browser, f"{parts.scheme}://{parts.netloc}", file))
        except browsers.Failure as failure:
            report["failure"] = f"{failure}; {browser.text()[:1000]}"
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(1 if "failure" in report else 0)


if __name__ == "__main__":
    main()
