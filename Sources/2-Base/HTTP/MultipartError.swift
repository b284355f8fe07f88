/// The reason the content of a request is not a form of type `multipart/form-data` that ``MultipartReader`` accepts.
package enum MultipartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The content does not begin with the boundary, or something else than a line break follows a boundary.
  case noBoundary
  /// The content ends before the closing boundary.
  case incomplete
  /// Bytes follow the closing boundary.
  case trailingBytes
  /// A part's header is malformed, or names no field.
  case malformedHeader
  case headerTooLong(limit: Int)
  case tooManyParts(limit: Int)

  package var description: String {
    switch self {
    case .noBoundary: "the parts of the form are not separated by its boundary"
    case .incomplete: "the form ends before its closing boundary"
    case .trailingBytes: "something follows the end of the form"
    case .malformedHeader: "the header of a part of the form is malformed"
    case .headerTooLong(let limit): "the header of a part of the form is longer than \(limit) bytes"
    case .tooManyParts(let limit): "the form has more than \(limit) parts"
    }
  }
}
