internal import CConstantTime

/// Returns whether two byte strings are equal. The time taken depends only on their lengths.
///
/// Use this function to compare signatures, tokens and verifiers. A comparison that stops at the first difference would reveal how much of
/// a guess is right.
public func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe cconstant_time_differ(left, right, left.count) == 0
}

/// Returns whether two strings have equal UTF-8 bytes. The time taken depends only on their lengths.
///
/// Unlike `==` on `String`, this function does not treat canonically equivalent characters as equal.
public func equalInConstantTime(_ left: String, _ right: String) -> Bool {
  equalInConstantTime(Array(left.utf8), Array(right.utf8))
}
