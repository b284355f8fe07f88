/// A hashtag that the user follows.
struct FollowedTag: Sendable {
  /// The number of hashtags on a page: the default and the maximum of Mastodon.
  static let (usualPage, longestPage) = (100, 200)

  let name: String
  /// Identifies the follow. Pages of followed hashtags are bounded by this id, not by the hashtag's.
  let follow: UInt64

  /// Returns the number behind the id that bounds a page.
  func key(_ flavour: MastodonFlavour) -> UInt64 {
    flavour == .goToSocial ? PostCalendar.id(at: PostCalendar.epoch, Int(follow)) : follow
  }

  /// The last followed hashtag first.
  static let all = [FollowedTag(name: "astronomy", follow: 9_307), FollowedTag(name: "猫", follow: 9_112)]
}
