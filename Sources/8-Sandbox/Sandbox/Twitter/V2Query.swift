internal import HTTP
internal import HomelineOAuth

/// The parameters of a v2 API request, checked as on X. `start_time` and `end_time` are not supported, and `exclude` is
/// supported only for the user's own posts.
struct V2Query {
  private static let names: Set<String> = [
    "max_results", "since_id", "until_id", "pagination_token", "tweet.fields", "post.fields", "user.fields",
    "media.fields", "expansions",
  ]
  private static let postFields: Set<String> = [
    "id", "text", "edit_history_tweet_ids", "edit_history_post_ids", "created_at", "author_id", "conversation_id",
    "referenced_tweets", "referenced_posts", "entities", "attachments", "public_metrics", "lang", "note_tweet",
    "note_post",
  ]
  private static let userFields: Set<String> = ["id", "name", "username", "profile_image_url"]
  private static let mediaFields: Set<String> = [
    "media_key", "type", "url", "preview_image_url", "alt_text", "variants", "width", "height",
  ]
  private static let expansions: Set<String> = [
    "author_id", "referenced_tweets.id", "referenced_tweets.id.author_id", "referenced_posts.id",
    "referenced_posts.id.author_id", "attachments.media_keys",
  ]

  private(set) var count = 10
  private(set) var since: UInt64?
  private(set) var until: UInt64?
  private(set) var token: String?
  private(set) var fields = Fields()
  private(set) var excludesReposts = false

  /// The requested fields and expansions.
  struct Fields {
    fileprivate(set) var post: Set<String> = []
    fileprivate(set) var user: Set<String> = []
    fileprivate(set) var media: Set<String> = []
    fileprivate(set) var expansions: Set<String> = []

    func has(_ name: String) -> Bool { post.contains(name) }
    /// Returns whether an expansion is requested by its old or its new name.
    func expands(_ name: String) -> Bool {
      expansions.contains(name) || expansions.contains(name.replacing("referenced_tweets", with: "referenced_posts"))
    }
  }

  init(_ request: Request, isTimeline: Bool = true, isOwnPosts: Bool = false) throws(V2Error) {
    let parameters = (try? FormEncoding.decode(request.target.query ?? "")) ?? []
    var seen: Set<String> = []
    for parameter in parameters {
      let name = String(decoding: parameter.name, as: UTF8.self)
      let value = parameter.valueText ?? ""
      if isOwnPosts, name == "exclude" {
        excludesReposts = try Self.list(name, value, of: ["replies", "retweets"]).contains("retweets")
        continue
      }
      guard Self.names.contains(name), isTimeline || name.hasSuffix(".fields") || name == "expansions" else {
        throw .badParameter(name, value, "The query parameter [\(name)] is not one of [\(Self.names.sorted())]")
      }
      guard seen.insert(name).inserted else {
        throw .badParameter(name, value, "Duplicate query parameter [\(name)]")
      }
      try take(name, value)
    }
    guard !isOwnPosts || count >= 5 else {
      throw .badParameter(
        "max_results", "\(count)", "The `max_results` query parameter value [\(count)] is not between 5 and 100")
    }
    if let since, let until, since >= until {
      throw .badParameter("since_id", String(since), "'since_id' must be less than 'until_id'")
    }
  }

  private mutating func take(_ name: String, _ value: String) throws(V2Error) {
    switch name {
    case "max_results":
      guard let number = Int(value), (1...100).contains(number) else {
        throw .badParameter(name, value, "The `max_results` query parameter value [\(value)] is not between 1 and 100")
      }
      count = number
    case "since_id": since = try Self.id(name, value)
    case "until_id": until = try Self.id(name, value)
    case "pagination_token": token = value
    case "expansions": fields.expansions = try Self.list(name, value, of: Self.expansions)
    case "user.fields": fields.user = try Self.list(name, value, of: Self.userFields)
    case "media.fields": fields.media = try Self.list(name, value, of: Self.mediaFields)
    default: fields.post.formUnion(try Self.list(name, value, of: Self.postFields))
    }
  }

  private static func id(_ name: String, _ value: String) throws(V2Error) -> UInt64 {
    guard (1...19).contains(value.utf8.count), let id = UInt64(value) else {
      throw .badParameter(name, value, "The `\(name)` query parameter value [\(value)] is not valid")
    }
    return id
  }

  private static func list(_ name: String, _ value: String, of known: Set<String>) throws(V2Error) -> Set<String> {
    let names = Set(value.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    guard let unknown = names.subtracting(known).sorted().first else { return names }
    throw .badParameter(
      name, value, "The `\(name)` query parameter value [\(unknown)] is not one of [\(known.sorted())]")
  }
}

extension Author {
  /// Refuses a request whose path contains another user's id.
  func check(_ request: Request) throws(V2Error) {
    let segments = request.target.path.split(separator: "/")
    guard segments.count > 2, segments[2] != String(id) else { return }
    let other = String(segments[2])
    throw .badParameter(
      "id", other, "The `id` query parameter value [\(other)] must be the same as the authenticating user [\(id)]")
  }
}
