import CivilTime
import Platform
import Store
import TestSupport
import Testing
import Timeline

/// An installation whose accounts have archives but no service and no provider.
struct ArchiveHome {
  let home: RoadHome
  static let time = Timestamp(rfc3339: "2026-11-20T12:00:00Z")!

  init() throws { home = try RoadHome() }

  func files(of account: String) throws -> AccountFiles {
    FileLayout(try #require(BaseDirectories(environment: home.environment()))).files(of: account)
  }

  /// Opens an account's archive as the owning process does.
  func archive(of account: String) throws -> AccountDatabase {
    try AccountDatabase.open(try files(of: account), at: Self.time)
  }

  /// Stores one post per text, oldest first, one minute apart.
  func fill(_ account: String, _ texts: [String], from first: Int = 1) throws {
    let database = try archive(of: account)
    defer { database.close() }
    let entries = texts.enumerated().map { Self.entry(first + $0, $1) }
    try database.insert(Page(entries: entries, older: nil), as: .head, at: Self.time)
  }

  static func entry(_ number: Int, _ text: String) -> Page.Entry {
    let post = Post(
      id: PostID(String(number)), createdAt: time + .seconds(60 * number),
      author: User(id: "7", screenName: "mira_demo", name: "Mira"), text: text)
    return Page.Entry(post: post, key: PostKey(decimal: post.id)!, source: Array(#"{"id":\#(number)}"#.utf8)[...])
  }
}
