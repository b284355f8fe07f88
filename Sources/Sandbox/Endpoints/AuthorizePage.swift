internal import HTTP
internal import HomelineOAuth

/// The pages that the user sees in the second leg: small, whole in themselves, loading nothing.
enum AuthorizePage {
  static func question(_ token: RequestToken, applicationName: String, user: Author) -> Response {
    let application = HTML.escaped(applicationName)
    let afterwards =
      if let callback = token.callback {
        "Afterwards you return to <code>\(HTML.escaped(callback.origin + callback.path))</code>."
      } else {
        "Afterwards you get a number to type into \(application)."
      }
    return SandboxPage.response(
      title: "Authorise \(application)?",
      body: """
        <p class="who"><span class="face" aria-hidden="true">\(HTML.escaped(String(user.name.prefix(1))))</span>
        <span><b>\(HTML.escaped(user.name))</b><br>@\(HTML.escaped(user.screenName))</span></p>
        <p><b>\(application)</b> asks to read your home timeline and to see who you are. \(afterwards)</p>
        <form method="post" action="\(SandboxRoute.authorize.path)">
        <input type="hidden" name="oauth_token" value="\(HTML.escaped(token.text))">
        <button class="yes" type="submit" name="action" value="allow" id="allow">Authorise</button>
        <button type="submit" name="action" value="deny" id="deny">Cancel</button>
        </form>
        """,
      formTargets: "'self' " + SandboxPage.formTarget(of: token.callback))
  }

  static func pin(_ pin: String) -> Response {
    SandboxPage.response(
      title: "Almost done",
      body: """
        <p>Type this number into the application that sent you here:</p>
        <p class="pin"><code id="pin">\(HTML.escaped(pin))</code></p>
        """)
  }

  static func denied() -> Response {
    SandboxPage.response(title: "Cancelled", body: "<p>Nothing was granted. You may close this page.</p>")
  }

  static func invalid() -> Response {
    SandboxPage.response(
      title: "This link is not valid", status: .forbidden,
      body: "<p>It was used already, is too old, or was not made here. Go back to the application and begin again.</p>")
  }
}
