#!/usr/bin/env python3
"""Watches the web page change in a browser while the service gets posts, is restarted, and is asked for actions.

    web_live.py chromium|firefox ENTRY PATH

ENTRY is an address with a ticket, from `homeline web --print`, and PATH the page of a timeline with more than 50 posts. The program writes
what it wants to standard output, one line each, and continues when it reads a line:

want NUMBER posts N      N new posts in the timelines of both accounts
want NUMBER only N NAME  N new posts, but only in the timeline of one account
want NUMBER restart      a restart of the service
want NUMBER read NAME    all posts of an account marked as read by a command
want NUMBER forget       the end of all browsers' sessions
want NUMBER enter        an address with another ticket, in the line that is read
want NUMBER later        another post in the outbox, which waits for its time
want NUMBER discard      no posts in the outbox

Its last line is a JSON object: `steps` is the number of things it has looked at, and `faults` has those that are not as they should be.
Exits with 77 if the browser is missing.
"""

import itertools
import json
import sys
from urllib.parse import urlsplit

import browsers

BAR = "document.querySelector('.news button:not([hidden])')"
COUNT = "document.querySelectorAll('#posts .post').length"
HOLD = "key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, repeat: true, bubbles: true }))"
FOCUS = "return document.activeElement.closest('.post') ? document.activeElement.closest('.post').id : document.activeElement.tagName"
TABS = 8
NUMBERS = itertools.count(1)


class Seen:
    """Compares what is seen with what should be."""

    def __init__(self):
        self.steps, self.faults = 0, []

    def check(self, name, value, expected=True):
        self.steps += 1
        if value != expected:
            self.faults.append(f"{name}: {value!r} instead of {expected!r}")


def want(what):
    print(f"want {next(NUMBERS)} {what}", flush=True)
    line = sys.stdin.readline()
    if not line:
        sys.exit("the test has ended")
    return line.strip()


def bar(browser):
    return browser.run(f"return {BAR} ? {BAR}.textContent : ''")


def ids(browser):
    return browser.run("return [...document.querySelectorAll('#posts .post')].map(post => post.id)")


def rest(browser):
    """Waits until the page has stopped scrolling."""
    browser.run("window.places = []")
    browser.wait("(places.unshift(scrollY), places.length > 4 && new Set(places.slice(0, 4)).size === 1)")


def new_posts(seen, browser, page):
    """New posts appear above the list when the reader wants them, and nothing moves."""
    browser.go(page)
    seen.check("title", browser.title(), "(80) demo · homeline")
    before = ids(browser)
    browser.run("document.documentElement.style.scrollBehavior = 'auto'")
    browser.press("j", "j", "j")
    seen.check("third", browser.run(FOCUS) == before[2])
    rest(browser)
    top = "document.activeElement.getBoundingClientRect().top"
    place = browser.run(f"return {top}")
    want("posts 3")
    browser.wait(BAR)
    seen.check("bar", bar(browser), "3 new posts")
    seen.check("inserted early", ids(browser) != before, False)
    seen.check("moved early", abs(browser.run(f"return {top}") - place) > 1, False)
    browser.click(".news button:not([hidden])")
    browser.wait(f"{COUNT} === {len(before) + 3}")
    seen.check("kept", ids(browser)[3:] == before)
    seen.check("focus stayed", browser.run(FOCUS) == before[2])
    seen.check("moved", abs(browser.run(f"return {top}") - place) > 1, False)
    seen.check("bar afterwards", bar(browser), "")
    # The focus that was on the button goes to a post.
    want("posts 1")
    browser.wait(BAR)
    browser.run(f"{BAR}.focus()")
    browser.press(browsers.ENTER)
    browser.wait(f"{COUNT} === {len(before) + 4}")
    seen.check("focus after a key", browser.run(FOCUS) == before[2])
    seen.check("title afterwards", browser.title(), "(84) demo · homeline")
    want("read demo")
    browser.wait("!document.querySelector('#posts .unread') && !document.title.startsWith('(')")
    seen.check("dots", browser.run("return document.querySelectorAll('#posts .new').length"), 0)


