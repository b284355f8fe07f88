package import HTTP

/// The page's style sheet. It uses the reader's system fonts.
package enum PageStyle {
  package static let text: Markup = PageColours.text + frame + PageStyle.overview + PageStyle.posts

  private static let frame: Markup = """
    *, ::before, ::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scrollbar-gutter: stable; }
    body {
      margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
      font: 100%/1.55 Inter, "Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, Cantarell, "Noto Sans",
        Ubuntu, sans-serif;
      font-feature-settings: "cv11", "calt"; -webkit-font-smoothing: antialiased;
    }
    h1, h2, p, dl, dd, ul, figure, blockquote { margin: 0; padding: 0; }
    ul { list-style: none; }
    a { color: var(--accent); text-decoration: none; }
    a:hover, .text a, .reply a { text-decoration: underline; text-underline-offset: .15em; text-decoration-thickness: 1px; }
    a:hover { text-decoration-thickness: 2px; }
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
    .skip { position: absolute; left: 16px; top: -8rem; padding: 8px 14px; border-radius: 8px; background: var(--card); }
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

/// The style of posts. Each box clips its content, because combining marks can extend far beyond their line.
extension PageStyle {
  static let posts: Markup = """
    main { display: grid; gap: 10px; align-content: start; grid-template-columns: minmax(0, 1fr); }
    .post {
      position: relative; display: grid; grid-template-columns: 44px minmax(0, 1fr); gap: 0 14px; padding: 18px 20px 16px;
      background: var(--card); border: 1px solid var(--line); border-radius: 16px; overflow: clip; scroll-margin: 16px;
    }
    .post:focus, .post:target { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 16px; }
    .content { min-width: 0; }
    .content > * + * { margin-top: 6px; }
    .reposted {
      grid-column: 2; margin-bottom: 6px; color: var(--soft); font-size: .86rem; line-height: 1.4; overflow: clip;
    }
    .avatar {
      display: flex; align-items: center; justify-content: center; flex: none; width: 44px; height: 44px; overflow: clip;
      border-radius: 50%; object-fit: cover; font-size: 15px; font-weight: 600; line-height: 1; letter-spacing: .01em;
    }
    .avatar.small { width: 24px; height: 24px; font-size: 10px; }
    .byline { display: flex; align-items: baseline; gap: 0 7px; line-height: 1.4; }
    .byline > .avatar { align-self: center; }
    .name { font-weight: 620; }
    .handle, .when { color: var(--soft); font-size: .9rem; }
    .byline > .name, .byline > .handle { min-width: 0; overflow: clip; text-overflow: ellipsis; white-space: nowrap; }
    .byline > .handle { flex: 1 1 0; }
    .when { flex: none; margin-left: auto; white-space: nowrap; font-variant-numeric: tabular-nums; }
    .new { flex: none; align-self: center; width: 8px; height: 8px; border-radius: 50%; background: var(--accent); }
    .reply { color: var(--soft); font-size: .9rem; overflow: clip; }
    .byline + .reply { margin-top: 0; }
    .text { padding: 2px 3px; margin-inline: -3px; overflow: clip; contain: paint; }
    .byline + .text, .reply + .text, .byline + .warned, .reply + .warned { margin-top: 0; }
    .warned > summary { cursor: pointer; padding: 2px 0; overflow: clip; }
    .covered { margin-top: 6px; }
    .covered > * + * { margin-top: 6px; }
    .pictures { display: grid; grid-template-columns: 1fr 1fr; gap: 4px; border-radius: 12px; overflow: clip; }
    .content > .pictures, .content > .quote, .content > .attachments, .covered > .pictures { margin-top: 10px; }
    .pictures.one { grid-template-columns: minmax(0, 1fr); }
    .picture { display: block; min-width: 0; aspect-ratio: 1; background: var(--line); overflow: clip; }
    .picture:focus-visible { outline-offset: -3px; }
    .one .picture { aspect-ratio: 16 / 9; }
    .picture:first-child:nth-last-child(odd) { grid-column: 1 / -1; aspect-ratio: 2; }
    .one .picture:first-child { aspect-ratio: 16 / 9; }
    .picture img { display: block; width: 100%; height: 100%; object-fit: cover; }
    .attachments { display: grid; gap: 4px; font-size: .92rem; }
    .attachment { display: inline-flex; align-items: center; gap: 8px; max-width: 100%; overflow: clip; }
    .description { display: block; padding-left: 24px; color: var(--soft); overflow: clip; }
    .quote {
      padding: 12px 14px; border: 1px solid var(--line); border-radius: 12px; background: var(--page); font-size: .95rem;
    }
    .quote > * + * { margin-top: 6px; }
    .post footer {
      display: flex; flex-wrap: wrap; align-items: center; gap: 4px 18px; margin-top: 10px; color: var(--soft);
      font-size: .86rem; line-height: 1.4;
    }
    .counts { display: flex; gap: 22px; font-variant-numeric: tabular-nums; }
    .counts li { display: flex; align-items: center; gap: 6px; }
    .notes { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-left: auto; min-width: 0; overflow: clip; }
    .also { display: inline-flex; align-items: center; gap: 5px; min-width: 0; }
    .joined-below { border-end-end-radius: 0; border-end-start-radius: 0; border-bottom: 0; padding-bottom: 10px; }
    .joined-above {
      border-start-start-radius: 0; border-start-end-radius: 0; border-top: 0; margin-top: -10px; padding-top: 10px;
    }
    .joined-below::after, .joined-above::before {
      content: ""; position: absolute; left: 41px; width: 2px; background: var(--line); border-radius: 1px;
    }
    .joined-below::after { top: 68px; bottom: 0; }
    .joined-above::before { top: 0; height: 6px; }
    .joined-above.joined-below::after { top: 58px; }
    .divider { display: flex; align-items: center; gap: 16px; padding: 8px 4px; color: var(--soft); font-size: .86rem; }
    .divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
    .gap::before, .gap::after { border-top: 2px dotted var(--soft); opacity: .5; }
    .read { color: var(--accent); font-weight: 550; }
    .read::before, .read::after { border-color: var(--accent); opacity: .5; }
    .empty { padding: 72px 20px; text-align: center; color: var(--soft); }
    @media (max-width: 459px) {
      .post { grid-template-columns: 38px minmax(0, 1fr); gap: 0 11px; padding: 15px 14px 13px; border-radius: 14px; }
      .post > .avatar { width: 38px; height: 38px; font-size: 14px; }
      .counts { gap: 18px; }
      .joined-below { padding-bottom: 8px; }
      .joined-above { padding-top: 8px; }
      .joined-below::after, .joined-above::before { left: 32px; }
      .joined-below::after { top: 58px; }
      .joined-above.joined-below::after { top: 51px; }
      .joined-above::before { height: 5px; }
    }

    """
}

/// The style of the overview: next to the posts on wide screens, otherwise above them.
extension PageStyle {
  static let overview: Markup = """
    .overview { display: grid; gap: 20px; align-content: start; padding: 0 4px; }
    .overview > * { min-width: 0; }
    .person { display: flex; gap: 14px; align-items: center; }
    .person > div { min-width: 0; }
    .person h1 { font-size: 1.4rem; line-height: 1.25; letter-spacing: -.015em; overflow: clip; }
    .person small { margin-left: .3em; color: var(--soft); font-size: .88rem; font-weight: 400; letter-spacing: 0; }
    .person p { color: var(--soft); font-size: .92rem; line-height: 1.5; overflow: clip; }
    .person .name { color: var(--ink); }
    .facts { font-size: .92rem; }
    .facts div { display: flex; gap: 12px; padding: 7px 0; border-top: 1px solid var(--line); }
    .facts div:last-child { border-bottom: 1px solid var(--line); }
    .facts dt { flex: none; width: 6.2rem; color: var(--soft); }
    .facts dd { min-width: 0; font-variant-numeric: tabular-nums; overflow: clip; }
    .ago { color: var(--soft); }
    .notice {
      padding: 12px 16px; border: 1px solid var(--warn-line); border-radius: 12px; background: var(--warn-page);
      color: var(--warn); font-size: .92rem; overflow: clip;
    }
    .notice p + p { margin-top: 6px; }
    .chart svg { display: block; width: 100%; overflow: hidden; }
    .chart text { fill: var(--soft); font-size: 11px; }
    .chart .bar { fill: var(--bar); }
    .chart .now { fill: var(--accent); }
    .chart .day, .chart .axis { stroke: var(--line); }
    .chart figcaption, .fine { color: var(--soft); font-size: .82rem; line-height: 1.5; }
    .chart figcaption { margin-top: 4px; }
    .fine button { margin-top: 10px; display: block; font-size: .82rem; }
    @media (max-width: 959px) {
      .overview { gap: 16px; }
      .fine { margin-top: -10px; }
      .facts { display: grid; grid-template-columns: 1fr 1fr; gap: 12px 16px; }
      .facts div, .facts div:last-child { display: block; padding: 0; border: 0; }
      .facts dt { width: auto; font-size: .82rem; line-height: 1.4; }
      .facts .wide { grid-column: 1 / -1; }
    }
    @media (max-width: 599px) { .fine button { display: none; } }
    @media (min-width: 960px) {
      .overview { position: sticky; align-self: start; top: 32px; max-height: calc(100vh - 48px); overflow-y: auto; }
    }

    """
}

/// The page's colours in light and dark mode. Text has a contrast of at least 4.5 : 1 (WCAG 2.2 §1.4.3).
enum PageColours {
  static let text: Markup = """
    :root {
      color-scheme: light dark;
      --page: #f4f2ed; --card: #fffefc; --line: #e3dfd6; --ink: #22262c; --soft: #5c626c;
      --accent: #2b57b5; --wash: #eaf0fc; --bar: #8aa6de; --warn: #6a4300; --warn-page: #fcefd4; --warn-line: #ecd29b;
    }
    .tint0 { background: #dbe7fb; color: #23457f; } .tint1 { background: #d8efe3; color: #1b5a3c; }
    .tint2 { background: #fbe3d6; color: #84401a; } .tint3 { background: #efe0f7; color: #5f2f7f; }
    .tint4 { background: #fbe8c4; color: #6b4a06; } .tint5 { background: #d5eef1; color: #14555e; }
    .tint6 { background: #f9dce4; color: #86284a; } .tint7 { background: #e4e8d0; color: #4a5417; }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #111318; --card: #191c22; --line: #2b3039; --ink: #e6e5e1; --soft: #9ca3b0;
        --accent: #93b4ff; --wash: #1b2538; --bar: #4a6bb3; --warn: #f5d593; --warn-page: #33280f; --warn-line: #5a4718;
      }
      .tint0 { background: #243a63; color: #c9dcff; } .tint1 { background: #1c4432; color: #bfe8d1; }
      .tint2 { background: #5a2f1a; color: #ffd2ba; } .tint3 { background: #442a57; color: #e7cdf8; }
      .tint4 { background: #4d3a10; color: #f6dd9c; } .tint5 { background: #154349; color: #bde7ec; }
      .tint6 { background: #5a2437; color: #fbccd9; } .tint7 { background: #3a4020; color: #dde5b4; }
    }

    """
}
