internal import JSON

/// A post in the v2 API as sent by X, with the objects in `includes` that it refers to: authors, referenced posts and media.
struct XSource {
  /// The maximum number of bytes of `includes` kept with one post. Many posts can refer to the same large object, and each keeps a copy.
  private static let limit = 256 << 10
  /// The number of references that are followed, enough for a post quoted in a reposted post.
  private static let depth = 2

  private let post: XPost
  private let response: XTimelineResponse
  private var remaining = Self.limit
  private var users: [ArraySlice<UInt8>] = []
  private var posts: [ArraySlice<UInt8>] = []
  private var media: [ArraySlice<UInt8>] = []
  private var seen: Set<Name> = []

  /// Identifies an object in `includes`.
  private enum Name: Hashable {
    case user(String), post(String), media(String)
  }

  init(of post: XPost, in response: XTimelineResponse) {
    self.post = post
    self.response = response
    collect(behind: post, depth: Self.depth)
  }

  /// `{"data":…,"includes":{"users":[…],"tweets":[…],"media":[…]}}`, with each object as received.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("data")
      writer.raw(post.source)
      writer.name("includes")
      writer.object { writer in
        writer.member("users", list: users) { $0.raw($1) }
        writer.member("tweets", list: posts) { $0.raw($1) }
        writer.member("media", list: media) { $0.raw($1) }
      }
    }
    return writer.bytes
  }

  private mutating func collect(behind post: XPost, depth: Int) {
    if let id = post.authorID, let source = taken(.user(id), response.userSources[id]) { users.append(source) }
    for key in post.mediaKeys {
      if let source = taken(.media(key), response.mediaSources[key]) { media.append(source) }
    }
    guard depth > 0 else { return }
    // Sorted, so that the same response produces the same bytes.
    for id in post.references.sorted(by: { $0.key.rawValue < $1.key.rawValue }).map(\.value) {
      guard let other = response.referenced[id], let source = taken(.post(id), other.source) else { continue }
      posts.append(source)
      collect(behind: other, depth: depth - 1)
    }
  }

  /// Returns the object, unless it is a duplicate or exceeds the size limit.
  private mutating func taken(_ name: Name, _ source: ArraySlice<UInt8>?) -> ArraySlice<UInt8>? {
    guard let source, source.count < remaining, seen.insert(name).inserted else { return nil }
    // The comma after the object counts too.
    remaining -= source.count + 1
    return source
  }
}