def keys(seen, browser, page):
    """Each key does what the help says, and none does anything in a field."""
    browser.go(page)
    posts = ids(browser)
    browser.press("j", "j", "k", "G")
    seen.check("last", browser.run(FOCUS) == posts[-1])
    browser.press("g", "j")
    seen.check("second", browser.run(FOCUS) == posts[1])
    browser.run(f"({HOLD})('j')")
    seen.check("held", browser.run(FOCUS) == posts[2])
    browser.press("k", "?")
    seen.check("help", browser.run("return document.getElementById('help').open"))
    browser.press(browsers.ESCAPE)
    browser.wait("!document.getElementById('help').open")
    seen.check("focus after help", browser.run(FOCUS) == posts[1])
    browser.run("document.querySelector('details.conditions').open = true; document.getElementById('by').focus()")
    browser.press("j", "g", "?", "/")
    seen.check("typed", browser.run("return document.getElementById('by').value"), "jg?/")
    seen.check("help from a field", browser.run("return document.getElementById('help').open"), False)
    browser.run("document.activeElement.blur()")
    browser.press("g", "j", "o")
    browser.wait("location.pathname.includes('/p/') && document.querySelector('#news, .news')")
    seen.check("opened", browser.run("return document.querySelector('main h1').textContent.startsWith('Post by')"))
    browser.press("/")
    browser.wait("location.pathname === '/search' && document.activeElement.id === 'q'")


def older(seen, browser, page):
    """Older posts are appended, and the focus goes to the first of them."""
    browser.go(page)
    before = ids(browser)
    browser.run("document.querySelector('#posts a[rel=next]').focus()")
    address = browser.run("return document.querySelector('#posts a[rel=next]').href")
    browser.press(browsers.ENTER)
    browser.wait(f"{COUNT} > {len(before)} && location.href === {json.dumps(address)}")
    after = ids(browser)
    seen.check("kept", after[: len(before)] == before and len(set(after)) == len(after))
    seen.check("focus", browser.run(FOCUS) == after[len(before)])
    browser.press("j")
    seen.check("next", browser.run(FOCUS) == after[len(before) + 1])
    want("posts 1")
    browser.wait(BAR)
    seen.check("bar", bar(browser), "1 new post")
    # A page of older posts follows no changes, but shows the mark that was moved on it.
    browser.go(address)
    browser.run("document.querySelectorAll('#posts .post')[1].focus()")
    browser.press("u")
    browser.wait("document.querySelectorAll('#posts .unread').length === 1")
    seen.check("unread above the mark", browser.run("return document.querySelector('#posts .post').classList.contains('unread')"))


def views(seen, browser, base):
    """In a view, posts appear between others if their account is refreshed later, and each account has its own mark."""
    page = base + "/v/both"
    want("read demo")
    want("only 3 demo")
    browser.go(page)
    before = ids(browser)
    # As if posts had been missing below the first post.
    browser.run("""
        const gap = document.createElement("p");
        gap.className = "divider gap";
        document.querySelectorAll("#posts .post")[1].before(gap);
    """)
    want("only 0 two")
    browser.wait(BAR)
    seen.check("bar of the view", bar(browser), "3 new posts")
    browser.click(".news button:not([hidden])")
    browser.wait(f"{COUNT} === {len(before) + 3}")
    after = ids(browser)
    seen.check("gap", browser.run("return document.querySelector('#posts .gap') !== null"), False)
    seen.check("bar of the view afterwards", bar(browser), "")
    browser.go(page)
    first = ids(browser)
    seen.check("order", after[: len(first)], first)
    seen.check("between", [post for post in after if post in before], before)
    # The last post of the first page is read. Those of the other account below it are not.
    seen.check("last", browser.run(f"return document.getElementById('{first[-1]}').classList.contains('unread')"), False)
    browser.click("#posts a[rel=next]")
    browser.wait(f"{COUNT} > {len(first)}")
    unread = browser.run("return [...document.querySelectorAll('#posts .unread')].map(post => post.id)")
    seen.check("unread below", len(set(unread) - set(first)) > 3)
    want("posts 1")
    browser.wait(BAR)
    seen.check("unread", browser.run("return [...document.querySelectorAll('#posts .unread')].map(post => post.id)"), unread)
    want("read demo")


def counted(seen, browser, base):
    """The server's count follows what is typed, and the focus stays in the text."""
    browser.go(base + "/post?account=demo")
    browser.run("document.getElementById('text').focus()")
    browser.press(*"Hello")
    shown = "document.getElementById('count')"
    browser.wait(f"{shown}.textContent.startsWith('5 of ')")
    seen.check("class of the count", browser.run(f"return {shown}.className"), "count")
    browser.run("document.getElementById('text').value = 'long '.repeat(2000)")
    browser.press("!")
    browser.wait(f"{shown}.classList.contains('error')")
    seen.check("reason", browser.run(f"return {shown}.textContent.length > 0"))
    browser.run("document.getElementById('text').value = 'Hello'")
    browser.press("!")
    browser.wait(f"{shown}.textContent.startsWith('6 of ')")
    # The service does not read so long a text to count it.
    browser.run("document.getElementById('text').value = 'x'.repeat(70000)")
    browser.press("!")
    browser.wait(f"{shown}.textContent === ''")
    browser.run("document.getElementById('text').value = ''")
    browser.press(" ")
    browser.wait(f"{shown}.textContent === '' && !{shown}.classList.contains('error')")
    seen.check("focus while counting", browser.run("return document.activeElement.id"), "text")


