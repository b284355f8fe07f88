/// A `%` that is not followed by two hexadecimal digits.
public struct PercentEncodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many bytes stand before the `%`.
  public let offset: Int

  /// What is wrong, as a sentence.
  public var description: String { "The escape at byte \(offset) is not % and two hexadecimal digits." }
}
