/// A link to another site. It sends no referrer and gives the site no access to this page.
enum PageLink {
  /// Returns the attributes of an `a` element; `nil` if this is not a web address.
  static func attributes(to address: String?) -> String? {
    guard let address, let link = WebLink(address) else { return nil }
    return "href=\"\(MarkupEscape.text(link.text))\" rel=\"noopener noreferrer nofollow\""
  }

  /// Returns the content as a link, or unchanged if the address is not a web address.
  /// - Parameters:
  ///   - content: HTML.
  ///   - name: the class of the element.
  static func html(_ content: String, to address: String?, class name: String) -> String {
    guard let attributes = attributes(to: address) else { return "<span class=\"\(name)\">\(content)</span>" }
    return "<a class=\"\(name)\" \(attributes)>\(content)</a>"
  }

  /// Returns an address's host without `www.`, for use as link text; `nil` if the address is not a web address.
  static func host(of address: String) -> String? {
    guard let text = WebLink(address)?.text.unicodeScalars, let scheme = text.firstIndex(of: ":") else { return nil }
    // The scheme is followed by two slashes, and a host contains none of these three characters.
    let host = String(text[scheme...].dropFirst(3).prefix { !["/", "?", "#"].contains($0) })
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }
}
