internal import HTTP

/// The page's script. It updates ages, shows local times and days, moves between posts by keyboard, and reloads the page when the service
/// should have rewritten it. The page is complete without it.
enum PageScript {
  static let text: Markup = """
    "use strict";
    (() => {
      const all = (selector) => Array.from(document.querySelectorAll(selector));
      const posts = all(".post");
      const help = document.getElementById("help");
      const keys = document.getElementById("keys");

      // The same text as without the script, counted from now.
      const age = (seconds) => {
        if (seconds < 60) return "now";
        if (seconds < 3600) return Math.floor(seconds / 60) + " min";
        if (seconds < 86400) return Math.floor(seconds / 3600) + " h";
        return Math.floor(seconds / 86400) + " d";
      };

      // A page that was fresh when it was loaded is loaded again once, because the service has rewritten it by then. If it has not, the page is
      // not fresh when it is loaded, and stays. The pause lets the service catch up after the machine has slept.
      const fresh = Date.parse(document.getElementById("posts").dataset.freshUntil);
      const mayReload = Date.now() <= fresh;
      const pause = 120000;
      let overdueSince = 0;
      const isUnused = () => scrollY <= 0 && !help.open && current() < 0 && getSelection().isCollapsed;
      const willReload = (now) => {
        if (!mayReload || now <= fresh) return false;
        overdueSince = overdueSince || now;
        if (document.hidden || !isUnused()) return false;
        if (now - overdueSince >= pause) location.reload();
        return true;
      };

      const tick = () => {
        const now = Date.now();
        const isWaiting = willReload(now);
        for (const time of all("time.age")) {
          const seconds = (now - Date.parse(time.dateTime)) / 1000;
          if (seconds < -60) continue;
          time.textContent = seconds < 7 * 86400 ? age(seconds) : time.dateTime.slice(0, 10);
        }
        for (const notice of all("[data-after]")) notice.hidden = isWaiting || now <= Date.parse(notice.dataset.after);
      };

      const local = () => {
        const today = new Date().toDateString();
        for (const time of all("time")) {
          const date = new Date(time.dateTime);
          if (isNaN(date)) continue;
          time.title = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
          if (!time.classList.contains("clock")) continue;
          const form = { hour: "numeric", minute: "2-digit" };
          if (date.toDateString() !== today) Object.assign(form, { weekday: "short", day: "numeric", month: "short" });
          time.textContent = date.toLocaleString(undefined, form);
        }
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        document.getElementById("zone").textContent = "Times and days are in this device's time zone" + (zone ? ", " + zone : "") + ".";
      };

      // The chart's days begin at local midnights. The positions are those of the page without the script.
      const localDays = () => {
        const chart = document.getElementById("chart");
        if (!chart) return;
        const hour = 3600000, start = Date.parse(chart.dataset.start), count = Number(chart.dataset.hours);
        const days = document.getElementById("days");
        const add = (name, attributes, text) => {
          const part = document.createElementNS(chart.namespaceURI, name);
          for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
          part.textContent = text;
          days.append(part);
        };
        const top = days.querySelector("line"), label = days.querySelector("text");
        if (!top || !label) return;
        const [y1, y2, y] = [top.getAttribute("y1"), top.getAttribute("y2"), label.getAttribute("y")];
        days.textContent = "";
        const day = new Date(start);
        if (day.setHours(0, 0, 0, 0) < start) day.setDate(day.getDate() + 1);
        for (; day < start + count * hour; day.setDate(day.getDate() + 1)) {
          const place = (day - start) / hour, x = (100 * place / count).toFixed(3) + "%";
          add("line", { class: "day", x1: x, x2: x, y1, y2 }, "");
          const left = count - place, name = day.toLocaleDateString(undefined, { weekday: "short" });
          if (left >= \(HourChart.labelled)) add("text", left < \(HourChart.wide) ? { x: "100%", y, "text-anchor": "end" } : { x, y, dx: 4 }, name);
        }
        const summary = document.getElementById("chart-summary"), peak = summary.dataset.peak;
        const form = { dateStyle: "medium", timeStyle: "short" };
        if (peak) summary.textContent = summary.textContent.replace(/from .*$/, "from " + new Date(peak).toLocaleString(undefined, form) + ".");
      };

      const current = () => posts.indexOf(document.activeElement && document.activeElement.closest(".post"));
      const go = (place) => {
        const post = posts[place];
        if (!post) return;
        post.focus({ preventScroll: true });
        post.scrollIntoView({ block: "start" });
      };
      // If nothing has the focus, start at the first visible post.
      const seen = () => Math.max(0, posts.findIndex((post) => post.getBoundingClientRect().bottom > 40));
      const open = () => {
        const link = posts[current()] && posts[current()].querySelector(".permalink[href]");
        if (link) link.click();
      };
      const actions = {
        j: () => go(current() < 0 ? seen() : Math.min(current() + 1, posts.length - 1)),
        k: () => go(current() < 0 ? seen() : Math.max(current() - 1, 0)),
        g: () => { go(0); scrollTo(0, 0); },
        G: () => go(posts.length - 1),
        o: open,
        Enter: open,
        "?": () => help.showModal(),
      };
      document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || help.open) return;
        // Links and buttons handle Enter themselves.
        if (event.key === "Enter" && !document.activeElement.classList.contains("post")) return;
        if (!Object.hasOwn(actions, event.key)) return;
        event.preventDefault();
        actions[event.key]();
      });

      keys.hidden = false;
      keys.addEventListener("click", () => help.showModal());
      document.addEventListener("visibilitychange", tick);
      setInterval(tick, 30000);
      local();
      localDays();
      tick();
    })();

    """
}
