/// Validates authorisation requests.
struct AuthorizationReader {
  /// The maximum length of the state in bytes, the same as X's limit.
  private static let stateLimit = 500

  let clients: [String: SandboxClient]
  let policy: OAuth2Policy

  func consentRequest(_ form: RequestForm) throws(AuthorizationError) -> ConsentRequest {
    let (client, redirect) = try client(form)
    var state: String?
    do {
      state = try form.value("state")
      if let state, state.utf8.count > Self.stateLimit {
        throw OAuth2Error.badRequest("The state is longer than \(Self.stateLimit) bytes.")
      }
      let type = try form.value("response_type")
      guard let type else { throw OAuth2Error.badRequest("The parameter response_type is missing.") }
      guard type == "code" else {
        throw AuthorizationError.redirect(
          to: redirect, state: state, error: "unsupported_response_type", description: "Only code is supported.")
      }
      return ConsentRequest(
        client: client, redirect: redirect, scopes: try scopes(form, of: client), state: state,
        challenge: try challenge(form))
    } catch let fault as AuthorizationError {
      throw fault
    } catch let failure as OAuth2Error {
      throw .redirect(to: redirect, state: state, error: failure.code, description: failure.message)
    } catch {
      throw .redirect(to: redirect, state: state, error: "invalid_request", description: "\(error)")
    }
  }

  private func client(_ form: RequestForm) throws(AuthorizationError) -> (SandboxClient, redirect: String) {
    let identifier: String?
    let redirect: String?
    do throws(RequestFormError) {
      identifier = try form.value("client_id")
      redirect = try form.value("redirect_uri")
    } catch { throw .page(error.description) }
    guard let client = identifier.flatMap({ clients[$0] }) else {
      throw .page("The application that sent you here is unknown.")
    }
    // The redirect URI is always required, although RFC 6749 §3.1.2.3 makes it optional if only one is registered.
    guard let redirect,
      client.redirects.contains(where: { policy.redirectMatch.accepts(redirect, registered: $0) })
    else { throw .page("The address to return to is not registered for this application.") }
    return (client, redirect)
  }

  private func scopes(_ form: RequestForm, of client: SandboxClient) throws -> [String] {
    guard let text = try form.value("scope") else {
      guard let scopes = policy.defaultScopes else { throw OAuth2Error.scopeNotAllowed }
      return scopes
    }
    let scopes = text.split(separator: policy.scopeSeparator).map(String.init)
    guard scopes.allSatisfy(client.scopes.contains) else { throw OAuth2Error.scopeNotAllowed }
    return scopes
  }

  private func challenge(_ form: RequestForm) throws(OAuth2Error) -> CodeChallenge? {
    if policy.proofKey == .ignored { return nil }
    let challenge = try CodeChallenge(form, allowsPlain: policy.allowsPlainChallenge)
    if challenge == nil, policy.proofKey == .required { throw .badRequest("The parameter code_challenge is missing.") }
    return challenge
  }
}

/// A valid authorisation request (RFC 6749 §4.1.1), which the user must allow or deny.
struct ConsentRequest: Sendable {
  let client: SandboxClient
  let redirect: String
  let scopes: [String]
  let state: String?
  let challenge: CodeChallenge?
}

/// The reason an authorisation request is invalid (RFC 6749 §4.1.2.1).
enum AuthorizationError: Error {
  /// The client or the redirect URI is unknown. The user sees a page and is not redirected.
  case page(String)
  /// The error is sent to the client by a redirect.
  case redirect(to: String, state: String?, error: String, description: String)
}
