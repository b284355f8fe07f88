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

    \(PageScriptParts.ages)\

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
        updateAges(now);
        for (const notice of all("[data-after]")) notice.hidden = isWaiting || now <= Date.parse(notice.dataset.after);
      };

    \(PageScriptParts.times)\

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

    \(PageScriptParts.keys)\

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
