internal import HTTP
internal import Time

/// The posts that the user has published (`POST /api/v1/statuses`), and the idempotency keys of their requests.
struct MastodonPublications: Sendable {
  /// The record of a request with an idempotency key.
  private struct Remembered {
    let response: Response
    let at: Timestamp
  }

  /// How long a key is remembered, according to Mastodon's source code.
  private static let keyLifetime = Duration.seconds(3600)

  private let flavour: MastodonFlavour
  private let ids: MastodonIDWriter
  /// The posts, oldest first.
  private(set) var posts: [SandboxPost] = []
  private var keys: [String: Remembered] = [:]
  var uploads: MastodonUploads
  /// The actions in effect, each as a verb and an id.
  private(set) var actions: Set<String> = []
  /// The ids of other users' posts that the user has deleted as a moderator.
  private(set) var moderated: Set<String> = []

  init(_ flavour: MastodonFlavour) {
    self.flavour = flavour
    ids = MastodonIDWriter(flavour: flavour)
    uploads = MastodonUploads(flavour)
  }

  func post(_ id: String) -> SandboxPost? { posts.first { ids.text($0.id) == id } }

  /// Publishes a post, or repeats the response to an earlier request with the same key.
  /// - Parameter author: finds the number and the author of the post that a reply refers to.
  mutating func response(
    to request: Request, _ writer: MastodonWriter, at now: Timestamp,
    author: (String) -> (number: UInt64, author: Author)?
  ) throws(MastodonError) -> Response {
    let key = request.headers.first("Idempotency-Key")
    if let key, flavour.honoursKeys, let known = keys[key], now - known.at < Self.keyLifetime {
      var response = known.response
      if flavour == .akkoma { response.headers.set("Idempotent-Replayed", "true") }
      return response
    }
    do throws(MastodonError) {
      var post = try post(request, at: now) { id in
        self.post(id).map { ($0.id, $0.author) } ?? author(id)
      }
      post.attachments = try uploads.attach(Self.media(in: request))
      posts.append(post)
      let response = Response(json: writer.json(post))
      remember(response, key, at: now)
      return response
    } catch {
      // Akkoma repeats errors too.
      if flavour == .akkoma { remember(error.response(flavour), key, at: now) }
      throw error
    }
  }

  /// Deletes a post, or changes its state.
  /// - Parameter timeline: finds another user's post.
  mutating func perform(
    _ request: Request, _ writer: MastodonWriter, at now: Timestamp, timeline: (String) -> SandboxPost?
  ) throws(MastodonError) -> Response {
    if request.method == .delete {
      guard let id = MastodonRoute.statusID(in: request.target.path) else { throw .notFound }
      if let post = post(id) {
        posts.removeAll { $0.id == post.id }
        return Response(json: writer.json(post))
      }
      guard writer.quirks.isModerator, let post = timeline(id) else { throw .notFound }
      moderated.insert(id)
      return Response(json: writer.json(post))
    }
    guard let (id, verb) = MastodonRoute.actionParts(in: request.target.path), let post = post(id) ?? timeline(id),
      let action = MastodonActions(verb: verb)
    else { throw .notFound }
    let name = "\(action.name) \(id)"
    var result = post
    if action.name == "reblog", action.isUndone {
      let reposts = posts.indices.filter { posts[$0].reposts(post) }
      // GoToSocial takes back one repost.
      for index in flavour == .goToSocial ? reposts.suffix(1) : reposts.reversed() { posts.remove(at: index) }
    } else if action.name == "reblog" {
      result = repost(of: post, at: now)
    }
    if !action.isUndone {
      actions.insert(name)
    } else if action.name != "reblog" || !posts.contains(where: { $0.reposts(post) }) {
      actions.remove(name)
    }
    var writer = writer
    writer.actions = actions
    return Response(json: writer.json(result))
  }

  /// Returns the user's repost of a post. A repeated request returns the existing repost, except on GoToSocial, which reposts again.
  private mutating func repost(of post: SandboxPost, at now: Timestamp) -> SandboxPost {
    if flavour != .goToSocial, let known = posts.first(where: { $0.reposts(post) }) { return known }
    var repost = SandboxPost(
      id: max(PostCalendar.id(at: now, 0), (posts.last?.id ?? 0) + 1), createdAt: now, author: .mira, pieces: [],
      reposts: 0, likes: 0)
    repost.companion = .reposted(post)
    posts.append(repost)
    return repost
  }

  private mutating func remember(_ response: Response, _ key: String?, at now: Timestamp) {
    if let key, flavour.honoursKeys { keys[key] = Remembered(response: response, at: now) }
  }

  private func post(
    _ request: Request, at now: Timestamp, author: (String) -> (number: UInt64, author: Author)?
  ) throws(MastodonError) -> SandboxPost {
    let form: RequestForm
    do throws(RequestFormError) { form = try RequestForm(body: request) } catch { throw .invalid(error.description) }
    let value = { (name: String) -> String in ((try? form.value(name)) ?? nil) ?? "" }
    let text = value("status")
    // snac accepts empty posts.
    guard !text.isEmpty || !Self.media(in: request).isEmpty || flavour == .snac else {
      throw .invalid("Text can't be blank")
    }
    guard flavour.length(of: value("spoiler_text") + text) <= flavour.longestPost else {
      throw .invalid("Text character limit of \(flavour.longestPost) exceeded")
    }
    let newest = posts.last?.id ?? 0
    var post = SandboxPost(
      id: max(PostCalendar.id(at: now, 0), newest + 1), createdAt: now, author: .mira,
      pieces: PostPiece.parse(text) { .plain("{link}") }, reposts: 0, likes: 0)
    post.warning = value("spoiler_text")
    if !value("language").isEmpty, flavour != .snac { post.statedLanguage = value("language") }
    post.visibility = visibility(value("visibility"))
    let reply = value("in_reply_to_id")
    if !reply.isEmpty {
      if let target = author(reply) {
        post.reply = (target.number, target.author)
      } else if flavour != .snac {
        // snac publishes a post that is not a reply.
        throw .notFound
      }
    }
    return post
  }

  /// Returns the ids of the files in a request.
  private static func media(in request: Request) -> [String] {
    ((try? RequestForm(body: request))?.texts ?? []).filter { $0.name == "media_ids[]" }.map(\.value)
  }

  /// snac supports only two visibilities and replaces any other visibility.
  private func visibility(_ wanted: String) -> String {
    switch wanted {
    case "": "public"
    case "unlisted" where flavour == .snac: "public"
    case "direct" where flavour == .snac: "private"
    default: wanted
    }
  }
}

extension MastodonFlavour {
  /// Whether a repeated request with the same `Idempotency-Key` is recognised.
  var honoursKeys: Bool {
    switch self {
    case .mastodon, .oldMastodon, .akkoma: true
    case .goToSocial, .snac: false
    }
  }
}
