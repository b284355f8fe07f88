extension StringProtocol {
  /// Returns whether two strings are equal, ignoring the case of ASCII letters.
  func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
    // Comparing lengths first avoids looking at the bytes of most names.
    guard utf8.count == other.utf8.count else { return false }
    return utf8.lazy.map(\.foldedCase).elementsEqual(other.utf8.lazy.map(\.foldedCase))
  }
}
