internal import Timeline

/// How `posts.key` records whether a post is in the home timeline. The key of a post that only other timelines contain begins with a space,
/// which is below every character of a key (`!` to `~`). The home timeline is therefore a range of keys: its queries read no other post,
/// and even a row of a corrupt file shows that it is not of the home timeline.
///
/// With a table of the posts that are not in home instead, every query of home would need a further condition and would pass over those posts.
/// With an entry for each post of home, the upgrade would write every post again.
enum StoredKey {
  private static let outside = " "
  /// The lower bound of the keys of the home timeline.
  static let lowestOfHome = "!"
  /// The condition on `posts.key` that is true in the home timeline.
  static let isHome = "key >= '\(lowestOfHome)'"
  /// The key without the space, as an SQL expression.
  static let plain = "ltrim(posts.key)"

  static func isInHome(_ text: String) -> Bool { text.utf8.first != UInt8(ascii: " ") }

  /// Returns the key of a stored text.
  static func key(_ text: String) -> PostKey {
    isInHome(text) ? PostKey(text) : PostKey(String(Substring(text.utf8.dropFirst())))
  }

  /// Returns the text to store for a key.
  static func text(_ key: PostKey, isInHome: Bool) -> String { isInHome ? key.text : outside + key.text }
}
