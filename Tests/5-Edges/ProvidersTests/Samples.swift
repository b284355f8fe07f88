import Bytes
import HTTP
import HomelineOAuth
import Time
import Timeline

@testable import Providers

enum Samples {
  static let author = User(id: "1", screenName: "mira_demo", name: "Mira")

  static let now = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!
  static let twitter = try! ProviderRegistry.named("twitter")!
  static let x = try! ProviderRegistry.named("x")!
  /// A compatible server other than X.
  static let other = try! ProviderRegistry.named(
    "twitter", at: ProviderLocation(at: RequestURL("https://social.example/api")))!

  static func respond(
    _ body: String, status: Int = 200, headers: [String: String] = [:], signedAt: Timestamp? = nil
  ) -> ProviderResponse {
    ProviderResponse(
      status: status, body: Array(body.utf8), receivedAt: now, signedAt: signedAt, hiding: .nothing,
      headers: HeaderFields(headers))
  }

  static func mark(_ id: String) -> PostPosition { PostPosition(id: PostID(id), key: PostKey(decimal: PostID(id))!) }

  static func fetched(
    _ body: String, _ query: TimelineQuery = TimelineQuery(count: 200), by provider: any Provider = twitter
  ) throws -> PageResponse.Fetched {
    guard case .page(let fetched) = try provider.page(from: respond(body), for: query) else { throw NotAPage() }
    return fetched
  }

  struct NotAPage: Error {}

  /// Returns the user in the response.
  static func user(_ body: String, by provider: any Provider = twitter) throws -> User {
    guard case .user(let user) = try provider.userStep(after: respond(body)) else { throw NotAPage() }
    return user
  }

  /// Returns a provider with individually configured addresses.
  static func named(
    _ name: String, _ version: OAuthVersion = .oauth1, overriding endpoints: [EndpointName: RequestURL]
  ) throws -> (any Provider)? {
    try ProviderRegistry.named(name, at: ProviderLocation(version, endpoints: endpoints))
  }

  /// Returns the only post on a page with the given status. The function adds the id, time and author.
  static func post(_ members: String, by provider: any Provider = twitter) throws -> Post {
    let fetched = try fetched("[\(status(members))]", by: provider)
    guard fetched.page.entries.count == 1 else { throw NotAPage() }
    return fetched.page.entries[0].post
  }

  static func status(_ members: String, id: String = "100") -> String {
    #"{"id_str":"\#(id)","created_at":"\#(date)","user":\#(mira)\#(members.isEmpty ? "" : ",")\#(members)}"#
  }

  static let date = "Fri Nov 20 15:59:58 +0000 2026"
  static let time = Timestamp(rfc3339: "2026-11-20T15:59:58Z")!
  static let mira = #"{"id_str":"14000001","id":14000001,"screen_name":"mira_demo","name":"Mira"}"#
  static let kai = #"{"id_str":"14000002","id":14000002,"screen_name":"kai_demo","name":"Kai"}"#
}

extension Delivered {
  /// The number of posts in the response, whether their ids are readable or not.
  var countOfPosts: Int { posts.count + namelessPosts }
}
