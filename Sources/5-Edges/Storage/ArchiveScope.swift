package import Timeline

/// The part of an account's archive that a search, an export or an overview includes.
package enum ArchiveScope: Sendable, Hashable {
  /// All posts in timelines that are not private (``TimelineName/isPrivate``). A post in a private timeline alone is left out.
  case withoutPrivate
  case everything
  /// The posts in one timeline, which may be private.
  case timeline(TimelineName)

  /// Returns whether the scope includes the posts of a timeline.
  package func includes(_ timeline: TimelineName) -> Bool {
    switch self {
    case .withoutPrivate: !timeline.isPrivate
    case .everything: true
    case .timeline(let only): only == timeline
    }
  }
}
