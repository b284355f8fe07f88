internal import HTTP
internal import Settings

/// Decides about each request before anything else does, except for the connection's user (`PeerRule`).
///
/// A cookie alone proves little: cookies ignore ports, so a page on another port of this machine gets the browser to send ours, even with a
/// form and in spite of `SameSite`. Only `Origin` and `Sec-Fetch-Site` show where a request comes from.
struct AccessRules: Sendable {
  let port: UInt16
  let origins: [WebOrigin]

  enum Verdict: Sendable {
    case allowed(ServedOrigin, FetchMetadata)
    /// A page of another site leads here. The user decides whether to follow the link.
    case fromElsewhere
    case refused(WebError)
  }

  func judge(_ request: Request) -> Verdict {
    guard let origin = ServedOrigin(of: request, port: port, origins: origins) else {
      return .refused(
        WebError(
          .misdirectedRequest, "This address is not one of homeline's",
          "Open http://127.0.0.1:\(port)/, or add the front server's origin to web.origins in the configuration."))
    }
    let metadata = FetchMetadata(request.headers)
    if request.method == .get || request.method == .head {
      // A page of ours never sends content with GET.
      if request.announcesBody || !request.body.isEmpty { return .refused(.unexpectedContent) }
      guard metadata.site == .other else { return .allowed(origin, metadata) }
      return metadata.isNavigation ? .fromElsewhere : .refused(.otherOrigin)
    }
    // Each browser sends `Origin` with a form. Without it, the sender may be any page.
    guard request.headers.all("Origin") == [origin.text], metadata.site != .other else { return .refused(.otherOrigin) }
    return .allowed(origin, metadata)
  }
}

extension WebError {
  static let otherOrigin = WebError(
    .forbidden, "This request comes from another page", "homeline carries out only what its own pages send.")

  static let unexpectedContent = WebError(
    .badRequest, "This request has content", "Pages are asked for without content.")
}
