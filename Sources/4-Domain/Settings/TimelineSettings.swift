package import Timeline

/// The settings of one timeline. A value that the timeline lacks comes from its account.
package struct TimelineSettings: Sendable, Hashable {
  package let name: TimelineName
  /// The time between two refreshes.
  package var refreshInterval: Duration
  /// The maximum number of posts in the published file; `nil` for the default.
  package var keepPosts: Int?
  /// The number of posts that an empty timeline fetches first; `nil` for the default.
  package var firstFillPosts: Int?
  /// The number of days to keep posts in the archive; `nil` means forever.
  package var keepDays: Int?
  /// Whether the archive keeps posts that are no longer published.
  package var keepsArchive: Bool
  /// The formats published in addition to the JSON file, without duplicates.
  package var publish: [PublishedFormat]
  /// The maximum number of posts in a feed. The feed contains the newest posts.
  package var feedPosts: Int
  /// A program and its arguments, to run with the new posts as JSON Lines on its standard input.
  package var onNewPosts: [String]?
  /// Whether new posts cause desktop notifications.
  package var notifies: Bool
  /// Whether the filters that the user has set up on the server apply to the timeline.
  package var appliesServerFilters: Bool

  /// The number of newest posts to have without gaps. If there is no archive, they are the posts that are kept.
  package var wantedPosts: Int { keepPosts ?? ProgramDefaults.fetchedPosts }

  /// Returns the number of posts that an empty timeline fetches. A default never limits a number in the configuration, but posts that would
  /// be removed at once are not fetched.
  /// - Parameter usual: the provider's default; `nil` if it has none.
  package func firstFill(usual: Int?) -> Int {
    let most = keepPosts == nil && keepsArchive ? Int.max : wantedPosts
    return min(most, firstFillPosts ?? usual ?? wantedPosts)
  }
}
