internal import HTTP
internal import JSON
internal import Time

/// The posts that the user has published (`POST statuses/share`).
struct WeiboPublications: Sendable {
  /// The maximum length in characters. An ASCII character counts as half a character.
  private static let longest = 140
  private static let postsPerHour = 30

  /// The maximum size of a picture in bytes.
  private static let largestPicture = 5_000_000

  /// The posts, oldest first.
  private(set) var posts: [SandboxPost] = []
  /// The pictures of the posts.
  private(set) var pictures: [UploadedFile] = []

  /// Publishes a post.
  /// - Parameter request: the request, with its multipart form replaced by a plain form.
  mutating func publish(
    _ request: Request, with picture: MultipartBody.Part?, by user: Author, at now: Timestamp, _ quirks: WeiboQuirks
  ) throws(WeiboError) -> Response {
    let form: RequestForm
    do throws(RequestFormError) { form = try RequestForm(body: request) } catch { throw .badParameter }
    let address = try form.text("rip")
    if quirks.requiresUserAddress, address == nil { throw .parameterMissing }
    if let address, !address.contains("."), !address.contains(":") { throw .badParameter }
    guard let text = try form.text("status") else { throw .textMissing }
    guard Self.isWithinLimit(text) else { throw .textTooLong }
    guard Self.hasLink(text, to: quirks.safeDomain) else { throw .domainMissing }
    guard posts.count(where: { now - $0.createdAt < .seconds(3600) }) < Self.postsPerHour else { throw .tooManyPosts }
    if let last = posts.last, last.pieces.map(\.text).joined() == text { throw .repeatedContent }
    if let picture {
      guard ["image/jpeg", "image/png", "image/gif"].contains(picture.type) else { throw .wrongPictureType }
      guard picture.content.count < Self.largestPicture else { throw .pictureTooLarge }
      pictures.append(
        UploadedFile(name: picture.fileName ?? "", type: picture.type ?? "", content: Array(picture.content)))
    }
    var post = SandboxPost(
      id: max(PostCalendar.id(at: now, 0), (posts.last?.id ?? 0) + 1), createdAt: now, author: user,
      pieces: [.plain(text)], reposts: 0, likes: 0)
    if picture != nil {
      post.attachments = [SandboxPost.Attachment(isVideo: false, key: "share\(post.id)", alternativeText: nil)]
    }
    posts.append(post)
    var writer = JSONWriter()
    WeiboStatusWriter(quirks: WeiboQuirks(), trimsUsers: false).write(post, to: &writer)
    return Response(json: writer.bytes)
  }

  private static func isWithinLimit(_ text: String) -> Bool {
    let halves = text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
    return (halves + 1) / 2 <= longest
  }

  private static func hasLink(_ text: String, to domain: String) -> Bool {
    ["http://", "https://"].contains { scheme in
      text.ranges(of: scheme).contains { range in
        let host = text[range.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
        return host == domain || host.hasSuffix("." + domain)
      }
    }
  }
}
