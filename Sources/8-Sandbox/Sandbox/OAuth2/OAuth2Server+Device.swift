package import HTTP
internal import JSON
package import Time

/// The endpoint and the page of the device grant (RFC 8628 §3.1 to §3.3).
extension OAuth2Server {
  /// Responds to a device authorisation request.
  /// - Parameter base: scheme, host and port, without a trailing slash.
  package mutating func authorizeDevice(
    _ request: Request, base: String, at now: Timestamp
  ) throws(OAuth2Error) -> Response {
    guard request.method == .post else { throw .badRequest("The device authorisation endpoint requires POST.") }
    let form = try clientForm(request)
    let client = try client(ClientClaim(request, form))
    guard
      let scopes = try value("scope", in: form)?.split(separator: policy.scopeSeparator).map(String.init)
        ?? policy.defaultScopes, scopes.allSatisfy(client.scopes.contains)
    else { throw .scopeNotAllowed }
    let userCode = RandomText.userCode()
    let code = devices.issue(
      DeviceCodes.Entry(
        clientID: client.identifier, scopes: scopes, userCode: userCode, expiresAt: now + policy.deviceCodeLife,
        interval: policy.deviceInterval))
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("device_code", code)
      writer.member("user_code", userCode)
      writer.member("verification_uri", base + paths.verification)
      writer.member("verification_uri_complete", "\(base)\(paths.verification)?user_code=\(userCode)")
      writer.member("expires_in", policy.deviceCodeLife.components.seconds)
      writer.member("interval", policy.deviceInterval.components.seconds)
    }
    var response = Response(json: writer.bytes)
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  /// Returns the page that the user opens on another device. A GET request shows the form for the user code, and then the form for the
  /// decision. A POST request processes the form.
  package mutating func verificationPage(_ request: Request, at now: Timestamp) -> Response {
    let path = request.target.path
    do throws(RequestFormError) {
      let isPost = request.method == .post
      guard !isPost || request.isOwnForm else { return ConsentPage.invalid("The form was sent by another page.") }
      let form = isPost ? try RequestForm(body: request) : try RequestForm(query: request)
      guard let typed = try form.value("user_code") else { return ConsentPage.userCode(to: path, isRepeated: false) }
      guard let (code, entry) = devices.waiting(typed, at: now), let client = clients[entry.clientID] else {
        return ConsentPage.userCode(to: path, isRepeated: true)
      }
      switch isPost ? try form.value("action") : nil {
      case "allow": devices.decide(code, .allowed)
      case "deny": devices.decide(code, .denied)
      default:
        return ConsentPage.form(
          client, scopes: entry.scopes, user: user, repeating: form, to: path, redirect: nil)
      }
      return ConsentPage.done(try form.value("action") == "allow")
    } catch { return ConsentPage.invalid(error.description) }
  }
}
