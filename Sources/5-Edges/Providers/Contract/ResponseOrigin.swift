internal import Bytes
internal import HTTP
package import HomelineOAuth
internal import JSON

/// Who wrote a response: the API that was asked, or something between the API and this machine.
///
/// Each response is judged once, here, before it gets any meaning. A response that is not from the API means only that the request must be
/// repeated later, whatever was requested.
package enum ResponseOrigin: Sendable, Hashable {
  /// The API's data, or an error in the API's format.
  case api
  /// A known answer from the API that is not in its format.
  case habit(ServerHabit)
  /// Something else, such as a proxy or a guest network.
  case between(Substitute)
}

extension ResponseOrigin {
  /// Determines who wrote a response.
  /// - Parameters:
  ///   - origin: the origin that the request was sent to.
  ///   - habits: the server's answers that are not in the API's format.
  ///   - errorFormat: the formats of the API's errors.
  init(of response: ProviderResponse, from origin: String, habits: [ServerHabit], errorFormat: ErrorFormat) {
    if let habit = habits.first(where: { $0.matches(response) }) {
      self = .habit(habit)
      return
    }
    let outer = response.oauth
    let isOwn = { Self.isOwn(response, outer, errorFormat) }
    guard let substitute = Substitute(outer, redirect: response.target(otherThan: origin)) else {
      self = isOwn() ? .api : .between(.other(outer))
      return
    }
    switch substitute {
    // A success without content is complete for some requests. Readers of content report that it is missing.
    case .emptyBody where response.isSuccess: self = .api
    case .otherContent where isOwn(): self = .api
    case .emptyBody, .webPage, .redirect, .otherContent:
      self = OAuth.ProviderError.isProblemReport(outer) ? .api : .between(substitute)
    }
  }

  /// Returns whether data, or a refusal that is not a web page, is in the API's format.
  private static func isOwn(_ response: ProviderResponse, _ outer: OAuthResponse, _ errorFormat: ErrorFormat) -> Bool {
    if OAuth.ProviderError.isProblemReport(outer) { return true }
    guard let refusal = OAuth.ProviderError(outer, expecting: "JSON") else { return response.isSuccess }
    if let members = ErrorMembers(response.body) {
      return !members.formats.isDisjoint(with: errorFormat) && !isBare(refusal, members)
    }
    return refusal.content == .message && errorFormat.contains(.oauth1) && refusal.isOAuth1Report(in: response.body)
  }

  /// Returns whether a problem document says no more than its status 404, as those of gateways do. X's own name what does not exist.
  private static func isBare(_ refusal: OAuth.ProviderError, _ members: ErrorMembers) -> Bool {
    members.formats == .problem && refusal.status == 404
      && (refusal.type == nil || refusal.type == "about:blank")
      && (members.detail == nil || members.detail == members.title)
  }
}

/// The members of a JSON object that show the format of an error.
private struct ErrorMembers {
  private(set) var formats: ErrorFormat = []
  private(set) var title: String?
  private(set) var detail: String?

  /// The maximum size of an error in bytes.
  private static let byteLimit = 65_536

  /// Reads a JSON object; `nil` for any other body.
  init?(_ body: [UInt8]) {
    guard body.count <= Self.byteLimit, (try? JSONCursor.kind(of: body)) == .object else { return nil }
    var cursor = JSONCursor(body)
    let isWhole: Void? = try? cursor.members { cursor, name in
      switch name {
      case "error", "errors":
        formats.insert(.error)
        try cursor.skip()
      case "error_code", "result":
        formats.insert(.code)
        try cursor.skip()
      case "title":
        formats.insert(.problem)
        title = try cursor.lenientString()
      case "detail": detail = try cursor.lenientString()
      default: try cursor.skip()
      }
    }
    if isWhole == nil { return nil }
  }
}

extension OAuth.ProviderError {
  /// Returns whether the `WWW-Authenticate` header reports an OAuth error: `oauth_problem` (OAuth Problem Reporting), or
  /// `error="invalid_token"` (RFC 6750 §3.1). Only an API does this, regardless of the body.
  fileprivate static func isProblemReport(_ response: OAuthResponse) -> Bool {
    response.challenges.contains { isProblemReport($0) }
  }

  private static func isProblemReport(_ challenge: String) -> Bool {
    let text = challenge.lowercased()
    return text.hasPrefix("oauth ") && text.contains("oauth_problem") || namesInvalidToken(challenge)
  }

  /// Returns whether a challenge with the Bearer scheme says that the token is invalid.
  static func namesInvalidToken(_ challenge: String) -> Bool {
    let text = challenge.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    return text.contains("bearer")
      && text.split(whereSeparator: { $0 == "," }).contains { part in
        part == "error=invalid_token" || part.hasSuffix("bearererror=invalid_token")
      }
  }

  /// Returns whether the error is in a format of OAuth 1.0a servers other than JSON.
  fileprivate func isOAuth1Report(in body: [UInt8]) -> Bool {
    if problem != nil || code != nil || RefusalAdvice.knows(phraseIn: message) { return true }
    let text = String(decoding: body.prefix(64), as: UTF8.self).drop { $0.isWhitespace }
    // XML, MediaWiki's text, and form data.
    return text.hasPrefix("<") || text.hasPrefix("Error: ") || text.hasPrefix("error=")
      || text.hasPrefix("oauth_error=")
  }
}

extension ProviderResponse {
  /// The host and port to which a redirect leads, if that is another server than the one with this origin.
  fileprivate func target(otherThan origin: String) -> String? {
    guard let location = header("location"), let target = try? RequestURL(location), target.origin != origin
    else { return nil }
    return hiding.applied(to: target.authority)
  }

  /// Whether the API says in a header that the token is invalid.
  var namesInvalidToken: Bool {
    status == 401 && header("www-authenticate").map(OAuth.ProviderError.namesInvalidToken) ?? false
  }

  /// Whether the API says only that the request is not authorised. Some servers respond like this to an invalid token, and some proxies to
  /// every request.
  package var isEmptyUnauthorized: Bool { status == 401 && body.isEmpty && !namesInvalidToken }
}
