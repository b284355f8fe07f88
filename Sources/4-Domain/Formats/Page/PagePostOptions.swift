package import HTTP

/// What a page adds to its posts. A page in a file adds nothing; a served page has links to its own pages, and buttons.
package struct PagePostOptions: Sendable {
  package var pictures: PagePictures
  /// Returns the address of the page that shows a post in its thread; `nil` if there is none. A post's time then links to the original.
  package var page: @Sendable (PublishedPost) -> String? = { _ in nil }
  /// Returns the address of the page of the post that a post replies to, if the replied-to post is not on this page.
  package var repliedTo: @Sendable (PublishedPost) -> String? = { _ in nil }
  /// Returns the HTML of a line or more of a post's text, such as ``LinkedText/html(of:)``.
  package var text: @Sendable (String) -> Markup = { LinkedText.html(of: $0) }
  /// Returns the HTML of a name or of a picture's description on one line, such as ``PageText/line(_:)``.
  package var line: @Sendable (String) -> Markup = { PageText.line($0) }
  /// Returns what follows a post's counts and notes within its footer.
  package var actions: @Sendable (PublishedPost) -> Markup = { _ in "" }

  package init(pictures: PagePictures) { self.pictures = pictures }
}
