internal import Bytes
internal import HTTP

/// The pages of the authorisation endpoint and the device grant (RFC 6749 §3.1).
enum ConsentPage {
  /// Returns the page where the user allows or denies the request.
  /// - Parameters:
  ///   - parameters: the parameters of the request, which the form repeats.
  ///   - path: the path that the form is submitted to.
  static func form(
    _ client: SandboxClient, scopes: [String], user: ResourceOwner, repeating parameters: RequestForm,
    to path: String,
    redirect: String?
  ) -> Response {
    let fields = parameters.texts.filter { $0.name != "action" }.map { field -> Markup in
      #"<input type="hidden" name="\#(field.name)" value="\#(field.value)">"#
    }
    let requested = scopes.map { "<code>\($0)</code>" as Markup }.joined(separator: ", ")
    return SandboxPage.response(
      title: "Authorise \(client.name)?",
      body: """
        <p class="who"><span class="face" aria-hidden="true">\(String(user.name.prefix(1)))</span>
        <span><b>\(user.name)</b><br>@\(user.screenName)</span></p>
        <p><b>\(client.name)</b> asks for \(requested.isEmpty ? "no more than your name" : requested).</p>
        <form method="post" action="\(path)">
        \(fields.joined(separator: "\n"))
        <button class="yes" type="submit" name="action" value="allow" id="allow">Authorise</button>
        <button type="submit" name="action" value="deny" id="deny">Cancel</button>
        </form>
        """,
      formTargets: "'self' " + target(of: redirect))
  }

  /// Returns the page for applications without a redirect URI.
  static func code(_ code: String) -> Response {
    SandboxPage.response(
      title: "Almost done",
      body: """
        <p>Copy this into the application that sent you here:</p>
        <p><code id="code">\(code)</code></p>
        """)
  }

  static func done(_ isAllowed: Bool) -> Response {
    SandboxPage.response(
      title: isAllowed ? "Authorised" : "Cancelled",
      body: "<p>\(isAllowed ? "Go back to your device." : "Nothing was granted.") You may close this page.</p>")
  }

  static func invalid(_ reason: String) -> Response {
    SandboxPage.response(
      title: "This link is not valid", status: .badRequest, body: "<p>\(reason)</p>")
  }

  /// Returns the page that asks for the user code that a device shows (RFC 8628 §3.3).
  static func userCode(to path: String, isRepeated: Bool) -> Response {
    SandboxPage.response(
      title: "Connect a device",
      body: """
        <p>\(isRepeated ? "These letters are unknown or have expired. " : "")Type the letters that the device shows:</p>
        <form method="get" action="\(path)">
        <input name="user_code" id="user_code" autocomplete="off" autofocus>
        <button class="yes" type="submit" id="continue">Continue</button>
        </form>
        """,
      formTargets: "'self'")
  }

  /// Returns the CSP source for a redirect URI. For a custom scheme, it is only the scheme.
  private static func target(of redirect: String?) -> String {
    guard let redirect, redirect != SandboxClient.outOfBand else { return "" }
    if let url = try? RequestURL(redirect) { return SandboxPage.formTarget(of: url) }
    let scheme = redirect.prefix { $0 != ":" }
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) } ? "\(scheme):" : ""
  }
}
