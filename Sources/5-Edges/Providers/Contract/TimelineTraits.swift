/// The properties of one timeline that scheduling and paging need.
package struct TimelineTraits: Sendable, Hashable {
  /// The order of a timeline's entries.
  package enum Order: Sendable, Hashable {
    /// By the entries' ids, so that the positions of entries show where others are missing.
    case byID
    /// By the time when the user marked the post. A mark has no id that clients can see, and a removed mark leaves no trace, so no gap can be
    /// known.
    case byMark
  }

  /// What a rate limit in a response counts.
  package enum RateWindow: Sendable, Hashable {
    /// All requests with the token.
    case token
    /// Only the requests for timelines of this kind.
    case kind
  }

  /// The maximum number of entries that one request can return.
  package let pageSize: Int
  /// The number of newest entries that can be reached by paging, unless a response identifies the server's software
  /// (`PageResponse.Fetched.reach`). Beyond this number, an empty page proves nothing.
  package let reach: Int
  /// How far below the newest known post a request for new posts begins, so that the page joins the known posts and includes late posts
  /// with older ids.
  package let overlap: Duration
  /// The default number of posts that an empty timeline fetches first; `nil` for as many as the account keeps.
  package var firstFill: Int?
  /// After this many refreshes, the newest page is read again without a lower bound, because only this shows edits and
  /// deletions of known posts. It is also read again when the user requests a refresh. `nil` means never.
  package var rereadEvery: Int?
  package var order = Order.byID
  package var window = RateWindow.token

  /// The properties of a timeline that the provider does not offer.
  package static let notOffered = TimelineTraits(pageSize: 1, reach: 1, overlap: .zero)

  package init(
    pageSize: Int, reach: Int, overlap: Duration, firstFill: Int? = nil, rereadEvery: Int? = nil,
    order: Order = .byID, window: RateWindow = .token
  ) {
    self.pageSize = pageSize
    self.reach = reach
    self.overlap = overlap
    self.firstFill = firstFill
    self.rereadEvery = rereadEvery
    self.order = order
    self.window = window
  }
}
