package import CivilTime
package import HTTP
internal import HomelineOAuth

/// The authorisation endpoint (RFC 6749 §4.1.1, §4.1.2).
extension OAuth2Server {
  /// The page that asks the user, with the buttons `#allow` and `#deny`. Its form is sent to the path that was asked for.
  ///
  /// An unknown client or redirect URI is told to the user alone, with status 400; all other mistakes are told to the client.
  package func authorizePage(_ request: Request) -> Response {
    do throws(AuthorizationFault) {
      let form = try Self.form { () throws(RequestFormError) in try RequestForm(query: request) }
      let question = try reader.question(form)
      return ConsentPage.question(
        question.client, scopes: question.scopes, user: user, repeating: form, to: request.target.path,
        redirect: question.redirect)
    } catch { return refusal(error, to: request) }
  }

  /// What the user said on that page: a form with the request's own parameters and `action`, `allow` or `deny`. The word of
  /// a form that another page sent does not count.
  package mutating func decide(_ request: Request, at now: Timestamp) -> Response {
    guard request.isOwnForm else { return ConsentPage.invalid("The form was not made here.") }
    do throws(AuthorizationFault) {
      let form = try Self.form { () throws(RequestFormError) in try RequestForm(body: request) }
      let question = try reader.question(form)
      switch try Self.form({ () throws(RequestFormError) in try form.value("action") }) {
      case "allow":
        let code = codes.issue(
          CodeBook.Entry(
            clientID: question.client.identifier, redirect: question.redirect, scopes: question.scopes,
            challenge: question.challenge, issuedAt: now))
        return answer(to: question.redirect, state: question.state, [Parameter("code", code)], request)
      case "deny":
        throw .redirect(
          to: question.redirect, state: question.state, error: "access_denied",
          description: "The resource owner denied the request.")
      default: throw .page("The form has no word of the user.")
      }
    } catch { return refusal(error, to: request) }
  }

  /// What `iss` says to whoever came by this `Host`.
  func issuer(for request: Request) -> String {
    policy.wrongIssuer ?? "http://\(request.headers.first(.host) ?? "")\(policy.issuerPath)"
  }

  private var reader: AuthorizationReader { AuthorizationReader(clients: clients, policy: policy) }

  private func refusal(_ fault: AuthorizationFault, to request: Request) -> Response {
    switch fault {
    case .page(let reason): return ConsentPage.invalid(reason)
    case .redirect(let address, let state, let error, let description):
      return answer(
        to: address, state: policy.refusesWithoutState ? nil : state,
        [Parameter("error", error), Parameter("error_description", description)], request)
    }
  }

  /// The way back to the client, or a page with the code where there is none.
  private func answer(to redirect: String, state: String?, _ parameters: [Parameter], _ request: Request) -> Response {
    if redirect == RegisteredClient.outOfBand {
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
      ?? ConsentPage.invalid("The way back cannot be written.")
  }

  private static func form<Value>(_ body: () throws(RequestFormError) -> Value) throws(AuthorizationFault) -> Value {
    do throws(RequestFormError) { return try body() } catch { throw .page(error.description) }
  }
}
