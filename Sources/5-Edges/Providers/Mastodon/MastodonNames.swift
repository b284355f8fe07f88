/// The text shown for links: full names for mentions, unchanged hashtags, and the target for other links.
struct MastodonNames {
  /// The maximum length of an inserted name. Without it, many long names would make text grow without limit.
  private static let longestName = 300

  /// Full names by the user's address, because several users may have the same short name.
  private var byAddress: [String: String] = [:]
  private var byUserName: [String: Set<String>] = [:]

  init(_ mentions: [MastodonMention]) {
    for mention in mentions where !mention.address.isEmpty && mention.address.utf8.count <= Self.longestName {
      if let url = mention.url { byAddress[url] = mention.address }
      byUserName[mention.userName, default: []].insert(mention.address)
    }
  }

  func shown(_ tag: HTMLTag, _ inner: String) -> String {
    if inner.hasPrefix("#"), tag.hasClass("hashtag") || tag.attributes["rel"] == "tag" { return inner }
    guard inner.hasPrefix("@") else { return PlainHTML.shown(tag, inner) }
    if let name = name(tag, String(inner.dropFirst())) { return "@" + name }
    return tag.hasClass("mention") ? inner : PlainHTML.shown(tag, inner)
  }

  private func name(_ tag: HTMLTag, _ seen: String) -> String? {
    if let known = tag.attributes["href"].flatMap({ byAddress[$0] }) { return known }
    guard tag.hasClass("mention"), let candidates = byUserName[seen], candidates.count == 1 else { return nil }
    return candidates.first
  }
}
