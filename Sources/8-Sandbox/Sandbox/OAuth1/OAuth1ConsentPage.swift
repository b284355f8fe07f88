internal import Bytes
internal import HTTP
internal import HomelineOAuth

/// The pages that the user sees. They are small and load no resources.
enum OAuth1ConsentPage {
  static func form(for token: RequestToken, applicationName: String, user: Author, path: String) -> Response {
    let next: Markup =
      if let callback = token.callback {
        "After that, you return to <code>\(callback.origin + callback.path)</code>."
      } else {
        "After that, you get a number to type into \(applicationName)."
      }
    return SandboxPage.response(
      title: "Authorise \(applicationName)?",
      body: """
        <p class="who"><span class="face" aria-hidden="true">\(String(user.name.prefix(1)))</span>
        <span><b>\(user.name)</b><br>@\(user.screenName)</span></p>
        <p><b>\(applicationName)</b> asks to read your home timeline and to see who you are. \(next)</p>
        <form method="post" action="\(path)">
        <input type="hidden" name="oauth_token" value="\(token.text)">
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
        <p class="pin"><code id="pin">\(pin)</code></p>
        """)
  }

  static func denied() -> Response {
    SandboxPage.response(title: "Cancelled", body: "<p>Nothing was granted. You may close this page.</p>")
  }

  static func invalid() -> Response {
    SandboxPage.response(
      title: "This link is not valid", status: .forbidden,
      body:
        "<p>It has already been used, has expired, or was not created by this server. Go back to the application and start again.</p>"
    )
  }
}
