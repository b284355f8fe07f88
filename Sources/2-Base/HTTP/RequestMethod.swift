/// The method of a request: a case-sensitive token (RFC 9110 §9.1).
package struct RequestMethod: Hashable, Sendable {
  package let name: String

  /// Returns nil if `name` is not a token.
  package init?(_ name: some StringProtocol) {
    guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { return nil }
    self.name = String(name)
  }

  private init(known name: String) { self.name = name }

  package static let get = RequestMethod(known: "GET")
  package static let head = RequestMethod(known: "HEAD")
  package static let post = RequestMethod(known: "POST")
  package static let put = RequestMethod(known: "PUT")
  package static let patch = RequestMethod(known: "PATCH")
  package static let delete = RequestMethod(known: "DELETE")
  static let options = RequestMethod(known: "OPTIONS")
  static let connect = RequestMethod(known: "CONNECT")
}

extension RequestMethod: CustomStringConvertible {
  package var description: String { name }
}
