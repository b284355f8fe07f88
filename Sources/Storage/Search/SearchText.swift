package import Timeline

/// What stands in the index of words: text as the tokenizer of the table `search` takes it.
///
/// That tokenizer (sqlite.org/fts5.html#unicode61_tokenizer) makes a word of every run of letters, and so of a whole sentence where no
/// spaces are written. Runs of such characters are therefore put in as overlapping pairs and the last character alone: 東京都 becomes
/// `東京 京都 都`. A word of two characters is then a word of the index, a longer one a phrase, and a single character the
/// beginning of one. Emoji are words too. Of the same post it is the same text at any time, which taking it out of the index relies on.
package enum SearchText {
  /// What the column `text` gets: what the post says, what it quotes, and what is to be seen on its pictures.
  package static func text(of post: Post) -> String {
    var text = post.text
    if let quoted = post.quoted { text += "\n" + quoted.text }
    for media in [post.media, post.quoted?.media ?? []] {
      for words in media.lazy.compactMap(\.alternativeText) { text += "\n" + words }
    }
    return indexed(text)
  }

  /// What the column `author` gets: the names of who wrote it, who passed it on and who is quoted.
  package static func author(of post: Post) -> String {
    var names = post.author.screenName + "\n" + post.author.name
    for user in [post.repostedBy, post.quoted?.author] {
      if let user { names += "\n" + user.screenName + "\n" + user.name }
    }
    return indexed(names)
  }

  /// Plain text as it is put into the index.
  package static func indexed(_ plain: String) -> String {
    // Nothing of ASCII is changed.
    if plain.utf8.allSatisfy({ $0 < 0x80 }) { return plain }
    return spaced(FoldedText.scalars(of: plain), endsInside: false).text
  }

  /// Part of a text as it is looked for: behind its end the run of characters may go on.
  /// - Returns: the words of a phrase, and whether the last one is the beginning of a word only; `nil` for a text without words.
  static func sought(_ plain: String) -> (text: String, isPrefix: Bool)? {
    let scalars = FoldedText.scalars(of: plain)
    // What is no word stands in nobody's way: behind it the run would seem to have ended.
    guard let last = scalars.lastIndex(where: isOfWord) else { return nil }
    return spaced(Array(scalars[...last]), endsInside: true)
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if case .word = Pictograph.role(of: scalar) { return true }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func spaced(_ scalars: [Unicode.Scalar], endsInside: Bool) -> (text: String, isPrefix: Bool) {
    // Bytes, since appending to a String looks at its form each time.
    var text: [UInt8] = []
    text.reserveCapacity(scalars.count * 4)
    var isPrefix = false
    var start = 0
    while start < scalars.count {
      guard CJK.contains(scalars[start]) else {
        append(scalars[start], to: &text)
        start += 1
        continue
      }
      let end = scalars[start...].firstIndex { !CJK.contains($0) } ?? scalars.count
      let goesOn = endsInside && end == scalars.count
      isPrefix = goesOn && end - start == 1
      text.append(space)
      for index in start..<end where index + 1 < end || !goesOn || isPrefix {
        put(scalars[index], into: &text)
        if index + 1 < end { put(scalars[index + 1], into: &text) }
        text.append(space)
      }
      start = end
    }
    return (String(decoding: text, as: UTF8.self), isPrefix)
  }

  private static let space = UInt8(ascii: " ")

  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    switch Pictograph.role(of: scalar) {
    case .none: put(scalar, into: &text)
    case .word(let word):
      text.append(space)
      put(word, into: &text)
      text.append(space)
    case .space: text.append(space)
    case .modifier: break
    }
  }

  /// In UTF-8.
  private static func put(_ scalar: Unicode.Scalar, into text: inout [UInt8]) {
    if scalar.isASCII { return text.append(UInt8(truncatingIfNeeded: scalar.value)) }
    for unit in UTF8.encode(scalar)! { text.append(unit) }
  }
}

/// The characters that are written without spaces between words, so that a tokenizer for words finds none in them.
///
/// Numbers and not Unicode's properties: what an index was made from has to be made again by any later version, letter by letter.
enum CJK {
  /// Whether it is cut into pairs: Han, kana with the prolonged sound mark, Bopomofo, Hangul (whose words have spaces between them, but
  /// are looked for by their parts).
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x11ff,  // Hangul Jamo
      0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303c,  // iteration marks, zero, Suzhou numerals
      0x3041...0x3096, 0x309d...0x309f,  // Hiragana
      0x30a1...0x30fa, 0x30fc...0x30ff,  // Katakana
      0x3105...0x312f, 0x31a0...0x31bf,  // Bopomofo
      0x3131...0x318e,  // Hangul Compatibility Jamo
      0x31f0...0x31ff,  // Katakana Phonetic Extensions
      0x3400...0x4dbf, 0x4e00...0x9fff,  // Han, extension A first
      0xa960...0xa97f, 0xac00...0xd7ff,  // Hangul
      0xf900...0xfaff,  // Han, for compatibility
      0xff66...0xffdc,  // halfwidth kana and Hangul
      0x1aff0...0x1afff, 0x1b000...0x1b16f,  // more kana
      0x20000...0x3ffff:  // Han, extensions B and further
      true
    default: false
    }
  }
}

/// Emoji and other signs. The tokenizer's tables are of Unicode 6.1: it drops the signs that were there then, and takes each later one
/// for a letter of the word beside it.
enum Pictograph {
  /// What stands for a scalar in the index.
  enum Role: Equatable {
    /// Not a sign, or one that the tokenizer knows what to do with.
    case none
    /// A word of its own: this letter of the Private Use Area.
    case word(Unicode.Scalar)
    /// Stands between words.
    case space
    /// Says only how the one before looks.
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
    // Isolates, currencies, turned digits, later punctuation, and letters that only their writer knows.
    case 0x2066...0x206f, 0x20a0...0x20cf, 0x218a...0x218f, 0x2e00...0x2e7f, 0xe000...0xf8ff: .space
    default: .none
    }
  }

  private static func word(_ first: UInt32, _ distance: UInt32) -> Role {
    Unicode.Scalar(first + distance).map { .word($0) } ?? .space
  }
}
