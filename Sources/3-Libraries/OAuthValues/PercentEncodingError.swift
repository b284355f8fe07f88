/// An error for a `%` that is not followed by two hexadecimal digits.
public struct PercentEncodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The offset of the `%` in bytes.
  public let offset: Int

  /// Describes the error in a sentence.
  public var description: String { "The % at byte \(offset) is not followed by two hexadecimal digits." }
}
