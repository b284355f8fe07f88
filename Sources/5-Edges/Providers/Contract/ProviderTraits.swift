/// The properties of a provider's timeline that scheduling and paging need.
package struct ProviderTraits: Sendable, Hashable {
  /// The maximum number of posts that one request can return.
  package let pageSize: Int
  /// The number of newest posts that can be reached by paging, unless a response identifies the server's software
  /// (`PageResponse.Fetched.reach`). Beyond this number, an empty page proves nothing.
  package let reach: Int
  /// How far below the newest known post a request for new posts begins, so that the page joins the known posts and includes late posts
  /// with older ids.
  package let overlap: Duration
  /// The default number of posts that an empty account fetches first; `nil` for as many as the account keeps.
  package var firstFill: Int?
  /// Whether the provider has posts. A provider without posts only issues tokens.
  package var hasTimeline = true
  /// After this many refreshes, the newest page is read again without a lower bound, because only this shows edits and
  /// deletions of known posts. It is also read again when the user requests a refresh. `nil` means never.
  package var rereadEvery: Int?
  /// The number of requests that a user may send per day, if the provider counts by day and does not report how many are left;
  /// otherwise `nil`.
  package var requestsPerDay: Int?
  /// The maximum number of requests for one account within a minute. Normal use stays far below this number. More requests indicate a bug,
  /// and are not sent.
  package var requestsPerMinute: Int
  /// A limit on the provider's logins that its responses do not report; `nil` if there is none.
  package var loginLimit: LoginLimit?

  package init(
    pageSize: Int, reach: Int, overlap: Duration, firstFill: Int? = nil, hasTimeline: Bool = true,
    rereadEvery: Int? = nil, requestsPerDay: Int? = nil, requestsPerMinute: Int = 60
  ) {
    self.pageSize = pageSize
    self.reach = reach
    self.overlap = overlap
    self.firstFill = firstFill
    self.hasTimeline = hasTimeline
    self.rereadEvery = rereadEvery
    self.requestsPerDay = requestsPerDay
    self.requestsPerMinute = requestsPerMinute
  }
}
