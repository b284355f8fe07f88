package import HTTP

/// What the scripts of the published page and of the web page share. Each text is a list of statements.
package enum PageScriptParts {
  /// `updateAges`, which shows all ages at a time, in milliseconds. It needs `all`.
  package static let ages: Markup = """
    // The same text as without the script, counted from now.
    const age = (seconds) => {
      if (seconds < 60) return "now";
      if (seconds < 3600) return Math.floor(seconds / 60) + " min";
      if (seconds < 86400) return Math.floor(seconds / 3600) + " h";
      return Math.floor(seconds / 86400) + " d";
    };
    const updateAges = (now) => {
      for (const time of all("time.age")) {
        const seconds = (now - Date.parse(time.dateTime)) / 1000;
        if (seconds < -60) continue;
        time.textContent = seconds < 7 * 86400 ? age(seconds) : time.dateTime.slice(0, 10);
      }
    };

    """

  /// `local`, which shows all times in the device's time zone. It needs `all`, and an element `zone`.
  package static let times: Markup = """
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

    """

  /// Moves between posts by keyboard, with functions by key in `actions`. It needs the list `posts` and the dialog `help`.
  package static let keys: Markup = """
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
      if (document.activeElement.matches("input, select, textarea")) return;
      // Links and buttons handle Enter themselves.
      if (event.key === "Enter" && !document.activeElement.classList.contains("post")) return;
      if (!Object.hasOwn(actions, event.key)) return;
      event.preventDefault();
      actions[event.key]();
    });

    """
}
