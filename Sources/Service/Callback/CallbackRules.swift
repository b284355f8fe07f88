package import HTTP
internal import HomelineOAuth

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
    // Browsers that say what a request is for are believed when it is no page: an image or a fetch is no person's refusal.
    let destination = request.headers.first("Sec-Fetch-Dest")
    return .callback(
      query: request.target.query, isNavigation: destination == nil || destination == "document",
      consumes: request.method == .get)
  }

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
