package import Folders
internal import Platform
internal import Providers
package import PublishedFiles
internal import Settings
package import Storage
internal import StorageFiles
internal import StorageSQLite
package import StorageTestSupport
internal import Time
package import Timeline

/// An account with a database and a published file in its own folder. It is refreshed by the service's code
/// (`PageJob`), but without the service's queue and schedule.
package final class MeasuredAccount {
  /// The processor time of each part of a refresh in microseconds.
  package struct Times {
    package var parsing = 0.0
    package var storing = 0.0
    package var publishing = 0.0
    package var all: Double { parsing + storing + publishing }

    package init() {}

    package static func + (left: Times, right: Times) -> Times {
      var sum = left
      sum.parsing += right.parsing
      sum.storing += right.storing
      sum.publishing += right.publishing
      return sum
    }
  }

  /// The number of posts published by the programs that a refresh is compared with.
  package static let comparable = 800

  package let files: AccountFiles
  let database: AccountDatabase
  let publisher: TimelineFilesWriter
  /// Stores the pictures of the page; `nil` for a page without pictures.
  package let media: MediaStore?
  private let overlap: Duration
  private let marker: CleanShutdownMarker

  /// Opens or creates an account in a folder with the layout of a home folder (`.cache`, `.local` and so on).
  /// - Parameters:
  ///   - published: the number of published posts; `nil` for the default.
  ///   - formats: the formats published in addition to `home_timeline.json`.
  ///   - pictureLimit: the maximum total size of the page's pictures in bytes; 0 to store none.
  package init(
    _ name: String = "twitter", below home: String, published: Int? = nil, formats: [PublishedFormat] = [],
    pictureLimit: Int = 0
  ) throws {
    guard let base = BaseDirectories(environment: ["HOME": home]) else {
      throw BenchFailure.usage("\(home) is not an absolute path")
    }
    let layout = FileLayout(base)
    files = layout.files(of: name)
    media =
      pictureLimit > 0
      ? MediaStore(layout.mediaFolder, limit: pictureLimit, clock: .system, log: .silent) : nil
    marker = CleanShutdownMarker(files)
    database = try AccountDatabase.open(files, at: WallClock.system.now, wasClosedWell: marker.remove())
    publisher = TimelineFilesWriter(
      files, tokens: TokenStore(files), provider: "twitter", keepPosts: published, formats: formats, media: media)
    overlap = try ProviderRegistry.named("twitter")?.traits(of: .home)?.overlap ?? .zero
    if try database.state().identity == nil {
      let user = User(id: "1", screenName: "user_0001", name: "User One")
      try database.update { $0.identity = AccountIdentity(server: "https://api.twitter.com", user: user) }
    }
  }

  /// Closes the account like a process that runs only for one refresh.
  package func close() {
    database.close(inHaste: database.isQuickToReopen)
    marker.write()
  }

  /// Stores posts from another archive as one portion of an import.
  package func take(_ posts: [ImportedPost]) throws { _ = try database.importPosts(posts, at: WallClock.system.now) }

  /// Stores a page of posts without publishing it.
  package func keep(_ page: Page) throws {
    let now = WallClock.system.now
    try database.insert(page, as: .head, at: now) { Self.note(now, in: &$0) }
  }

  @discardableResult
  package func publish() throws -> TimelineFilesWriter.Published {
    try publisher.publishAll(from: database, at: WallClock.system.now)
  }

  /// Publishes the page again after pictures were stored.
  package func publishPictures() throws {
    publisher.picturesWereStored(for: database)
    try publish()
  }

  /// Returns the post after which newer posts are requested, as the service determines it before each request.
  package func since() throws -> PostPosition? {
    guard database.isInPlace else { throw BenchFailure.wrongResult("the database file was removed") }
    _ = try (database.state(), database.spans(of: .home))
    return try database.sincePosition(of: .home, overlap: overlap)
  }

  /// Stores and publishes the posts in a response.
  /// - Returns: the number of new posts, and the processor time.
  package func refresh(with body: [UInt8]) throws -> (new: Int, times: Times) {
    var times = Times()
    var watch = Stopwatch()
    let now = WallClock.system.now
    let page = try TwitterResponse(body, receivedAt: now).page()
    times.parsing = watch.processorTime
    watch = Stopwatch()
    _ = try database.spans(of: .home).top
    let new = try database.insert(page, as: .head, at: now) { Self.note(now, in: &$0) }
    times.storing = watch.processorTime
    watch = Stopwatch()
    try publisher.publishAll(from: database, at: now)
    _ = try (database.spans(of: .home), database.countOfFetchedPosts(of: .home, upTo: ProgramDefaults.fetchedPosts))
    times.publishing = watch.processorTime
    // The service performs this work in the next job of its queue.
    try database.performMaintenance()
    return (new.count, times)
  }

  private static func note(_ now: Timestamp, in state: inout AccountState) {
    (state[.home].refreshedAt, state.askedAt, state[.home].nextRefreshAt) = (now, now, now + .seconds(90))
  }
}
