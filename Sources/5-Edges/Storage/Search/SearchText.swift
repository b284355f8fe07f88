package import Timeline

/// The text stored in the search index, in the form that the tokenizer of the `search` table needs.
///
/// This tokenizer (sqlite.org/fts5.html#unicode61_tokenizer) treats each run of letters as one word, so a whole sentence would be one word
/// in scripts without spaces. Runs of such characters are therefore stored as overlapping pairs, followed by the last character alone: 東京都
/// becomes `東京 京都 都`. A query of two characters then matches one word in the index, a longer query matches a phrase, and a single character
/// matches a prefix. Emoji are stored as words. A post must always produce the same text, because FTS5 needs this text to remove the post
/// from the index.
package enum SearchText {
  /// Returns the `text` column: the post's text, the quoted text and the descriptions of its pictures.
  package static func text(of post: Post) -> String { indexed(joined { eachText(of: post, $0) }) }

  /// Returns the `author` column: the names of the author, the reposter and the quoted author.
  package static func author(of post: Post) -> String { indexed(joined { eachName(of: post, $0) }) }

  /// Passes the parts of the `text` column to a closure, in their order in the index.
  static func eachText(of post: Post, _ take: (PostMatches.Part, String) -> Void) {
    take(.text, post.text)
    if let quoted = post.quoted { take(.quotedText, quoted.text) }
    for (index, media) in post.media.enumerated() {
      if let description = media.alternativeText { take(.description(index), description) }
    }
    for (index, media) in (post.quoted?.media ?? []).enumerated() {
      if let description = media.alternativeText { take(.quotedDescription(index), description) }
    }
  }

  /// Passes the parts of the `author` column to a closure, in their order in the index.
  static func eachName(of post: Post, _ take: (PostMatches.Part, String) -> Void) {
    func takeNames(of user: User, _ person: PostMatches.Person) {
      take(.screenName(person), user.screenName)
      take(.name(person), user.name)
    }
    takeNames(of: post.author, .author)
    if let reposter = post.repostedBy { takeNames(of: reposter, .reposter) }
    if let quoted = post.quoted { takeNames(of: quoted.author, .quotedAuthor) }
  }

  private static func joined(_ each: ((PostMatches.Part, String) -> Void) -> Void) -> String {
    var joined: String?
    each { _, text in
      if joined == nil {
        joined = text
      } else {
        joined? += "\n"
        joined? += text
      }
    }
    return joined ?? ""
  }

  /// Returns plain text in the form that the index stores.
  static func indexed(_ plain: String) -> String {
    // ASCII needs no change, and separates what is folded or paired.
    let bytes = Array(plain.utf8)
    guard var index = bytes.firstIndex(where: { $0 >= 0x80 }) else { return plain }
    var text = Array(bytes[..<index])
    text.reserveCapacity(bytes.count * 2)
    while index < bytes.count {
      let ascii = bytes[index...].firstIndex { $0 < 0x80 } ?? bytes.count
      let other = String(decoding: bytes[index..<ascii], as: UTF8.self)
      appendSpaced(FoldedText.scalars(of: other), endsInside: false, to: &text)
      index = bytes[ascii...].firstIndex { $0 >= 0x80 } ?? bytes.count
      text += bytes[ascii..<index]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns plain text in the form stored in the index, and each Unicode scalar's source scalars in the plain text.
  static func traced(_ plain: String) -> (text: String, origins: [Range<Int>]) {
    var starts: [Int] = []
    let scalars = FoldedText.scalars(of: plain) { starts.append($0) }
    starts.append(plain.unicodeScalars.count)
    var origins: [Range<Int>] = []
    // Bytes are faster than a String, which checks its encoding on each append.
    var text: [UInt8] = []
    appendSpaced(scalars, endsInside: false, to: &text) { origins.append(starts[$0]..<starts[$0 + 1]) }
    return (String(decoding: text, as: UTF8.self), origins)
  }

  /// Returns the normalised form of a search term. In the index, the last run of characters may be longer.
  /// - Returns: the words of a phrase, and whether the last one is only a prefix; `nil` for text without words.
  static func queryText(_ plain: String) -> (text: String, isPrefix: Bool)? {
    let scalars = FoldedText.scalars(of: plain)
    // A final character that is not part of a word is left out, because the run would seem to end there.
    guard let last = scalars.lastIndex(where: isOfWord) else { return nil }
    var text: [UInt8] = []
    let isPrefix = appendSpaced(Array(scalars[...last]), endsInside: true, to: &text)
    return (String(decoding: text, as: UTF8.self), isPrefix)
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if case .word = Pictograph.role(of: scalar) { return true }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Appends scalars in the form that the index stores.
  /// - Parameter note: called for each appended scalar, with the index of its source scalar.
  /// - Returns: whether the last word is only a prefix.
  @inline(__always) @discardableResult
  private static func appendSpaced(
    _ scalars: [Unicode.Scalar], endsInside: Bool, to text: inout [UInt8], _ note: (Int) -> Void = { _ in }
  ) -> Bool {
    var isPrefix = false
    var start = 0
    while start < scalars.count {
      guard CJK.contains(scalars[start]) else {
        for _ in 0..<append(scalars[start], to: &text) { note(start) }
        start += 1
        continue
      }
      let end = scalars[start...].firstIndex { !CJK.contains($0) } ?? scalars.count
      let goesOn = endsInside && end == scalars.count
      isPrefix = goesOn && end - start == 1
      text.append(space)
      note(start)
      for index in start..<end where index + 1 < end || !goesOn || isPrefix {
        put(scalars[index], into: &text)
        note(index)
        if index + 1 < end {
          put(scalars[index + 1], into: &text)
          note(index + 1)
        }
        text.append(space)
        note(index)
      }
      start = end
    }
    return isPrefix
  }

  private static let space = UInt8(ascii: " ")

  /// Appends a scalar in its indexed form.
  /// - Returns: the number of appended scalars.
  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) -> Int {
    switch Pictograph.role(of: scalar) {
    case .none:
      put(scalar, into: &text)
      return 1
    case .word(let word):
      text.append(space)
      put(word, into: &text)
      text.append(space)
      return 3
    case .space:
      text.append(space)
      return 1
    case .modifier: return 0
    }
  }

  /// Appends the scalar in UTF-8.
  private static func put(_ scalar: Unicode.Scalar, into text: inout [UInt8]) {
    if scalar.isASCII { return text.append(UInt8(truncatingIfNeeded: scalar.value)) }
    for unit in UTF8.encode(scalar)! { text.append(unit) }
  }
}

/// Emoji and other symbols. The tokenizer uses the tables of Unicode 6.1: it drops the symbols in these tables, and treats each later
/// symbol as a letter of the adjacent word.
enum Pictograph {
  /// The form of a scalar in the index.
  enum Role: Equatable {
    /// The scalar is not a symbol, or the tokenizer handles it correctly.
    case none
    /// A separate word, stored as this letter from the Private Use Area.
    case word(Unicode.Scalar)
    /// A separator between words.
    case space
    /// A modifier of the preceding symbol's appearance.
    case modifier
  }

  static func role(of scalar: Unicode.Scalar) -> Role {
    switch scalar.value {
    case ..<0x2000: .none
    case 0x1f3fb...0x1f3ff: .modifier
    case 0x1f000...0x1faff: word(0xe000, scalar.value - 0x1f000)
    case 0x2300...0x23ff: word(0xeb00, scalar.value - 0x2300)
    case 0x2600...0x27bf: word(0xec00, scalar.value - 0x2600)
    case 0x2b00...0x2bff: word(0xee00, scalar.value - 0x2b00)
    // Isolates, currencies, turned digits, later punctuation, and private-use letters.
    case 0x2066...0x206f, 0x20a0...0x20cf, 0x218a...0x218f, 0x2e00...0x2e7f, 0xe000...0xf8ff: .space
    default: .none
    }
  }

  private static func word(_ first: UInt32, _ distance: UInt32) -> Role {
    Unicode.Scalar(first + distance).map { .word($0) } ?? .space
  }
}
