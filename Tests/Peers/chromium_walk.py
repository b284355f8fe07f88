#!/usr/bin/env python3
"""Opens an address in headless Chromium, clicks a button, and waits for a text on the page that follows.

Prints one JSON object: `ok`, `url`, `title`, `text`, `status` (of the last document), `redirects` (addresses that responded
with a redirect, without their query's values), `errors` (console messages and failed requests), and `second_tab` or
`reloaded` if requested. Exits with 0 if the text appeared, 1 if not, 77 without Chromium or selenium.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from urllib.parse import parse_qsl, urlsplit

import peer

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.by import By
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    peer.skip("selenium is not installed")

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
POLL_SECONDS = 0.05


def main():
    options = parse_arguments()
    if not CHROMIUM or not DRIVER:
        peer.skip("there is no chromium or no chromedriver")
    with tempfile.TemporaryDirectory(prefix="chromium-walk-", ignore_cleanup_errors=True) as profile:
        browser = start_browser(profile)
        try:
            report = Walk(browser, options).run()
        except WebDriverException as error:
            report = {"ok": False, "error": (error.msg or type(error).__name__).splitlines()[0]}
        finally:
            browser.quit()
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(0 if report["ok"] else 1)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--click", default="button[name=allow], #allow, input[name=allow]", metavar="SELECTOR")
    parser.add_argument("--no-click", action="store_true", help="do not click: the address leads to the last page by itself")
    parser.add_argument("--until", action="append", default=[], metavar="TEXT", help="end when the page contains TEXT; repeatable")
    parser.add_argument("--timeout", type=float, default=20, metavar="SECONDS")
    parser.add_argument("--screenshot", metavar="FILE", help="a PNG of the last page")
    parser.add_argument("--linger", type=float, default=0, metavar="SECONDS", help="stay on the last page (favicon, preconnects)")
    parser.add_argument("--reload", action="store_true", help="reload the last page and report its text")
    parser.add_argument(
        "--second-tab-same-callback",
        action="store_true",
        help="open the address of the provider's redirect again, in a second tab",
    )
    return parser.parse_args()


def start_browser(profile, more=()):
    options = Options()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--window-size=800,600", "--disable-dev-shm-usage", f"--user-data-dir={profile}", *more):
        options.add_argument(argument)
    # Chromium's sandbox refuses to run as root.
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    # All requests are sent to loopback, which a proxy would not reach.
    options.add_argument("--no-proxy-server")
    try:
        browser = webdriver.Chrome(options=options, service=Service(DRIVER, env=peer.environment(profile)))
    except WebDriverException as error:
        peer.skip(f"chromium does not start: {(error.msg or '').splitlines()[0]}")
    return browser


class Walk:
    """The visits from the given address to the page with the text."""

    def __init__(self, browser, options):
        self.browser = browser
        self.options = options
        self.network = Network()

    def run(self):
        self.browser.set_page_load_timeout(self.options.timeout)
        self.browser.get(self.options.url)
        if not self.options.no_click:
            self.click()
        found = self.wait_for_text()
        time.sleep(self.options.linger)
        if self.options.screenshot:
            self.browser.save_screenshot(self.options.screenshot)
        self.network.read(self.browser)
        report = {"ok": found, **self.page()}
        if self.options.reload:
            self.browser.refresh()
            report["reloaded"] = self.page()
        if self.options.second_tab_same_callback:
            report["second_tab"] = self.second_tab()
        report["redirects"] = [without_values(url) for url, _ in self.network.redirects]
        report["errors"] = self.errors()
        report["ok"] = bool(report["ok"])
        return report

    def click(self):
        deadline = time.monotonic() + self.options.timeout
        while not (elements := self.browser.find_elements(By.CSS_SELECTOR, self.options.click)):
            if time.monotonic() > deadline:
                raise WebDriverException(f"nothing on the page matches {self.options.click}")
            time.sleep(POLL_SECONDS)
        elements[0].click()

    def wait_for_text(self):
        deadline = time.monotonic() + self.options.timeout
        while True:
            text = self.text()
            if not self.options.until or any(expected in text for expected in self.options.until):
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_SECONDS)

    def text(self):
        try:
            return self.browser.find_element(By.TAG_NAME, "body").text
        except WebDriverException:
            # Between two documents, there is no body.
            return ""

    def page(self):
        self.network.read(self.browser)
        url = self.browser.current_url
        return {"url": url, "title": self.browser.title, "text": self.text(), "status": self.network.status.get(url)}

    def second_tab(self):
        """The content of a second tab at the redirect address of the provider's page."""
        first = urlsplit(self.options.url).netloc
        targets = [to for url, to in self.network.redirects if urlsplit(url).netloc == first != urlsplit(to).netloc]
        if not targets:
            return None
        self.browser.switch_to.new_window("tab")
        self.browser.get(targets[-1])
        return self.page()

    def errors(self):
        self.network.read(self.browser)
        console = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        return console + self.network.failures


class Network:
    """The requests in Chromium's performance log, read incrementally."""

    def __init__(self):
        self.redirects = []
        self.status = {}
        self.failures = []
        self._urls = {}

    def read(self, browser):
        for entry in browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            details = message.get("params", {})
            if message["method"] == "Network.requestWillBeSent":
                target = details["request"]["url"]
                if "redirectResponse" in details:
                    self.redirects.append((details["redirectResponse"]["url"], target))
                self._urls[details["requestId"]] = target
            elif message["method"] == "Network.responseReceived" and details.get("type") == "Document":
                self.status[details["response"]["url"]] = details["response"]["status"]
            elif message["method"] == "Network.loadingFailed" and not details.get("canceled"):
                # Requests from before the beginning of the log are the browser's own requests.
                url = self._urls.get(details["requestId"])
                if url is not None:
                    self.failures.append(f"{details.get('errorText', 'failed')} {without_values(url)}")


def without_values(url):
    """The address without its query's values, because a report must not contain verifiers."""
    parts = urlsplit(url)
    names = "&".join(name for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    return f"{parts.scheme}://{parts.netloc}{parts.path}" + (f"?{names}" if names else "")


if __name__ == "__main__":
    main()
