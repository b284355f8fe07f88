/// Shows the links of a post: people by their whole name, hashtags as they are written, all else by where it leads.
struct MastodonNames {
  /// Longer names are not put into a text: many of them would make it grow without end.
  private static let longestName = 300

  /// Whole names by the address of the person; several may have the same short name.
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
