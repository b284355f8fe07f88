/// The form of a word from another source, such as an error message. Every case except `plain` may identify the user.
enum WordShape: Equatable {
  /// A URL.
  case address
  /// A path that may be followed by a position in the file, as in `/home/u/config.json:3:1`.
  case path
  /// Several components. The first may be a host.
  case relativePath
  /// A mail address, or the name of a user on a server.
  case name
  case host
  /// A key, a number that may be an id, or escaped text.
  case hidden
  case plain

  init(of word: String) {
    if word.contains("://") {
      self = .address
    } else if word.hasPrefix("/") || word.hasPrefix("~") || word.hasPrefix("./") {
      self = .path
    } else if word.contains("\\") {
      self = .relativePath
    } else if word.contains(where: { "@＠﹫".contains($0) }) {
      self = .name
    } else if Self.looksLikeHost(word) {
      self = .host
    } else if word.contains("/") {
      self = .relativePath
    } else if Self.looksLikeKey(word) || Self.hasEscape(word) {
      self = .hidden
    } else {
      self = .plain
    }
  }

  /// Whether a word is a name with a dot and a top-level domain, a name with a port, an IPv4 or IPv6 address or an address of a network
  /// interface, each with or without a port.
  private static func looksLikeHost(_ word: String) -> Bool {
    if word.contains("::") || word.hasPrefix("[") || isColonHexadecimal(word) { return true }
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard let last = labels.last, labels.allSatisfy(isLabel) else { return false }
    if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return true }
    // A name without a dot is recognised only by its port.
    if labels.count == 1 { return parts.count == 2 && UInt16(parts[1]) != nil && last.contains(where: \.isLetter) }
    return last.count > 1 && last.contains(where: \.isLetter)
  }

  private static func isLabel(_ label: Substring) -> Bool {
    !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// Whether a word is an IPv6 address without `::`, or the address of a network interface. A time has fewer colons.
  private static func isColonHexadecimal(_ word: String) -> Bool {
    let groups = word.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
    return groups.count >= 6 && groups.allSatisfy { (1...4).contains($0.count) && $0.allSatisfy(\.isHexDigit) }
  }

  /// Whether a word is long and contains digits and letters, or is longer than any word in a human language. Also true if it contains a
  /// number as long as an id or an address, or a digit between letters, as Base64 often does.
  private static func looksLikeKey(_ word: String) -> Bool {
    word.count >= 32 || word.count >= 12 && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
      || word.split(whereSeparator: { !$0.isNumber }).contains { $0.count >= 9 }
      || word.hasPrefix("0x") && word.count >= 10 || word.count >= 6 && hasDigitBetweenLetters(word)
  }

  private static func hasDigitBetweenLetters(_ word: String) -> Bool {
    let parts = word.split(omittingEmptySubsequences: false, whereSeparator: \.isNumber)
    return zip(parts, parts.dropFirst()).contains { $0.last?.isLetter == true && $1.first?.isLetter == true }
  }

  /// Whether a word contains percent-encoded bytes (RFC 3986 §2.1), which can hide a path or a name.
  private static func hasEscape(_ word: String) -> Bool {
    word.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
      .contains { $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }
  }
}
