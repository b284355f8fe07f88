internal import JSON

/// A post of the API v2 in X's own words, with what of `includes` it refers to: its authors, the posts behind it and its media.
struct XSource {
  /// How many bytes of `includes` are kept with one post. Many posts can refer to the same large object, and each keeps a copy.
  private static let limit = 256 << 10
  /// Posts behind posts are followed so far: to what is quoted in what was reposted.
  private static let depth = 2

  private let post: XPost
  private let answer: XTimelineAnswer
  private var room = Self.limit
  private var users: [ArraySlice<UInt8>] = []
  private var posts: [ArraySlice<UInt8>] = []
  private var media: [ArraySlice<UInt8>] = []
  private var seen: Set<Name> = []

  /// An object of `includes`.
  private enum Name: Hashable {
    case user(String), post(String), media(String)
  }

  init(of post: XPost, in answer: XTimelineAnswer) {
    self.post = post
    self.answer = answer
    collect(behind: post, depth: Self.depth)
  }

  /// `{"data":…,"includes":{"users":[…],"tweets":[…],"media":[…]}}`, each object as it came.
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
    if let id = post.authorID, let source = taken(.user(id), answer.userSources[id]) { users.append(source) }
    for key in post.mediaKeys { if let source = taken(.media(key), answer.mediaSources[key]) { media.append(source) } }
    guard depth > 0 else { return }
    // In order, so that the same answer is kept in the same words each time.
    for id in post.references.sorted(by: { $0.key.rawValue < $1.key.rawValue }).map(\.value) {
      guard let other = answer.referenced[id], let source = taken(.post(id), other.source) else { continue }
      posts.append(source)
      collect(behind: other, depth: depth - 1)
    }
  }

  /// The object, when it is there for the first time and there is room for it.
  private mutating func taken(_ name: Name, _ source: ArraySlice<UInt8>?) -> ArraySlice<UInt8>? {
    guard let source, source.count < room, seen.insert(name).inserted else { return nil }
    // With the comma.
    room -= source.count + 1
    return source
  }
}
