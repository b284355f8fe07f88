/// Why a server's description of itself cannot be used. Nothing of it may be.
public enum ServerMetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is none: the status, 0 when it is not known, and what came, such as `a web page`.
  case unreadable(status: Int, String)
  /// It describes another server (RFC 8414 §3.3).
  case foreignIssuer(expected: String, told: String)
  /// A member that has to be there is missing, or is no text.
  case missing(String)
  /// A member comes twice.
  case doubled(String)
  /// An endpoint is no address.
  case badEndpoint(String, RequestURLError)
  /// An endpoint is reached without TLS, or lies on this machine though the server does not.
  case unsafeEndpoint(String)

  /// The HTTP status where nothing could be read, 200 otherwise.
  public var status: Int {
    if case .unreadable(let status, _) = self { status } else { 200 }
  }

  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .unreadable(let status, let words):
      "The server sent \(status == 0 ? "" : "status \(status) and ")\(words) where its metadata was expected."
        + (Unreadable.advice(on: words, status: status).map { " \($0)" } ?? "")
    case .foreignIssuer(let expected, let told):
      "The metadata is that of “\(told)” and not of “\(expected)”; "
        + "check the server's address."
    case .missing(let name): "The server's metadata has no \(name)."
    case .doubled(let name): "The server's metadata has \(name) twice."
    case .badEndpoint(let name, let error): "The server's metadata has a \(name) that is no address. \(error)"
    case .unsafeEndpoint(let name):
      "The server's metadata has a \(name) that is not https, or that lies on this machine; it is not used."
    }
  }
}