def outbox(seen, browser, base):
    """The list of the outbox follows changes by others, and the focus stays at its post."""
    browser.go(base + "/outbox")
    browser.run("window.isSame = true")
    seen.check("empty outbox", browser.run("return document.querySelectorAll('#outbox li').length"), 0)
    want("later")
    browser.wait("document.querySelectorAll('#outbox li').length === 1")
    seen.check("state", browser.run("return document.querySelector('#outbox .fact').textContent.includes('waits until')"))
    post = browser.run("return document.querySelector('#outbox li').id")
    browser.run("document.querySelector('#outbox button[value=discard]').focus()")
    want("later")
    browser.wait("document.querySelectorAll('#outbox li').length === 2")
    seen.check("focus in the outbox", browser.run("return document.activeElement.closest('li')?.id"), post)
    want("discard")
    browser.wait("!document.querySelector('#outbox button[value=discard]')")
    seen.check("not loaded again", browser.run("return window.isSame === true"))


def tabs(seen, browser, page, base):
    """Eight tabs share a stream. When the tab with the stream closes, another one takes over."""
    browser.go(page)
    all_tabs = [browser.current_tab()]
    for path in [page] * (TABS - 3) + [base + "/v/all", base + "/"]:
        all_tabs.append(browser.open_tab())
        browser.go(path)
    # One tab has the stream; each of the others waits for its end.
    browser.wait("navigator.locks && (navigator.locks.query().then(locks => { window.locks = locks; }), window.locks)")
    seen.check("streams", browser.run("return locks.held.length"), 1)
    seen.check("waiting", browser.run("return locks.pending.length"), TABS - 1)
    want("read demo")
    want("posts 2")
    seen.check("live", watch(browser, all_tabs, "2"), TABS)
    # The first tab has the stream.
    browser.use_tab(all_tabs.pop(0))
    browser.close_tab()
    browser.use_tab(all_tabs[0])
    want("posts 1")
    seen.check("after the end of one", watch(browser, all_tabs, "3"), TABS - 1)
    want("restart")
    want("posts 1")
    seen.check("after a restart", watch(browser, all_tabs, "4"), TABS - 1)
    browser.use_tab(all_tabs[0])
    browser.wait(BAR)
    seen.check("bar", bar(browser), "4 new posts")
    for tab in all_tabs[1:]:
        browser.use_tab(tab)
        browser.close_tab()
    browser.use_tab(all_tabs[0])


def forgotten(seen, browser, page):
    """A page whose browser must enter again says so. When another tab has entered, both follow changes again."""
    browser.go(page)
    first = browser.current_tab()
    want("forget")
    browser.wait("document.querySelector('.said')?.textContent.includes('may not enter any more')")
    seen.check("posts stay", browser.run(f"return {COUNT} > 0"))
    second = browser.open_tab()
    browser.go(want("enter"))
    browser.go(page)
    want("read demo")
    browser.wait("!document.title.startsWith('(')")
    want("posts 1")
    seen.check("live after entering again", watch(browser, [second, first], "1"), 2)


def watch(browser, all_tabs, unread):
    live = 0
    for tab in all_tabs:
        browser.use_tab(tab)
        browser.wait(
            f"document.title.startsWith('({unread}) ') || [...document.querySelectorAll('.count')].some(e => e.textContent === '{unread} unread')")
        live += 1
    return live


def main():
    name, entry, path = sys.argv[1:]
    parts = urlsplit(entry)
    base = f"{parts.scheme}://{parts.netloc}"
    page = base + path
    seen, report = Seen(), {}
    with browsers.ALL[name]() as browser:
        try:
            browser.go(entry)
            new_posts(seen, browser, page)
            keys(seen, browser, page)
            older(seen, browser, page)
            views(seen, browser, base)
            counted(seen, browser, base)
            outbox(seen, browser, base)
            tabs(seen, browser, page, base)
            forgotten(seen, browser, page)
        except browsers.Failure as failure:
            report["failure"] = str(failure)
    print(json.dumps({"steps": seen.steps, "faults": seen.faults, **report}))
    sys.exit(1 if "failure" in report else 0)


if __name__ == "__main__":
    main()
