import ControlProtocol
import Dispatch
import Folders
import Formats
import HTTP
import OAuthValues
import Platform
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Web

/// The pages of a service with real archives, asked as its server asks them.
struct ReadingFixture {
  static let noon = Timestamp(rfc3339: "2026-11-20T12:00:00Z")!
  private static let ann = User(id: "ann", screenName: "ann", name: "Ann")

  let folder = TemporaryFolder()
  let layout: FileLayout
  let storage: FileStorage
  let configuration: Configuration
  let data: WebData
  /// What the service does with the requests of pages.
  let changes: ScriptedChanges
  private let web: WebLayout
  private let table: RouteTable

  /// - Parameters:
  ///   - accounts: the members of the configuration's `accounts`.
  ///   - views: the members of `views`.
  ///   - patience: how long pages wait for a change.
  init(
    _ accounts: String = #""bird": {"provider": "sandbox"}"#, views: String = "",
    patience: Duration = WebChanges.patience
  ) throws {
    changes = ScriptedChanges(patience: patience)
    layout = FileLayout(try #require(BaseDirectories(environment: ["HOME": folder.path])))
    storage = FileStorage(layout)
    let text = #"{"accounts": {\#(accounts)}, "views": {\#(views)}}"#
    let configuration = try Configuration(
      reading: ConfigurationTexts(main: ConfigurationText(path: "/c.json", Array(text.utf8)), accounts: nil))
    self.configuration = configuration
    data = WebData(
      storage: storage, layout: layout, clock: WallClock { Self.noon }, settings: { configuration },
      status: {
        ControlStatus(
          owner: ControlStatus.Owner(
            processID: 1, command: "daemon", version: "0", startedAt: Self.noon, configuration: "/c.json",
            configurationProblem: nil),
          accounts: configuration.accounts.map {
            ControlStatus.Account(account: $0.name.text, activity: .idle, nextRefreshAt: nil, waitsFor: nil)
          })
      })
    web = WebLayout(files: try StaticFiles())
    table = RouteTable(WebPages.routes(data, changes.changes, DraftStore(data)))
  }

  // MARK: Archives

  /// Returns a post with a decimal id. Each post is a minute later than the post with the previous number.
  static func post(_ number: Int, _ text: String? = nil, _ change: (inout Post) -> Void = { _ in }) -> Page.Entry {
    var post = Post(
      id: PostID(String(number)), createdAt: noon - .seconds(60 * (10_000 - number)), author: ann,
      text: text ?? "post number \(number)", url: "https://ok.example/@ann/\(number)")
    change(&post)
    return Page.Entry(post: post, key: PostKey(decimal: PostID(String(number)))!)
  }

  /// Runs the body with an open archive, as the service would.
  func archive(_ account: String = "bird", _ body: (any AccountStorage) throws -> Void) throws {
    let queue = DispatchQueue(label: "account")
    try queue.sync {
      let archive = try storage.open(
        .home(of: AccountName(account)!), at: Self.noon, wasClosedWell: true, on: queue)
      defer { archive.close(inHaste: false) }
      try body(archive)
    }
  }

  /// Stores who the account's user is.
  func logIn(as id: String, account: String = "bird") throws {
    try archive(account) { archive in
      var state = try archive.state()
      state.identity = AccountIdentity(
        server: "https://m.example", user: User(id: id, screenName: id, name: id))
      _ = try archive.write(state, expecting: archive.revision())
    }
  }

  /// Stores posts of a timeline.
  func store(
    _ entries: [Page.Entry], in timeline: TimelineName = .home, of account: String = "bird", deleting: [Int] = []
  ) throws {
    try archive(account) { archive in
      let page = Page(entries: entries, older: nil, deleted: deleting.map { Self.post($0).mark })
      let write = PageWrite(
        page, of: timeline, as: .head, receivedAt: Self.noon, state: try archive.state())
      _ = try archive.insert(write, expecting: archive.revision())
    }
  }

  // MARK: Pages

  struct Answer {
    let status: Int
    let html: String
    /// Where a redirect leads.
    let location: String?
    /// The addresses of links with the given text.
    func link(_ text: String) -> String? {
      guard let end = html.firstRange(of: "\">\(text)</a>")?.lowerBound,
        let start = html[..<end].ranges(of: "href=\"").last?.upperBound
      else { return nil }
      return String(html[start..<end]).replacing("&amp;", with: "&")
    }

    /// The numbers of the posts on the page, in their order.
    var numbers: [Int] {
      html.ranges(of: "<article ").compactMap { range in Self.number(after: html[range.upperBound...]) }
    }

    private static func number(after rest: Substring) -> Int? {
      guard let start = rest.firstRange(of: "id=\"post-"), let end = rest[start.upperBound...].firstIndex(of: "\"")
      else { return nil }
      return rest[start.upperBound..<end].split(separator: "-").last.flatMap { Int($0) }
    }
  }

  /// Returns a page as a browser with a session gets it.
  func get(_ address: String) throws -> Answer {
    let target = try #require(RequestTarget(address), "\(address)")
    return try answer(Request(method: .get, target: target, headers: [.host: "127.0.0.1:8766"], body: []))
  }

  /// Sends a form as a browser with a session does.
  func post(_ address: String, _ form: [(name: String, value: String)]) throws -> Answer {
    let target = try #require(RequestTarget(address), "\(address)")
    let body = form.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
    let headers: HeaderFields = [.host: "127.0.0.1:8766", .contentType: "application/x-www-form-urlencoded"]
    return try answer(
      Request(method: .post, target: target, headers: headers, body: Array(body.joined(separator: "&").utf8)))
  }

  private func answer(_ request: Request) throws -> Answer {
    let sender = WebRequest.Sender(
      session: nil, origin: .loopback(port: 8766), isNavigation: true, isOwn: true)
    let response: WebResponse
    do throws(WebError) {
      guard let path = WebPath(request.target),
        case .found(let route, let parameters) = table.match(request.method, path)
      else { throw .notFound }
      response = try Self.response(of: route, try WebRequest(request, at: path, parameters, from: sender))
    } catch { response = .page(WebPage(error, isInside: true)) }
    let sent = web.response(response)
    return Answer(
      status: sent.status.code, html: String(decoding: sent.body, as: UTF8.self),
      location: sent.headers.first("Location")
    )
  }

  /// Returns the response of a route, also if it is given later.
  private static func response(of route: Route, _ request: WebRequest) throws(WebError) -> WebResponse {
    switch route.answer {
    case .now(let handler): return try handler(request)
    case .later(let handler):
      let given = Locked<Result<WebResponse, WebError>?>(nil)
      let isGiven = DispatchSemaphore(value: 0)
      try handler(
        request,
        WebReply { make in
          let result = Result { () throws(WebError) in try make() }
          given.withLock { $0 = result }
          isGiven.signal()
        })
      guard isGiven.wait(timeout: .now() + 60) == .success, let result = given.withLock({ $0 }) else {
        throw WebError(.internalServerError, "The route gave no response")
      }
      return try result.get()
    }
  }
}
