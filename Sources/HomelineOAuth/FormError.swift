/// Why bytes are not form data that can be read safely.
public enum FormError: Error, Sendable, Hashable, CustomStringConvertible {
  /// More bytes than allowed.
  case tooLong(bytes: Int, limit: Int)
  /// More parameters than allowed.
  case tooManyParameters(limit: Int)
  /// A broken escape in the parameter with this index, counted from 0.
  case badEscape(parameter: Int)

  /// What is wrong, as a sentence without the data.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit): "The form data is \(bytes) bytes long; \(limit) are allowed."
    case .tooManyParameters(let limit): "The form data has more than \(limit) parameters."
    case .badEscape(let index): "Parameter \(index + 1) of the form data has a % without two hexadecimal digits."
    }
  }
}
