internal import HTTP

/// Where a form leads after its change: the page that it was on.
enum BackAddress {
  /// The maximum length in bytes. A search has the longest address.
  private static let longest = 8_192
  /// The beginnings of the paths of pages that have forms.
  private static let pages: Set<String?> = [nil, "a", "v", "search", "status", "post", "outbox"]

  /// Reads the address that a form contains. It is decoded and written again, so that it can only be a page of this server.
  /// - Throws: status 400 for anything else.
  static func read(_ text: String?) throws(WebError) -> WebAddress {
    guard let text, text.utf8.count <= longest, let target = RequestTarget(text), case .origin = target.form,
      let path = WebPath(target), pages.contains(path.components.first)
    else {
      throw WebError(.badRequest, "This form names none of homeline's pages", "Use the buttons of homeline's pages.")
    }
    return try WebQuery(received: target.query).added(to: WebAddress(path)).withoutMessage
  }
}

extension WebRequest {
  /// The page's address for its own forms.
  var back: WebAddress { query.added(to: address).withoutMessage }
}
