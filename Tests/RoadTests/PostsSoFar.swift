import Platform
import TestSupport
import Testing

/// The posts that an account must have published and stored whatever happened: all of the provider's, in order, each
/// once.
struct PostsSoFar {
  private let road: PostingHome
  private let files: FilesOnDisk
  private var ids: [String]
  private var kept = 0
  /// The number of new posts since the last check.
  private var news = 0

  /// For an account without earlier faults, whose published file is full.
  init(_ road: PostingHome) async throws {
    self.road = road
    files = FilesOnDisk(home: road.home)
    ids = try road.ids()
    kept = try await keptNow()
  }

  /// Publishes new posts at the provider.
  mutating func post(_ count: Int) {
    road.post(count)
    news += count
  }

  /// Whether the new posts are published.
  var areNewest: Bool {
    get throws { try road.ids().dropFirst(news).prefix(1) == ids.prefix(1) }
  }

  /// Checks the state after a successful refresh, which must look as if nothing had happened.
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
