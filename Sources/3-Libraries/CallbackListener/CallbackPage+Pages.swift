/// The pages for requests that end no login. All text of the server that a browser shows is here, apart from ``RedirectServer/Texts``.
extension CallbackPage {
  static let wrongAddress = CallbackPage(
    "Wrong address", "This listener only responds to requests for 127.0.0.1, [::1] and localhost.")
  static let notFound = CallbackPage("Not found", "This listener only responds to login callbacks.")
  static let methodNotAllowed = CallbackPage("Method not allowed", "A callback must be a GET request.")
  static let bodyNotAllowed = CallbackPage("Bad request", "A callback must not have a body.")
  static let tooManyGuesses = CallbackPage(
    "Too many attempts", "Many addresses that do not belong to any login were opened within a few seconds.",
    "Pending logins are not affected.")
  /// The page of a login whose outcome is not known yet.
  package static let pending = CallbackPage("Login")
  static let programEnded = CallbackPage("The program has ended")

  /// The page for a redirect that cannot be used for this reason.
  static func unusable(_ reason: String) -> CallbackPage {
    CallbackPage("This is not a response from a provider", reason, "The login is still waiting.")
  }
}
