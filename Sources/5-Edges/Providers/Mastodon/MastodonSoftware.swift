/// A Mastodon-compatible server's software, as far as its description shows it.
struct MastodonSoftware {
  /// The version in lower case. Most servers name their software in it, because it must begin like one of Mastodon's.
  let version: String
  /// The address of the source code in lower case; empty if it is not reported.
  let source: String
  /// Whether the server reports which version of Mastodon's API it has (`api_versions`), as Mastodon and its forks do since 4.3.
  let reportsAPIVersion: Bool

  /// The numbers at the beginning of the version.
  var numbers: Numbers { Numbers(version[...]) }

  /// The first two numbers of a version.
  struct Numbers: Comparable {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    /// Reads the numbers at the beginning of a string; a missing number is 0.
    init(_ text: Substring) {
      let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
      let numbers = parts.prefix(2).map { Int($0.prefix { ("0"..."9").contains($0) }.prefix(9)) ?? 0 }
      self.init(numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0)
    }

    static func < (left: Numbers, right: Numbers) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
  }
}
