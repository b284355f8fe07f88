import Platform
import TestSupport
import Testing

/// What an account has to have published and kept, whatever has happened on the way: all that its provider has had, in order, once.
struct PostsSoFar {
  private let road: PostingHome
  private let files: FilesOnDisk
  private var ids: [String]
  private var kept = 0
  /// How many posts have come since they were last looked at.
  private var news = 0

  /// Of an account with nothing gone wrong yet, whose published file is full.
  init(_ road: PostingHome) async throws {
    self.road = road
    files = FilesOnDisk(home: road.home)
    ids = try road.ids()
    kept = try await keptNow()
  }

  /// Has the provider publish so many.
  mutating func post(_ count: Int) {
    road.post(count)
    news += count
  }

  /// Whether those that came since are published.
  var areNewest: Bool {
    get throws { try road.ids().dropFirst(news).prefix(1) == ids.prefix(1) }
  }

  /// Looks at what is there behind a refresh that went well: everything is as if nothing had been.
  mutating func check(_ place: Comment) async throws {
    let now = try road.ids()
    #expect(now.count == ids.count && now.dropFirst(news) == ids.dropLast(news), place)
    let keptNow = try await keptNow()
    #expect(keptNow == kept + news, place)
    #expect(try road.timeline()["error"] == .null, place)
    #expect(try files.leftovers() == [], place)
    #expect(try await files.spoiltPublications() == [], place)
    (ids, kept, news) = (now, keptNow, 0)
  }

  private func keptNow() async throws -> Int {
    try #require(Int(try await files.askCopy(of: road.home.database, "SELECT count(*) FROM posts")))
  }
}
