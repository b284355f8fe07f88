#!/usr/bin/env python3
"""Inspects a published page in headless Chromium: in light and dark colours, on a phone, with keys, and without scripts.

Prints one JSON object: `light`, `dark`, `phone` and `plain` (the page in each mode), `keys` (the effect of each key), `spills`
(places that change with another post's content), `requests` (all requested addresses), `console` (all messages). Exits with 77
without Chromium or selenium.
"""

import argparse
import base64
import json
import os
import sys
import tempfile
import time

import chromium_walk
import peer
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

# Collects the report in the browser. Contrast follows WCAG 2.2, against the nearest painted background.
SIGHT = r"""
const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const parts = (text) => text.match(/[\d.]+/g).map(Number);
const light = (c) => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const ground = (e) => {
  for (; e; e = e.parentElement) {
    const c = parts(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] === 1) return c;
  }
  return [255, 255, 255];
};
const contrast = (e) => {
  const [a, b] = [light(parts(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
};
const own = (e) => Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim());
const shown = (e) => e.checkVisibility() && e.getClientRects().length > 0;
const everything = Array.from(document.body.querySelectorAll("*")).filter((e) => !e.closest("svg, script, noscript"));
const worst = everything.filter((e) => own(e) && shown(e) && !e.matches(".unseen")).map((e) => [contrast(e), e.className || e.localName]).sort((a, b) => a[0] - b[0])[0];
const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top + scrollY, r.right, r.bottom + scrollY].map(Math.round); };
// A link is reached if the element at its centre is the link itself.
const covered = [];
for (const link of document.querySelectorAll(".post .when")) {
  link.scrollIntoView({ block: "center", behavior: "instant" });
  const r = link.getBoundingClientRect();
  const hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
  if (!link.contains(hit)) covered.push(link.closest(".post").id);
}
scrollTo({ top: 0, behavior: "instant" });
return {
  title: document.title,
  owned: String(window.owned),
  covered: covered,
  order: Array.from(document.querySelectorAll(".post > .content > .byline")).map((e) =>
    [".name", ".handle", ".when"].map((n) => [e.querySelector(n).getBoundingClientRect().left, n.slice(1)]).sort((a, b) => a[0] - b[0]).map((p) => p[1]).join()),
  scroll_width: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
  clipped: everything.filter((e) => e.matches(".text, .description, .reply, dd, .notice, .notes, .attachment") && e.scrollWidth > e.clientWidth + 1).map((e) => `${e.className || e.localName} ${e.closest(".post")?.id}`),
  posts: Array.from(document.querySelectorAll(".post")).map((e) => ({ id: e.id, box: box(e), text: e.innerText })),
  broken_pictures: Array.from(document.images).filter((e) => e.complete && e.naturalWidth === 0).length,
  links: Array.from(document.links).map((e) => e.getAttribute("href")),
  handlers: Array.from(document.querySelectorAll("*")).filter((e) => e.getAttributeNames().some((n) => n.startsWith("on") || n === "style")).length,
  elements: Array.from(new Set(Array.from(document.querySelectorAll("*")).map((e) => e.localName))).sort(),
  scripts: document.scripts.length,
  least_contrast: [worst[1], Math.round(worst[0] * 1000)],
  ground: getComputedStyle(document.body).backgroundColor,
  ink: getComputedStyle(document.body).color,
  ages: Array.from(document.querySelectorAll(".permalink time")).map((e) => e.textContent),
  notices: Array.from(document.querySelectorAll(".notice")).filter(shown).map((e) => e.innerText),
  keys_offered: shown(document.getElementById("keys")),
  text: document.body.innerText,
};
"""

