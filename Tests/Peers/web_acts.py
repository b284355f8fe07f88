#!/usr/bin/env python3
"""Presses the buttons below posts as a user does, and prints one JSON object.

    web_acts.py chromium|firefox scripting|plain ENTRY STEP...

ENTRY is an address with a ticket, from `homeline web --print`. With `plain`, pages run no JavaScript. Each STEP is one of these, and the
object has a list with an object for each of them:

go PATH             opens a page
press POST ACT      presses the button ACT (`like`) of the post whose element has this id
key POST KEY        presses a key while this post has the focus
enter POST ACT      presses Enter while this button has the focus
hold POST KEY       repeats a key while this post has the focus, as a keyboard does while the key is held down
confirm             presses the button of the page that asks before it deletes
click SELECTOR      clicks an element
tell PATH           writes this file, which the test waits for
wait PATH           waits for this file, which the test writes when it has changed something

said      what the page says about the change, or null
title     the heading
address   the address, without the origin
acts      the buttons of each post, by the id of its element
unread    the ids of the elements of unread posts
focus     the id of the focused post, and the value of its focused button
text      the text of the page, if it shows no posts

Exits with 77 if the browser is missing.
"""

import json
import os
import sys
import time
from urllib.parse import urlsplit

import browsers

# A page says it itself, or the script does.
SAID = """[...document.querySelectorAll(".said, .news > p")].map((e) => e.innerText).find((text) => text) ?? null"""
LOOK = """
const posts = [...document.querySelectorAll("article.post")];
return {
  said: %s,
  title: document.querySelector("h1") ? document.querySelector("h1").innerText : document.title,
  address: location.href.slice(location.origin.length),
  acts: Object.fromEntries(posts.map((p) => [p.id, [...p.querySelectorAll(".acts button")].map((b) => b.value)])),
  unread: posts.filter((p) => p.classList.contains("unread")).map((p) => p.id),
  focus: [document.activeElement?.closest(".post")?.id, document.activeElement?.value],
  text: posts.length ? null : document.body.innerText,
};
""" % SAID


class Walk:
    def __init__(self, browser, base, scripting):
        self.browser, self.base, self.scripting = browser, base, scripting

    def go(self, path):
        self.browser.go(self.base + path)

    def press(self, post, act):
        self.leave(f"#{post} .acts button[value={act}]")

    def key(self, post, key):
        self.leave(f"#{post}", key)

    def enter(self, post, act):
        self.leave(f"#{post} .acts button[value={act}]", browsers.ENTER)

    def hold(self, post, key):
        selector = f"#{post}"
        self.browser.wait(f"document.querySelector({json.dumps(selector)})")
        pressed = self.browser.run(f"""
            const post = document.querySelector({json.dumps(selector)}), button = post.querySelector(".acts button");
            const hold = (target, key) => {{
              target.focus();
              return target.dispatchEvent(new KeyboardEvent("keydown", {{ key, repeat: true, bubbles: true, cancelable: true }}));
            }};
            for (let count = 0; count < 5; count++) hold(post, {json.dumps(key)});
            return hold(button, "Enter");
        """)
        if pressed:
            raise browsers.Failure("Enter that is held down presses a button several times")

    def confirm(self):
        self.leave("main form button[value=delete]")

    def click(self, selector):
        self.leave(selector)

    def leave(self, selector, key=None):
        """Clicks, or presses a key on the focused element, and waits for the next document or, if a script changes the page, for the post's new form."""
        self.browser.wait(f"document.querySelector({json.dumps(selector)})")
        self.browser.run("""
            document.documentElement.dataset.old = "";
            document.querySelectorAll(".said").forEach((e) => e.remove());
            document.querySelectorAll(".news > p").forEach((e) => { e.textContent = ""; });
        """)
        if key:
            self.browser.run(f"document.querySelector({json.dumps(selector)}).focus()")
            self.browser.press(key)
        else:
            self.browser.click(selector)
        changed = "document.readyState === 'complete' && document.documentElement.dataset.old === undefined"
        self.browser.wait(f"({changed}) || ({SAID})" if self.scripting else changed)

    def tell(self, path):
        with open(path, "w", encoding="utf-8"):
            pass

    def wait(self, path):
        deadline = time.monotonic() + 60
        while not os.path.exists(path):
            if time.monotonic() > deadline:
                raise browsers.Failure(f"{path} never appears")
            time.sleep(0.05)


def main():
    name, scripting, entry, *steps = sys.argv[1:]
    parts = urlsplit(entry)
    seen = []
    with browsers.ALL[name](scripting=scripting == "scripting") as browser:
        walk = Walk(browser, f"{parts.scheme}://{parts.netloc}", scripting == "scripting")
        try:
            browser.go(entry)
            for step in steps:
                method, _, rest = step.partition(" ")
                arguments = rest.split(" ") if method in ("press", "key", "enter", "hold") else [rest] if rest else []
                getattr(walk, method)(*arguments)
                seen.append(browser.run(LOOK) | {"step": step})
                print(json.dumps(seen[-1]), file=sys.stderr)
        except browsers.Failure as failure:
            print(json.dumps({"failure": str(failure), "seen": seen}, ensure_ascii=False))
            sys.exit(1)
    print(json.dumps({"steps": seen}, ensure_ascii=False))


if __name__ == "__main__":
    main()
