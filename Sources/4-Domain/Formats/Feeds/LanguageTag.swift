/// A post's language, for use in feeds.
enum LanguageTag {
  /// Returns the tag if its syntax is valid (RFC 5646 §2.1: subtags of 1 to 8 letters and digits, the first consisting only of letters).
  static func checked(_ tag: String?) -> String? {
    guard let tag else { return nil }
    let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard subtags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }),
      subtags.first?.allSatisfy(isLetter) == true
    else { return nil }
    return tag
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
