internal import Formats
package import Timeline

/// What an open page needs to know about published posts to tell whether there are new ones.
package struct PublishedSummary: Sendable, Hashable {
  /// The number of unread posts.
  package let unread: Int
  /// The newest post, as the id of its element (``PageAnchor``); `nil` if there are no posts.
  package let newest: String?

  /// - Parameters:
  ///   - posts: the published posts, newest first.
  ///   - account: the account's name.
  package init(_ posts: PostLines, of account: String, unread: Int) {
    self.unread = unread
    let first = posts.isEmpty ? nil : Array(posts[0])
    let post = first.flatMap { json in
      (try? PostJSON.read(json)).map { PublishedPost(post: $0, json: json, account: account, isUnread: unread > 0) }
    }
    newest = post.map(PageAnchor.name)
  }

  init(_ publication: Publication) {
    unread = publication.head.unread
    newest = publication.posts.first.map(PageAnchor.name)
  }
}
