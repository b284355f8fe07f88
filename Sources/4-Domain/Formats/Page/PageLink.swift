package import HTTP

/// A link to another site. It sends no referrer and gives the site no access to this page.
package enum PageLink {
  /// Returns the content as a link, or unchanged if the address is not a web address.
  /// - Parameter name: the class of the element.
  package static func html(_ content: Markup, to address: String?, class name: Markup) -> Markup {
    guard let link = address.flatMap(WebLink.init) else { return "<span class=\"\(name)\">\(content)</span>" }
    return "<a class=\"\(name)\" href=\"\(link.text)\" rel=\"noopener noreferrer nofollow\">\(content)</a>"
  }

  /// Returns an address's host without `www.`, for use as link text; `nil` if the address is not a web address.
  package static func host(of address: String) -> String? {
    guard let text = WebLink(address)?.text.unicodeScalars, let scheme = text.firstIndex(of: ":") else { return nil }
    // The scheme is followed by two slashes, and a host contains none of these three characters.
    let host = String(text[scheme...].dropFirst(3).prefix { !["/", "?", "#"].contains($0) })
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }
}
