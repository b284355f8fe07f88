internal import Time

/// Finds posts that a person published through several accounts, so that each is shown only once.
package struct CrossPosts {
  /// The maximum time between two publications of the same text.
  static let reach = Duration.seconds(48 * 3600)
  /// The minimum length in characters, without links. Shorter text is often equal by coincidence.
  static let shortest = 20

  /// Returns the posts without the repeated ones.
  ///
  /// Two posts are the same if they came through different accounts and have the same URL, or the same text and author. The comparison of
  /// text ignores whitespace, case, links and a final ellipsis. Authors are compared by name, or by screen name up to the `@` before a
  /// server. Repeated posts within one account are kept. Takes linear time for a fixed number of accounts.
  /// - Parameter posts: newest first.
  /// - Returns: the indices of the remaining posts, in the given order, each with the URLs of the posts left out for
  ///   it.
  package static func folded(_ posts: [(account: String, post: Post)]) -> [(index: Int, alsoAt: [String])] {
    var folding = CrossPosts()
    for (index, entry) in posts.enumerated() { folding.add(entry.post, index, of: entry.account) }
    return folding.groups.map { ($0.index, $0.alsoAt) }
  }

  /// The features that identify two posts as the same post.
  private enum Likeness: Hashable {
    case name(String, text: String)
    case screenName(String, text: String)
    case url(String)
  }

  private struct AccountLikeness: Hashable {
    let account: String
    let likeness: Likeness
  }

  /// A remaining post and the posts left out for it, at most one per account.
  private struct Group {
    let index: Int
    let url: String?
    let createdAt: Timestamp
    var accounts: Set<String>
    var alsoAt: [String] = []
  }

  private var groups: [Group] = []
  private var candidates: [Likeness: [Int]] = [:]
  /// The number of candidates that no longer need to be examined for an account: they already include a post from the account, or are too
  /// new for all following posts.
  private var passed: [AccountLikeness: Int] = [:]

  private mutating func add(_ post: Post, _ index: Int, of account: String) {
    let likenesses = Self.likenesses(of: post)
    for likeness in likenesses {
      guard let found = group(for: post, likeness, of: account) else { continue }
      groups[found].accounts.insert(account)
      if let url = post.url, url != groups[found].url, !groups[found].alsoAt.contains(url) {
        groups[found].alsoAt.append(url)
      }
      return
    }
    for likeness in likenesses { candidates[likeness, default: []].append(groups.count) }
    groups.append(Group(index: index, url: post.url, createdAt: post.createdAt, accounts: [account]))
  }

  private mutating func group(for post: Post, _ likeness: Likeness, of account: String) -> Int? {
    guard let candidates = candidates[likeness] else { return nil }
    let key = AccountLikeness(account: account, likeness: likeness)
    var next = passed[key] ?? 0
    defer { passed[key] = next }
    while next < candidates.count {
      let group = groups[candidates[next]]
      let distance = group.createdAt - post.createdAt
      if !group.accounts.contains(account), (.zero - Self.reach...Self.reach).contains(distance) {
        return candidates[next]
      }
      next += 1
    }
    return nil
  }

  private static func likenesses(of post: Post) -> [Likeness] {
    // A like tells more than the liked post. A mention tells no more than its post.
    if let notice = post.notice, notice.knownKind != .mention { return [] }
    var likenesses = post.url.map { [Likeness.url($0)] } ?? []
    let text = TextWithoutLinks.essence(of: post.text)
    guard text.dropFirst(shortest - 1).first != nil else { return likenesses }
    let name = post.author.name.split(whereSeparator: \.isWhitespace).joined(separator: " ").caseFolded
    let screenName = String(post.author.screenName.prefix { $0 != "@" }).caseFolded
    if !name.isEmpty { likenesses.append(.name(name, text: text)) }
    if !screenName.isEmpty { likenesses.append(.screenName(screenName, text: text)) }
    return likenesses
  }
}
