internal import CivilTime

/// Finds what the same person has published through several accounts, so that it is shown once.
package struct CrossPosts {
  /// How far apart the same text may have been published.
  static let reach = Duration.seconds(48 * 3600)
  /// Shorter texts, links left aside, are too often the same by chance. In characters.
  static let shortest = 20

  /// Leaves out what stands there already.
  ///
  /// Two posts are the same when their texts are, white space, letter case, links and an ellipsis at the end left
  /// aside, and their authors have the same name or the same screen name up to the `@` of a server; or when both have
  /// the same URL. They came through different accounts: what somebody says twice in one place stays twice. Linear in
  /// the posts, for a given number of accounts.
  /// - Parameter posts: newest first.
  /// - Returns: the places of those that stay, in the given order, each with the URLs of those that are left out for
  ///   it.
  package static func folded(_ posts: [(account: String, post: Post)]) -> [(index: Int, alsoAt: [String])] {
    var folding = CrossPosts()
    for (index, entry) in posts.enumerated() { folding.add(entry.post, index, of: entry.account) }
    return folding.groups.map { ($0.index, $0.alsoAt) }
  }

  /// What says that two posts are the same.
  private enum Likeness: Hashable {
    case name(String, text: String)
    case screenName(String, text: String)
    case url(String)
  }

  private struct AccountLikeness: Hashable {
    let account: String
    let likeness: Likeness
  }

  /// A post that stays, and what is left out for it: no account has two in it.
  private struct Group {
    let index: Int
    let url: String?
    let createdAt: Timestamp
    var accounts: Set<String>
    var alsoAt: [String] = []
  }

  private var groups: [Group] = []
  private var candidates: [Likeness: [Int]] = [:]
  /// How many of the candidates an account need not look at any more: they have a post of it, or are too new for all
  /// that comes.
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
