/// A link to somewhere else: it tells nobody where it was followed, and gives the other page no hold on this one.
enum PageLink {
  /// The attributes of an `a` element; `nil` for an address that is not one of the web.
  static func attributes(to address: String?) -> String? {
    guard let address, let link = WebLink(address) else { return nil }
    return "href=\"\(MarkupEscape.text(link.text))\" rel=\"noopener noreferrer nofollow\""
  }

  /// The content as a link, or as it is where the address is not one of the web.
  /// - Parameters:
  ///   - content: HTML.
  ///   - name: the class of the element.
  static func html(_ content: String, to address: String?, class name: String) -> String {
    guard let attributes = attributes(to: address) else { return "<span class=\"\(name)\">\(content)</span>" }
    return "<a class=\"\(name)\" \(attributes)>\(content)</a>"
  }

  /// The host that an address leads to, without `www.`, for a link's words; `nil` for an address that is not one of the web.
  static func host(of address: String) -> String? {
    guard let text = WebLink(address)?.text.unicodeScalars, let scheme = text.firstIndex(of: ":") else { return nil }
    // Behind the scheme come two slashes; a host has neither of these three in it.
    let host = String(text[scheme...].dropFirst(3).prefix { !["/", "?", "#"].contains($0) })
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }
}
