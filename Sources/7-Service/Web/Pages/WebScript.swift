internal import Formats
internal import HTTP

/// The script of all pages. They are complete without it: it moves by keyboard, shows changes as they happen, and sends forms without leaving
/// the page.
///
/// HTML comes only from this server, and only as a document that `XMLHttpRequest` parses: nothing runs in it, and no string becomes HTML here.
enum WebScript {
  /// The script as it is sent: without comments, indentation, and the spaces and line feeds that only help people. Its strings are in double
  /// quotes and contain none.
  static var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for line in source.bytes.split(separator: UInt8(ascii: "\n")) {
      let code = line.drop { $0 == UInt8(ascii: " ") }
      if code.isEmpty || code.starts(with: "//".utf8) { continue }
      var isText = false
      for (byte, next) in zip(code, code.dropFirst() + [UInt8(ascii: "\n")]) {
        if byte == UInt8(ascii: "\"") { isText.toggle() }
        let isSpare = byte == UInt8(ascii: " ") && !isText && (separates(bytes.last) || separates(next))
        if !isSpare { bytes.append(byte) }
      }
      // JavaScript ends a statement at other line feeds.
      if !";{,(".utf8.contains(code.last ?? 0) { bytes.append(UInt8(ascii: "\n")) }
    }
    return bytes
  }

  /// Whether no space is needed beside a byte outside of strings.
  private static func separates(_ byte: UInt8?) -> Bool { byte.map { "=>?:&|,;{}".utf8.contains($0) } ?? true }

  private static let source: Markup = """
    "use strict";
    (() => {
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const one = (selector, within = document) => within?.querySelector(selector);
    const byID = (id) => document.getElementById(id);
    const on = (target, type, body) => target.addEventListener(type, body);
    let posts = all(".post");
    const help = byID("help"), keys = byID("keys"), main = byID("main"), list = byID("posts");
    const live = main.dataset.live, beginning = location.pathname + location.search;
    \(held)\(PageScriptParts.ages)\(PageScriptParts.times)\(PageScriptParts.keys)\
    \(asking)\(newPosts)\(olderPosts)\(changes)\(stream)\(forms)\(counting)\(start)\
    })();
    """

  /// A key that is held down moves from post to post, but presses no button again.
  private static let held: Markup = """
    let isHeld;
    on(document, "keydown", (event) => {
      isHeld = event.repeat;
      if (isHeld && event.target.matches(".acts button")) event.preventDefault();
    });

    """

  /// `ask` gets a page, or sends a form. `say` announces a sentence.
  private static let asking: Markup = """
    const ask = (address, form) => new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open(form ? "POST" : "GET", address);
      request.responseType = "document";
      request.onloadend = () => done({ status: request.status, page: request.response });
      request.send(form);
    });
    const part = (address) => address + (address.includes("?") ? "&" : "?") + "part=posts";
    // Screen readers announce what is added to an element that was there before.
    const add = (parent, tag) => parent.appendChild(document.createElement(tag));
    const news = add(main, "div"), bar = add(news, "button");
    news.className = "news";
    news.role = "status";
    bar.hidden = true;
    one("h1").after(news);
    const say = (text) => {
      for (const former of all(".said")) former.remove();
      const said = add(news, "p");
      said.className = "said";
      said.textContent = text;
      setTimeout(() => said.remove(), 10000);
    };
    const reason = ({ page }) => page
      ? all("h1, main > p", page).map((line) => line.textContent).join(": ")
      : "The service does not answer.";
    const settle = () => {
      posts = all(".post");
      local();
      updateAges(Date.now());
    };
    const focused = () => document.activeElement;
    const focusOn = (element) => {
      if (element.tabIndex < 0) element.tabIndex = -1;
      element.focus({ preventScroll: true });
    };

    """

  /// Shows how many posts are new, and inserts them above the list when the reader wants them.
  private static let newPosts: Markup = """
    let fresh, lastPost;
    on(document, "focusin", (event) => { lastPost = event.target.closest(".post") || lastPost; });
    // Changes the list without moving what the reader sees, unless the beginning of the list is in view.
    const steadily = (change) => {
      const place = posts[seen()], top = () => place?.isConnected ? place.getBoundingClientRect().top : 0;
      const former = top(), isAway = place !== posts[0] || former < 0;
      change();
      settle();
      const shift = top() - former;
      if (isAway && shift) scrollBy({ top: shift, behavior: "instant" });
    };
    const mark = (shown, isUnread, dot) => {
      if (shown.classList.contains("unread") === isUnread) return;
      shown.classList.toggle("unread", isUnread);
      const byline = one(".byline", shown);
      one(".new", byline)?.remove();
      if (dot) byline.lastElementChild.before(dot);
    };
    const markAll = (found) => {
      let last;
      for (const post of all(".post", found)) {
        const shown = byID(post.id), isUnread = post.classList.contains("unread");
        if (!shown) continue;
        mark(shown, isUnread, isUnread && one(".new", post));
        last = isUnread ? undefined : shown;
      }
      // Below a post that is read, all of its account are.
      if (last && beginning[1] === "a") for (const post of posts.slice(posts.indexOf(last))) mark(post, false);
      for (const divider of all("#posts > .read")) divider.remove();
      const divider = one(".read", found);
      if (divider) byID(divider.nextElementSibling.id)?.before(divider);
    };
    const compare = (found) => {
      const nodes = [...found.children], known = nodes.findLastIndex((node) => byID(node.id));
      if (known >= 0) nodes.length = known + 1;
      const added = nodes.filter((node) => node.matches(".post") && !byID(node.id)).length;
      fresh = added && { nodes, isAll: known < 0 && posts.length };
      bar.textContent = (fresh.isAll ? "More than " : "") + added + (added > 1 ? " new posts" : " new post");
      bar.hidden = !added;
      steadily(() => markAll(found));
      if (found.dataset.unread) count(live, Number(found.dataset.unread));
    };
    // A click leaves the focus where it is.
    on(bar, "mousedown", (event) => event.preventDefault());
    on(bar, "click", () => {
      if (fresh.isAll) return location.assign(beginning);
      const { nodes } = fresh, hadFocus = focused() === bar;
      bar.hidden = true;
      steadily(() => {
        if (!posts.length) return list.replaceChildren(...nodes);
        // A view gets posts between those shown, from an account that was refreshed later.
        let group = [];
        for (const node of nodes) {
          const shown = byID(node.id);
          if (!shown) {
            if (group.length || node.matches(".post, .read")) group.push(node);
            continue;
          }
          shown.className = node.className;
          if (!group.length) continue;
          // What separated the posts around the new ones.
          while (!(shown.previousElementSibling ?? shown).matches(".post")) shown.previousElementSibling.remove();
          shown.before(...group);
          group = [];
        }
      });
      if (hadFocus) focusOn(lastPost?.isConnected ? lastPost : posts[0]);
    });

    """

  /// Appends the next page to the list.
  private static let olderPosts: Markup = """
    on(document, "click", async (event) => {
      const link = event.target.closest("#posts a[rel=next]");
      if (!link || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const more = link.parentElement, { href } = link;
      link.removeAttribute("href");
      const { page } = await ask(part(href)), found = one("#posts", page);
      if (!found) return location.assign(href);
      const hadFocus = focused() === link || focused() === document.body;
      const nodes = [...found.children].filter((node) => !node.id || !byID(node.id));
      more.replaceWith(...nodes);
      settle();
      if (hadFocus && nodes[0]) focusOn(nodes[0]);
      history.replaceState(null, "", href);
    });

    """

  /// `look` asks once for the present state of what is shown; `hear` receives a change.
  private static let changes: Markup = """
    const name = document.title.replace(/^\\(\\d+\\) /, "");
    const addressOf = (row) => one("a", row).getAttribute("href");
    const count = (page, unread) => {
      if (page === live) document.title = (unread ? "(" + unread + ") " : "") + name;
      for (const fact of all(".rows .count")) {
        if (addressOf(fact.parentElement) !== page) continue;
        fact.textContent = unread + " unread";
        fact.hidden = !unread;
      }
    };
    const replaceRows = (found) => {
      const others = all(".rows > li", found.ownerDocument);
      for (const row of all(".rows > li")) {
        const other = others.find((other) => addressOf(other) === addressOf(row));
        if (other) row.replaceChildren(row.firstElementChild, ...[...other.childNodes].slice(1));
      }
    };
    const replaceBox = (found) => {
      const box = byID("outbox"), { id } = box.contains(focused()) ? focused().closest("[id]") : {};
      box.replaceWith(found);
      settle();
      if (id) focusOn(byID(id) || found);
    };
    let isLooking, isBehind, isCurrent, { moment } = main.dataset;
    const look = async () => {
      isBehind = true;
      if (isLooking) return;
      isLooking = true;
      while (isBehind && !document.hidden) {
        isBehind = false;
        const answer = await ask(list ? part(beginning) : beginning), { page } = answer;
        const found = one("#posts, .rows, #outbox", page);
        if (!found) refused(answer);
        else if (list) compare(found);
        else (live === "/" ? replaceRows : replaceBox)(found);
      }
      isLooking = false;
    };
    const hear = ({ at, change }) => {
      if (change) {
        if ("unread" in change) count(change.page, change.unread);
        if (change.page === live) look();
      } else {
        if (at !== moment) look();
        isCurrent = true;
      }
      if (isCurrent) moment = at;
    };

    """

  /// One tab of the browser holds the stream and tells the others. When it closes, another one gets the lock.
  private static let stream: Markup = """
    let source, retry, last, isHolder, pause = 1000;
    const channel = live && navigator.locks ? new BroadcastChannel("homeline") : undefined;
    const pass = (message) => {
      last = message.at;
      channel.postMessage(message);
      hear(message);
    };
    const refused = (answer) => {
      if (answer.status !== 403) return;
      clearTimeout(retry);
      say(reason(answer));
    };
    const connectIn = (time) => {
      source.close();
      source = last = undefined;
      retry = setTimeout(connect, time);
    };
    const connect = () => {
      clearTimeout(retry);
      source = new EventSource("/events");
      on(source, "beginning", (event) => { pause = 1000; pass({ at: event.lastEventId }); });
      on(source, "displaced", () => connectIn(60000));
      source.onmessage = (event) => pass({ at: event.lastEventId, change: JSON.parse(event.data) });
      source.onerror = async () => {
        const isRefused = source.readyState === 2;
        connectIn(pause);
        pause = Math.min(2 * pause, 60000);
        // The stream does not say why: perhaps this browser must enter again.
        if (isRefused) refused(await ask(beginning));
      };
    };
    if (channel) {
      channel.onmessage = ({ data }) => {
        if (data !== "present") return hear(data);
        if (last) channel.postMessage({ at: last });
        // Another tab may have entered again.
        else if (isHolder && !source) connect();
      };
      channel.postMessage("present");
      // The lock ends with this page.
      navigator.locks.request("homeline", () => new Promise(() => { isHolder = true; connect(); }));
      on(document, "visibilitychange", () => {
        if (document.hidden) return;
        channel.postMessage("present");
        if (isBehind) look();
      });
    }

    """

  /// Sends the forms of posts, and puts the post of the answer in the place of the old one.
  private static let forms: Markup = """
    const root = (action) => action.replace(/^un/, "");
    const button = (action, post) => action && all(".acts button", post).find((button) => root(button.value) === root(action));
    const replace = (post, next) => {
      const active = post.contains(focused()) && focused();
      next.className = post.className;
      const former = all("details", post);
      all("details", next).forEach((details, place) => { details.open = former[place]?.open; });
      post.replaceWith(next);
      settle();
      if (active) focusOn(button(active.value, next) || next);
    };
    on(document, "submit", async (event) => {
      const { target: form, submitter } = event, post = form.closest(".post");
      if (!form.matches(".acts") || !post || !submitter || submitter.value === "delete") return;
      event.preventDefault();
      if (form.ariaBusy) return;
      form.ariaBusy = "true";
      const values = new URLSearchParams(new FormData(form, submitter));
      values.set("part", "posts");
      const answer = await ask(form.getAttribute("action"), values), { page } = answer;
      form.ariaBusy = null;
      const next = one(".post", page);
      say(one("[role=status]", page)?.textContent ?? reason(answer));
      if (next && post.isConnected) replace(post, next);
      // No event tells a page of older posts where the mark is.
      if (list && submitter.value === "read") look();
    });

    """

  /// Shows the length of what is typed, as the server counts it.
  private static let counting: Markup = """
    const form = one("form.write");
    let timer;
    const measure = async () => {
      const { value } = form.text;
      const values = new URLSearchParams({ account: form.account.value, text: value, warning: form.warning.value });
      const { page } = await ask("/post?part=count", values), found = one("#count", page), shown = byID("count");
      if (form.text.value !== value) return;
      // Without an answer, the former length would be wrong.
      shown.textContent = found?.textContent;
      shown.className = found?.className ?? "count";
    };
    form?.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(measure, 500);
    });

    """

  private static let start: Markup = """
    const here = (find) => () => {
      const post = posts[current()];
      if (post && !isHeld) find(post)?.click();
    };
    const visit = (address) => one(".site a[href='" + address + "']")?.click();
    Object.assign(actions, {
      l: here((post) => button("like", post)), b: here((post) => button("repost", post)), u: here((post) => button("read", post)),
      r: here((post) => one("a.act[href^='/post']", post)),
      n: () => visit("/post"),
      "/": () => byID("q") ? byID("q").focus() : visit("/search"),
    });
    keys.hidden = false;
    on(keys, "click", () => help.showModal());
    setInterval(() => updateAges(Date.now()), 30000);
    settle();

    """
}
