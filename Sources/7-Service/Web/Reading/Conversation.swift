internal import Formats
internal import Settings
internal import Storage
internal import Timeline

/// A post, with the stored posts that it answers and those that answer it.
struct Conversation {
  /// The posts that the post answers, the first one first. The beginning of a longer conversation is left out.
  var above: [PublishedPost] = []
  var post: PublishedPost
  /// The posts that answer it, or for a repost its original, each below the one that it answers, with the number of posts between it and
  /// the post.
  var below: [(post: PublishedPost, depth: Int)] = []
  /// Earlier versions of the post, oldest first.
  var edits: [ImportedPost.Edit] = []
  /// Whether the conversation begins above ``above``.
  var goesOnAbove = false
  /// Whether there are more replies, which are newer than those in ``below``.
  var goesOnBelow = false
  /// Whether the post is in the home timeline, whose read mark can then be moved to it.
  var isInHome = false

  /// The number of posts above the post.
  private static let longestChain = 40
  /// The number of newer posts among which replies are looked for.
  static let reach = 5_000
  /// The maximum number of replies on the page. Some accounts answer themselves all day.
  static let mostReplies = 200

  /// Reads a conversation from an account's archive. Private timelines belong to it, because the user has named the account and the post.
  /// - Parameter original: returns the id of the original from the provider's JSON of a repost.
  /// - Returns: `nil` if the post is not stored, or if it was deleted.
  init?(
    _ id: PostID, of account: AccountName, in archive: any TimelineReading, original: ([UInt8]) -> PostID?
  ) throws(StorageError) {
    guard let known = try archive.post(id, in: .everything), let post = Self.published(known, account) else {
      return nil
    }
    self.post = post
    edits = try archive.edits(of: id, in: .everything)
    isInHome = try archive.post(id, in: .timeline(.home)) != nil
    var seen: Set<PostID> = [id]
    var reply = post.post
    while let answered = reply.inReplyTo?.id, seen.insert(answered).inserted {
      guard let found = try archive.post(answered, in: .everything).flatMap({ Self.published($0, account) }) else {
        goesOnAbove = true
        break
      }
      if above.count == Self.longestChain {
        goesOnAbove = true
        break
      }
      above.append(found)
      reply = found.post
    }
    above.reverse()
    var answered = known.mark
    // Servers store a reply to a repost as a reply to the original.
    if post.post.repostedBy != nil, let source = try archive.source(of: id, in: .everything),
      let original = original(source)
    {
      answered =
        try archive.post(original, in: .everything)?.mark ?? PostPosition(id: original, key: known.mark.key)
    }
    // One more than the page shows, which tells whether there are more.
    var replies = try archive.replies(
      to: answered, in: .everything, lookingAt: Self.reach, atMost: Self.mostReplies + 1)
    if replies.count > Self.mostReplies {
      goesOnBelow = true
      replies.removeLast()
    }
    below = Self.arranged(
      withoutReposts(replies.compactMap { Self.published($0, account) }), below: answered.id)
  }

  /// Returns replies without the reposts of posts that the page shows anyway. The repost of a reply names the same post as answered.
  private func withoutReposts(_ replies: [PublishedPost]) -> [PublishedPost] {
    var shown = Set((above + [post] + replies.filter { $0.post.repostedBy == nil }).compactMap(\.post.url))
    return replies.filter { reply in
      guard reply.post.repostedBy != nil, let url = reply.post.url else { return true }
      return shown.insert(url).inserted
    }
  }

  /// Returns a post of an account's archive; `nil` if it is not stored, or if it was deleted.
  static func post(
    _ id: PostID, of account: AccountName, in archive: any TimelineReading
  ) throws(StorageError) -> PublishedPost? {
    try archive.post(id, in: .everything).flatMap { published($0, account) }
  }

  private static func published(_ known: KnownPost, _ account: AccountName) -> PublishedPost? {
    (try? PostJSON.read(known.json)).map {
      PublishedPost(post: $0.withoutNotice, json: known.json, account: account.text, isUnread: false)
    }
  }

  /// Returns the replies in the order of a tree: each below the post that it answers, oldest first.
  private static func arranged(
    _ replies: [PublishedPost], below root: PostID
  ) -> [(post: PublishedPost, depth: Int)] {
    var answers: [PostID: [PublishedPost]] = [:]
    for reply in replies { if let id = reply.post.inReplyTo?.id { answers[id, default: []].append(reply) } }
    var arranged: [(post: PublishedPost, depth: Int)] = []
    var stack = (answers.removeValue(forKey: root) ?? []).reversed().map { (post: $0, depth: 1) }
    while let line = stack.popLast() {
      arranged.append(line)
      let next = answers.removeValue(forKey: line.post.post.id) ?? []
      stack += next.reversed().map { (post: $0, depth: line.depth + 1) }
    }
    return arranged
  }
}
