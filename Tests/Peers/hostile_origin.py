#!/usr/bin/env python3
"""A malicious page in headless Chromium that tries every way to reach a callback listener.

    hostile_origin.py http://127.0.0.1:PORT/callback

The page is served from another port, and again from another host name that resolves to this machine. It requests callbacks and
refusals that identify no login, in every way except opening a window or leaving the page, which a user would notice.

Prints one JSON object. `learned` lists the parts of responses that the page could read, and should be empty. `tried` has the result of each
way. `rebound` is the status of the listener's own port under the foreign host name. Exits with 77 without Chromium.
"""

import json
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import peer

import chromium_walk  # Exits the program if selenium is missing.
from selenium.common.exceptions import WebDriverException

STRANGER = "attacker.example"

PAGE = """<!doctype html><meta charset="utf-8"><title>hostile</title><body><script>
const TARGET = "%s";
const tried = {}, learned = [];
let number = 0;
const addresses = () => [
  TARGET + "?error=access_denied&n=" + number++, TARGET + "?oauth_problem=user_refused&n=" + number++,
  TARGET + "?denied=guess" + number++, TARGET + "?oauth_token=guess&oauth_verifier=v&n=" + number++,
];
const soon = (promise, name) => Promise.race([
  promise, new Promise(done => setTimeout(() => done("nothing"), 4000))
]).then(end => { tried[name] = String(end); }, error => { tried[name] = error.name || "error"; });

function asked(name, options) {
  return addresses().map(address => soon(fetch(address, options).then(async answer => {
    const text = await answer.text();
    if (answer.status !== 0 || text !== "" || [...answer.headers].length || answer.redirected) learned.push(name);
    return answer.type;
  }), name));
}

function element(name, tag, attribute, more = {}) {
  return addresses().map(address => soon(new Promise(done => {
    const it = Object.assign(document.createElement(tag), more);
    it.onload = () => {
      // For a resource that is loaded in advance, a page learns only that there was a response.
      if (tag === "img" || tag === "script" || more.rel === "stylesheet") learned.push(name);
      try { if (it.contentDocument && it.contentDocument.URL !== "about:blank") learned.push(name); } catch {}
      done("load");
    };
    it.onerror = () => done("error");
    it[attribute] = address;
    document.body.append(it);
  }), name));
}

function posted(name, enctype) {
  return addresses().map(address => soon(new Promise(done => {
    const frame = document.createElement("iframe");
    frame.name = "frame" + number++;
    document.body.append(frame);
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: address, target: frame.name, enctype });
    form.innerHTML = "<input name=oauth_token value=x><input name=oauth_verifier value=y>";
    document.body.append(form);
    frame.onload = () => done("load");
    form.submit();
  }), name));
}

function asForm(name) {
  return addresses().map(address => soon(new Promise(done => {
    const frame = document.createElement("iframe");
    frame.name = "frame" + number++;
    document.body.append(frame);
    const form = document.createElement("form");
    Object.assign(form, { method: "GET", action: address, target: frame.name });
    form.innerHTML = "<input name=error value=access_denied>";
    document.body.append(form);
    frame.onload = () => done("load");
    form.submit();
  }), name));
}

function spoken(name, make, scheme) {
  return addresses().map(address => soon(new Promise(done => {
    const it = make(address.replace("http:", scheme));
    it.onopen = () => { learned.push(name); done("open"); };
    it.onmessage = () => { learned.push(name); done("message"); };
    it.onerror = () => { it.close(); done("error"); };
  }), name));
}

function styled(name) {
  const style = document.createElement("style");
  const urls = addresses();
  style.textContent = `@import "${urls[0]}"; @font-face { font-family: x; src: url("${urls[1]}"); }
    body { font-family: x; background: url("${urls[2]}"); cursor: url("${urls[3]}"), auto; }`;
  document.head.append(style);
  return [soon(document.fonts.load("12px x", "a").then(fonts => fonts.length), name)];
}

function worked(name) {
  return addresses().map(address => soon(new Promise(done => {
    const code = `try { importScripts("${address}"); postMessage("read"); } catch (error) { postMessage(error.name); }`;
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    worker.onmessage = message => { if (message.data === "read") learned.push(name); done(message.data); };
  }), name));
}

function speculated(name) {
  const rules = document.createElement("script");
  rules.type = "speculationrules";
  const urls = addresses();
  rules.textContent = JSON.stringify({
    prefetch: [{ source: "list", urls, eagerness: "immediate" }], prerender: [{ source: "list", urls, eagerness: "immediate" }],
  });
  document.head.append(rules);
  return [soon(new Promise(done => setTimeout(() => done("unseen"), 1500)), name)];
}

window.attack = async () => {
  const json = { method: "POST", headers: { "Content-Type": "application/json", "X-Own": "1" }, body: "{}" };
  await Promise.all([
    ...asked("fetch", {}), ...asked("fetch with credentials", { credentials: "include" }),
    ...asked("fetch no-cors", { mode: "no-cors" }), ...asked("fetch no-cors with credentials", { mode: "no-cors", credentials: "include" }),
    ...asked("fetch keepalive", { keepalive: true, mode: "no-cors" }), ...asked("fetch redirect", { redirect: "manual", mode: "cors" }),
    ...asked("fetch with a preflight", json), ...asked("fetch PUT", { method: "PUT", body: "x" }),
    ...asked("fetch POST no-cors", { method: "POST", mode: "no-cors", body: "oauth_token=x" }),
    ...asked("fetch HEAD", { method: "HEAD", mode: "no-cors" }),
  ]);
  navigator.sendBeacon(TARGET + "?error=access_denied", "x");
  await Promise.all([
    ...element("img", "img", "src"), ...element("img with credentials", "img", "src", { crossOrigin: "use-credentials" }),
    ...element("script", "script", "src"), ...element("module", "script", "src", { type: "module" }),
    ...element("iframe", "iframe", "src"), ...element("fenced iframe", "iframe", "src", { sandbox: "allow-scripts" }),
    ...element("object", "object", "data"), ...element("embed", "embed", "src"),
    ...element("video", "video", "src"), ...element("audio", "audio", "src"),
    ...element("style sheet", "link", "href", { rel: "stylesheet" }), ...element("prefetch", "link", "href", { rel: "prefetch" }),
    ...element("preload", "link", "href", { rel: "preload", as: "fetch" }), ...element("icon", "link", "href", { rel: "icon" }),
    ...element("prerender", "link", "href", { rel: "prerender" }), ...element("manifest", "link", "href", { rel: "manifest" }),
    ...element("document prefetch", "link", "href", { rel: "prefetch", as: "document" }),
    ...posted("form", "application/x-www-form-urlencoded"), ...posted("form text", "text/plain"),
    ...posted("form multipart", "multipart/form-data"), ...asForm("form GET"),
    ...spoken("websocket", address => new WebSocket(address), "ws:"),
    ...spoken("event stream", address => new EventSource(address), "http:"),
    ...spoken("event stream with credentials", address => new EventSource(address, { withCredentials: true }), "http:"),
    ...styled("styles"), ...worked("worker"), ...speculated("speculation rules"),
  ]);
  for (const entry of performance.getEntriesByType("resource")) {
    if (entry.name.startsWith(TARGET) && (entry.responseStatus || entry.transferSize || entry.encodedBodySize)) {
      learned.push("timing of " + entry.initiatorType);
    }
  }
  return { learned: [...new Set(learned)], tried };
};
</script>"""


