extension StringProtocol {
  /// Whether both are the same but for the case of ASCII letters.
  func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
    // Most names differ in their lengths, which costs no look at their bytes.
    guard utf8.count == other.utf8.count else { return false }
    return utf8.lazy.map(\.foldedCase).elementsEqual(other.utf8.lazy.map(\.foldedCase))
  }
}
