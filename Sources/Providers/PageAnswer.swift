package import Timeline

/// What came of asking for posts.
package enum PageAnswer: Sendable {
  case page(Fetched)
  /// Nothing has changed since the answer whose tag was sent.
  case notModified

  package struct Fetched: Sendable {
    package let page: Page
    /// How many posts could not be read and are missing from the page.
    package let skipped: Int
    /// How many posts the provider charges for: those of the page and those that came along; 0 where nothing is billed.
    package let billed: Int
    /// To be sent with the next query of the same content.
    package let etag: String?
    /// Whether there is more above: the page was asked for upwards from a known post and came full, so ask again from its newest.
    package let hasNewer: Bool

    package init(page: Page, skipped: Int, billed: Int = 0, etag: String? = nil, hasNewer: Bool = false) {
      self.page = page
      self.skipped = skipped
      self.billed = billed
      self.etag = etag
      self.hasNewer = hasNewer
    }
  }
}
