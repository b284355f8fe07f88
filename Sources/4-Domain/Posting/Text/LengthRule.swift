/// How a provider measures the length of a post.
package enum LengthRule: Sendable, Hashable {
  /// X: Chinese, Japanese, Korean and most symbols weigh 2, each address 23, an emoji 2 (twitter-text, configuration 3).
  case weighted(limit: Int = 280)
  /// Mastodon: grapheme clusters in the warning and the text. An address in the text counts as `addressLength`, and `@user@host` as
  /// `@user`. Both numbers come from the instance: `max_characters` and `characters_reserved_per_url`.
  case mastodon(limit: Int, addressLength: UInt16 = 23)
  /// Grapheme clusters in the warning and the text, and their bytes in UTF-8: 300 and 3000 on Bluesky, no byte limit on Akkoma.
  case graphemes(limit: Int, byteLimit: Int? = nil)
  /// GNU social and GoToSocial: Unicode code points in the warning and the text. `nil` for a server without a limit.
  case codePoints(limit: Int?)
  /// Weibo: an ASCII character counts as one half, any other character as 1. The sum is rounded up.
  case weibo(limit: Int = 140)

  /// The possible lengths of an address in the count: no address is longer than 8,192 bytes.
  package static let addressLengths: ClosedRange<UInt16> = 1...8_192

  /// Measures a post, in time linear in the length of the text.
  /// - Parameter warning: the content warning, which Mastodon and related software also count.
  package func length(of text: String, warning: String = "") -> TextLength {
    let whole = warning + text
    switch self {
    case .weighted(let limit):
      return TextLength(count: WeightedText(whole).weight, limit: limit)
    case .mastodon(let limit, let addressLength):
      return TextLength(
        count: MastodonText.length(of: text, after: warning, addressLength: addressLength), limit: limit)
    case .graphemes(let limit, let byteLimit):
      let characters = TextLength(count: whole.count, limit: limit)
      let bytes = TextLength(count: whole.utf8.count, limit: byteLimit, unit: .bytes)
      return characters.isWithinLimit && !bytes.isWithinLimit ? bytes : characters
    case .codePoints(let limit):
      return TextLength(count: whole.unicodeScalars.count, limit: limit)
    case .weibo(let limit):
      let halves = whole.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
      return TextLength(count: (halves + 1) / 2, limit: limit)
    }
  }
}
