internal import Time

/// Finds posts that a person published through several accounts, so that each is shown only once.
package struct CrossPosts {
  /// The maximum time between two publications of the same text.
  package static let reach = Duration.seconds(48 * 3600)
  /// The minimum length in characters, without links. Shorter text is often equal by coincidence.
  static let shortest = 20

  /// A remaining post.
  package struct Remaining {
    /// The index in the given order.
    package let index: Int
    /// The URLs of the posts left out for it.
    package var alsoAt: [String] = []
    /// The indices of the posts left out for it, in the given order.
    package var copies: [Int] = []
  }

  /// Returns the posts without the repeated ones.
  ///
  /// Two posts are the same if they came through different accounts and have the same URL, or the same text and author. The comparison of
  /// text ignores whitespace, case, links and a final ellipsis. Authors are compared by name, or by screen name up to the `@` before a
  /// server. Repeated posts within one account are kept. Takes linear time for a fixed number of accounts.
  ///
  /// Whether a post is left out depends only on those before it, so posts can be added at the end without changing that.
  /// - Parameter posts: newest first.
  /// - Returns: the remaining posts in the given order.
  package static func folded(_ posts: [(account: String, post: Post)]) -> [Remaining] {
    var folding = CrossPosts()
    for entry in posts { folding.note(entry.post.author, of: entry.account) }
    for (index, entry) in posts.enumerated() { folding.add(entry.post, index, of: entry.account) }
    return folding.groups.map(\.remaining)
  }

  /// One of the names that a person has in several accounts.
  private enum Name: Hashable {
    case name(String)
    case screenName(String)

    static func all(of user: User) -> [Name] {
      let name = user.name.split(whereSeparator: \.isWhitespace).joined(separator: " ").caseFolded
      let screenName = String(user.screenName.prefix { $0 != "@" }).caseFolded
      return (name.isEmpty ? [] : [.name(name)]) + (screenName.isEmpty ? [] : [.screenName(screenName)])
    }
  }

  /// The features that identify two posts as the same post.
  private enum Likeness: Hashable {
    case text(String, by: Name)
    case url(String)
  }

  private struct AccountLikeness: Hashable {
    let account: String
    let likeness: Likeness
  }

  /// A remaining post and the posts left out for it, at most one per account.
  private struct Group {
    var remaining: Remaining
    let url: String?
    let createdAt: Timestamp
    var accounts: Set<String>
  }

  private var groups: [Group] = []
  private var candidates: [Likeness: [Int]] = [:]
  /// The number of candidates that no longer need to be examined for an account: they already include a post from the account, or are too
  /// new for all following posts.
  private var passed: [AccountLikeness: Int] = [:]
  /// The account through which posts of a name came; `nil` if it was more than one. Only then are the texts compared, which takes longer than
  /// everything else here.
  private var accounts: [Name: String?] = [:]

  private mutating func note(_ author: User, of account: String) {
    for name in Name.all(of: author) {
      if let known = accounts[name] {
        if known != account { accounts[name] = .some(nil) }
      } else {
        accounts[name] = account
      }
    }
  }

  private mutating func add(_ post: Post, _ index: Int, of account: String) {
    let likenesses = likenesses(of: post)
    for likeness in likenesses {
      guard let found = group(for: post, likeness, of: account) else { continue }
      groups[found].accounts.insert(account)
      groups[found].remaining.copies.append(index)
      if let url = post.url, url != groups[found].url, !groups[found].remaining.alsoAt.contains(url) {
        groups[found].remaining.alsoAt.append(url)
      }
      return
    }
    for likeness in likenesses { candidates[likeness, default: []].append(groups.count) }
    groups.append(
      Group(remaining: Remaining(index: index), url: post.url, createdAt: post.createdAt, accounts: [account]))
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

  private func likenesses(of post: Post) -> [Likeness] {
    // A like tells more than the liked post. A mention tells no more than its post.
    if let notice = post.notice, notice.knownKind != .mention { return [] }
    let likenesses = post.url.map { [Likeness.url($0)] } ?? []
    let names = Name.all(of: post.author).filter { accounts[$0] == .some(nil) }
    if names.isEmpty { return likenesses }
    let text = TextWithoutLinks.essence(of: post.text)
    guard text.dropFirst(Self.shortest - 1).first != nil else { return likenesses }
    return likenesses + names.map { .text(text, by: $0) }
  }
}
