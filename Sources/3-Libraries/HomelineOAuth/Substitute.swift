internal import OAuthValues

/// What arrived in place of an API's answer.
///
/// A proxy, a firewall, a guest network or a web server in front of an API can answer instead of the API. Such a response says nothing
/// about a token, an address or a post; only an answer in the API's own format does.
package enum Substitute: Sendable, Hashable {
  /// A redirect. APIs do not redirect.
  /// - Parameter to: the host and port that it leads to; `nil` if it leads to the same server, or if this is unknown.
  case redirect(to: String?)
  case emptyBody
  case webPage
  /// Text or JSON in a format that the API does not use.
  /// - Parameter said: the message in it, on a single line; empty if there is none.
  case otherContent(said: String)
}

extension Substitute {
  /// Returns what a response contains, judging by its outer form; `nil` for JSON, which the API's reader has to examine.
  /// - Parameter redirect: the host and port in the `Location` header.
  package init?(_ response: OAuth.Response, redirect: String? = nil) {
    if let status = response.status, OAuth.ProviderError.isRedirect(status) {
      self = .redirect(to: redirect)
      return
    }
    let start = response.body.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    switch start {
    case nil: self = .emptyBody
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
    case UInt8(ascii: "<"):
      if case .page = ErrorText.read(response.body) { self = .webPage } else { self = .other(response) }
    default: self = .other(response)
    }
  }

  /// Returns a substitute that is neither empty nor a web page, with the message in it.
  package static func other(_ response: OAuth.Response) -> Substitute {
    let refusal = OAuth.ProviderError(response, expecting: "data")
    return .otherContent(said: refusal.flatMap { $0.content == .message ? $0.message : nil } ?? "")
  }

  /// The content, with its article.
  var name: String {
    switch self {
    case .redirect(let target): target.map { "a redirect to \($0)" } ?? "a redirect"
    case .emptyBody: "an empty body"
    case .webPage: "a web page"
    case .otherContent(""): "other content"
    case .otherContent(let said): "“\(said)”"
    }
  }

  /// Returns what came, without a full stop.
  /// - Parameter server: the name of the server that was asked.
  package func sentence(from server: String, status: Int) -> String {
    let advice =
      switch status {
      case 200..<400, 511: "; a Wi-Fi login page or a proxy may be answering, so open a browser to check"
      case 500...: "; the server is having problems"
      default: "; something in between may be answering"
      }
    let moved = status == 301 || status == 308 ? ". If the server has moved, change the account's server" : ""
    return "\(server) sent \(name) (status \(status)) instead of data\(advice)\(moved)"
  }
}
