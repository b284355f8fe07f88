/// An error in a response that should contain a token. No part of the response may be used.
public enum OAuth2ResponseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The server sent an error in the standard format.
  case refused(OAuth2EndpointError)
  /// What arrived is not the server's answer. The values are its status (0 if unknown) and a description, such as `a web page`. The
  /// token in the request may still be valid.
  case unreadable(status: Int, String)
  /// The server's answer breaks the standard, so that no part of it can be used. The values are its status (0 if unknown) and a sentence
  /// without a full stop, such as `The server's token answer has no access_token (status 200)`. Waiting does not help until the server is
  /// fixed. The token in the request may still be valid.
  case unusable(status: Int, String)

  /// The HTTP status; 0 if it is unknown.
  public var status: Int {
    switch self {
    case .refused(let error): error.status
    case .unreadable(let status, _), .unusable(let status, _): status
    }
  }

  /// Describes the error in a sentence, without secrets.
  public var description: String {
    switch self {
    case .refused(let error): "The provider refused the request: \(error.message)."
    case .unusable(_, let sentence): "\(sentence)."
    case .unreadable(let status, let message):
      "The server sent \(message)\(status == 0 ? "" : " (status \(status))") instead of a token answer"
        + (ResponseFormatError.isFromNetwork(message, status: status)
          ? "; something in between may be answering." : ".")
    }
  }
}
