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
    /// What the provider may charge for; empty where nothing is charged.
    package let delivered: Delivered
    /// To be sent with the next query of the same content.
    package let etag: String?
    /// Whether there is more above: the page was asked for upwards from a known post and came full, so ask again from its newest.
    package let hasNewer: Bool
    /// How far the timelines of this server reach, in posts from the newest one, where the answer shows which server it is; `nil`
    /// where it does not.
    package let reach: Int?

    package init(
      page: Page, skipped: Int, delivered: Delivered = Delivered(), etag: String? = nil, hasNewer: Bool = false,
      reach: Int? = nil
    ) {
      self.page = page
      self.skipped = skipped
      self.delivered = delivered
      self.etag = etag
      self.hasNewer = hasNewer
      self.reach = reach
    }
  }
}
