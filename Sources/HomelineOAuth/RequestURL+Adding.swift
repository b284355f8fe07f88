extension RequestURL {
  /// The same URL with parameters behind those that its query has.
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` when they make it so.
  func adding(_ parameters: [Parameter]) throws(RequestURLError) -> RequestURL {
    let joint =
      switch query {
      case nil: "?"
      case let query? where query.isEmpty || query.hasSuffix("&"): ""
      default: "&"
      }
    return try RequestURL(text + joint + FormEncoding.encode(parameters))
  }
}
