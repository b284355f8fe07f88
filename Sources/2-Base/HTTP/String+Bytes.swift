extension String {
  /// Returns whether two strings are equal, ignoring the case of ASCII letters.
  func equalsIgnoringCase(_ other: String) -> Bool {
    // Comparing lengths first avoids looking at the bytes of most names.
    guard utf8.count == other.utf8.count else { return false }
    let (one, two) = (utf8.span, other.utf8.span)
    for index in one.indices where one[index] != two[index] {
      guard one[index].foldedCase == two[index].foldedCase else { return false }
    }
    return true
  }

  /// Returns whether a condition holds for each byte of the text in UTF-8. A span is several times as fast as the view's iterator.
  func allBytes(_ condition: (UInt8) -> Bool) -> Bool {
    let bytes = utf8.span
    for index in bytes.indices where !condition(bytes[index]) { return false }
    return true
  }
}
