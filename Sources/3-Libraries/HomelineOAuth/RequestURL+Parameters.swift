internal import Bytes
internal import OAuthValues

extension RequestURL {
  /// Returns the URL with parameters appended to its query.
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` if the URL becomes too long.
  func adding(_ parameters: [OAuth.Parameter]) throws(RequestURLError) -> RequestURL {
    let separator =
      switch query {
      case nil: "?"
      case let query? where query.isEmpty || query.hasSuffix("&"): ""
      default: "&"
      }
    return try RequestURL(text + separator + OAuth.FormEncoding.encode(parameters))
  }
}
