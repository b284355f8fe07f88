#!/usr/bin/env python3
"""Writes posts on the web page with a browser that runs no scripts, and prints one JSON object.

    web_post.py chromium|firefox ENTRY ENTRY ACCOUNT PICTURE PICTURE TEXT

Each ENTRY is an address with a ticket, from `homeline web --print`, the PICTUREs are files, and TEXT is a file that is no picture. The
server refuses the first post. The object has these members:

ended      the heading and the text of the page after a form was sent without a session
kept       the text of the form that the list of drafts then leads to
refused    the outbox's post that the server refused
retried    what the page says after it was sent again
pictures   what the page says after a post with two pictures, of which the first was added before
long       the error beside a text that is too long, and the text in the form
wrong      the error of a file that is no picture, and the text in the form
double     what the page says after a double click
again      what the page says after Back and a second sending
checked    what the page says after Check
planned    the outbox's post that waits for its time
discarded  what the page says after it was discarded
reply      the heading of the form for a reply, the element of the post above it, and what the page says after the reply
answered   the id of the post that was replied to

Exits with 77 if the browser is missing.
"""

import json
import sys
from urllib.parse import urlsplit

import browsers

SAID = "return (document.querySelector('main [role=status]') || document.querySelector('h1')).textContent.trim()"
HEADING = "return document.querySelector('h1').textContent"
TEXT = "return document.querySelector('#text').value"


class Writer:
    def __init__(self, browser, base, account):
        self.browser, self.base, self.account = browser, base, account

    def begin(self, text):
        self.browser.go(f"{self.base}/post?account={self.account}")
        self.browser.fill("#text", text)

    def press(self, action):
        """Presses a button of the form, and waits for the next page."""
        self.leave(f"document.querySelector('form.write button[value={action}]:not([hidden])').click()")

    def leave(self, action):
        self.browser.run(f"document.body.id = 'former'; {action}")
        self.browser.wait("document.body && document.body.id !== 'former' && document.readyState === 'complete'")

    def said(self):
        return self.browser.run(SAID)


def end_of_session(writer, entry, report):
    browser = writer.browser
    writer.begin("Written without a session.")
    browser.forget()
    writer.press("post")
    report["ended"] = [browser.run(HEADING), browser.text()]
    browser.go(entry)
    browser.go(f"{writer.base}/post")
    writer.leave("document.querySelector('.rows a').click()")
    report["kept"] = browser.run(TEXT)
    writer.press("discard")


def write(writer, pictures, text, report):
    browser = writer.browser
    writer.begin("Refused at first.")
    writer.press("post")
    report["refused"] = browser.run("return document.querySelector('.outbox li').innerText")
    writer.leave("document.querySelector('.outbox button[value=retry]').click()")
    report["retried"] = writer.said()

    writer.begin("Two pictures.")
    browser.choose("#file-1", pictures[0])
    browser.fill("#alt-1", "The first")
    writer.press("add")
    browser.choose("#file-2", pictures[1])
    browser.fill("#alt-2", "The \"second\"")
    writer.press("post")
    report["pictures"] = writer.said()

    writer.begin("long " * 200)
    writer.press("post")
    report["long"] = [browser.run("return document.querySelector('#text-error').textContent"), browser.run(TEXT)]

    writer.begin("No picture.")
    browser.choose("#file-3", text)
    writer.press("post")
    report["wrong"] = [browser.run("return document.querySelector('#file-3-error').textContent"), browser.run(TEXT)]

    writer.begin("Clicked twice.")
    button = "document.querySelector('form.write .main')"
    writer.leave(f"{button}.click(); {button}.click()")
    browser.wait("document.querySelector('.outbox')")
    report["double"] = writer.said()

    writer.begin("Sent once.")
    writer.press("post")
    browser.run("history.back()")
    browser.wait("document.body && document.readyState === 'complete' && "
                 "(document.querySelector('form.write') || location.search.includes('repeat'))")
    # A browser that shows its own copy of the form can send it again. Another one asks for it, and learns that it was sent.
    if browser.run("return !!document.querySelector('form.write')"):
        browser.fill("#text", "Sent once.")
        writer.press("post")
    report["again"] = writer.said()

    writer.begin("Planned.")
    writer.press("check")
    report["checked"] = writer.said()
    browser.fill("#at", "2999-12-24T18:00")
    writer.press("post")
    report["planned"] = browser.run("return document.querySelector('.outbox li').innerText")
    writer.leave("document.querySelector('.outbox button[value=discard]').click()")
    report["discarded"] = writer.said()


def answer(writer, report):
    browser = writer.browser
    browser.go(f"{writer.base}/a/{writer.account}")
    link = "document.querySelector('#posts .post a.act[href^=\"/post\"]')"
    browser.wait(link)
    report["answered"] = browser.run(f"return new URL({link}.href).searchParams.get('reply')")
    writer.leave(f"{link}.click()")
    shown = [browser.run(HEADING), browser.run("return document.querySelector('.posts .post').id")]
    browser.fill("#text", "An answer.")
    writer.press("post")
    report["reply"] = shown + [writer.said()]


def main():
    name, entry, second, account, *files = sys.argv[1:]
    parts = urlsplit(entry)
    report = {}
    with browsers.ALL[name](scripting=False) as browser:
        try:
            browser.go(entry)
            writer = Writer(browser, f"{parts.scheme}://{parts.netloc}", account)
            end_of_session(writer, second, report)
            write(writer, files[:2], files[2], report)
            answer(writer, report)
        except browsers.Failure as failure:
            report["failure"] = f"{failure}; {browser.text()[:1000]}"
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(1 if "failure" in report else 0)


if __name__ == "__main__":
    main()
