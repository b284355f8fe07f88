internal import ControlProtocol
internal import Formats
internal import HTTP
internal import Settings
internal import Time

/// The buttons of `/status`: refresh now, and log in again.
struct StatusActs: Sendable {
  let data: WebData
  let changes: WebChanges

  private static let refreshing = WebAddress("status", "refresh")
  private static let loggingIn = WebAddress("status", "login")
  private static let way = WebError.Way(WebAddress("status"), "Status")

  var routes: [Route] {
    [
      .post("/status/refresh") { [self] (request, reply) throws(WebError) in
        let name = request.form["account"]
        refresh(name == nil ? nil : try account(named: name), reply)
      },
      .post("/status/login") { [self] (request, reply) throws(WebError) in
        logIn(try account(named: request.form["account"]), reply)
      },
    ]
  }

  private func account(named name: String?) throws(WebError) -> AccountSettings {
    guard let account = name.flatMap({ AccountName($0) }).flatMap({ data.configuration[$0] }) else {
      throw WebError(
        .notFound, "There is no account with this name", "It may have been renamed or removed.", way: Self.way)
    }
    return account
  }

  // MARK: Buttons

  /// Returns the buttons of an account; empty for one that is not in the configuration, or not enabled.
  static func buttons(for account: AccountSettings?) -> Markup {
    guard let account, account.isEnabled else { return "" }
    let name = account.name.text
    return """
      <form class="buttons" method="post" action="\(refreshing.text)">\(PostForms.hidden("account", name))\
      <button aria-label="Refresh \(name) now">Refresh now</button>\
      <button formaction="\(loggingIn.text)" aria-label="Log in to \(name) again">Log in again</button></form>

      """
  }

  static let refreshingAll: Markup =
    "<form class=\"buttons\" method=\"post\" action=\"\(refreshing.text)\"><button>Refresh all accounts now</button></form>\n"

  // MARK: Refreshing

  /// - Parameter account: nil for all enabled accounts.
  private func refresh(_ account: AccountSettings?, _ reply: WebReply) {
    changes.carryOut(RefreshRequest(accounts: account.map { [$0.name.text] } ?? [])) { outcome in
      reply { () throws(WebError) in
        if let failure = outcome.failure(at: data.clock.now) {
          let what = account.map { "\($0.name)" } ?? "Not every account"
          let title =
            switch outcome.end {
            case .underWay: "The refresh takes longer"
            default: "\(what) \(account == nil ? "could be" : "is not") refreshed"
            }
          throw WebError(title, failure, way: Self.way)
        }
        return .redirect(to: WebAddress("status").with(WebQuery.message, PageMessage.refreshed.rawValue))
      }
    }
  }

  // MARK: Logging in

  /// Starts a login. The callback listener takes over when the user has followed the link to the provider: a redirect there after a form
  /// would be refused by browsers, because of the page's `form-action` (CSP Level 3 §6.4.2).
  private func logIn(_ account: AccountSettings, _ reply: WebReply) {
    let name = account.name.text
    let step = { @Sendable (event: any ControlEvent) -> WebChanges.Step in
      switch event {
      case let address as AddressEvent: address.callbackPort == nil ? .leave : .answer
      case is CodeEvent, is PasswordEvent, is TokenWantedEvent: .leave
      default: .wait
      }
    }
    changes.carryOut(LoginRequest(account: name), after: step) { outcome in
      reply { () throws(WebError) in
        let address = outcome.events.lazy.compactMap { $0 as? AddressEvent }.first
        if let address, address.callbackPort != nil { return .page(Self.page(of: account, address.url)) }
        let isAsked = outcome.events.contains { $0 is AddressEvent || step($0) == .leave }
        if isAsked {
          throw WebError(
            .conflict, "\(name) cannot log in from this page", "This login asks for a code, a password or a token.",
            "Run in a terminal: homeline login \(name)", way: Self.way)
        }
        if outcome.end == .underWay {
          throw WebError(
            .serviceUnavailable, "\(name) cannot log in now", "The server has not answered in time.",
            "Try again later, or run homeline login \(name) in a terminal.", way: Self.way)
        }
        if let failure = outcome.failure(at: data.clock.now) {
          throw WebError("\(name) cannot log in", failure, way: Self.way)
        }
        return .redirect(to: WebAddress("status"))
      }
    }
  }

  /// The page that leads to the provider.
  private static func page(of account: AccountSettings, _ url: String) -> WebPage {
    let host = PageLink.host(of: url) ?? account.provider
    return WebPage(
      "Log in to \(account.name)", at: .status,
      """
      <p>\(PageLink.html("Authorise homeline on \(PageText.isolated(host))", to: url, class: "go"))</p>
      <p>The login waits for five minutes. When you have authorised homeline, the browser comes back to a page of homeline that says \
      whether it worked. This needs a browser on the computer that runs homeline; elsewhere, run \
      <code>homeline login \(account.name.text)</code> there.</p>
      <p><a href="\(way.address.text)">\(way.text)</a></p>

      """)
  }
}
