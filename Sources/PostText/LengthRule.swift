/// The rule by which a provider measures the length of a post.
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

  /// The lengths that an address can count as: no address is longer than 8,192 bytes.
  package static let addressLengths: ClosedRange<UInt16> = 1...8_192

  /// Measures a post, in time linear in the length of the text.
  /// - Parameter warning: the content warning, which Mastodon and its relatives count too.
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

/// A post's length, as its provider measures it.
package struct TextLength: Sendable, Hashable {
  package enum Unit: String, Sendable { case characters, bytes }

  package let count: Int
  /// The maximum length; `nil` if there is none.
  package let limit: Int?
  package let unit: Unit

  init(count: Int, limit: Int?, unit: Unit = .characters) {
    self.count = count
    self.limit = limit
    self.unit = unit
  }

  /// How much longer the post may be; negative if it is too long, `nil` if there is no limit.
  var remaining: Int? { limit.map { $0 - count } }

  var isWithinLimit: Bool { remaining.map { $0 >= 0 } ?? true }

  /// The reason the post cannot be sent, with advice for the user; `nil` if the post is short enough.
  package var problem: String? {
    guard let limit, count > limit else { return nil }
    return "The text has \(count) of \(limit) \(unit); shorten it by \(count - limit)."
  }
}
