internal import CivilTime
internal import Files
internal import JSON
internal import Settings
internal import Storage
internal import Timeline

/// The state of an account according to its files.
struct AccountStatus {
  let name: String
  /// The account's settings; nil for an orphan, or if the configuration is invalid.
  let settings: AccountSettings?
  /// Whether the account has files but is no longer in the configuration.
  let isOrphan: Bool
  let token: Token
  /// The stored state; nil without a database.
  let state: AccountState?
  /// The stored spending record; nil without a database.
  let spending: SpendingRecord?
  /// The number of stored posts; nil if it is not known.
  let posts: Int?
  /// The number of published posts that have not been marked as read; nil if it is not known.
  let unread: Int?
  let files: AccountFiles
  /// The reasons the token or the database could not be read.
  let problems: [String]

  /// Whether the account can have posts; true for an orphan, whose provider is unknown.
  var hasTimeline: Bool { settings?.hasTimeline() ?? true }

  enum Token {
    case none
    case held(by: User, since: Timestamp, TokenLifetime)
    case unreadable
  }
}

extension AccountStatus {
  /// Reads the account's files without changing them. An unreadable file becomes a problem; the remaining files are still read.
  init(name: String, settings: AccountSettings?, isOrphan: Bool, layout: FileLayout, storage: any StorageProvider) {
    self.name = name
    self.settings = settings
    self.isOrphan = isOrphan
    files = layout.files(of: name)
    var problems: [String] = []
    let account = AccountName(name)!
    do throws(StorageError) {
      token =
        try storage.tokens(of: account).read().map {
          .held(by: $0.identity.user, since: $0.authorisedAt, TokenLifetime($0))
        }
        ?? .none
    } catch {
      token = .unreadable
      problems.append("\(error)")
    }
    do throws(StorageError) {
      (state, spending, posts, unread) = try Self.content(of: account, in: storage, settings)
    } catch {
      (state, spending, posts, unread) = (nil, nil, nil, nil)
      problems.append("\(files.database): \(error)")
    }
    self.problems = problems
  }

  private typealias Content = (state: AccountState?, spending: SpendingRecord?, posts: Int?, unread: Int?)

  /// Reads the account's database. Unread posts are counted as in the published files: only published posts, and all of them if none was
  /// marked as read.
  private static func content(
    of account: AccountName, in storage: any StorageProvider, _ settings: AccountSettings?
  ) throws(StorageError) -> Content {
    guard let database = try storage.openForReading(.home(of: account), isSnapshot: true) else {
      return (nil, nil, nil, nil)
    }
    defer { database.close() }
    let state = try database.state()
    let posts = database.hasArchive ? try database.countOfPosts() : nil
    var unread: Int?
    if let posts, let limit = settings?.keepPosts {
      unread = min(posts, limit)
      if let mark = state.readUpTo { unread = try database.countOfPosts(above: mark.key, upTo: limit) }
    }
    return (state, try database.spending(), posts, unread)
  }
}

/// The amounts that an account has spent and may spend, according to its files and settings.
struct AccountSpending {
  let today: SpendingDay
  /// The amount spent in this calendar month, in millionths of a US dollar.
  let microUSDOfMonth: Int64
  /// The largest monthly cost; nil if reading is free or the settings are unknown.
  let most: MonthlyCost?

  /// Computes an account's spending; nil if nothing is charged or counted.
  init?(of account: AccountStatus, at now: Timestamp) {
    most = account.settings?.highestMonthlyCost
    guard let record = account.spending, most != nil || !record.days.isEmpty else { return nil }
    today = record.today(at: now)
    microUSDOfMonth = record.microUSDOfMonth(at: now)
  }

  /// The amount spent, as one line of text for the user.
  var text: String {
    guard let most else { return "\(Self.count(today.requests, "request")) today" }
    return "\(MicroUSD.text(today.countedMicroUSD)) USD today (\(Self.count(today.countedPosts, "post")), "
      + "\(Self.count(today.users, "user"))), "
      + "\(MicroUSD.text(microUSDOfMonth)) USD this month; \(most)"
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension AccountSpending {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("day", String(today.day.start.rfc3339.prefix(10)))
      json.member("requests", today.requests)
      json.member("posts", today.countedPosts)
      json.member("users", today.users)
      Self.write(today.countedMicroUSD, "usd", to: &json)
      Self.write(today.reservedMicroUSD, "usd_reserved", to: &json)
      Self.write(microUSDOfMonth, "usd_this_month", to: &json)
      Self.write(most?.microUSD, "most_usd_a_month", to: &json)
      json.member("prices_read_on", most?.prices.readOn)
    }
  }

  private static func write(_ amount: Int64?, _ name: String, to json: inout JSONWriter) {
    json.member(name, amount) { $0.raw(MicroUSD.text($1).utf8) }
  }
}
