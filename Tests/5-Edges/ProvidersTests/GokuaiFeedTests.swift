import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Testing
import Time
import Timeline

@testable import Providers

@Suite struct GokuaiFeedTests {
  private static let now = Timestamp(seconds: 1_700_000_000)
  private let client = OAuth2Client(identifier: "library-id", secret: Secret("secret"), authentication: .none)

  private func provider(_ access: DriveAccess) throws -> Gokuai {
    var place = ProviderLocation(.oauth2)
    place.driveAccess = access
    return try #require(try Gokuai(at: place))
  }

  private func response(_ body: String, status: Int = 200, date: String? = nil) -> ProviderResponse {
    ProviderResponse(
      status: status, body: Array(body.utf8), receivedAt: Self.now, hiding: .nothing,
      headers: HeaderFields(date.map { ["date": $0] } ?? [:]))
  }

  private func page(
    _ body: String, _ query: TimelineQuery = TimelineQuery(count: 100, time: now)
  ) throws -> PageResponse.Fetched {
    guard case .page(let page) = try provider(.library).page(from: response(body), for: query) else {
      throw ProviderFailure.unreadable("not a page")
    }
    return page
  }

  @Test("the first request for changes begins 30 days ago, and later requests begin where the last response ended")
  func begin() throws {
    let library = try provider(.library)
    let first = library.pageRequest(for: TimelineQuery(count: 100, time: Self.now))
    #expect(first.method == .post && first.url == "https://yk3.gokuai.com/m-open/1/file/updates")
    #expect(first.parameters.map(\.valueText) == ["\((1_700_000_000 - 30 * 86_400) * 1000)", "compare"])
    let next = library.pageRequest(for: TimelineQuery(count: 100, etag: "1699999999123", time: Self.now))
    #expect(next.parameters.first?.valueText == "1699999999123")
  }

  @Test("signed requests contain either a library key, or a user's token and the library number")
  func signatures() throws {
    let query = TimelineQuery(count: 100, etag: "5")
    let library = try provider(.library)
    let byKey = try library.signed(library.pageRequest(for: query), of: client, token: nil, at: Self.now)
    #expect(
      byKey.parameters.compactMap(\.nameText) == ["fetch_dateline", "mode", "dateline", "org_client_id", "sign"])
    let user = try provider(.user(library: "7"))
    let byToken = try user.signed(user.pageRequest(for: query), of: client, token: Secret("t"), at: Self.now)
    #expect(byToken.method == .get && byToken.parameters.isEmpty)
    #expect(
      byToken.url.hasPrefix(
        "https://yk3.gokuai.com/m-api/1/file/updates?fetch_dateline=5&mode=compare&dateline=1700000000&token=t&mount_id=7&sign="
      ))
  }

  @Test("each change to a file becomes a post with the change's author, path and time")
  func posts() throws {
    let fetched = try page(
      """
      {"fetch_dateline":"1700000000500","list":[
        {"hash":"a","fullpath":"docs","dir":"1","create_dateline":1699999000,"last_dateline":1699999000,"last_member_name":"mira"},
        {"hash":"b","fullpath":"docs/a.txt","dir":0,"filesize":"1536","create_dateline":1,"last_dateline":1699999001,
         "last_member_name":"juno","link":"https://example.org/b","cmd":1},
        {"hash":"c","fullpath":"old.txt","dir":0,"last_dateline":5,"last_member_name":"mira","cmd":0},
        {"hash":"d"}]}
      """)
    let posts = fetched.page.entries.map(\.post)
    #expect(posts.map(\.text) == ["changed docs/a.txt (1.5 KiB)", "added docs/", "removed old.txt"])
    #expect(posts.map(\.author.name) == ["juno", "mira", "mira"])
    #expect(posts.map(\.url) == ["https://example.org/b", nil, nil])
    // A removed file keeps the time of its last change, which was before the requested period.
    #expect(posts[2].createdAt == Timestamp(seconds: 1_700_000_000 - 30 * 86_400))
    #expect(posts[0].createdAt == Timestamp(seconds: 1_699_999_001))
    #expect(fetched.skipped == 1 && fetched.etag == "1700000000500" && !fetched.hasNewer)
    #expect(fetched.page.older == nil)
    #expect(String(decoding: fetched.page.entries[2].source, as: UTF8.self).hasPrefix(#"{"hash":"c""#))
  }

  @Test("a full page means that there are more changes, unless the response repeats its position")
  func fullPage() throws {
    let entry = #"{"hash":"a","fullpath":"x","last_dateline":1699999000}"#
    func body(_ count: Int, _ next: String) -> String {
      #"{\#(next)"list":[\#(Array(repeating: entry, count: count).joined(separator: ","))]}"#
    }
    let query = TimelineQuery(count: 100, etag: "1699999000000")
    #expect(try page(body(100, #""fetch_dateline":1699999000001,"#), query).hasNewer)
    #expect(try !page(body(99, #""fetch_dateline":1699999000001,"#), query).hasNewer)
    #expect(try !page(body(100, #""fetch_dateline":1699999000000,"#), query).hasNewer)
    let nameless = try page(body(100, ""), query)
    #expect(!nameless.hasNewer && nameless.etag == nil)
  }

  @Test("a response without a list contains nothing new, and a response that is not an object is refused")
  func unusual() throws {
    #expect(try page(#"{"fetch_dateline":7,"other":{}}"#).page.entries.isEmpty)
    #expect(throws: ProviderFailure.self) { try page("[]") }
    #expect(throws: ProviderFailure.self) { try page("<html>") }
    #expect(throws: ProviderFailure.self) { try page(#"{"list":[{}]}"#) }
    #expect(throws: ProviderFailure.self) { try page(#"{"error_code":40310,"error_msg":"no right"}"#) }
  }

  @Test("a key without permission to read changes is reported, and a user's expired token requires a login")
  func refusals() throws {
    let noRight = response(#"{"error_code":40310,"error_msg":"no right"}"#, status: 403)
    guard case .configuration(let message) = try provider(.library).classify(noRight) else {
      return #expect(Bool(false))
    }
    #expect(message.contains("This key may not read the library's changes"))
    let expired = response(#"{"error_code":40102}"#)
    guard case .needsLogin = try provider(.user(library: "7")).classify(expired) else { return #expect(Bool(false)) }
    guard case .configuration = try provider(.library).classify(expired) else { return #expect(Bool(false)) }
  }

  @Test("if the server's time differs from the local time, a refusal is attributed to the clock")
  func clock() throws {
    let refused = response(
      #"{"error_code":400012}"#, status: 400, date: Timestamp(seconds: 1_700_000_900).imfFixdate)
    guard case .clock(_, let time?) = try provider(.library).classify(refused) else { return #expect(Bool(false)) }
    #expect(time == Timestamp(seconds: 1_700_000_900))
  }

  @Test("neither a drive with an enterprise key nor a user without a library has a timeline")
  func withoutTimeline() throws {
    #expect(try !provider(.enterprise).hasTimeline)
    #expect(try !provider(.user(library: nil)).hasTimeline)
    #expect(try provider(.library).hasTimeline)
  }
}
