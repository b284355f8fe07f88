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
