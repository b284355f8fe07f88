internal import LocalCommands
internal import Settings
internal import Storage
internal import Timeline

/// Archived posts that other posts reply to.
final class AnsweredPosts {
  private let archives: Archives
  /// The archives that have been opened; nil for an account whose archive cannot be read.
  private var opened: [AccountName: (any TimelineReading)?] = [:]

  init(_ archives: Archives) { self.archives = archives }

  deinit { for case let archive? in opened.values { archive.close() } }

  /// Returns the post another one replies to; nil if it is not stored.
  func post(answeredBy reply: ShownPost) -> ShownPost? {
    guard let account = reply.origin, let id = reply.post.inReplyTo?.id,
      let known = try? archive(of: account)?.post(id), let post = try? PostJSON.read(known.json)
    else { return nil }
    return ShownPost(
      post: post, json: known.json, account: reply.account, hasGapBelow: false, isUnread: false, origin: account)
  }

  private func archive(of account: AccountName) -> (any TimelineReading)? {
    if let archive = opened[account] { return archive }
    // Without an archive, the published posts are shown.
    let archive = try? archives.open(account)
    opened[account] = .some(archive)
    return archive
  }
}
