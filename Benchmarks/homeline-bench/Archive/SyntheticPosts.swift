internal import TestSupport
internal import Time
internal import Timeline

/// Synthetic posts like those of a real timeline. They are the same in each run. Post 0 is the oldest, and consecutive
/// posts are fifteen minutes apart.
struct SyntheticPosts {
  let words = SyntheticWords()

  private static let begin = Timestamp(rfc3339: "2023-01-01T00:00:00Z")!

  func key(_ number: Int) -> PostKey { PostKey(decimal: id(number))! }

  func createdAt(_ number: Int) -> Timestamp { Self.begin + .seconds(900 * number) }

  /// Returns a post. 15% of the posts are Japanese, 20% have a picture, 10% quote another post, and 20% are reposts.
  func post(_ number: Int) -> Post {
    // A separate generator for each post makes the post independent of previously generated posts.
    var random = SeededGenerator(seed: UInt64(number))
    let isJapanese = Int.random(in: 0..<20, using: &random) < 3
    var post = Post(
      id: id(number), createdAt: createdAt(number), author: author(using: &random),
      text: isJapanese ? words.characters(40, using: &random) : words.sentence(22, using: &random),
      url: "https://social.example/status/\(id(number))", language: isJapanese ? "ja" : "en",
      counts: Post.Counts(
        replies: Int.random(in: 0..<9, using: &random), reposts: Int.random(in: 0..<90, using: &random),
        likes: Int.random(in: 0..<900, using: &random)))
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: post.repostedBy = author(using: &random)
    case 2, 3: post.media = [picture(number, using: &random)]
    case 4:
      post.quoted = Post.Quote(
        id: PostID("9\(number)"), createdAt: post.createdAt + .seconds(-600), author: author(using: &random),
        text: words.sentence(18, using: &random), url: nil, media: [])
    default: break
    }
    return post
  }

  /// A text of two kilobytes in place of the provider's own JSON.
  func source(_ number: Int) -> [UInt8] {
    var random = SeededGenerator(seed: ~UInt64(number))
    let members = (0..<80).map { "\"member_\($0)\":\"\(String(random.next() >> 32, radix: 16))\"" }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }

  private func id(_ number: Int) -> PostID { PostID(String(1_600_000_000_000_000_000 + number * 3_774_873_600_000)) }

  /// One of 400 authors, some of whom write many more posts than others.
  private func author(using random: inout SeededGenerator) -> User {
    let number = SyntheticWords.rank(below: 400, using: &random)
    return User(
      id: String(10_000 + number), screenName: "user_\(number)", name: words.sentence(2, of: UInt64(number)),
      avatarURL: "https://social.example/avatars/\(number).png")
  }

  private func picture(_ number: Int, using random: inout SeededGenerator) -> Media {
    Media(
      kind: .photo, url: "https://social.example/media/\(number).jpg",
      alternativeText: words.sentence(8, using: &random))
  }
}