class Hostile(BaseHTTPRequestHandler):
    """A server that returns the page at every path."""

    target = ""

    def do_GET(self):
        content = (PAGE.replace("%s", self.target, 1)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


def main():
    if not chromium_walk.CHROMIUM or not chromium_walk.DRIVER:
        peer.skip("there is no chromium or no chromedriver")
    Hostile.target = sys.argv[1]
    listener = urlsplit(Hostile.target)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    report = {"learned": [], "tried": {}}
    with tempfile.TemporaryDirectory(prefix="hostile-origin-", ignore_cleanup_errors=True) as profile:
        browser = chromium_walk.start_browser(profile, [f"--host-resolver-rules=MAP {STRANGER} 127.0.0.1"])
        try:
            browser.set_script_timeout(60)
            for host in ("127.0.0.1", STRANGER):
                browser.get(f"http://{host}:{port}/")
                found = browser.execute_async_script(
                    "const done = arguments[0]; attack().then(done, error => done({learned: ['' + error], tried: {}}));"
                )
                report["learned"] += [f"{way} from {host}" for way in found["learned"]]
                report["tried"][host] = found["tried"]
            network = chromium_walk.Network()
            browser.get(f"http://{STRANGER}:{listener.port}{listener.path}?error=access_denied")
            network.read(browser)
            report["rebound"] = network.status.get(browser.current_url)
        except WebDriverException as error:
            report["failure"] = (error.msg or type(error).__name__).splitlines()[0]
        finally:
            browser.quit()
    print(json.dumps(report, ensure_ascii=False))
    sys.exit(1 if "failure" in report else 0)


if __name__ == "__main__":
    main()
