import HTTP
import HomelineOAuth
import JSON
import Time

@testable import Sandbox

/// A server with Mastodon's API, such as GoToSocial, whose home timeline contains the posts that a test adds. Everything else is simulated
/// as usual.
struct CrowdedServer: SimulatedProvider {
  private struct Status {
    let id: String
    let at: Timestamp
    var text: String
    var editedAt: Timestamp?
  }

  private var sandbox = MastodonSandbox(.goToSocial)
  /// The posts, oldest first.
  private var statuses: [Status] = []
  /// The maximum number of posts on a page, regardless of the request.
  let largestPage: Int
  /// The queries of the requests for the home timeline.
  private(set) var queries: [String] = []

  init(largestPage: Int = 40) { self.largestPage = largestPage }

  /// Adds posts of one second, and returns their ids, oldest first.
  mutating func add(_ count: Int, at time: Timestamp) -> [String] {
    let new = (0..<count).map { index in
      let moment = time + .milliseconds(index)
      return Status(id: Self.ulid(at: moment, number: statuses.count + index), at: moment, text: "note \(index)")
    }
    statuses += new
    return new.map(\.id)
  }

  mutating func edit(_ id: String, at time: Timestamp) {
    for index in statuses.indices where statuses[index].id == id {
      (statuses[index].text, statuses[index].editedAt) = ("Edited: \(statuses[index].text)", time)
    }
  }

  mutating func delete(_ id: String) { statuses.removeAll { $0.id == id } }

  mutating func forgetQueries() { queries = [] }

  mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    let path = request.target.path
    let prefix = "/api/v1/statuses/"
    if request.method == .get, path == "/api/v1/timelines/home" {
      queries.append(request.target.query ?? "")
      return SimulatedResponse(home(request))
    }
    if request.method == .get, path.hasPrefix(prefix) {
      guard let status = statuses.first(where: { $0.id == path.dropFirst(prefix.count) }) else {
        return SimulatedResponse(Response(status: .notFound, json: #"{"error":"Not Found"}"#))
      }
      return SimulatedResponse(Response(status: .ok, json: Self.json(of: status)))
    }
    return sandbox.response(to: request, at: now)
  }

  func guide(base: String, redirects: [String]) -> [GuideLine] { sandbox.guide(base: base, redirects: redirects) }

  private func home(_ request: Request) -> Response {
    let parameters = (request.target.query.flatMap { try? FormEncoding.decode($0) }) ?? []
    func value(_ name: String) -> String? { parameters.first { $0.isNamed(name) }?.valueText }
    let count = min(value("limit").flatMap { Int($0) } ?? 20, largestPage)
    var found = statuses.filter { status in
      value("max_id").map { status.id < $0 } ?? true && value("since_id").map { status.id > $0 } ?? true
        && value("min_id").map { status.id > $0 } ?? true
    }
    found = Array(value("min_id") == nil ? found.suffix(count) : found.prefix(count))
    var response = Response(status: .ok, json: "[\(found.reversed().map { Self.json(of: $0) }.joined(separator: ","))]")
    if let first = found.first, let last = found.last {
      let address = "http://\(request.headers.first(.host) ?? "")/api/v1/timelines/home?limit=\(count)"
      let link = #"<\#(address)&max_id=\#(first.id)>; rel="next", <\#(address)&min_id=\#(last.id)>; rel="prev""#
      if let link = FieldValue(link) { response.headers.set("Link", link) }
    }
    return response
  }

  private static func json(of status: Status) -> String {
    let edited = status.editedAt.map { #""\#($0.rfc3339)""# } ?? "null"
    return #"{"id":"\#(status.id)","created_at":"\#(status.at.rfc3339)","edited_at":\#(edited),"#
      + #""content":"<p>\#(status.text)</p>","visibility":"public","reblog":null,"#
      + #""account":{"id":"01HZZZZZZZZZZZZZZZZZZZZZZZ","username":"kim","acct":"kim"}}"#
  }

  /// Returns a ULID (github.com/ulid/spec): ten digits with the time in milliseconds, and sixteen others, in base 32.
  private static func ulid(at time: Timestamp, number: Int) -> String {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    func text(_ value: Int64, _ length: Int) -> String {
      String((0..<length).reversed().map { digits[Int(value >> Int64(5 * $0)) & 31] })
    }
    return text(time.milliseconds, 10) + "50VPHC" + text(Int64(number), 10)
  }
}

extension Response {
  fileprivate init(status: StatusCode, json: String) {
    self.init(status: status, headers: [.contentType: "application/json; charset=utf-8"], body: Array(json.utf8))
  }
}
