package import HTTP
internal import HomelineOAuth
package import Time

/// The authorisation endpoint (RFC 6749 §4.1.1, §4.1.2).
extension OAuth2Server {
  /// Returns the page where the user allows or denies the request, with the buttons `#allow` and `#deny`. Its form is submitted to the path
  /// of the request.
  ///
  /// If the client or the redirect URI is unknown, the user sees a page with status 400. All other errors are sent to the client.
  package func authorizePage(_ request: Request) -> Response {
    do throws(AuthorizationError) {
      let form = try Self.form { () throws(RequestFormError) in try RequestForm(query: request) }
      let consent = try reader.consentRequest(form)
      return ConsentPage.form(
        consent.client, scopes: consent.scopes, user: user, repeating: form, to: request.target.path,
        redirect: consent.redirect)
    } catch { return errorResponse(error, to: request) }
  }

  /// Processes the form on that page, which contains the parameters of the request and an `action`, `allow` or `deny`. Forms sent by other
  /// pages are refused.
  package mutating func decide(_ request: Request, at now: Timestamp) -> Response {
    guard request.isOwnForm else { return ConsentPage.invalid("The form was sent by another page.") }
    do throws(AuthorizationError) {
      let form = try Self.form { () throws(RequestFormError) in try RequestForm(body: request) }
      let consent = try reader.consentRequest(form)
      switch try Self.form({ () throws(RequestFormError) in try form.value("action") }) {
      case "allow":
        let code = codes.issue(
          AuthorizationCodes.Entry(
            clientID: consent.client.identifier, redirect: consent.redirect, scopes: consent.scopes,
            challenge: consent.challenge, issuedAt: now))
        return self.redirect(to: consent.redirect, state: consent.state, [Parameter("code", code)], request)
      case "deny":
        throw .redirect(
          to: consent.redirect, state: consent.state, error: "access_denied",
          description: "The resource owner denied the request.")
      default: throw .page("The form contains no decision.")
      }
    } catch { return errorResponse(error, to: request) }
  }

  /// Returns the value of `iss`, with the `Host` of the request.
  func issuer(for request: Request) -> String {
    policy.wrongIssuer ?? "http://\(request.headers.first(.host) ?? "")\(policy.issuerPath)"
  }

  private var reader: AuthorizationReader { AuthorizationReader(clients: clients, policy: policy) }

  private func errorResponse(_ error: AuthorizationError, to request: Request) -> Response {
    switch error {
    case .page(let reason): return ConsentPage.invalid(reason)
    case .redirect(let address, let state, let code, let description):
      return redirect(
        to: address, state: policy.errorsOmitState ? nil : state,
        [Parameter("error", code), Parameter("error_description", description)], request)
    }
  }

  /// Redirects to the client, or shows a page with the code if the client has no redirect URI.
  private func redirect(to redirect: String, state: String?, _ parameters: [Parameter], _ request: Request) -> Response
  {
    if redirect == SandboxClient.outOfBand {
      guard let code = parameters.first(where: { $0.isNamed("code") })?.valueText else {
        return ConsentPage.done(false)
      }
      return ConsentPage.code(policy.echoesStateRaw && state != nil ? "\(code)&state=\(state!)" : code)
    }
    var query = FormEncoding.encode(parameters)
    if let state {
      query += policy.echoesStateRaw ? "&state=\(state)" : "&" + FormEncoding.encode([Parameter("state", state)])
    }
    if policy.sendsIssuer { query += "&" + FormEncoding.encode([Parameter("iss", issuer(for: request))]) }
    return Response(redirectTo: redirect, adding: query, status: StatusCode(policy.redirectStatus))
      ?? ConsentPage.invalid("The redirect URI is not a valid header value.")
  }

  private static func form<Value>(_ body: () throws(RequestFormError) -> Value) throws(AuthorizationError) -> Value {
    do throws(RequestFormError) { return try body() } catch { throw .page(error.description) }
  }
}
