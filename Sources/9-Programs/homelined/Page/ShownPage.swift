internal import Commands
internal import Folders
internal import Formats
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The page that `homeline open` shows: the published page if it is up to date, otherwise a page that this process renders from the files
/// that `homeline show` prints. This needs neither the owner lock nor the owner.
struct ShownPage {
  let timelines: ShownTimelines
  let pages: OpenedPages
  let archives: Archives
  /// Used to find the accounts of a view.
  let configuration: ConfigurationFiles
  let now: Timestamp

  /// The title of a page with the posts of several accounts.
  private static let merged = "all accounts"

  /// Returns the path of the page.
  /// - Throws: `CommandError` if nothing has been published yet, or if the page cannot be written.
  func path() throws(CommandError) -> String {
    if let only, let page = Self.publishedPage(of: only) { return page }
    let publication = try publication()
    let page = page
    do throws(SystemError) {
      try Folder.create(pages.folder)
      try AtomicFile.write(PublishedFormat.html.bytes(of: publication), to: page, .replaced)
    } catch { throw CommandError(.inputOutput, "the page could not be written: \(error)") }
    return page
  }

  /// The only timeline with posts; nil if there are several.
  private var only: ShownSource? { timelines.sources.count == 1 ? timelines.sources[0] : nil }

  /// The path of the page to render.
  private var page: String {
    guard let only else { return pages.all }
    return only.isView ? pages.page(ofView: only.name) : pages.page(ofAccount: only.name)
  }

  /// The command that renders the page again.
  private var renewal: String {
    guard let only else { return "homeline open" }
    return only.isView ? "homeline open --view \(only.name)" : "homeline open \(only.name)"
  }

  /// Returns the path of the published page; nil if there is none, or if it is older than `home_timeline.json`, which is always written
  /// first.
  private static func publishedPage(of source: ShownSource) -> String? {
    let page = TimelineFiles(in: source.folder).published(as: .html)
    guard let status = try? FileStatus.of(page), status.isRegular, let timeline = try? FileStatus.of(source.path),
      status.modified >= timeline.modified
    else { return nil }
    return page
  }

  // MARK: Content

  private func publication() throws(CommandError) -> Publication {
    var files: [(ShownSource, TimelineFile)] = []
    for source in timelines.sources {
      guard let file = try PublishedFile.read(source.path, limit: Publication.postsOfPage) else {
        throw source.missing(try? configuration.load())
      }
      files.append((source, file))
    }
    let lists = files.map { Self.posts(of: $1, in: $0) }
    // The sort is stable.
    let newest = lists.joined().enumerated().sorted { left, right in
      let (first, second) = (left.element.post.createdAt, right.element.post.createdAt)
      return first == second ? left.offset < right.offset : first > second
    }
    let heads = files.map(\.1.head)
    let head =
      only == nil
      ? TimelineHead.merged(
        heads, account: Self.merged, provider: "", unread: heads.reduce(0) { $0 + $1.unread }) : heads[0]
    return Publication(
      head: head, posts: only == nil ? newest.prefix(Publication.postsOfPage).map(\.element) : lists[0],
      overview: overview, madeAt: now, renewal: renewal)
  }

  private static func posts(of file: TimelineFile, in source: ShownSource) -> [PublishedPost] {
    file.posts.indices.map { index in
      let origin = source.isView ? PostJSON.origin(of: file.fragments[index]) : PostJSON.Origin()
      return PublishedPost(
        post: file.posts[index], json: file.fragments[index], account: origin.account ?? file.head.account,
        isUnread: file.isUnread(index), alsoAt: origin.alsoAt)
    }
  }

  /// The numbers from the archives; empty if an archive cannot be read now, because the posts are more important.
  private var overview: Publication.Overview {
    var hours = [Int](repeating: 0, count: 168)
    var kept = 0
    do throws(StorageError) {
      for account in accounts {
        let key = TimelineKey.home(of: account)
        guard let archive = try archives.storage.openForReading(key, isSnapshot: false) else { continue }
        defer { archive.close() }
        guard archive.hasArchive else { continue }
        for (hour, count) in try archive.hoursOfWeek(at: now).enumerated() { hours[hour] += count }
        kept += try archive.countOfPosts()
      }
    } catch { return Publication.Overview() }
    return kept == 0 ? Publication.Overview() : Publication.Overview(hours: hours, kept: kept)
  }

  /// The accounts whose posts the page shows.
  private var accounts: [AccountName] {
    guard let only, only.isView else { return timelines.sources.compactMap { AccountName($0.name) } }
    let view = (try? configuration.load())?.views.first { $0.name.text == only.name }
    return Set((view?.timelines ?? []).map(\.account)).sorted()
  }
}
