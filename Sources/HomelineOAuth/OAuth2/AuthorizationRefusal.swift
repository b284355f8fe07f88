/// Why the user or the server did not grant access (RFC 6749 §4.1.2.1).
///
/// Any page on the web can send a browser here with such words: they are shown as foreign, and nothing follows from them
/// beyond the end of the attempt that they name.
public struct AuthorizationRefusal: Sendable, Hashable {
  /// `error`, such as `access_denied`; one line without control characters, empty when the server gave none.
  public let code: String
  /// `error_description`, likewise; nil without one.
  public let description: String?

  /// Takes the words as they came, and cleans them.
  public init(code: String, description: String?) {
    self.init(code: Array(code.utf8), description: description.map { Array($0.utf8) })
  }

  init(code: [UInt8], description: [UInt8]?) {
    // The login that it names, or may mean, hides its secrets itself.
    self.code = PlainWords.cleaned(code, hiding: .nothing)
    let words = PlainWords.cleaned(description ?? [], hiding: .nothing)
    self.description = words.isEmpty ? nil : words
  }

  /// Both in a line: at most 300 characters of each.
  public var words: String {
    let code = code.isEmpty ? "an error without a name" : code
    return description.map { "\(code): \($0)" } ?? code
  }
}
