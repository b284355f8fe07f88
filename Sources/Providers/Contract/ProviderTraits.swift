/// What a provider's timeline is like, as far as the schedule and the span logic need to know.
package struct ProviderTraits: Sendable, Hashable {
  /// The most posts that one request can bring.
  package let pageSize: Int
  /// How many of the newest posts can be reached at all, page after page, at a server that its answers do not tell apart
  /// (`PageAnswer.Fetched.reach`). An empty page this far down says nothing.
  package let reach: Int
  /// How far below the newest known post a request for new ones begins, so that the page touches what is known, and posts that
  /// appear late with older ids are met.
  package let overlap: Duration
  /// How many posts an account takes at first where the user says nothing; `nil` for as many as are kept.
  package var firstFill: Int?
  /// Whether it has posts at all; one without only gives tokens.
  package var hasTimeline = true
  /// With each so many refreshes, and with each that the user asks for, the newest page is read once more without a lower bound: an edit
  /// or a deletion of a known post shows nowhere else. `nil` where nothing is read for that.
  package var rereadEvery: Int?
  /// How many requests a user may make a day, where the provider counts them by days and does not tell what is left; `nil` where
  /// there is no such number.
  package var requestsPerDay: Int?
  /// The most requests that homeline ever sends it for one account within a minute. The schedule and the users stay far below; beyond
  /// it something is wrong, and nothing is sent.
  package var requestsPerMinute: Int

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
