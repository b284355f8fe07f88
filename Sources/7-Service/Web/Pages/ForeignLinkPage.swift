internal import HTTP

/// The page for a link on another site. It contains nothing of the user's, because the other site chose the address.
enum ForeignLinkPage {
  /// - Parameter address: where the link leads; nil if it is no page.
  static func page(to address: WebAddress?) -> WebPage {
    var page = WebPage(
      "Open homeline?",
      """
      <p>Another page or program leads here.</p>
      <p><a href="\((address ?? .home).text)">Open homeline</a></p>

      """)
    page.isInside = false
    return page
  }
}
