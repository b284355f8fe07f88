internal import Formats
internal import HTTP

/// The style sheet of all pages.
enum WebStyle {
  static let text: Markup = PageStyle.text + frame + lists + forms + writing

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
    .rows .fact:first-of-type, .rows .fact[hidden] + .fact { margin-inline-start: auto; }
    .rows .trouble { flex-basis: 100%; color: var(--warn); font-size: .92rem; }

    """

  /// Lists of posts, and what surrounds them.
  private static let lists: Markup = """
    .posts { display: grid; gap: 10px; }
    .posts > * { min-width: 0; }
    .lead { display: flex; flex-wrap: wrap; gap: 2px 16px; color: var(--soft); }
    .lead .handle { margin-inline-start: .4em; }
    .timelines ul { display: flex; flex-wrap: wrap; gap: 4px 18px; }
    .timelines [aria-current] { color: var(--ink); font-weight: 620; }
    .more { padding: 12px 4px; text-align: center; font-size: 1.05rem; }
    .end, .until { color: var(--soft); font-size: .92rem; }
    .notes a, .original a, .more a, .timelines a, .lead a { text-decoration: underline; text-underline-offset: .15em; }
    .original { margin-inline-start: auto; }
    .current > .post { border-color: var(--accent); }
    .depth2 { margin-inline-start: 12px; } .depth3 { margin-inline-start: 24px; } .depth4 { margin-inline-start: 36px; }
    .post { scroll-margin-top: 72px; }
    .acts { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: 2px 4px; margin: 0 -9px; }
    .acts button, .act { padding: 3px 8px; border-color: transparent; background: none; color: var(--soft); }
    .act { border: 1px solid transparent; border-radius: 8px; line-height: 1.55; }
    .acts button:hover, .act:hover { color: var(--ink); border-color: var(--line); }
    .acts [value^="un"] { color: var(--accent); }
    .said {
      position: sticky; top: 8px; z-index: 1; justify-self: start; padding: 8px 16px; border-radius: 10px;
      background: var(--ink); color: var(--card); box-shadow: 0 4px 16px rgb(0 0 0 / .2);
    }
    .versions { margin: 0; padding-inline-start: 1.4rem; display: grid; gap: 12px; }
    .posts { overflow-anchor: none; }
    .sheet > h1, .news { grid-area: 1 / 1; }
    .news { position: sticky; top: 8px; z-index: 2; height: 0; display: grid; justify-items: end; row-gap: 6px; }
    .news > * {
      padding: 5px 16px; border: 1px solid var(--accent); border-radius: 16px; background: var(--card);
      color: var(--ink); box-shadow: 0 4px 16px rgb(0 0 0 / .2); max-width: 100%; height: fit-content;
    }
    .news .said { justify-self: end; }
    mark { background: var(--warn-line); color: var(--warn); border-radius: 3px; }

    """

  /// Forms, and the status page.
  private static let forms: Markup = """
    form.search, .conditions form { display: grid; gap: 10px; margin: 8px 0; max-width: 34rem; }
    .field { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; }
    .field label { flex: 0 0 6rem; }
    .field input, .field select {
      flex: 1 1 12rem; min-width: 0; font: inherit; color: var(--ink); background: var(--card); padding: 6px 10px;
      border: 1px solid var(--soft); border-radius: 8px;
    }
    .field input::placeholder { color: var(--soft); opacity: 1; }
    .field [aria-invalid] { border-color: var(--warn); border-width: 2px; }
    .field .error { flex: 1 0 100%; color: var(--warn); }
    .box { display: flex; gap: 8px; align-items: center; }
    .box input { width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
    .buttons { display: flex; gap: 16px; align-items: center; }
    .buttons a { text-decoration: underline; }
    summary { cursor: pointer; min-height: 24px; }
    .syntax dl, .details { margin: 8px 0 0; font-size: .92rem; }
    .syntax div, .details > div { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 5px 0; border-top: 1px solid var(--line); }
    .syntax dt, .details dt { flex: 0 0 8rem; color: var(--soft); }
    .syntax dd, .details dd { flex: 1 1 14rem; min-width: 0; }
    .account, .checks { display: grid; gap: 6px; }
    .account .buttons { margin-top: 4px; }
    .warning, .bad { color: var(--warn); }

    """

  /// The form of a post, and the outbox.
  private static let writing: Markup = """
    .write { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; max-width: 40rem; }
    .write > *, .write fieldset { min-width: 0; }
    .write details > * + * { margin-top: 10px; }
    .write fieldset { border: 1px solid var(--line); border-radius: 12px; padding: 8px 12px 12px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
    .field textarea {
      flex: 1 1 12rem; min-width: 0; font: inherit; color: var(--ink); background: var(--card); padding: 6px 10px;
      border: 1px solid var(--soft); border-radius: 8px; resize: vertical;
    }
    .field input[type=file] { border: none; background: none; padding: 2px 0; }
    .write .error { color: var(--warn); }
    .field .hint { flex: 1 0 100%; }
    .hint, .count, .soft { color: var(--soft); font-size: .92rem; }
    .count.error { color: var(--warn); }
    .count:empty { display: none; }
    .main { font-weight: 620; border-color: var(--accent); }
    .notice.good { border-color: var(--line); background: var(--card); color: var(--ink); }
    .preview { white-space: pre-wrap; border-inline-start: 3px solid var(--line); padding-inline-start: 12px; }
    .outbox .text { flex-basis: 100%; padding-inline: 0; white-space: pre-wrap; }
    .outbox li:target { outline: 2px solid var(--accent); border-radius: 16px; }

    """
}
