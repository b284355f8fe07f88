package import Storage

extension StoredToken {
  /// The reason the content is not a usable token.
  package enum FormatError: Error {
    case newerSchema(Int64)
    case unknownKind(String)
    case corrupt(String)
  }
}
