import HomelineOAuth
import Bytes
import JSON
import Time
import Timeline

@testable import Providers

/// Responses from Mastodon's API, modelled on real ones.
enum MastodonSamples {
  static let mastodon = try! server("https://social.example")!

  static func server(_ text: String) throws -> Mastodon? {
    try Mastodon(at: ProviderLocation(.oauth2, at: try RequestURL(text)))
  }

  static func user(_ response: ProviderResponse) throws -> User {
    guard case .user(let user) = try mastodon.userStep(after: response) else { throw Samples.NotAPage() }
    return user
  }

  static let mira = account("14715", "mira", "Mira :blob:")
  static let kai = account("22", "kai@far.example", "Kai")

  /// The kind of ids that a server creates. Newer posts have larger numbers.
  enum Kind: CaseIterable, Sendable {
    case mastodon, goToSocial, akkoma, snac

    func id(_ number: Int) -> String {
      switch self {
      case .mastodon: "1156000000000" + MastodonSamples.digits(number, 5)
      case .goToSocial: "01KAF3T8C7M2Q0N6" + MastodonSamples.digits(number, 10)
      case .akkoma: "B0a1Xq9TzKfW" + MastodonSamples.digits(number, 6)
      // This kind of id is a hash, which contains no time.
      case .snac:
        String((UInt64(number) &* 0x9e37_79b9_7f4a_7c15) | 0xa000_0000_0000_0000, radix: 16)
          + String(UInt64(number) &* 0xbf58_476d_1ce4_e5b9 | 0xb000_0000_0000_0000, radix: 16)
      }
    }

    func mark(_ number: Int) throws -> PostPosition {
      let fetched = try MastodonSamples.fetched("[\(MastodonSamples.status(id: id(number), seconds: number))]")
      return fetched.page.entries[0].mark
    }
  }

  static func fetched(
    _ body: String, _ query: TimelineQuery = TimelineQuery(count: 40), status: Int = 200, link: String? = nil
  ) throws -> PageResponse.Fetched {
    let response = Samples.respond(body, status: status, headers: link.map { ["link": $0] } ?? [:])
    guard case .page(let fetched) = try mastodon.page(from: response, for: query) else { throw Samples.NotAPage() }
    return fetched
  }

  /// Returns the only post of a page with the given status.
  static func post(_ members: String) throws -> Post {
    let fetched = try fetched("[\(status(members))]")
    guard fetched.page.entries.count == 1 else { throw Samples.NotAPage() }
    return fetched.page.entries[0].post
  }

  /// Returns the text that is shown for a post's HTML.
  static func text(_ html: String, _ members: String = "") throws -> String {
    try post(#""content":\#(quoted(html))"# + (members.isEmpty ? "" : ",") + members).text
  }

  static func status(_ members: String = #""content":"<p>t</p>""#, id: String = "100", seconds: Int = 0) -> String {
    let time = Timestamp(seconds: Samples.time.seconds + Int64(seconds)).rfc3339.dropLast() + ".123Z"
    return #"{"id":"\#(id)","created_at":"\#(time)","account":\#(mira)\#(members.isEmpty ? "" : ",")\#(members)}"#
  }

  /// Returns a page of plain posts in the given order.
  static func page(_ numbers: [Int], _ kind: Kind = .mastodon) -> String {
    let posts = numbers.map { status(#""content":"<p>t\#($0)</p>""#, id: kind.id($0), seconds: $0) }
    return "[" + posts.joined(separator: ",") + "]"
  }

  static func account(_ id: String, _ acct: String, _ name: String) -> String {
    #"{"id":"\#(id)","username":"\#(acct.prefix { $0 != "@" })","acct":"\#(acct)","display_name":\#(quoted(name)),"#
      + #""avatar":"https://img.example/\#(id).gif","avatar_static":"https://img.example/\#(id).png","emojis":[]}"#
  }

  static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Returns the Link header of a page as Mastodon writes it.
  static func link(next: String? = nil, prev: String, at host: String = "https://social.example") -> String {
    let next = next.map { #"<\#(host)/api/v1/timelines/home?limit=40&\#($0)>; rel="next", "# } ?? ""
    return next + #"<\#(host)/api/v1/timelines/home?limit=40&\#(prev)>; rel="prev""#
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    String(repeating: "0", count: count - String(number).count) + String(number)
  }
}
