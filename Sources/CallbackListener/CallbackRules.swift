package import HTTP
package import Platform

/// Decides what a request to a callback path is, before any login sees it. Most requests are answered here.
package struct CallbackRules: Sendable {
  /// The path that the provider redirects to.
  let path: String
  let port: UInt16

  package init(path: String, port: UInt16) {
    self.path = path
    self.port = port
  }

  package enum Decision: Sendable, Equatable {
    /// The request is answered with this page and changes nothing.
    case refuse(StatusCode, CallbackPage)
    /// The request is a redirect. `consumes` is false for HEAD, which gets the headers that GET would get and changes nothing.
    case callback(query: String?, isNavigation: Bool, consumes: Bool)
    /// The browser asks for the page at the end of a login, by its random name.
    case result(String)
  }

  package func decide(_ request: Request) -> Decision {
    // Another Host belongs to a page whose own name was made to resolve to this machine (DNS rebinding).
    guard let authority = request.authority, LoopbackHost.accepts(authority, port: port) else {
      return .refuse(
        .misdirectedRequest,
        CallbackPage("Wrong address", "This listener answers for 127.0.0.1, [::1] and localhost only."))
    }
    let isCallback = request.target.path == path
    guard covers(request.target.path) else {
      return .refuse(.notFound, CallbackPage("Not found", "Only the callback of a login is answered here."))
    }
    guard request.method == .get || request.method == .head else {
      return .refuse(.methodNotAllowed, CallbackPage("Method not allowed", "A callback is a GET request."))
    }
    guard !request.announcesBody else {
      return .refuse(.badRequest, CallbackPage("Bad request", "A callback has no body."))
    }
    guard isCallback else { return .result(String(request.target.path.dropFirst(resultPrefix.count))) }
    return .callback(
      query: request.target.query, isNavigation: Self.isNavigation(request.headers),
      consumes: request.method == .get)
  }

  /// Whether a person may see the page that the request leads to, as far as the browser says. Images and scripted requests are not seen.
  ///
  /// Not every kind of request says what it is for: Chromium's WebSocket requests do not, but they have an `Origin`, which no GET of a page
  /// has. A prefetched page looks like a page, although nobody has gone there yet (Speculation Rules, Fetch §5.6).
  private static func isNavigation(_ headers: HeaderFields) -> Bool {
    let destination = headers.first(fetchDestination)
    return (destination == nil || destination == "document")
      && absentFromNavigations.allSatisfy { headers.first($0) == nil }
  }

  private static let fetchDestination: FieldName = "Sec-Fetch-Dest"
  private static let absentFromNavigations: [FieldName] = ["Origin", "Upgrade", "Purpose", "Sec-Purpose"]

  /// Whether a path is the callback's, or that of a page at the end of a login.
  func covers(_ path: String) -> Bool { path == self.path || path.hasPrefix(resultPrefix) }

  private var resultPrefix: String { path == "/" ? "/done/" : "\(path)/done/" }

  /// Redirects the browser to the page at the end of its login, so that its address bar keeps no code.
  package func redirect(toResult name: String) -> Response {
    var headers = CallbackPage.headers([:])
    if let location = FieldValue(resultPrefix + name) { headers.set("Location", location) }
    return Response(status: .seeOther, headers: headers)
  }
}

/// Limits how many requests in a row that belong to no login get a full response; the caller passes the time.
///
/// A leaky bucket: each guess adds one, each second takes one away. Nobody guesses 128 random bits; the limit keeps a program that tries
/// cheap, and reports it once. A request that belongs to a login is never limited.
package struct GuessLimit: Sendable {
  /// How many guesses are answered at once: a browser that reloads the tabs of old logins sends about so many.
  package static let capacity = 32
  private static let drain = Duration.seconds(1)

  /// When the bucket will be empty.
  private var emptyAt: BootInstant?
  private var hasReported = false

  package init() {}

  package enum Verdict: Sendable, Equatable {
    /// Answer the request.
    case allowed
    /// Refuse it. `isFirst` is true once for each login.
    case refused(isFirst: Bool)
  }

  /// Counts one more guess. Refused guesses count too, up to the capacity, so that a caller that continues stays refused.
  package mutating func judge(at now: BootInstant) -> Verdict {
    let full = now + Self.drain * Self.capacity
    let level = max(emptyAt ?? now, now) + Self.drain
    emptyAt = min(level, full)
    guard level > full else { return .allowed }
    defer { hasReported = true }
    return .refused(isFirst: !hasReported)
  }

  /// Another login waits: the next refusal is reported again, for its user.
  package mutating func loginBegan() { hasReported = false }
}