# The strings that the window shows, each as it is in the page.
TEXTS = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const isInWindow = Array.from(range.getClientRects()).some((r) => r.width > 0 && r.bottom > 0 && r.top < innerHeight);
  if (isInWindow && node.parentElement.checkVisibility({ visibilityProperty: true }) && !node.parentElement.closest("script, style, svg")) texts.push(...node.data.split("\\n"));
}
return texts;
"""

BROUGHT_INTO_SIGHT = """
const [selector, done] = arguments;
(async () => {
  const place = document.querySelector(selector);
  if (!place) return null;
  place.scrollIntoView({ block: "center", behavior: "instant" });
  const box = place.getBoundingClientRect(), top = Math.max(0, box.top), bottom = Math.min(innerHeight, box.bottom);
  // Pictures are loaded when they are near the window, and painted when they are decoded.
  const near = Array.from(place.querySelectorAll("img")).filter((e) => {
    const r = e.getBoundingClientRect();
    return r.bottom > 0 && r.top < innerHeight;
  });
  await Promise.all(near.map((e) => e.decode()));
  // Only whole pixels that belong to the place alone count, because it may share pixels at its edges.
  const [x, y] = [Math.ceil(box.left), Math.ceil(top + scrollY)];
  return { x, y, width: Math.floor(box.right) - x, height: Math.floor(bottom + scrollY) - y, scale: 1 };
})().then(done, (error) => done(null));
"""

DIFFERING = """
const done = arguments[1];
const pixels = async (data) => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  return canvas.getImageData(0, 0, image.width, image.height).data;
};
// Rounding differs between paintings, so only more than ten clearly different pixels count.
const differ = (a, b) => a.length !== b.length || a.filter((value, place) => Math.abs(value - b[place]) > 40).length > 30;
(async () => {
  const names = [];
  for (const [name, ...pictures] of arguments[0]) {
    if (pictures.includes(null)) { names.push(name + ": not there"); continue; }
    const [before, without, again] = await Promise.all(pictures.map(pixels));
    if (differ(before, without) && differ(again, without)) names.push(name);
  }
  done(names);
})().catch((error) => done([String(error)]));
"""

# Links are not followed; their addresses are recorded.
HOLD_LINKS = """
window.opened = [];
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link && !link.getAttribute("href").startsWith("#")) { window.opened.push(link.href); event.preventDefault(); }
}, true);
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", help="the file of the page")
    parser.add_argument("--now", metavar="TIME", help="the time that scripts see, such as 2026-11-20T16:00:00Z")
    parser.add_argument("--spills", metavar="ID", action="append", default=[], help="check whether this post is painted over others")
    parser.add_argument("--pictures", metavar="FOLDER", help="write the screenshots page-light, page-dark and page-phone as PNGs, and the texts in them to page.txt")
    options = parser.parse_args()
    if not chromium_walk.CHROMIUM or not chromium_walk.DRIVER:
        peer.skip("there is no chromium or no chromedriver")
    with tempfile.TemporaryDirectory(prefix="page-looks-", ignore_cleanup_errors=True) as profile:
        browser = chromium_walk.start_browser(profile)
        try:
            report = Looks(browser, options).run()
        finally:
            browser.quit()
    print(json.dumps(report, ensure_ascii=False))


