internal import Formats
internal import Storage
internal import Time
internal import Timeline

/// The rows of one timeline, as tables for SELECT statements.
struct TimelineRows {
  /// The table of posts, with the columns `key`, `id`, `row`, `created_at`, `deleted_at` and `post`. The keys are those in the timeline; the
  /// ids and times of notifications are the events'. `post` is NULL unless the timeline shows the post or the event.
  let posts: String
  let spans: String
  /// The values of the parameters of `posts`, and those of `spans`, which are the same.
  let values: [SQLiteValue]
  /// Selects posts from one key on and below another, newest first, up to a number. All readers of a refresh share this statement, because
  /// preparing it takes longer than running it.
  let selectPosts: String
  /// Selects the post at one key.
  let selectPost: String
  /// Selects the posts before a moment, latest first, up to a number. The parameters are the moment's time twice, its key and the number.
  let selectBefore: String
  private let isHome: Bool

  static let home = TimelineRows(
    posts: "posts", spans: "spans", values: [],
    selectPosts:
      "SELECT key, id, post FROM posts WHERE key >= ? AND key < ? AND post IS NOT NULL ORDER BY key DESC LIMIT ?",
    selectPost: "SELECT key, id, post FROM posts WHERE key = ? AND post IS NOT NULL",
    selectBefore: "SELECT key, id, post, created_at FROM posts WHERE \(StoredKey.isHome) AND \(before("created_at"))",
    isHome: true)

  private init(
    posts: String, spans: String, values: [SQLiteValue], selectPosts: String, selectPost: String, selectBefore: String,
    isHome: Bool
  ) {
    (self.posts, self.spans, self.values) = (posts, spans, values)
    (self.selectPosts, self.selectPost, self.selectBefore) = (selectPosts, selectPost, selectBefore)
    self.isHome = isHome
  }

  /// Returns the conditions, the order and the number of posts before a moment. '+' keeps SQLite from reading in the order of keys.
  /// - Parameter time: the column of the time.
  private static func before(_ time: String) -> String {
    "\(time) <= ? AND (\(time) < ? OR +key < ?) AND post IS NOT NULL ORDER BY \(time) DESC, key DESC LIMIT ?"
  }

  /// - Parameter number: the number of a timeline other than home.
  init(number: Int64) {
    self.init(
      posts: Self.entries, spans: Self.otherSpans, values: [.integer(number)],
      selectPosts: "\(Self.select) WHERE key >= ? AND key < ? AND post IS NOT NULL ORDER BY key DESC LIMIT ?",
      selectPost: "\(Self.select) WHERE key = ? AND post IS NOT NULL",
      selectBefore: "\(Self.select) WHERE \(Self.before("at"))", isHome: false)
  }

  /// A post that a filter hides in the home timeline has its content in `hidden`. Another timeline shows it, unless its own filter hides it. An
  /// event whose post is missing or deleted is shown without it: `post` is then the event.
  private static let entries = """
    (SELECT entries.key AS key, at, coalesce(entries.id, posts.id) AS id, posts.row AS row,
      CASE WHEN notice IS NULL THEN posts.created_at ELSE at END AS created_at,
      posts.deleted_at AS deleted_at, filter_action, filter_title, notice,
      posts.deleted_at IS NOT NULL OR coalesce(posts.post, hidden.post) IS NULL AS is_event,
      CASE WHEN filter_action IS NOT 'hide' AND notice IS NOT '\(Notice.erased)' THEN
        coalesce(CASE WHEN posts.deleted_at IS NULL THEN coalesce(posts.post, hidden.post) END, notice)
      END AS post
      FROM entries LEFT JOIN posts ON posts.row = entries.row LEFT JOIN hidden ON hidden.row = entries.row
      WHERE entries.timeline = ?)
    """
  private static let otherSpans = """
    (SELECT newest_key, newest_id, oldest_key, oldest_id, older_cursor FROM other_spans WHERE timeline = ?)
    """
  /// Whether the post or the entry has the effect of a filter. Published JSON has no spaces between tokens and no unescaped quotation marks in
  /// strings, so the bytes are found only as a member.
  private static let hasFilter = "filter_action IS NOT NULL OR instr(post, '\"filtered\":{') > 0"

  private static let select = """
    SELECT key, id, post, \(hasFilter), filter_action, filter_title, notice, is_event, created_at, at FROM \(entries)
    """

  /// Returns the published form of a row of `selectPosts`.
  func json(_ row: borrowing SQLiteRow) -> [UInt8] {
    let json = row.bytes(2)
    if isHome { return json }
    if row.flag(7) { return PostJSON.bytes(ofEvent: json, PostID(row.text(1)), at: row.time(8)) }
    let shown = row.flag(3) ? ServerFilter.replaced(in: json, by: ServerFilter(row, from: 4)) : json
    return row.isNull(6) ? shown : PostJSON.bytes(shown, notice: row.bytes(6))
  }

  /// Returns the time that orders a row of `selectBefore` among the posts of several timelines.
  func time(_ row: borrowing SQLiteRow) -> Timestamp { row.time(isHome ? 3 : 9) }

  /// Appends the published form of a row of `selectPosts` to an array.
  func append(_ row: borrowing SQLiteRow, to bytes: inout [UInt8]) {
    if isHome { row.append(2, to: &bytes) } else { bytes += json(row) }
  }
}

/// The `notice` of an entry.
extension Notice {
  /// The value that an erased event leaves, so that the next page does not bring it back.
  static let erased = ""

  /// Reads a stored event; `nil` if it is erased or cannot be read.
  init?(stored bytes: [UInt8]) {
    guard let notice = try? PostJSON.readNotice(bytes) else { return nil }
    self = notice
  }
}

/// The filter of an entry: two columns.
extension ServerFilter {
  /// Reads the columns; `nil` if the entry has no filter.
  init?(_ row: borrowing SQLiteRow, from column: Int32) {
    guard let action = row.textOrNull(column) else { return nil }
    // An action that a later version added is read as a warning.
    self.init(Action(rawValue: action) ?? .warn, title: row.text(column + 1))
  }

  /// Returns a post's published form with the effect of another filter.
  static func replaced(in json: [UInt8], by filter: ServerFilter?) -> [UInt8] {
    guard let post = try? PostJSON.read(json), post.filter != filter else { return json }
    return PostJSON.bytes(post.filtered(by: filter))
  }
}
