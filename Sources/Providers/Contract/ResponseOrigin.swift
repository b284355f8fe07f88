package import HomelineOAuth
internal import JSON

/// Who wrote a response: the API that was asked, or something between the API and this machine.
///
/// Each response is judged once, here, before it gets any meaning. What does not come from the API means only that the request has to be
/// repeated later, regardless of what was asked: a timeline, a token, a post, an upload or anything else.
package enum ResponseOrigin: Sendable, Hashable {
  /// The API's data, or an error in the API's format.
  case api
  /// A known answer of the API that is not in its format.
  case habit(ServerHabit)
  /// Something else, such as a proxy or a guest network.
  case between(Substitute)
}

/// The formats in which an API reports errors.
package struct ErrorFormat: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `{"error":…}` or `{"errors":…}`.
  static let error = ErrorFormat(rawValue: 1)
  /// A problem document (RFC 9457).
  static let problem = ErrorFormat(rawValue: 2)
  /// `{"error_code":…}`, or `{"result":…}` for an action that was not carried out.
  static let code = ErrorFormat(rawValue: 4)
  /// XML, form data, or plain text with a known phrase, as OAuth 1.0a servers send them in addition to JSON.
  static let oauth1 = ErrorFormat(rawValue: 8)
}

extension Provider {
  /// Returns who wrote a response.
  package func origin(of response: ProviderResponse) -> ResponseOrigin {
    if let habit = habits.first(where: { $0.matches(response) }) { return .habit(habit) }
    let outer = OAuthResponse(response)
    guard let substitute = Substitute(outer, redirect: response.foreignTarget(of: self)) else {
      return isOwn(response, outer) ? .api : .between(.other(outer))
    }
    switch substitute {
    // A success without content is complete for some requests. Readers of content report that it is missing.
    case .emptyBody where response.isSuccess: return .api
    case .otherContent where isOwn(response, outer): return .api
    case .emptyBody, .webPage, .redirect, .otherContent:
      return OAuth.ProviderError.isProblemReport(outer) ? .api : .between(substitute)
    }
  }

  /// Returns whether data, or a refusal that is not a web page, is in the API's format.
  private func isOwn(_ response: ProviderResponse, _ outer: OAuthResponse) -> Bool {
    if OAuth.ProviderError.isProblemReport(outer) { return true }
    guard let refusal = OAuth.ProviderError(outer, expecting: "JSON") else { return response.isSuccess }
    if let members = ErrorMembers(response.body) {
      return !members.formats.isDisjoint(with: errorFormat) && !isBare(refusal, members)
    }
    return refusal.content == .message && errorFormat.contains(.oauth1) && refusal.isOAuth1Report(in: response.body)
  }

  /// Returns whether a problem document says no more than its status 404, as those of gateways do. X's own name what does not exist.
  private func isBare(_ refusal: OAuth.ProviderError, _ members: ErrorMembers) -> Bool {
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
  /// Returns whether the `WWW-Authenticate` header reports an OAuth error, which only an API does: `oauth_problem` (OAuth Problem
  /// Reporting), or `error="invalid_token"` (RFC 6750 §3.1). The body can then be anything.
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
  /// The host and port to which a redirect leads, if that is another server than the provider's.
  fileprivate func foreignTarget(of provider: some Provider) -> String? {
    guard let location = header("location"), let target = try? RequestURL(location), target.origin != provider.host
    else { return nil }
    return hiding.applied(to: target.authority)
  }

  /// Whether the API says in a header that the token is invalid.
  var namesInvalidToken: Bool {
    status == 401 && header("www-authenticate").map(OAuth.ProviderError.namesInvalidToken) ?? false
  }

  /// Whether the API says nothing but that the request is not authorised. Some servers answer like this to an invalid token, and some
  /// proxies to every request.
  package var isEmptyUnauthorized: Bool { status == 401 && body.isEmpty && !namesInvalidToken }
}
