"""Chromium (by chromedriver) and Firefox (by WebDriver BiDi, which needs no geckodriver) behind the same few methods.

A browser is a context manager with a profile of its own. `go` returns when the page has loaded. `wait` returns when an expression of
JavaScript is true. Both raise `Failure` after 30 s.
"""

import base64
import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time

import peer

try:
    import chromium_walk  # Exits the program if selenium is missing.
    import websocket
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.action_chains import ActionChains
except ImportError:
    peer.skip("selenium is not installed")

PATIENCE = 30
POLL_SECONDS = 0.05
# Keys without a character (WebDriver §17.4.2).
ENTER, ESCAPE = "\ue007", "\ue00c"


class Failure(Exception):
    """The browser did not do what it should."""


class Browser:
    """What both browsers share."""

    def __init__(self, scripting=True):
        """Without scripting, pages run no JavaScript. The methods of this class still do."""
        self.scripting = scripting

    def text(self):
        return self.run("return document.body ? document.body.innerText : ''")

    def title(self):
        return self.run("return document.title")

    def url(self):
        return self.run("return location.href")

    def wait(self, expression):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if self.run(f"return !!({expression})"):
                    return
            except Failure:
                pass  # Between two documents, nothing can be evaluated.
            if time.monotonic() > deadline:
                raise Failure(f"never true: {expression}; {self.url()}: {self.text()[:500]}")
            time.sleep(POLL_SECONDS)

    def click(self, selector):
        """Clicks an element as its own page would. The browser follows the link or sends the form."""
        self.wait(f"document.querySelector({json.dumps(selector)})")
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def fill(self, selector, text):
        """Types text into a field."""
        self.wait(f"document.querySelector({json.dumps(selector)})")
        self.run(f"document.querySelector({json.dumps(selector)}).value = {json.dumps(text)}")