class Looks:
    def __init__(self, browser, options):
        self.browser = browser
        self.options = options
        self.url = "file://" + os.path.abspath(options.page)

    def run(self):
        self.browser.set_page_load_timeout(30)
        # A new tab's own content does not belong to the page.
        self.browser.get("about:blank")
        self.requests()
        self.command("Emulation.setTimezoneOverride", timezoneId="UTC")
        if self.options.now:
            self.set_clock()
        report = {
            "light": self.sight("light", 1200, 1050),
            "dark": self.sight("dark", 1200, 1120),
            "phone": self.sight("phone", 360, 780, isPhone=True),
        }
        self.screen(1200, 900)
        self.open("light")
        triples = self.before_and_after()
        report["keys"] = self.keys()
        self.command("Emulation.setScriptExecutionDisabled", value=True)
        report["plain"] = self.sight(None, 1200, 900)
        report["requests"] = self.requests()
        report["console"] = [entry["message"] for entry in self.browser.get_log("browser")]
        report["spills"] = self.differing(triples)
        return report

    def command(self, name, **parameters):
        return self.browser.execute_cdp_cmd(name, parameters)

    def set_clock(self):
        """Stops the clock, so that the page always looks the same."""
        source = f"""{{
          const Real = Date, now = Real.parse({json.dumps(self.options.now)});
          Date = class extends Real {{
            constructor(...a) {{ super(...(a.length ? a : [now])); }}
            static now() {{ return now; }}
          }};
        }}"""
        self.command("Page.addScriptToEvaluateOnNewDocument", source=source)

    def screen(self, width, height, isPhone=False):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=isPhone, deviceScaleFactor=2 if isPhone else 1
        )

    def open(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.browser.get(self.url)

    def sight(self, name, width, height, isPhone=False):
        self.command("Emulation.setScrollbarsHidden", hidden=bool(self.options.pictures))
        self.screen(width, height, isPhone)
        self.open("dark" if name == "dark" else "light")
        sight = self.browser.execute_script(SIGHT)
        if self.options.pictures and name:
            if name == "dark":
                # The page is scrolled down, so that the two screenshots show different posts.
                self.browser.execute_script("document.querySelector('.divider').scrollIntoView({behavior: 'instant'})")
            self.wait_for_pictures()
            data = self.command("Page.captureScreenshot", format="png")["data"]
            with open(os.path.join(self.options.pictures, f"page-{name}.png"), "wb") as file:
                file.write(base64.b64decode(data))
            with open(os.path.join(self.options.pictures, "page.txt"), "a", encoding="utf-8") as file:
                file.write("".join(f"{text}\n" for text in self.browser.execute_script(TEXTS)))
        return sight

    def wait_for_pictures(self):
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if self.browser.execute_script("return Array.from(document.images).every((e) => e.complete || e.getBoundingClientRect().top > 2 * innerHeight)"):
                return
            time.sleep(0.05)

    def before_and_after(self):
        """Screenshots of places near a post, with, without and again with its content. They differ if the post paints over the places."""
        triples = []
        for name in self.options.spills:
            neighbours = [f"[id='{name}'] + .post", f".post:has(+ [id='{name}'])"]
            own = [f"[id='{name}'] > .content > .byline", f"[id='{name}'] footer"]
            texts = [f"[id='{name}'] {part}" for part in (".text", ".attachments", ".pictures")]
            names = [f"[id='{name}'] {part}" for part in (".name", ".handle", ".reposted", ".reply", ".notes")]
            for hidden, places in ((texts, neighbours + own), (names, neighbours + texts[:1])):
                before = [self.picture_of(place) for place in places]
                self.show(", ".join(hidden), False)
                after = [self.picture_of(place) for place in places]
                self.show(", ".join(hidden), True)
                again = [self.picture_of(place) for place in places]
                triples += [[f"{name} over {place}", *pictures] for place, *pictures in zip(places, before, after, again)]
        return triples

    def differing(self, triples):
        """The names of places that look different without the post's content, and look as before with the content."""
        # The comparison runs on an empty page, so that its pictures do not count as the inspected page's pictures.
        self.browser.get("about:blank")
        return self.browser.execute_async_script(DIFFERING, triples)

    def show(self, selector, isShown):
        self.browser.execute_script(
            "for (const e of document.querySelectorAll(arguments[0])) e.style.visibility = arguments[1];",
            selector, "" if isShown else "hidden",
        )

    def picture_of(self, selector):
        """A screenshot of a place in the middle of the window; `None` if there is no such place."""
        box = self.browser.execute_async_script(BROUGHT_INTO_SIGHT, selector)
        if not box:
            return None
        # A busy machine may not have painted everything yet, so this waits until two screenshots are equal.
        picture = self.command("Page.captureScreenshot", format="png", clip=box)["data"]
        for _ in range(10):
            time.sleep(0.05)
            before, picture = picture, self.command("Page.captureScreenshot", format="png", clip=box)["data"]
            if picture == before:
                break
        return picture

    def keys(self):
        """The effect of each key: the focused post, the post's position in the window, and whether the help is open."""
        self.browser.execute_script(HOLD_LINKS)
        steps = []
        for key in ["j", "j", "k", "G", "g", "o", Keys.ENTER, "?", Keys.ESCAPE, "j"]:
            ActionChains(self.browser).send_keys(key).perform()
            # Scrolling may be animated.
            time.sleep(0.05)
            steps.append(
                {
                    "key": {Keys.ENTER: "Enter", Keys.ESCAPE: "Escape"}.get(key, key),
                    **self.browser.execute_script(
                        "return {focus: document.activeElement.id, help: document.getElementById('help').open,"
                        " opened: window.opened.length, last: window.opened[window.opened.length - 1] || null}"
                    ),
                }
            )
        return steps

    def requests(self):
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


if __name__ == "__main__":
    main()
