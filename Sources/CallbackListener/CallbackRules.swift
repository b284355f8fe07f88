package import HTTP
package import Platform

/// Classifies requests before they are passed to any login, and decides how to respond to those that are not redirects.
package struct CallbackRules: Sendable {
  /// The path that the provider redirects to.
  let path: String
  let port: UInt16

  package init(path: String, port: UInt16) {
    self.path = path
    self.port = port
  }

  package enum Decision: Sendable, Equatable {
    /// The request is answered with this page and has no other effect.
    case refuse(StatusCode, CallbackPage)
    /// The request is a redirect. `consumes` is false for a HEAD request: its response has the same headers as for GET,
    /// but the request has no other effect.
    case callback(query: String?, isNavigation: Bool, consumes: Bool)
    /// The browser requests the page shown at the end of a login, by its random name.
    case result(String)
  }

  package func decide(_ request: Request) -> Decision {
    // If a page's host name was made to resolve to this machine (DNS rebinding), its requests have a different Host.
    guard let authority = request.authority, LoopbackHost.accepts(authority, port: port) else {
      return .refuse(
        .misdirectedRequest,
        CallbackPage("Wrong address", "This listener only responds to requests for 127.0.0.1, [::1] and localhost."))
    }
    let isCallback = request.target.path == path
    guard covers(request.target.path) else {
      return .refuse(.notFound, CallbackPage("Not found", "This listener only responds to login callbacks."))
    }
    guard request.method == .get || request.method == .head else {
      return .refuse(.methodNotAllowed, CallbackPage("Method not allowed", "A callback must be a GET request."))
    }
    guard !request.announcesBody else {
      return .refuse(.badRequest, CallbackPage("Bad request", "A callback must not have a body."))
    }
    guard isCallback else { return .result(String(request.target.path.dropFirst(resultPrefix.count))) }
    return .callback(
      query: request.target.query, isNavigation: Self.isNavigation(request.headers),
      consumes: request.method == .get)
  }

  /// Returns whether the user may see the response as a page, as far as the browser reports it. Responses to requests for images, or from
  /// scripts, are not seen.
  ///
  /// Some requests have no `Sec-Fetch-Dest`, such as Chromium's WebSocket requests. These requests are recognised by their `Origin`, which
  /// no GET request for a page has. The request for a prefetched page looks like one for a page, although nobody has opened the page yet
  /// (Speculation Rules, Fetch §5.6).
  private static func isNavigation(_ headers: HeaderFields) -> Bool {
    let destination = headers.first(fetchDestination)
    return (destination == nil || destination == "document")
      && absentFromNavigations.allSatisfy { headers.first($0) == nil }
  }

  private static let fetchDestination: FieldName = "Sec-Fetch-Dest"
  private static let absentFromNavigations: [FieldName] = ["Origin", "Upgrade", "Purpose", "Sec-Purpose"]

  /// Returns whether a path is the callback path, or the path of a page at the end of a login.
  func covers(_ path: String) -> Bool { path == self.path || path.hasPrefix(resultPrefix) }

  private var resultPrefix: String { path == "/" ? "/done/" : "\(path)/done/" }

  /// Returns a redirect to the page at the end of the login, so that the code does not remain in the browser's address bar.
  package func redirect(toResult name: String) -> Response {
    var headers = CallbackPage.headers([:])
    if let location = FieldValue(resultPrefix + name) { headers.set("Location", location) }
    return Response(status: .seeOther, headers: headers)
  }
}

/// Limits how many consecutive requests that belong to no login receive a full response. The caller passes the time.
///
/// The limit is a leaky bucket: each guess adds one, and each second removes one. Nobody can guess 128 random bits; the limit only keeps
/// the cost of attempts low, and reports them once. A request that belongs to a login is never limited.
package struct GuessLimit: Sendable {
  /// The number of guesses that are answered in a burst: about as many as a browser sends when it reloads the tabs of old logins.
  package static let capacity = 32
  private static let drain = Duration.seconds(1)

  /// The time at which the bucket will be empty.
  private var emptyAt: BootInstant?
  private var hasReported = false

  package init() {}

  package enum Verdict: Sendable, Equatable {
    /// Answer the request.
    case allowed
    /// Reject the request. `isFirst` is true once for each login.
    case refused(isFirst: Bool)
  }

  /// Counts one more guess. Rejected guesses count too, up to the capacity, so that a client that keeps guessing stays rejected.
  package mutating func judge(at now: BootInstant) -> Verdict {
    let full = now + Self.drain * Self.capacity
    let level = max(emptyAt ?? now, now) + Self.drain
    emptyAt = min(level, full)
    guard level > full else { return .allowed }
    defer { hasReported = true }
    return .refused(isFirst: !hasReported)
  }

  /// Records that another login is waiting. The next rejected guess is then reported to the user of that login.
  package mutating func loginBegan() { hasReported = false }
}
