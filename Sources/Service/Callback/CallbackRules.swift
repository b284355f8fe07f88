internal import HomelineOAuth
package import HTTP
internal import HTTPServer
internal import Platform
internal import Settings

/// What the callback listener makes of a request, before any login is asked. Most of what comes is none of its business.
package struct CallbackRules: Sendable {
  /// The path that the provider redirects to.
  package let path: String
  package let port: UInt16

  package init(path: String, port: UInt16) {
    self.path = path
    self.port = port
  }

  package enum Decision: Sendable {
    /// Answered here; nothing changes.
    case answer(Response)
    /// A redirect, for the logins to look at. `consumes` is false for HEAD: it sees what GET would, and changes nothing.
    case callback(query: String?, isNavigation: Bool, consumes: Bool)
    /// A browser wants to know how a login ended.
    case result(String)
  }

  package func decide(_ request: Request) -> Decision {
    // Another Host is a page whose name was made to point at this machine (DNS rebinding).
    guard let authority = request.authority, LoopbackHost.accepts(authority, port: port) else {
      return .answer(
        ResultPage("Not for this address", "This listener answers for 127.0.0.1, [::1] and localhost only.")
          .response(.misdirectedRequest))
    }
    let isCallback = request.target.path == path
    guard concern(request.target.path) else {
      return .answer(ResultPage("Nothing here", "Only a login's callback is answered here.").response(.notFound))
    }
    guard request.method == .get || request.method == .head else {
      var response = ResultPage("Not this way", "A callback is a GET.").response(.methodNotAllowed)
      response.headers.set("Allow", "GET, HEAD")
      return .answer(response)
    }
    guard !request.announcesBody else {
      return .answer(ResultPage("Too much", "A callback has no body.").response(.badRequest))
    }
    guard isCallback else { return .result(String(request.target.path.dropFirst(resultPrefix.count))) }
    return .callback(
      query: request.target.query, isNavigation: Self.isNavigation(request.headers),
      consumes: request.method == .get)
  }

  /// Whether a person may see what the request leads to, as far as the browser says. An image or a fetch is no person's refusal.
  ///
  /// Not every kind of request says what it is for: a WebSocket's does not in Chromium, but has an `Origin`, which no GET of a page
  /// has. What is fetched ahead looks like a page, and nobody has gone there yet (Speculation Rules, Fetch §5.6).
  private static func isNavigation(_ headers: HeaderFields) -> Bool {
    let destination = headers.first(fetchDestination)
    return (destination == nil || destination == "document") && notOfPages.allSatisfy { headers.first($0) == nil }
  }

  private static let fetchDestination: FieldName = "Sec-Fetch-Dest"
  private static let notOfPages: [FieldName] = ["Origin", "Upgrade", "Purpose", "Sec-Purpose"]

  /// Whether a path is the callback's, or that of a page at the end of a login.
  func concern(_ path: String) -> Bool { path == self.path || path.hasPrefix(resultPrefix) }

  private var resultPrefix: String { path == "/" ? "/done/" : "\(path)/done/" }

  /// Where the page of a login lies.
  func resultPath(_ name: String) -> String { resultPrefix + name }

  /// Sends the browser on, so that its address bar keeps no verifier.
  func redirect(toResult name: String) -> Response {
    var headers = ResultPage.headers([:])
    if let location = FieldValue(resultPath(name)) { headers.set("Location", location) }
    return Response(status: .seeOther, headers: headers)
  }

  /// The answer to one guess too many. It is made once: whoever guesses is not to cost more than that.
  static let tooManyGuesses: Response = {
    var response = ResultPage(
      "Too many tries", "Many addresses that belong to no login were opened here within seconds.",
      "A login that waits is not affected."
    ).response(.tooManyRequests)
    if let seconds = FieldValue("\(GuessLimit.room)") { response.headers.set("Retry-After", seconds) }
    return response
  }()

  static let guessWarning =
    "many callbacks name no login of ours: a program or a page on this machine guesses. They are answered with 429; a login that "
    + "waits goes on, and its own callback is taken at any time"

  /// The answer to whatever another user of the machine asks.
  static let otherUser = ResultPage(
    "This login is another user's",
    "This page was opened by a program of another user of this computer. Nothing was changed.",
    "If the login is yours all the same, copy this page's address into the terminal where homeline login waits."
  ).response(.forbidden)

  /// The answer to a callback that belongs to no login, or says nothing.
  static func answer(_ reply: CallbackReply) -> Response? {
    switch reply {
    case .accepted: nil
    case .unknownToken:
      ResultPage(
        "No login waits for this", "The address belongs to another login, or to one that is over.",
        "To begin a new one, run: homeline login"
      ).response(.notFound)
    case .unusable(let reason):
      ResultPage("This is no answer of a provider", reason, "The login goes on waiting.").response(.badRequest)
    }
  }
}

/// What the log is told of connections to the callback that are not the user's: each kind once a login.
struct CallbackPeerNotes {
  private var hasToldOfOtherUser = false
  private var hasToldOfNoOwner = false
  /// For as long as the process lives.
  private var hasToldOfSilence = false

  /// Another login waits: its user is to be told, too.
  mutating func loginBegan() { (hasToldOfOtherUser, hasToldOfNoOwner) = (false, false) }

  /// - Returns: nil where it was told before.
  mutating func sentence(for finding: TCPPeerFinding) -> (Log.Level, String)? {
    switch finding {
    case .otherUser(let user):
      guard !hasToldOfOtherUser else { return nil }
      hasToldOfOtherUser = true
      return (
        .warning,
        "a process of the user \(user) called the callback address and was answered with 403; a login that waits goes on. If your "
          + "own browser comes by way of a program of that user's, paste the address that it shows into the terminal of homeline login"
      )
    case .noOwner:
      guard !hasToldOfNoOwner else { return nil }
      hasToldOfNoOwner = true
      return (
        .info,
        "a connection to the callback address was closed by its other end before the kernel could say whose it was; it changes nothing"
      )
    case .cannotBeAsked:
      guard !hasToldOfSilence else { return nil }
      hasToldOfSilence = true
      return (
        .warning,
        "the kernel does not say whose connections to the callback address are (neither sock_diag(7) nor /proc/self/net can be used), "
          + "so those of other users of this machine are taken, too. If there are any, look at the user that a login names at its end"
      )
    }
  }
}

extension CallbackSettings {
  /// The same with a segment more in the path; `nil` for none.
  func below(_ segment: String?) -> CallbackSettings {
    guard let segment else { return self }
    var settings = self
    settings.path += (path.hasSuffix("/") ? "" : "/") + segment
    return settings
  }
}
