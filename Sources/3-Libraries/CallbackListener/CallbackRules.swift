package import HTTP

/// Classifies requests before any login gets them, and decides how to respond to requests that are not redirects.
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
      return .refuse(.misdirectedRequest, .wrongAddress)
    }
    let isCallback = request.target.path == path
    guard covers(request.target.path) else {
      return .refuse(.notFound, .notFound)
    }
    guard request.method == .get || request.method == .head else {
      return .refuse(.methodNotAllowed, .methodNotAllowed)
    }
    guard !request.announcesBody else {
      return .refuse(.badRequest, .bodyNotAllowed)
    }
    guard isCallback else { return .result(String(request.target.path.dropFirst(resultPrefix.count))) }
    return .callback(
      query: request.target.query, isNavigation: Navigation.isPossible(request.headers),
      consumes: request.method == .get)
  }

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
