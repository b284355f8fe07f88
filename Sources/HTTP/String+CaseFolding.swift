extension StringProtocol {
  /// Whether both are the same but for the case of ASCII letters.
  func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
    utf8.lazy.map(\.foldedCase).elementsEqual(other.utf8.lazy.map(\.foldedCase))
  }
}
