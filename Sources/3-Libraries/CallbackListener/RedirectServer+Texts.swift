extension RedirectServer {
  /// The text that depends on the program.
  package struct Texts: Sendable {
    /// The program's name, which the pages show.
    let application: String
    /// The page for a redirect that no login is waiting for (404).
    let unknown: CallbackPage
    /// The page for every request from another user of this machine (403).
    let otherUser: CallbackPage

    package init(application: String, unknown: CallbackPage, otherUser: CallbackPage) {
      self.application = application
      self.unknown = unknown
      self.otherUser = otherUser
    }

    /// The text of a `RedirectListener`.
    static func library(_ application: String) -> Texts {
      Texts(
        application: application,
        unknown: CallbackPage(
          "No login is waiting for this", "The address belongs to another login, or to one that has ended.",
          "To log in, start again in \(application)."),
        otherUser: CallbackPage(
          "This login belongs to another user",
          "Another user's program opened this page. Nothing was changed."))
    }
  }
}
