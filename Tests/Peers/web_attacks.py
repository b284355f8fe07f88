#!/usr/bin/env python3
"""Enters the web page with a browser, and then lets pages on another port of this machine, and of another site, attack it.

    web_attacks.py chromium|firefox ENTRY ACCOUNT POST

ENTRY is an address with a ticket, from `homeline web --print`, and POST the id of a post of ACCOUNT. Prints one JSON object. Its lists have
entries for both attackers, the one on the other port first:

entered   the title of the page after entering
got       whether the browser sent our cookie to the attacker's port, which shows that cookies ignore ports
learned   the parts of responses that the attacker's page could read; should be empty
tried     the ways that were tried at `/` and at `/events`
forms     the headings after forms that leave, like, mark and delete the post, refresh the account and log it in
fetched   how requests of the attacker's script with the same forms have ended
link      the headings after a link on the attacker's page, and after the link on that page
opened    what the attacker's page could read from a window that it opened
still     the title of the page afterwards, so whether the session has survived
left      the heading after the page's own form to leave, and the heading of the page afterwards

Exits with 77 if the browser is missing.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import browsers
import hostile_origin


class Attacker(BaseHTTPRequestHandler):
    """A server on another port, whose pages attack the pages with the same path on ours."""

    base = ""
    cookies = []
    forms = {}

    def do_GET(self):
        self.cookies.append(self.headers.get("Cookie", ""))
        if self.path == "/form":
            page = f"""<!doctype html><title>form</title><form method="post" action="{self.base}/leave"></form>
                <script>document.forms[0].submit();</script>"""
        elif self.path.startswith("/act/"):
            path, values = self.forms[self.path.removeprefix("/act/")]
            fields = "".join(f'<input name="{name}" value="{value}">' for name, value in values.items())
            page = f"""<!doctype html><title>act</title><form method="post" action="{self.base}{path}">{fields}</form>
                <script>document.forms[0].submit();</script>"""
        elif self.path == "/fetch":
            page = f"""<!doctype html><title>fetch</title><script>
                const forms = {json.dumps(list(self.forms.values()))};
                window.send = async () => {{
                  const ends = [];
                  for (const [path, values] of forms) for (const mode of ["cors", "no-cors"]) {{
                    const body = new URLSearchParams({{...values, part: "posts"}});
                    const request = {{method: "POST", mode, credentials: "include", body}};
                    try {{ ends.push((await fetch("{self.base}" + path, request)).type); }}
                    catch (error) {{ ends.push(error.name); }}
                  }}
                  return ends;
                }};
                </script>"""
        elif self.path == "/link":
            page = f"""<!doctype html><title>link</title><a id="link" href="{self.base}/">a link</a>
                <script>
                window.look = () => new Promise(done => {{
                  const other = window.open("{self.base}/");
                  setTimeout(() => {{
                    let seen;
                    try {{ seen = other ? other.document.title : "no window"; }} catch (error) {{ seen = error.name; }}
                    done(seen);
                  }}, 2000);
                }});
                </script>"""
        else:
            page = hostile_origin.PAGE.replace("%s", self.base + self.path, 1)
        content = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


HEADING = "return document.querySelector('h1') ? document.querySelector('h1').innerText : document.title"


def forms(account, post):
    """The paths and values of our own forms."""
    values = {"account": account, "post": post, "timeline": account, "back": f"/a/{account}"}
    acts = {act: ("/act", values | {"do": act, "sure": "yes"}) for act in ("like", "read", "delete")}
    return acts | {name: (f"/status/{name}", {"account": account}) for name in ("refresh", "login")}


def attack_from(browser, base, evil, report):
    """Lets the pages of another origin attack."""
    for path in ("/", "/events"):
        browser.go(f"{evil}{path}")
        found = browser.run_async("attack()")
        report["learned"] += found["learned"] if isinstance(found, dict) else [found]
        report["tried"].append(found["tried"] if isinstance(found, dict) else {})
    for name, path in [("form", "/leave")] + [(f"act/{name}", path) for name, (path, _) in Attacker.forms.items()]:
        try:
            browser.go(f"{evil}/{name}")
        except browsers.Failure:
            pass  # The page leaves before it is complete.
        browser.wait(f"location.href.startsWith('{base}{path}') && document.querySelector('h1')")
        report["forms"].append(browser.run(HEADING))
    browser.go(f"{evil}/fetch")
    report["fetched"] += browser.run_async("send()")
    browser.go(f"{evil}/link")
    report["opened"].append(browser.run_async("look()"))
    browser.click("#link")
    browser.wait(f"location.origin === '{base}' && document.querySelector('main a')")
    first = browser.run(HEADING)
    browser.click("main a")
    browser.wait("document.querySelector('nav')")
    report["link"] += [first, browser.run(HEADING)]


def attack(browser, entry, account, post):
    parts = urlsplit(entry)
    base = f"{parts.scheme}://{parts.netloc}"
    Attacker.base = base
    Attacker.forms = forms(account, post)
    server = ThreadingHTTPServer((parts.hostname, 0), Attacker)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    report = {"learned": [], "tried": [], "forms": [], "fetched": [], "opened": [], "link": []}
    browser.go(entry)
    report["address"] = browser.url()
    report["entered"] = browser.title()
    # The other name makes another site of the same server, as far as browsers know.
    for host in (parts.hostname, "localhost"):
        attack_from(browser, base, f"http://{host}:{server.server_address[1]}", report)
    report["got"] = any(f"homeline-{parts.port}=" in cookie for cookie in Attacker.cookies)
    browser.go(f"{base}/")
    report["still"] = browser.title()
    browser.click("form[action='/leave'] button")
    browser.wait("document.querySelector('main') && !document.querySelector('nav')")
    left = browser.run(HEADING)
    browser.go(f"{base}/")
    report["left"] = [left, browser.run(HEADING)]
    return report


def main():
    name, entry, account, post = sys.argv[1:]
    with browsers.ALL[name]() as browser:
        try:
            report = attack(browser, entry, account, post)
        except browsers.Failure as failure:
            report = {"failure": str(failure)}
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(1 if "failure" in report else 0)


if __name__ == "__main__":
    main()
