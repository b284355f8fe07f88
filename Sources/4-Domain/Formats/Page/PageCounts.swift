package import HTTP
package import Timeline

/// The numbers of replies, reposts and likes: abbreviated on screen, and in full for screen readers.
package enum PageCounts {
  package static func html(of counts: Post.Counts) -> Markup {
    let items = [
      item(counts.replies, "reply", one: "reply", many: "replies"),
      item(counts.reposts, "repost", one: "repost", many: "reposts"),
      item(counts.likes, "like", one: "like", many: "likes"),
    ].compactMap { $0 }
    return items.isEmpty ? "" : "<ul class=\"counts\">\(items.joined())</ul>\n"
  }

  private static func item(_ count: Int?, _ icon: Markup, one: Markup, many: Markup) -> Markup? {
    guard let count, count >= 0 else { return nil }
    let noun = count == 1 ? one : many
    let label: Markup = "\(count) \(noun)"
    let shown = short(count)
    // A number that is not abbreviated needs only its noun.
    let text: Markup =
      shown == String(count)
      ? "\(shown)<span class=\"unseen\"> \(noun)</span>"
      : "<span aria-hidden=\"true\">\(shown)</span><span class=\"unseen\">\(label)</span>"
    return "<li title=\"\(label)\">\(PageIcons.use(icon))\(text)</li>"
  }

  /// Returns a number formatted like `12,408`.
  package static func grouped(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    let groups = digits.indices.map { (digits.count - $0) % 3 == 0 && $0 > 0 ? ",\(digits[$0])" : "\(digits[$0])" }
    return (count < 0 ? "-" : "") + groups.joined()
  }

  /// Returns a number formatted like `999`, `1.2k`, `34k` or `5.6M`, rounded down.
  static func short(_ count: Int) -> String {
    for (unit, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")] where count >= unit {
      let tenths = count / (unit / 10)
      return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)\(letter)" : "\(tenths / 10)\(letter)"
    }
    return "\(count)"
  }
}
