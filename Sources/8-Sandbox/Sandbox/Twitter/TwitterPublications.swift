internal import HTTP
internal import HomelineOAuth
internal import Time

/// The posts that the user has published (`POST statuses/update`), with the rules of Twitter and of GNU social.
struct TwitterPublications: Sendable {
  /// How long GNU social refuses a repeated text (`dupelimit`). After that, it publishes the text again.
  private static let duplicateWindow = Duration.seconds(60)
  /// The maximum length of a post in characters. The real Twitter weights them.
  private static let longest = 280
  /// The maximum length of a post on GNU social in characters. Each real site chooses its own limit.
  static let longestOfGNUSocial = 1_000

  private let isGNUSocial: Bool
  /// The posts, oldest first.
  private(set) var posts: [SandboxPost] = []
  /// The posts that the user likes, by id.
  private(set) var favourites: [UInt64: SandboxPost]
  /// The ids of the posts that the user liked before the timeline began.
  private let likedEarlier: Set<UInt64>
  var uploads: TwitterUploads

  init(isGNUSocial: Bool, _ history: SandboxHistory) {
    self.isGNUSocial = isGNUSocial
    uploads = TwitterUploads(isGNUSocial: isGNUSocial)
    let posts = history.favourites.map(\.post)
    favourites = Dictionary(posts.map { ($0.id, $0) }) { first, _ in first }
    likedEarlier = Set(posts.map(\.id))
  }

  /// The ids of the posts that requests have liked.
  var liked: Set<UInt64> { Set(favourites.keys).subtracting(likedEarlier) }

  func post(_ id: UInt64) -> SandboxPost? { posts.first { $0.id == id } }

  /// Returns the posts in the range of a query, newest first.
  func newest(_ query: SandboxTimeline.Query) -> ArraySlice<SandboxPost> {
    posts.reversed().filter { $0.id > query.sinceID ?? 0 && $0.id <= query.maxID ?? .max }.prefix(query.count)
  }

  /// Returns what the user has done with a post or, for a repost, with the original.
  func state(of post: SandboxPost) -> UserState {
    if case .reposted(let original) = post.companion { return state(of: original) }
    return UserState(isLiked: favourites[post.id] != nil, repost: posts.first { $0.reposts(post) }?.id)
  }

  /// Shows, deletes, reposts or likes a post, or undoes a repost or like.
  /// - Parameter timeline: finds another user's post by its id.
  mutating func perform(
    _ route: TwitterRoute, _ path: String, _ signature: ReceivedSignature, at now: Timestamp,
    timeline: (UInt64) -> SandboxPost?
  ) throws(TwitterError) -> SandboxPost {
    let last = path.split(separator: "/").last?.split(separator: ".").first
    guard let id = (signature["id"] ?? last.map { String($0) }).flatMap({ UInt64($0) }),
      let post = post(id) ?? timeline(id)
    else { throw .notFound }
    switch route {
    case .show: break
    case .destroy:
      guard self.post(id) != nil else {
        throw TwitterError(status: .forbidden, code: 183, message: "You may not delete another user's status.")
      }
      posts.removeAll { $0.id == id }
    case .retweet:
      guard state(of: post).repost == nil else {
        throw isGNUSocial
          ? TwitterError(status: .badRequest, code: 0, message: "Already repeated that notice.")
          : TwitterError(status: .forbidden, code: 327, message: "You have already retweeted this Tweet.")
      }
      var repost = SandboxPost(
        id: max(PostCalendar.id(at: now, 0), (posts.last?.id ?? 0) + 1), createdAt: now, author: .mira, pieces: [],
        reposts: 0, likes: 0)
      repost.companion = .reposted(post)
      posts.append(repost)
      return repost
    case .unretweet:
      if isGNUSocial { throw .notFound }
      posts.removeAll { if case .reposted(let original) = $0.companion { original.id == id } else { false } }
    case .createFavorite:
      guard favourites.updateValue(post, forKey: id) == nil else {
        throw isGNUSocial
          ? TwitterError(status: .forbidden, code: 0, message: "This status is already a favorite.")
          : TwitterError(status: .forbidden, code: 139, message: "You have already favorited this status.")
      }
    default:
      guard favourites.removeValue(forKey: id) != nil else {
        throw isGNUSocial
          ? TwitterError(status: .forbidden, code: 0, message: "That status is not a favorite.")
          : .notFound
      }
    }
    return post
  }

  /// Publishes a post.
  /// - Parameter timeline: finds another user's post by its id.
  /// - Returns: the post; if GNU social interprets the text as a command, the newest earlier post.
  mutating func publish(
    _ signature: ReceivedSignature, at now: Timestamp, timeline: (UInt64) -> SandboxPost?
  ) throws(TwitterError) -> SandboxPost {
    let text = signature["status"] ?? ""
    guard !text.isEmpty, !(isGNUSocial && text == "0") else {
      throw TwitterError(status: .forbidden, code: 170, message: "Missing required parameter: status")
    }
    if isGNUSocial, ["on", "off"].contains(text), let last = posts.last { return last }
    if isGNUSocial, text.unicodeScalars.count > Self.longestOfGNUSocial {
      throw TwitterError(
        status: StatusCode(413), code: 0,
        message: "That's too long. Maximum notice size is \(Self.longestOfGNUSocial) characters.")
    }
    guard isGNUSocial || text.count <= Self.longest else {
      throw TwitterError(status: .forbidden, code: 186, message: "Tweet needs to be a bit shorter.")
    }
    if let same = posts.last(where: { $0.pieces.map(\.text).joined() == text }) {
      if isGNUSocial, now - same.createdAt < Self.duplicateWindow {
        throw TwitterError(
          status: .badRequest, code: 0,
          message: "Too many duplicate messages too quickly; take a breather and post again in a few minutes.")
      }
      if !isGNUSocial { throw TwitterError(status: .forbidden, code: 187, message: "Status is a duplicate.") }
    }
    var post = SandboxPost(
      id: max(PostCalendar.id(at: now, 0), (posts.last?.id ?? 0) + 1), createdAt: now, author: .mira,
      pieces: PostPiece.parse(text) { .plain("{link}") }, reposts: 0, likes: 0)
    if let reply = signature["in_reply_to_status_id"] {
      guard let id = UInt64(reply), let target = self.post(id) ?? timeline(id) else {
        throw TwitterError(status: .notFound, code: 144, message: "Parent notice not found.")
      }
      post.reply = (id, target.author)
    }
    attach(try uploads.attach(signature["media_ids"], at: now), to: &post)
    guard !isGNUSocial || PostText(post.pieces).length <= Self.longestOfGNUSocial else {
      throw TwitterError(
        status: StatusCode(413), code: 0,
        message: "Maximum notice size is \(Self.longestOfGNUSocial) characters, including attachment URL.")
    }
    posts.append(post)
    return post
  }

  /// Attaches files to a post. Twitter adds one link for all files at the end of the text, and GNU social adds a link for each file.
  private func attach(_ attachments: [SandboxPost.Attachment], to post: inout SandboxPost) {
    guard !attachments.isEmpty else { return }
    if isGNUSocial {
      for file in attachments { post.pieces.append(.plain(" https://social.example/attachment/\(file.key)")) }
    } else {
      post.attachments = attachments
      post.pieces += [.plain(" "), .media(short: "https://t.co/m\(post.id % 1_000_000_000)")]
    }
  }
}
