/// Finds the addresses that X replaces with `https://t.co/…`, including those without a scheme (twitter-text, configuration 3).
struct LinkScanner {
  let scalars: [Unicode.Scalar]
  /// Longer domain names do not exist (RFC 1035 §2.3.4). The limit keeps the cost linear.
  private static let longestDomain = 253
  /// The maximum length of an address, including its scheme.
  private static let longestLink = 4096
  /// The maximum length of the path in a t.co address.
  private static let longestShortCode = 40

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// Returns the ranges of all addresses, in order.
  func links() -> [Range<Int>] {
    guard scalars.contains(".") else { return [] }
    var links: [Range<Int>] = []
    var index = 0
    while index < scalars.count {
      // An address at the start of the text needs no preceding character. Elsewhere, the character before it must permit an address.
      if Self.mayPrecede(scalars[index]), let match = match(at: index + 1) {
        links += accepted(match)
        index = match.end
      } else if index == 0, let match = match(at: 0) {
        links += accepted(match)
        index = match.end
      } else {
        index += 1
      }
    }
    return links
  }

  /// Returns whether an address may directly follow a character.
  static func mayPrecede(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "@", "＠", "$", "#", "＃", "\u{FFFE}", "\u{FEFF}", "\u{FFFF}": false
    default: true
    }
  }

  // MARK: - Matches

  private struct Match {
    let start: Int
    /// The end of the scheme; nil for an address without a scheme.
    let schemeEnd: Int?
    let domain: Range<Int>
    let hasPath: Bool
    let end: Int
  }

  private func match(at start: Int) -> Match? {
    let schemeEnd = schemeEnd(at: start)
    guard let domain = domain(at: schemeEnd ?? start) else { return nil }
    let portEnd = portEnd(at: domain.upperBound)
    let pathEnd = pathEnd(at: portEnd)
    return Match(
      start: start, schemeEnd: schemeEnd, domain: domain, hasPath: pathEnd > portEnd, end: queryEnd(at: pathEnd))
  }

  /// Returns the addresses in a match: none, one, or, if they have no scheme, several adjacent ones in text without spaces.
  private func accepted(_ match: Match) -> [Range<Int>] {
    guard match.end - match.start <= Self.longestLink else { return [] }
    guard let schemeEnd = match.schemeEnd else { return withoutScheme(match) }
    guard hasText("t.co/", at: schemeEnd) else { return [match.start..<match.end] }
    let codeStart = schemeEnd + 5
    var end = codeStart
    while end < match.end, LinkCharacter.isLetterOrDigit(scalars[end]) { end += 1 }
    if end == codeStart { return [match.start..<match.end] }
    if end - codeStart > Self.longestShortCode { return [] }
    return [match.start..<min(queryEnd(at: end), match.end)]
  }

  private func withoutScheme(_ match: Match) -> [Range<Int>] {
    if match.start > 0, ["-", "_", ".", "/"].contains(scalars[match.start - 1]) { return [] }
    var links: [Range<Int>] = []
    var index = match.domain.lowerBound
    while index < match.domain.upperBound {
      if let end = latinDomainEnd(at: index, limit: match.domain.upperBound) {
        links.append(index..<end)
        index = end
      } else {
        index += 1
      }
    }
    // The path belongs to the last address. X assumes that the path follows this address directly, even if there is text in between.
    if match.hasPath, let last = links.popLast() {
      links.append(last.lowerBound..<last.upperBound + match.end - match.domain.upperBound)
    }
    return links
  }

  // MARK: - Parts of an address

  func schemeEnd(at start: Int) -> Int? {
    ["http://", "https://"].first { hasText($0, at: start) }.map { start + $0.unicodeScalars.count }
  }

  /// Returns the longest domain name that starts at an index and ends with a top-level domain.
  func domain(at start: Int) -> Range<Int>? {
    let limit = min(scalars.count, start + Self.longestDomain)
    var end: Int?
    var labelStart = start
    // A dot follows each label. The label before the top-level domain has no underscore.
    while let dot = labelEnd(at: labelStart, limit: limit), dot < limit, scalars[dot] == "." {
      if !scalars[labelStart..<dot].contains("_"), let found = TopLevelDomains.end(in: scalars[...], at: dot + 1) {
        end = found
      }
      labelStart = dot + 1
    }
    return end.map { start..<$0 }
  }

  func portEnd(at start: Int) -> Int {
    guard start + 1 < scalars.count, scalars[start] == ":" else { return start }
    var end = start + 1
    while end < scalars.count, "0"..."9" ~= scalars[end] { end += 1 }
    return end > start + 1 ? end : start
  }

  /// Returns the end of a label, which may have hyphens and underscores inside; nil if there is none.
  private func labelEnd(at start: Int, limit: Int) -> Int? {
    var end = start
    while end < limit, LinkCharacter.isDomainCharacter(scalars[end]) || scalars[end] == "-" || scalars[end] == "_" {
      end += 1
    }
    guard end > start, LinkCharacter.isDomainCharacter(scalars[start]),
      LinkCharacter.isDomainCharacter(scalars[end - 1])
    else {
      return nil
    }
    return end
  }

  /// Returns the end of a domain name of Latin letters. Without a scheme, X finds only such domain names.
  private func latinDomainEnd(at start: Int, limit: Int) -> Int? {
    var end: Int?
    var labelStart = start
    while true {
      var dot = labelStart
      while dot < limit,
        LinkCharacter.isLetterOrDigit(scalars[dot]) || LinkCharacter.isLatinAccent(scalars[dot]) || scalars[dot] == "-"
      {
        dot += 1
      }
      guard dot > labelStart, dot < limit, scalars[dot] == "." else { return end }
      if let found = TopLevelDomains.end(in: scalars[..<limit], at: dot + 1) { end = found }
      labelStart = dot + 1
    }
  }

  private func pathEnd(at start: Int) -> Int {
    guard start < scalars.count, scalars[start] == "/" else { return start }
    var end = start + 1
    var index = end
    while index < scalars.count {
      if let after = parenthesesEnd(at: index) {
        index = after
        end = after
      } else if LinkCharacter.isPathCharacter(scalars[index]) {
        index += 1
        if LinkCharacter.canEndPath(scalars[index - 1]) { end = index }
      } else {
        break
      }
    }
    return end
  }

  /// Returns the end of a pair of parentheses, which may contain another pair.
  private func parenthesesEnd(at start: Int) -> Int? {
    guard scalars[start] == "(" else { return nil }
    let first = pathCharactersEnd(at: start + 1)
    if first < scalars.count, scalars[first] == ")" { return first > start + 1 ? first + 1 : nil }
    guard first < scalars.count, scalars[first] == "(" else { return nil }
    let second = pathCharactersEnd(at: first + 1)
    guard second > first + 1, second < scalars.count, scalars[second] == ")" else { return nil }
    let third = pathCharactersEnd(at: second + 1)
    return third < scalars.count && scalars[third] == ")" ? third + 1 : nil
  }

  private func pathCharactersEnd(at start: Int) -> Int {
    var end = start
    while end < scalars.count, LinkCharacter.isPathCharacter(scalars[end]) { end += 1 }
    return end
  }

  private func queryEnd(at start: Int) -> Int {
    guard start < scalars.count, scalars[start] == "?" else { return start }
    var end = start
    var index = start + 1
    while index < scalars.count, LinkCharacter.isQueryCharacter(scalars[index]) {
      index += 1
      if LinkCharacter.canEndQuery(scalars[index - 1]) { end = index }
    }
    return end
  }

  /// Returns whether the given text begins at an index, case-insensitively.
  private func hasText(_ text: String, at start: Int) -> Bool {
    var index = start
    for expected in text.unicodeScalars {
      guard index < scalars.count else { return false }
      let isSame = scalars[index] == expected
      // 0x20 is the bit that distinguishes lower case from upper case.
      guard isSame || LinkCharacter.isLetterOrDigit(scalars[index]) && scalars[index].value | 0x20 == expected.value
      else {
        return false
      }
      index += 1
    }
    return true
  }
}
