package import HTTP
package import Time

/// The token endpoint (RFC 6749 §3.2, §4.1.3, §6; RFC 8628 §3.4).
extension OAuth2Server {
  package mutating func token(_ request: Request, at now: Timestamp) throws(OAuth2Error) -> IssuedTokens {
    guard request.method == .post else { throw .badRequest("The token endpoint requires POST.") }
    let form = try clientForm(request)
    let client = try client(ClientClaim(request, form))
    switch try value("grant_type", in: form) {
    case nil: throw .badRequest("The parameter grant_type is missing.")
    case "authorization_code": return try exchange(form, of: client, at: now)
    case "refresh_token": return try refresh(form, of: client, at: now)
    case Self.deviceGrantType where paths.deviceAuthorization != nil: return try poll(form, of: client, at: now)
    default: throw .grantTypeNotSupported
    }
  }

  /// Returns the parameters of a request that a client sends directly.
  func clientForm(_ request: Request) throws(OAuth2Error) -> RequestForm {
    do throws(RequestFormError) {
      return policy.readsTokenQuery ? try RequestForm(queryAndBody: request) : try RequestForm(body: request)
    } catch { throw .badRequest(error.description) }
  }

  func value(_ name: String, in form: RequestForm) throws(OAuth2Error) -> String? {
    do throws(RequestFormError) { return try form.value(name) } catch { throw .badRequest(error.description) }
  }

  func required(_ name: String, in form: RequestForm) throws(OAuth2Error) -> String {
    guard let text = try value(name, in: form) else { throw .badRequest("The parameter \(name) is missing.") }
    return text
  }

  private mutating func exchange(
    _ form: RequestForm, of client: SandboxClient, at now: Timestamp
  ) throws(OAuth2Error) -> IssuedTokens {
    let code = try required("code", in: form)
    guard let entry = codes[code], entry.clientID == client.identifier else { throw .codeUnknown }
    if let family = entry.family {
      // A second use means that the code may have been stolen, possibly by the client that used it first (RFC 6749 §4.1.2).
      tokens.revokeFamily(family)
      throw .codeUsed
    }
    guard now < entry.issuedAt + policy.codeLife else { throw .codeExpired }
    guard try required("redirect_uri", in: form).utf8.elementsEqual(entry.redirect.utf8) else { throw .wrongRedirect }
    let verifier = try value("code_verifier", in: form)
    if let challenge = entry.challenge {
      guard let verifier else { throw .badRequest("The parameter code_verifier is missing.") }
      guard challenge.accepts(verifier) else { throw .wrongVerifier }
    } else if verifier != nil, policy.proofKey != .ignored {
      // Prevents a PKCE downgrade (RFC 9700 §4.8.2).
      throw .wrongVerifier
    }
    if policy.loginRevokesEarlier { tokens.revokeAll(of: client.identifier) }
    let family = tokens.beginFamily(of: client.identifier)
    codes.use(code, for: family)
    return issue(to: client, entry.scopes, family, at: now)
  }

  private mutating func refresh(
    _ form: RequestForm, of client: SandboxClient, at now: Timestamp
  ) throws(OAuth2Error) -> IssuedTokens {
    if policy.refreshTokens == .never { throw .grantTypeNotSupported }
    let token = try required("refresh_token", in: form)
    guard let entry = tokens.refresh(token), entry.clientID == client.identifier, !tokens.isRevoked(token, entry) else {
      throw .refreshTokenUnknown
    }
    if let life = policy.refreshLife, now >= entry.issuedAt + life { throw .refreshTokenExpired }
    if let usedAt = entry.usedAt, now >= usedAt + policy.grace {
      if policy.rotation == .rotatingRevokesFamily { tokens.revokeFamily(entry.family) }
      throw .refreshTokenUsed
    }
    // A client may request fewer scopes, but not more (§6).
    let requested = try value("scope", in: form)?.split(separator: policy.scopeSeparator).map(String.init)
    guard requested?.allSatisfy(entry.scopes.contains) != false else { throw .scopeNotAllowed }
    if policy.rotation != .none { tokens.rotate(token, at: now) }
    if policy.refreshRevokesAccess { tokens.revokeAccess(of: entry.family) }
    return issue(
      to: client, requested ?? entry.scopes, entry.family, at: now, refreshScopes: entry.scopes,
      withRefreshToken: policy.rotation != .none)
  }

  private mutating func poll(
    _ form: RequestForm, of client: SandboxClient, at now: Timestamp
  ) throws(OAuth2Error) -> IssuedTokens {
    let code = try required("device_code", in: form)
    guard let entry = devices[code], entry.clientID == client.identifier else { throw .codeUnknown }
    guard now < entry.expiresAt else { throw .deviceCodeExpired }
    switch devices.poll(code, at: now) {
    case nil: throw .deviceTooFast
    case .some(.none): throw .devicePending
    case .denied: throw .deviceDenied
    case .exchanged: throw .codeUsed
    case .allowed:
      devices.decide(code, .exchanged)
      return issue(to: client, entry.scopes, tokens.beginFamily(of: client.identifier), at: now)
    }
  }

  /// Issues tokens to a client.
  /// - Parameter refreshScopes: the scopes of the refresh token, if they differ from the scopes of the access token.
  private mutating func issue(
    to client: SandboxClient, _ scopes: [String], _ family: Int, at now: Timestamp, refreshScopes: [String]? = nil,
    withRefreshToken: Bool = true
  ) -> IssuedTokens {
    let access = SandboxGrant(
      token: RandomText.token(), clientID: client.identifier, userID: user.id, scopes: scopes, issuedAt: now,
      expiresAt: policy.accessLife.map { now + $0 }, family: family)
    tokens.add(access)
    var refresh: String?
    let whole = refreshScopes ?? scopes
    let isDue =
      switch policy.refreshTokens {
      case .never: false
      case .always: true
      case .withScope(let scope): whole.contains(scope)
      }
    if isDue, withRefreshToken {
      let token = RandomText.token()
      tokens.add(
        TokenTable.Refresh(clientID: client.identifier, scopes: whole, issuedAt: now, family: family), as: token)
      refresh = token
    }
    return IssuedTokens(
      access: access.token, refresh: refresh, expiresIn: policy.accessLife, scopes: scopes, userID: user.id,
      writesExpiryAsText: policy.writesExpiryAsText)
  }
}
