/// The head: beside the posts where there is room, above them where there is not.
extension PageStyle {
  static let overview = """
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
