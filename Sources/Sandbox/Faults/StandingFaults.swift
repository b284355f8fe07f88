internal import HTTP

/// Faults that last for a whole run, as `homeline sandbox --fault` asks for them. They meet requests to the API; authorisation goes on,
/// unless a fault names it.
package struct StandingFaults: Sendable {
  package enum Name: String, Sendable, CaseIterable {
    /// 429, with `Retry-After` and a limit that is used up.
    case rateLimited = "rate-limited"
    /// 401: the token was revoked elsewhere.
    case tokenRevoked = "token-revoked"
    /// 503 with an HTML page, from in front of the API.
    case serverError = "server-error"
    /// 200 with the HTML page of a network that wants a log-in of its own.
    case captivePortal = "captive-portal"
    /// The connection ends without a response.
    case noAnswer = "no-answer"
    /// Half of the body, in a response that is complete in itself.
    case cutOff = "cut-off"
    /// The response comes 10 s later.
    case slow
    /// 503 from the endpoints that issue tokens.
    case tokenEndpointError = "token-endpoint-error"
  }

  private var entries: [(name: Name, every: Int, seen: Int)] = []

  package init() {}

  /// - Parameter every: meets each so-manieth request; 1 or more.
  package mutating func add(_ name: Name, every: Int = 1) {
    precondition(every >= 1, "a fault meets every first request or fewer")
    entries.append((name, every, 0))
  }

  /// Takes what goes wrong with the response to a request; the first fault that meets it counts.
  mutating func next(for request: Request) -> SandboxFault? {
    let isOfTokens = Self.issuesTokens(request.target.path)
    guard isOfTokens || Self.isOfAPI(request.target.path) else { return nil }
    for index in entries.indices where (entries[index].name == .tokenEndpointError) == isOfTokens {
      entries[index].seen += 1
      if entries[index].seen % entries[index].every == 0 { return entries[index].name.fault }
    }
    return nil
  }

  private static func issuesTokens(_ path: String) -> Bool {
    path.contains("oauth") && (path.hasSuffix("token") || path.hasSuffix("access_token"))
  }

  /// Whether it is neither authorisation nor registration nor metadata.
  private static func isOfAPI(_ path: String) -> Bool {
    !path.contains("oauth") && !path.hasSuffix("/apps") && !path.contains("/status/")
  }
}

extension StandingFaults.Name {
  fileprivate var fault: SandboxFault {
    switch self {
    case .rateLimited:
      var response = Response(
        json: Array(#"{"errors":[{"code":88,"message":"Rate limit exceeded"}],"error":"Too many requests"}"#.utf8),
        status: .tooManyRequests)
      response.headers.set("Retry-After", "60")
      for name in ["x-rate-limit-remaining", "X-RateLimit-Remaining"] as [FieldName] { response.headers.set(name, "0") }
      return .answer(response)
    case .tokenRevoked:
      var response = Response(
        json: Array(
          #"{"errors":[{"code":89,"message":"Invalid or expired token."}],"error":"The access token was revoked"}"#.utf8
        ),
        status: .unauthorized)
      response.headers.set("WWW-Authenticate", "Bearer error=\"invalid_token\"")
      return .answer(response)
    case .serverError, .tokenEndpointError: return .overCapacity
    case .captivePortal: return .captivePortal
    case .noAnswer: return .drop(worked: true)
    case .cutOff: return .change { $0.body = Array($0.body.prefix($0.body.count / 2)) }
    case .slow: return .delay(.seconds(10))
    }
  }
}
