public import Bytes
internal import OAuthValues

/// An error in a server's metadata. No part of the document may be used.
public enum ServerMetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The response is not a metadata document. The values are its status (0 if unknown) and a description, such as `a web page`.
  case unreadable(status: Int, String)
  /// The document describes a different server (RFC 8414 §3.3).
  case issuerMismatch(expected: String, received: String)
  /// A required member is missing or is not a string.
  case missing(String)
  /// A member appears more than once.
  case duplicateMember(String)
  /// An endpoint is not a valid URL.
  case badEndpoint(String, RequestURLError)
  /// An endpoint does not use https, or is on this machine although the server is not.
  case unsafeEndpoint(String, RequestURL)

  /// The HTTP status if there is no document, otherwise 200.
  public var status: Int {
    if case .unreadable(let status, _) = self { status } else { 200 }
  }

  /// Describes the error in a sentence.
  public var description: String {
    switch self {
    case .unreadable(let status, let message):
      "The server sent \(status == 0 ? "" : "status \(status) and ")\(message) where its metadata was expected."
        + (ResponseFormatError.isFromNetwork(message, status: status) ? " \(OAuth.ProviderError.networkAdvice)" : "")
    case .issuerMismatch(let expected, let received) where received == expected + "/":
      "The server calls itself \(received) (with a slash at the end); write it so."
    case .issuerMismatch(let expected, let received) where received + "/" == expected:
      "The server calls itself \(received) (without a slash at the end); write it so."
    case .issuerMismatch(let expected, let received):
      "The metadata belongs to “\(received)” instead of “\(expected)”; "
        + "check the server's address."
    case .missing(let name): "The server's metadata has no \(name)."
    case .duplicateMember(let name): "The server's metadata contains \(name) more than once."
    case .badEndpoint(let name, let error): "The server's metadata has an invalid \(name). \(error)"
    case .unsafeEndpoint(let name, let url):
      "The server's metadata names \("aeio".contains(name.first ?? " ") ? "an" : "a") \(name) "
        + (url.isLoopback
          ? "on this computer: \(url.text). homeline uses such an address only if the server itself is on this computer"
          : "with http: \(url.text). homeline uses only https, except on this computer")
    }
  }
}
