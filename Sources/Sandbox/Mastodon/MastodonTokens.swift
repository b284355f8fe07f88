internal import CivilTime
internal import HTTP
internal import JSON

/// Responses from the token endpoints of servers with Mastodon's API.
enum MastodonTokens {
  /// Returns the response from the token endpoint.
  /// - Parameter isScopeRequested: whether the request contained a scope. If it did not, snac returns no scope.
  static func response(
    _ issued: IssuedTokens, _ flavour: MastodonFlavour, isScopeRequested: Bool, base: String, at now: Timestamp
  ) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      if flavour == .snac, !isScopeRequested {
        writer.member("access_token", issued.access)
        writer.member("token_type", "Bearer")
      } else {
        issued.writeMembers(to: &writer)
      }
      writer.member("created_at", now.seconds)
      if flavour == .akkoma {
        writer.member("id", 1)
        writer.member("me", "\(base)/users/\(Author.mira.screenName)")
      }
    }
    var response = Response(json: writer.bytes)
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  /// Returns an error response from the token or revocation endpoint.
  static func response(_ error: OAuth2Error, _ flavour: MastodonFlavour) -> Response {
    if flavour.hasEmptyErrors { return Response(status: error.status) }
    // Doorkeeper responds with 403 if the token belongs to another client.
    return error == .notOwnToken
      ? OAuth2Error.response(.forbidden, error: error.code, description: error.message) : error.response
  }
}

/// Registers applications (`POST /api/v1/apps`).
enum MastodonApps {
  /// Registers an application.
  /// - Returns: the application, and the response.
  static func register(
    _ request: Request, _ flavour: MastodonFlavour, number: Int
  ) throws(MastodonError) -> (client: RegisteredClient, response: Response) {
    let texts = try texts(of: request)
    func value(_ name: String) -> String? { texts.first { $0.name == name }?.value }
    guard let name = value("client_name"), !name.isEmpty else { throw .invalid("Name can't be blank") }
    let list = texts.filter { $0.name == "redirect_uris[]" }.map(\.value)
    // Before 4.3, several redirect URIs were sent as the lines of one string.
    let redirects = flavour == .mastodon && !list.isEmpty ? list : value("redirect_uris").map(lines) ?? []
    guard !redirects.isEmpty, redirects.allSatisfy(isAbsolute) else {
      throw .invalid("Redirect URI must be an absolute URI.")
    }
    if flavour == .oldMastodon, redirects.count > 1 { throw .invalid("Redirect URI must be one.") }
    let scopes = (value("scopes") ?? "read").split { $0 == " " || $0 == "+" }.map(String.init)
    let client = RegisteredClient(
      identifier: RandomText.token(), secret: RandomText.token(), redirects: redirects, scopes: scopes, name: name)
    return (client, Response(json: json(client, website: value("website"), number, flavour)))
  }

  private static func texts(of request: Request) throws(MastodonError) -> [(name: String, value: String)] {
    do throws(RequestFormError) { return try RequestForm(body: request).texts } catch {
      throw .invalid(error.description)
    }
  }

  private static func lines(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map(String.init) }

  private static func isAbsolute(_ address: String) -> Bool {
    guard let colon = address.firstIndex(of: ":") else { return false }
    return address[..<colon].contains(where: \.isLetter) && address.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func json(
    _ client: RegisteredClient, website: String?, _ number: Int, _ flavour: MastodonFlavour
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", String(number))
      writer.member("name", client.name)
      writer.member("website", website.flatMap { $0.isEmpty ? nil : $0 })
      if flavour == .mastodon {
        writer.member("scopes", list: client.scopes) { $0.string($1) }
        writer.member("redirect_uris", list: client.redirects) { $0.string($1) }
        writer.member("client_secret_expires_at", 0)
      }
      writer.member("redirect_uri", client.redirects.joined(separator: "\n"))
      writer.member("client_id", client.identifier)
      writer.member("client_secret", client.secret)
      if flavour != .snac { writer.member("vapid_key", "") }
    }
    return writer.bytes
  }
}

/// An API error response.
enum MastodonError: Error {
  case token(AccessTokenError)
  case outsideScopes
  case notFound
  case invalid(String)
  case tooManyRequests

  private var status: StatusCode {
    switch self {
    case .token: .unauthorized
    case .outsideScopes: .forbidden
    case .notFound: .notFound
    case .invalid: StatusCode(422)
    case .tooManyRequests: .tooManyRequests
    }
  }

  private var message: String {
    switch self {
    case .token(.expired): "The access token has expired"
    case .token(.revoked): "The access token was revoked"
    case .token: "The access token is invalid"
    case .outsideScopes: "This action is outside the authorized scopes"
    case .notFound: "Record not found"
    case .invalid(let reason): "Validation failed: " + reason
    case .tooManyRequests: "Too many requests"
    }
  }

  func response(_ flavour: MastodonFlavour) -> Response {
    if case .notFound = self, flavour == .snac {
      return Response(status: .notFound, type: "text/html; charset=utf-8", text: "<h1>404 Not Found (snac/2.85)</h1>")
    }
    if flavour.hasEmptyErrors { return Response(status: status, headers: [.contentType: "application/json"]) }
    var writer = JSONWriter()
    writer.object { $0.member("error", message) }
    return Response(json: writer.bytes, status: status)
  }
}
