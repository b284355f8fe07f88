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
  /// The posts, oldest first.
  private(set) var posts: [SandboxPost] = []
  private var keys: [String: Remembered] = [:]
  var uploads: MastodonUploads
  private(set) var marks: MastodonMarks
  /// The ids of other users' posts that the user has deleted as a moderator.
  private(set) var moderated: Set<String> = []

  init(_ flavour: MastodonFlavour, _ history: SandboxHistory) {
    self.flavour = flavour
    uploads = MastodonUploads(flavour)
    marks = MastodonMarks(history)
  }

  /// The actions of requests that are in effect, each as a name and an id, such as `favourite 115586`.
  var actions: Set<String> {
    let ids = MastodonIDWriter(form: flavour.postIDs)
    let reposts = posts.compactMap { if case .reposted(let post) = $0.companion { post.id } else { nil } }
    let all = [("reblog", Set(reposts))] + ["bookmark", "favourite"].map { ($0, marks.added($0)) }
    return Set(all.flatMap { action, numbers in numbers.map { "\(action) \(ids.text($0))" } })
  }

  /// Returns whether the user has done something with a post.
  /// - Returns: a function of the action's name and the post's number.
  func isInEffect() -> (_ action: String, _ post: UInt64) -> Bool {
    var numbers = ["bookmark": marks.numbers("bookmark"), "favourite": marks.numbers("favourite")]
    numbers["reblog"] = Set(posts.compactMap { if case .reposted(let post) = $0.companion { post.id } else { nil } })
    return { numbers[$0]?.contains($1) ?? false }
  }

  func post(_ id: String, _ ids: MastodonIDWriter) -> SandboxPost? { posts.first { ids.text($0.id) == id } }

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
        self.post(id, writer.ids).map { ($0.id, $0.author) } ?? author(id)
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
    let id = MastodonRoute.action.parameter(of: request)
    if request.method == .delete {
      if let post = post(id, writer.ids) {
        posts.removeAll { $0.id == post.id }
        return Response(json: writer.json(post))
      }
      guard writer.quirks.isModerator, let post = timeline(id) else { throw .notFound }
      moderated.insert(id)
      return Response(json: writer.json(post))
    }
    guard let post = post(id, writer.ids) ?? timeline(id),
      let action = MastodonRoute.action.parameters(in: request.target.path)?.last.flatMap({ MastodonActions(verb: $0) })
    else { throw .notFound }
    var result = post
    switch (action.name, action.isUndone) {
    case ("reblog", true):
      let reposts = posts.indices.filter { posts[$0].reposts(post) }
      // GoToSocial takes back one repost.
      for index in flavour == .goToSocial ? reposts.suffix(1) : reposts.reversed() { posts.remove(at: index) }
    case ("reblog", false): result = repost(of: post, at: now)
    case (let name, true): marks.remove(name, post)
    case (let name, false): marks.add(name, post, at: now)
    }
    var writer = writer
    writer.isInEffect = isInEffect()
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
