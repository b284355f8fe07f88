internal import JSON
package import Timeline

/// The result of a page request.
package enum PageResponse: Sendable {
  case page(Fetched)
  /// The page has not changed since the response whose entity tag was sent.
  case notModified

  package struct Fetched: Sendable {
    package let page: Page
    /// The number of unreadable posts. They are missing from the page.
    package let skipped: Int
    /// The objects that the provider may charge for; empty if reading is free.
    package let delivered: Delivered
    /// The tag to send with the next identical query.
    package let etag: String?
    /// Whether newer posts can exist: the page was requested upwards from a known post, and the response was full.
    package let hasNewer: Bool
    /// The number of newest posts that this server's timelines contain, if the response shows which software it runs; otherwise `nil`.
    package let reach: Int?
    /// Whether the response shows that nothing is below the page, in a timeline whose order is that of the user's marks.
    package let isLast: Bool

    package init(
      page: Page, skipped: Int, delivered: Delivered = Delivered(), etag: String? = nil, hasNewer: Bool = false,
      reach: Int? = nil, isLast: Bool = false
    ) {
      self.page = page
      self.skipped = skipped
      self.delivered = delivered
      self.etag = etag
      self.hasNewer = hasNewer
      self.reach = reach
      self.isLast = isLast
    }
  }
}

/// Reads the lists in a timeline response. The server chooses their length.
extension JSONCursor {
  /// The maximum number of posts, or of included objects, in one response: ten times the largest requested page.
  static let mostOfPage = 2_000

  /// Reads such a list; `body` consumes each element.
  /// - Throws: `ProviderFailure.unreadable` at the first element beyond the limit.
  mutating func pageElements(_ body: (inout JSONCursor) throws -> Void) throws {
    var count = 0
    try elements { cursor in
      count += 1
      guard count <= Self.mostOfPage else {
        throw ProviderFailure.unreadable(
          "The provider sent more than \(Self.mostOfPage) posts, authors or media for one page, so the response is ignored. "
            + "Check which provider is configured, and its endpoints if you have set them.")
      }
      try body(&cursor)
    }
  }

  /// Consumes any value and reads its elements if it is an array.
  mutating func lenientPageElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try pageElements(body) } else { try skip() }
  }
}
