import Bytes
internal import Formats
internal import HTTP
internal import HomelineOAuth
internal import Posting
internal import Providers
internal import Time
internal import Timeline

/// The function that libFuzzer calls with each input. The first byte determines the status, and the rest is the body of
/// a provider's response.
///
/// The function passes the response to every provider with a timeline and to the OAuth library. It checks that nothing
/// crashes, that each post survives publishing and reading, and that the entries of a page are unique and in order.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProviderResponse(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let choice = input.first, let base = try? RequestURL("http://127.0.0.1:1"),
    let sandbox = try? ProviderRegistry.named("sandbox", at: ProviderLocation(at: base)),
    let x = try? ProviderRegistry.named("x"),
    let mastodon = try? ProviderRegistry.named("mastodon", at: ProviderLocation(.oauth2, at: base)),
    let weibo = try? ProviderRegistry.named("weibo", at: ProviderLocation(.oauth2, at: base)),
    let drive = try? ProviderRegistry.named("gokuai", at: library(at: base))
  else { return 0 }
  let status = [200, 200, 304, 401, 403, 429, 500][Int(choice) % 7]
  let body = Array(input.dropFirst())
  let response = ProviderResponse(
    status: status, body: body, receivedAt: Timestamp(seconds: 1_800_000_000), hiding: .nothing,
    headers: [.date: "Fri, 15 Jan 2027 08:00:00 GMT"])
  for provider in [sandbox, x, mastodon, weibo, drive] {
    _ = provider.classify(response)
    _ = try? provider.userStep(after: response)
    for timeline in timelines { _ = try? provider.reference(to: timeline, from: response) }
    for query in queries {
      if case .page(let fetched)? = try? provider.page(from: response, for: query) { classify(fetched) }
    }
    if let provider = provider as? any PostingProvider { post(response, to: provider) }
  }
  let words = OAuthResponse(status: status, body: body)
  _ = try? TokenResponse(words)
  do throws(OAuth2ResponseError) { _ = try AccessTokenResponse(words) } catch {
    _ = weibo.classifyToken(error, in: response)
  }
  _ = try? ServerMetadata(words, issuer: "https://as.example")
  _ = try? DeviceAuthorizationResponse(words)
  _ = try? mastodon.registration(from: response)
  _ = AuthorizationResponse(query: String(decoding: body, as: UTF8.self))
  _ = PastedAuthorization(String(decoding: body, as: UTF8.self))
  _ = Callback(query: body)
  _ = PastedRedirect(String(decoding: body, as: UTF8.self))
  return 0
}

private func library(at base: RequestURL) -> ProviderLocation {
  var location = ProviderLocation(.oauth2, at: base)
  location.driveAccess = .library
  return location
}

/// Reads the response as one to a post, an upload, or a request for the server's rules.
private func post(_ response: ProviderResponse, to provider: any PostingProvider) {
  let picture = PostMedia(
    path: "/p.png", fingerprint: "1:2:3:4", size: PostMedia.sizes.upperBound, type: "image/png", description: "a")
  let draft = PostDraft(text: "See https://a.example/b", media: [picture, picture])
  if let rules = try? provider.postingRules(from: response) {
    _ = rules.objection(to: draft)
    _ = rules.length(of: draft)
  }
  for stage in [.missing, .partial(id: "1", sent: PostMedia.sizes.upperBound), .processing(id: "1")] as [MediaStage] {
    _ = provider.mediaResult(from: response, for: picture, after: stage, MediaRules())
  }
  let author = User(id: "1", screenName: "a", name: "A")
  _ = provider.posted(
    from: response, draft, in: PostingContext(author: author, sentAt: Timestamp(seconds: 1_800_000_000)))
  _ = try? provider.ownPosts(from: response)
}

/// A timeline of each kind.
private let timelines = TimelineName.Kind.allCases.compactMap { kind in
  try? TimelineName(kind.argument == nil ? kind.rawValue : kind == .user ? "user:@mira" : "\(kind.rawValue):wasps")
}

/// Requests for the newest posts of each timeline, and for the posts between two known posts.
private let queries = timelines.flatMap { timeline in
  [
    TimelineQuery(timeline, reference: "7", userID: "1", count: 200),
    TimelineQuery(
      timeline, reference: "7", userID: "1", older: PageCursor("2100000000000000000"),
      since: PostPosition(id: PostID("1999999999999999999"), key: PostKey("19.1999999999999999999")), count: 5),
  ]
}

private func classify(_ fetched: PageResponse.Fetched) {
  let page = fetched.page
  guard page.stretch != nil || page.entries.isEmpty else { fatalError("a page does not have a range") }
  let keys = page.entries.map(\.key)
  guard keys == keys.sorted(by: >), Set(keys).count == keys.count else { fatalError("the entries are not in order") }
  for entry in page.entries {
    let written = PostJSON.bytes(entry.post)
    guard let read = try? PostJSON.read(written), PostJSON.bytes(read) == written else {
      fatalError("read differently after publishing: \(String(decoding: written, as: UTF8.self))")
    }
    if let notice = entry.post.notice { check(notice, of: entry.post, written: written) }
  }
}

/// Checks that an event is stored apart from its post, and published with it, without a loss.
private func check(_ notice: Notice, of post: Post, written: [UInt8]) {
  let stored = PostJSON.bytes(of: notice)
  guard let read = try? PostJSON.readNotice(stored), PostJSON.bytes(of: read) == stored else {
    fatalError("an event was read differently: \(String(decoding: stored, as: UTF8.self))")
  }
  let published =
    post.isEventOnly
    ? PostJSON.bytes(ofEvent: stored, notice.id, at: notice.at)
    : PostJSON.bytes(PostJSON.bytes(post.withoutNotice), notice: stored)
  guard published == written else {
    fatalError("an event was published differently: \(String(decoding: published, as: UTF8.self))")
  }
}
