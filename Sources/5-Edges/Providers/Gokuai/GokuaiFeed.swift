internal import Bytes
internal import Drive
internal import HTTP
internal import HTTPClient
internal import JSON
internal import Time
internal import Timeline

/// The change feed of a library as a timeline.
///
/// The feed is read upwards. Each response contains the time when the next request begins. This time is kept as the entity tag of the
/// newest page, so it is stored together with the posts.
struct GokuaiFeed {
  let server: String
  let isUser: Bool

  /// The age of the oldest changes that an empty account requests. A library may have hundreds of thousands of files, each with a change.
  static let firstPeriod = Duration.seconds(30 * 86_400)

  func request(for query: TimelineQuery) -> ClientRequest {
    let parameters = DriveAPI.changes(since: Self.start(of: query).milliseconds)
    let address = DriveAPI.changesAddress(server, isUser: isUser)
    // The server's origin is valid, so this address is too.
    guard let endpoint = try? RequestURL(address) else { preconditionFailure("\(address) is not a URL") }
    return isUser ? .get(endpoint, query: parameters) : .post(endpoint, form: parameters)
  }

  func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse.Fetched {
    let feed: DriveChanges
    do throws(DriveError) {
      feed = try DriveChanges(DriveResponse(status: response.status, body: response.body, hiding: response.hiding))
    } catch { throw .unreadable("\(error)") }
    let start = Self.start(of: query)
    if feed.changes.isEmpty, feed.count > 0 {
      throw .unreadable("None of the \(feed.count) changes in the response could be read.")
    }
    let entries = feed.changes.enumerated().map { index, change in
      Self.entry(of: change, rank: index, after: start)
    }
    let page = Page(entries: entries, older: nil, reaches: query.since)
    let isFull = feed.count >= DriveChanges.fullPage && feed.next.map { $0 > start } ?? false
    return PageResponse.Fetched(
      page: page, skipped: feed.count - entries.count, etag: feed.next.map { "\($0.milliseconds)" }, hasNewer: isFull)
  }

  /// Returns the start time for a request for changes. An entity tag that is not a time counts as missing.
  private static func start(of query: TimelineQuery) -> Timestamp {
    if let stored = query.etag.flatMap({ JSONNumber(text: $0).integer(in: 0...Int64.max) }),
      let time = Timestamp(exactlyMilliseconds: max(1, stored))
    {
      return time
    }
    return query.time.map { max(first, $0 - firstPeriod) } ?? first
  }

  /// The earliest time that the API accepts.
  private static let first = Timestamp(milliseconds: 1)

  /// Returns the post for a change, with its position.
  /// - Parameters:
  ///   - rank: the position in the response, for changes with the same time.
  ///   - start: the start time of the request for changes. No post gets an earlier time, although a moved or removed file keeps an older
  ///     one, and the times in the response have no milliseconds.
  private static func entry(of change: DriveChanges.Change, rank: Int, after start: Timestamp) -> Page.Entry {
    let entry = change.entry
    let time = max(entry.changed ?? start, start)
    let id = "\(entry.id ?? entry.path)-\(entry.changed?.seconds ?? 0)\(entry.isRemoved ? "-removed" : "")"
    let name = entry.changedBy ?? "unknown"
    let post = Post(
      id: PostID(id), createdAt: time, author: User(id: name, screenName: name, name: name), text: text(of: entry),
      url: entry.link)
    return Page.Entry(
      post: post, key: TimedPosition(time, id: id, rank: TimedPosition.firstRank + rank).key, source: change.source)
  }

  /// Returns a sentence without its subject, which is the author: `changed docs/plan.txt (512 B)`.
  private static func text(of entry: DriveEntry) -> String {
    let path = entry.path + (entry.isFolder ? "/" : "")
    if entry.isRemoved { return "removed \(path)" }
    let isNew = entry.created != nil && entry.created == entry.changed
    let size = entry.isFolder ? nil : entry.size
    return "\(isNew ? "added" : "changed") \(path)\(size.map { " (\(ByteCount.text($0)))" } ?? "")"
  }
}
