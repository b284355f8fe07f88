/// The posts. Each box clips what it holds: text can be made to grow out of its line, over whatever stands there.
extension PageStyle {
  static let posts = """
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
      border-radius: 50%; object-fit: cover; font-size: .95rem; font-weight: 600; line-height: 1; letter-spacing: .01em;
    }
    .avatar.small { width: 24px; height: 24px; font-size: .62rem; }
    .byline { display: flex; align-items: baseline; gap: 0 7px; line-height: 1.4; }
    .byline > .avatar { align-self: center; }
    .name { font-weight: 620; }
    .handle, .when { color: var(--soft); font-size: .9rem; }
    .byline > .name, .byline > .handle { min-width: 0; overflow: clip; text-overflow: ellipsis; white-space: nowrap; }
    .byline > .handle { flex: 1 1 0; }
    .when { flex: none; margin-left: auto; white-space: nowrap; font-variant-numeric: tabular-nums; }
    .new { flex: none; align-self: center; width: 8px; height: 8px; border-radius: 50%; background: var(--accent); }
    .answers { color: var(--soft); font-size: .9rem; overflow: clip; }
    .byline + .answers { margin-top: 0; }
    .text { padding: 2px 3px; margin-inline: -3px; overflow: clip; contain: paint; }
    .byline + .text, .answers + .text { margin-top: 0; }
    .pictures { display: grid; grid-template-columns: 1fr 1fr; gap: 4px; border-radius: 12px; overflow: clip; }
    .content > .pictures, .content > .quote, .content > .attachments { margin-top: 10px; }
    .pictures.one { grid-template-columns: minmax(0, 1fr); }
    .picture { display: block; min-width: 0; aspect-ratio: 1; background: var(--line); overflow: clip; }
    .picture:focus-visible { outline-offset: -3px; }
    .one .picture { aspect-ratio: 16 / 9; }
    .picture:first-child:nth-last-child(odd) { grid-column: 1 / -1; aspect-ratio: 2; }
    .one .picture:first-child { aspect-ratio: 16 / 9; }
    .picture img { display: block; width: 100%; height: 100%; object-fit: cover; }
    .attachments { display: grid; gap: 4px; font-size: .92rem; }
    .attachment { display: inline-flex; align-items: center; gap: 8px; max-width: 100%; overflow: clip; }
    .seen { display: block; padding-left: 24px; color: var(--soft); overflow: clip; }
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
      .post > .avatar { width: 38px; height: 38px; font-size: .86rem; }
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
