internal import HTTP

extension Request {
  /// Whether a form comes from a page of this server, or from no page: browsers say in `Origin` which one sent it (RFC 6454
  /// §7), and who says nothing is no browser.
  var isOwnForm: Bool {
    guard let origin = headers.first("Origin") else { return true }
    return origin == "http://\(headers.first(.host) ?? "")"
  }
}
