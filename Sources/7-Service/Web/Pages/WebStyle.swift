internal import HTTP

/// The style sheet of all pages.
enum WebStyle {
  static let text: Markup = """
    :root {
      color-scheme: light dark;
      --page: #f4f2ed; --card: #fffefc; --line: #e3dfd6; --ink: #22262c; --soft: #5c626c; --accent: #2b57b5;
      --warn: #6a4300; --warn-page: #fcefd4; --warn-line: #ecd29b;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #111318; --card: #191c22; --line: #2b3039; --ink: #e6e5e1; --soft: #9ca3b0; --accent: #93b4ff;
        --warn: #f5d593; --warn-page: #33280f; --warn-line: #5a4718;
      }
    }
    *, ::before, ::after { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere; font: 100%/1.55 system-ui, sans-serif; }

    """ + frame

  /// What all pages have, besides the style of the published page.
  private static let frame: Markup = """
    .site { border-bottom: 1px solid var(--line); background: var(--card); }
    .site nav, .sheet, .foot { max-width: 720px; margin: 0 auto; padding: 12px 16px; }
    .site ul { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: baseline; list-style: none; margin: 0; padding: 0; }
    .site a[aria-current] { color: var(--ink); font-weight: 620; }
    .sheet { display: grid; gap: 16px; padding-block: 24px; }
    .sheet:focus { outline: none; }
    .sheet h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
    .sheet h2 { font-size: 1.1rem; margin: 0; }
    .sheet p { margin: 0; max-width: 65ch; }
    .sheet p a, .foot a { text-decoration: underline; text-underline-offset: .15em; }
    .foot { color: var(--soft); font-size: .86rem; display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: baseline; }
    .foot button { font-size: .86rem; }
    .rows { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 16px; background: var(--card); }
    .rows > li { padding: 12px 16px; display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; }
    .rows > li + li { border-top: 1px solid var(--line); }
    .rows .fact { color: var(--soft); font-size: .92rem; }
    .rows .fact:first-of-type { margin-inline-start: auto; }
    .rows .trouble { flex-basis: 100%; color: var(--warn); font-size: .92rem; }

    """
}
