/// How the page looks. The fonts are those of the reader's system.
enum PageStyle {
  static let text = PageColours.text + frame + PageStyle.overview + PageStyle.posts

  private static let frame = """
    *, ::before, ::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scrollbar-gutter: stable; }
    body {
      margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
      font: 16px/1.55 Inter, "Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, Cantarell, "Noto Sans",
        Ubuntu, sans-serif;
      font-feature-settings: "cv11", "calt"; -webkit-font-smoothing: antialiased;
    }
    h1, h2, p, dl, dd, ul, figure, blockquote { margin: 0; padding: 0; }
    ul { list-style: none; }
    a { color: var(--accent); text-decoration: none; }
    a:hover { text-decoration: underline; text-underline-offset: .15em; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
    [hidden] { display: none !important; }
    .icons { position: absolute; width: 0; height: 0; }
    .icon {
      flex: none; width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.4;
      stroke-linecap: round; stroke-linejoin: round;
    }
    .unseen {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
    }
    .skip { position: absolute; left: 16px; top: -60px; padding: 8px 14px; border-radius: 8px; background: var(--card); }
    .skip:focus { top: 12px; z-index: 2; }
    .page { max-width: 1040px; margin: 0 auto; padding: 20px 12px 64px; display: grid; gap: 24px; }
    .page > * { min-width: 0; }
    kbd, code { font: 500 .86em/1.4 ui-monospace, "JetBrains Mono", "Cascadia Code", Menlo, "DejaVu Sans Mono", monospace; }
    code { user-select: all; }
    kbd {
      padding: .1em .42em; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px;
      background: var(--page); color: var(--ink);
    }
    button {
      font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 8px;
      padding: 5px 12px; cursor: pointer;
    }
    button:hover { border-color: var(--soft); }
    dialog {
      border: 1px solid var(--line); border-radius: 16px; padding: 22px 26px; max-width: min(25rem, calc(100vw - 32px));
      background: var(--card); color: var(--ink); box-shadow: 0 24px 60px rgb(0 0 0 / .28);
    }
    dialog::backdrop { background: rgb(10 12 16 / .45); }
    dialog h2 { font-size: 1.1rem; margin-bottom: 12px; }
    .keys div { display: flex; gap: 16px; padding: 5px 0; }
    .keys dt { flex: none; min-width: 6.2rem; }
    dialog form { margin-top: 16px; text-align: right; }
    @media (min-width: 460px) { .page { padding-inline: 20px; } }
    @media (min-width: 960px) {
      .page { grid-template-columns: 296px minmax(0, 1fr); gap: 36px; padding-top: 32px; }
    }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

    """
}
