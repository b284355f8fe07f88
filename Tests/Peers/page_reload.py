#!/usr/bin/env python3
"""Watches how often a published page loads itself again in headless Chromium, with a simulated clock.

The page is copied to a new folder. Prints one JSON object: for each step, how often the page was loaded again, and whether it says that its
posts are old. Exits with 77 without Chromium or selenium.
"""

import argparse
import json
import os
import sys
import tempfile
import time

import chromium_walk
import peer

# Runs before the page's script. The page's timer is called only by the steps below. Nothing is stored in the browser, because stored values
# may reach a new document too late.
BEGINNING = """
{
  const Real = Date, start = Real.parse(%(start)s);
  window.shift = %(shift)d;
  window.load = %(load)d;
  window.isHidden = false;
  Date = class extends Real {
    constructor(...a) { super(...(a.length ? a : [Date.now()])); }
    static now() { return start + shift * 1000; }
  };
  setInterval = (body) => { window.tick = body; };
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  navigation.addEventListener("navigate", (event) => { if (event.navigationType === "reload") reloads += 1; });
}
"""

DEADLINE_SECONDS = 30


class Watch:
    def __init__(self, browser, page, start):
        self.browser = browser
        self.page = page
        self.start = start
        self.load = 0
        self.script = None

    def run(self, script):
        return self.browser.execute_script(script)

    def prepare(self, seconds):
        """Sets the number and the time of the next load."""
        if self.script:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self.script})
        self.load += 1
        source = BEGINNING % {"start": json.dumps(self.start), "shift": seconds, "load": self.load}
        self.script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})["identifier"]

    def open(self, seconds):
        self.prepare(seconds)
        self.browser.get("file://" + self.page)

    def at(self, seconds):
        """Sets the clock and calls the timer. Returns how often the page loaded itself because of that, after it is complete again."""
        self.prepare(seconds)
        # The event is dispatched before `location.reload()` returns.
        reloads = self.run(f"window.shift = {seconds}; window.reloads = 0; tick(); return reloads")
        deadline = time.monotonic() + DEADLINE_SECONDS
        while reloads and not self.run(f"return window.load === {self.load} && document.readyState === 'complete'"):
            if time.monotonic() > deadline:
                sys.exit("the page did not load")
            time.sleep(0.02)
        return reloads

    def overdue(self):
        return self.run("return Array.from(document.querySelectorAll('.notice')).filter((e) => e.checkVisibility()).length > 0")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", help="the page, fresh for the first 1000 seconds")
    parser.add_argument("next", help="the page that the service writes later, fresh for the first 5000 seconds")
    parser.add_argument("--now", required=True, metavar="TIME", help="the time at the beginning")
    options = parser.parse_args()
    if not chromium_walk.CHROMIUM or not chromium_walk.DRIVER:
        peer.skip("there is no chromium or no chromedriver")
    with tempfile.TemporaryDirectory(prefix="page-reload-", ignore_cleanup_errors=True) as folder:
        browser = chromium_walk.start_browser(folder)
        try:
            print(json.dumps(steps(browser, folder, options)))
        finally:
            browser.quit()


def replace(page, by):
    with open(by, "rb") as source, open(page + ".new", "wb") as file:
        file.write(source.read())
    os.rename(page + ".new", page)


def steps(browser, folder, options):
    page = os.path.join(folder, "home_timeline.html")
    replace(page, options.page)
    watch = Watch(browser, page, options.now)
    watch.open(0)
    seen = {}
    seen["fresh"] = watch.at(999)
    # The time is over: the page waits two minutes for the service, and does not call its posts old yet.
    seen["over"] = watch.at(1001)
    seen["over_is_overdue"] = watch.overdue()
    watch.run("isHidden = true")
    seen["hidden"] = watch.at(1200)
    watch.run("isHidden = false; scrollTo({ top: 300, behavior: 'instant' })")
    seen["scrolled"] = watch.at(1230)
    seen["scrolled_is_overdue"] = watch.overdue()
    watch.run("scrollTo({ top: 0, behavior: 'instant' }); document.querySelector('.post').focus({ preventScroll: true })")
    seen["focused"] = watch.at(1260)
    watch.run("document.activeElement.blur(); document.getElementById('help').showModal()")
    seen["help"] = watch.at(1290)
    watch.run("document.getElementById('help').close(); document.activeElement.blur(); scrollTo({ top: 0, behavior: 'instant' })")
    seen["unused"] = watch.at(1320)
    # The file is the same, so the page is not loaded again.
    seen["same"] = [watch.at(shift) for shift in (1350, 1500, 9000)]
    seen["same_is_overdue"] = watch.overdue()
    # The service has written a new page, and the reader loads it.
    replace(page, options.next)
    watch.open(2000)
    seen["next_is_overdue"] = watch.overdue()
    seen["next"] = [watch.at(shift) for shift in (2030, 4999, 5001, 5100, 5122)]
    seen["end"] = [watch.at(shift) for shift in (5200, 9000)]
    return seen


if __name__ == "__main__":
    sys.exit(main())
