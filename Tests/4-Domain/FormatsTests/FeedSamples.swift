import JSON
import Time
import Timeline

@testable import Formats

/// Publications for the tests of feeds and other formats.
enum FeedSamples {
  static let head = TimelineHead(
    account: "bird", provider: "twitter", user: User(id: "1", screenName: "mira_demo", name: "Mira"),
    refreshedAt: Samples.time)

  static func published(_ post: Post, account: String = "bird", isUnread: Bool = false, alsoAt: [String] = [])
    -> PublishedPost
  {
    PublishedPost(
      post: post, json: PostJSON.bytes(post), account: account, isUnread: isUnread, alsoAt: alsoAt)
  }

  static func publication(_ posts: [PublishedPost], head: TimelineHead = head) -> Publication {
    Publication(head: head, posts: posts, madeAt: Samples.time)
  }

  /// Returns a publication of one post with the given text.
  static func publication(text: String) -> Publication {
    publication([published(post(text: text))])
  }

  static func post(_ id: String = "7", text: String = "hello", url: String? = nil, media: [Media] = []) -> Post {
    Post(
      id: PostID(id), createdAt: Samples.time, author: Samples.jack, text: text, url: url, language: "en", media: media)
  }

  static func text(of publication: Publication, as format: PublishedFormat) -> String {
    String(decoding: format.bytes(of: publication), as: UTF8.self)
  }
}
