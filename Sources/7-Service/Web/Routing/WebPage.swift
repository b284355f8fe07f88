package import HTTP

/// The content of a page. ``WebLayout`` adds the head, the navigation and the foot.
package struct WebPage: Sendable {
  /// The heading, which is also the beginning of the window's title.
  package var title: String
  /// The entry of the navigation that the page belongs to; nil if it belongs to none.
  package var place: Place?
  /// The content of the `main` element below the `h1`.
  package var content: Markup
  package var status = StatusCode.ok
  /// What the page says about the change that led to it.
  package var message: PageMessage?
  /// Whether the page has the navigation, because its browser has a session.
  var isInside = true
  /// The page that shows the newest state of what this one shows, if changes of it are to appear here; see ``LiveStreams``.
  package var live: WebAddress?
  /// The number of unread posts, for the window's title.
  package var unread = 0

  /// The entries of the navigation.
  package enum Place: Sendable, Hashable, CaseIterable {
    case home, search, write, outbox, feeds, status
  }

  package init(_ title: String, at place: Place? = nil, _ content: Markup) {
    self.title = title
    self.place = place
    self.content = content
  }
}

extension WebPage {
  /// Creates the page of an error. Without a session, it reveals nothing but the error.
  init(_ error: WebError, isInside: Bool) {
    var content = error.advice.map { "<p>\($0)</p>\n" as Markup }.joined()
    if isInside { content += "<p><a href=\"\(error.way.address.text)\">\(error.way.text)</a></p>\n" }
    self.init(error.title, content)
    status = error.status
    self.isInside = isInside
  }
}