class Chromium(Browser):
    def __enter__(self):
        if not chromium_walk.CHROMIUM or not chromium_walk.DRIVER:
            peer.skip("there is no chromium or no chromedriver")
        self.profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        self.driver = chromium_walk.start_browser(self.profile.name)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(90)
        if not self.scripting:
            self._call(self.driver.execute_cdp_cmd, "Emulation.setScriptExecutionDisabled", {"value": True})
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.profile.cleanup()

    def go(self, address):
        self._call(self.driver.get, address)

    def run(self, body):
        return self._call(self.driver.execute_script, body)

    def run_async(self, expression):
        """The value of a promise."""
        end = "const done = arguments[0]; (%s).then(done, error => done('failed: ' + error));"
        return self._call(self.driver.execute_async_script, end % expression)

    def size(self, width, height, zoom=1):
        """Sets the size of the page's area in CSS pixels, which may be smaller than a window can be, and the zoom factor."""
        self._call(self.driver.execute_cdp_cmd, "Emulation.setDeviceMetricsOverride",
                   {"width": width, "height": height, "deviceScaleFactor": zoom, "mobile": False})

    def press(self, *keys):
        """Presses keys, as the user does: characters and the code points of WebDriver. Those in one string are held together."""
        for chord in keys:
            actions = ActionChains(self.driver, duration=0)
            for key in chord:
                actions.key_down(key)
            for key in reversed(chord):
                actions.key_up(key)
            self._call(actions.perform)

    def scheme(self, name):
        """Sets the preferred colour scheme."""
        self._call(self.driver.execute_cdp_cmd, "Emulation.setEmulatedMedia",
                   {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def picture(self, path):
        self._call(self.driver.save_screenshot, str(path))

    def open_tab(self):
        """Opens another tab and uses it."""
        self._call(self.driver.switch_to.new_window, "tab")
        return self.driver.current_window_handle

    def current_tab(self):
        return self.driver.current_window_handle

    def use_tab(self, tab):
        """Shows a tab, which the other methods use from now on."""
        self._call(self.driver.switch_to.window, tab)

    def close_tab(self):
        """Closes the current tab. Another one must be used then."""
        self._call(self.driver.close)

    def choose(self, selector, path):
        """Chooses a file."""
        self._call(self.driver.find_element("css selector", selector).send_keys, path)

    def forget(self):
        """Removes all cookies."""
        self._call(self.driver.delete_all_cookies)

    @staticmethod
    def _call(function, *arguments):
        try:
            return function(*arguments)
        except WebDriverException as error:
            raise Failure((error.msg or type(error).__name__).splitlines()[0]) from error


class Firefox(Browser):
    def __enter__(self):
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            peer.skip("there is no firefox")
        self.profile = tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True)
        # All requests are sent to loopback, which a proxy would not reach.
        with open(os.path.join(self.profile.name, "user.js"), "w", encoding="utf-8") as file:
            file.write('user_pref("network.proxy.type", 0);\nuser_pref("app.update.enabled", false);\n')
            if not self.scripting:
                file.write('user_pref("javascript.enabled", false);\n')
        environment = peer.environment(self.profile.name, MOZ_HEADLESS="1")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", self.profile.name],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment, start_new_session=True)
        try:
            self.socket = websocket.create_connection(f"{self._endpoint()}/session", timeout=90, suppress_origin=True)
            self.numbers = itertools.count(1)
            self.call("session.new", capabilities={})
            # Unlike the first tab, a new one has the focus, although there is no screen.
            self.tab = self.call("browsingContext.create", type="tab")["context"]
        except BaseException:
            self.process.kill()
            raise
        return self

    def _endpoint(self):
        found = []
        ready = threading.Event()

        def read():
            for line in self.process.stderr:
                if match := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                    found.append(match[1])
                    ready.set()
            ready.set()

        threading.Thread(target=read, daemon=True).start()
        ready.wait(90)
        if not found:
            raise Failure("firefox does not start")
        return found[0]

    def __exit__(self, *_):
        try:
            self.call("browser.close")
            self.process.wait(20)
        except (Failure, OSError, websocket.WebSocketException, subprocess.TimeoutExpired):
            self.process.kill()
        self.profile.cleanup()

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise Failure(f"{method}: {answer['message']}")
                return answer["result"]

    def go(self, address):
        self.call("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def size(self, width, height, zoom=1):
        """Sets the size of the page's area in CSS pixels, which may be smaller than a window can be, and the zoom factor."""
        self.call("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height},
                  devicePixelRatio=float(zoom))

    def press(self, *keys):
        """Presses keys, as the user does: characters and the code points of WebDriver. Those in one string are held together."""
        actions = []
        for chord in keys:
            actions += [{"type": "keyDown", "value": key} for key in chord]
            actions += [{"type": "keyUp", "value": key} for key in reversed(chord)]
        self.call("input.performActions", context=self.tab,
                  actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def scheme(self, name):
        """Firefox has no such method here, so the user's own scheme stays."""

    def open_tab(self):
        """Opens another tab and uses it."""
        self.tab = self.call("browsingContext.create", type="tab")["context"]
        return self.tab

    def current_tab(self):
        return self.tab

    def use_tab(self, tab):
        """Shows a tab, which the other methods use from now on."""
        self.tab = tab
        self.call("browsingContext.activate", context=tab)

    def close_tab(self):
        """Closes the current tab. Another one must be used then."""
        self.call("browsingContext.close", context=self.tab)

    def picture(self, path):
        data = self.call("browsingContext.captureScreenshot", context=self.tab)["data"]
        path.write_bytes(base64.b64decode(data))

    def choose(self, selector, path):
        """Chooses a file."""
        locator = {"type": "css", "value": selector}
        node = self.call("browsingContext.locateNodes", context=self.tab, locator=locator)["nodes"][0]
        self.call("input.setFiles", context=self.tab, element={"sharedId": node["sharedId"]}, files=[path])

    def forget(self):
        """Removes all cookies."""
        self.call("storage.deleteCookies")

    def run(self, body):
        return self._evaluate(f"(() => {{ {body} }})()", False)

    def run_async(self, expression):
        """The value of a promise."""
        return self._evaluate(f"({expression}).catch(error => 'failed: ' + error)", True)

    def _evaluate(self, expression, waits):
        # JSON keeps values as they are; BiDi has a form of its own for each type. Without scripting, promises of the page never end.
        whole = f"JSON.stringify(({expression}) ?? null)"
        if waits:
            whole = f"Promise.resolve({expression}).then(value => JSON.stringify(value ?? null))"
        result = self.call(
            "script.evaluate", expression=whole, target={"context": self.tab}, awaitPromise=waits,
            userActivation=not waits)
        if result["type"] == "exception":
            raise Failure(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])


ALL = {"chromium": Chromium, "firefox": Firefox}
