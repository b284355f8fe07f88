import Folders
import Glibc
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// An account's spending record, which never shows less than was charged.
@Suite("The spending record") struct SpendingTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private let today = CivilDay(noon)

  private func settlement(
    _ reservation: Reservation, posts: [String] = [], users: [String] = [], namelessPosts: Int = 0
  ) -> Settlement {
    Settlement(
      reservation, posts: posts, users: users, namelessPosts: namelessPosts, microUSDPerPost: 5000,
      microUSDPerUser: 10_000)
  }

  @Test("a reserved cost counts as spent until the delivered posts replace it")
  func reserveAndSettle() throws {
    let database = try home.database()
    #expect(try database.spending() == SpendingRecord())
    let reservation = try database.reserve(posts: 30, microUSD: 450_000, at: noon)
    #expect(reservation == Reservation(day: today, posts: 30, microUSD: 450_000))
    let waiting = try database.spending().today(at: noon)
    #expect(waiting == SpendingDay(today, requests: 1, reservedPosts: 30, reservedMicroUSD: 450_000))
    #expect(waiting.countedPosts == 30 && waiting.countedMicroUSD == 450_000)
    try database.insert(
      page(3, 1), as: .head, settling: settlement(reservation, posts: ["1", "2", "3"], users: ["7"]))
    #expect(
      try database.spending().today(at: noon)
        == SpendingDay(today, requests: 1, posts: 3, users: 1, microUSD: 25_000))
  }

  @Test("each post and each user is charged for once a day, but a post without an id every time")
  func once() throws {
    let database = try home.database()
    for _ in 0..<2 {
      let reservation = try database.reserve(posts: 9, microUSD: 90_000, at: noon)
      try database.settle(
        settlement(reservation, posts: ["1", "1", "2"], users: ["1", "2", "2"], namelessPosts: 1))
    }
    // A user and a post with the same id are charged for separately.
    #expect(
      try database.spending().today(at: noon)
        == SpendingDay(today, requests: 2, posts: 4, users: 2, microUSD: 4 * 5000 + 2 * 10_000))
    let tomorrow = noon + .seconds(86_400)
    let reservation = try database.reserve(posts: 3, microUSD: 1, at: tomorrow)
    try database.settle(settlement(reservation, posts: ["1", "2"]))
    #expect(
      try database.spending().today(at: tomorrow) == SpendingDay(today.next, requests: 1, posts: 2, microUSD: 10_000))
    #expect(try database.spending().today(at: noon).posts == 2, "a clock that is set back sees the earlier day")
  }

  @Test("a response that arrives after midnight is charged to the day when its cost was reserved")
  func midnight() throws {
    let database = try home.database()
    let reservation = try database.reserve(posts: 3, microUSD: 45_000, at: today.next.start - .seconds(1))
    try database.settle(settlement(reservation, posts: ["1"]))
    let record = try database.spending()
    #expect(record.days == [SpendingDay(today, requests: 1, posts: 1, microUSD: 5000)])
    #expect(record.today(at: today.next.start) == SpendingDay(today.next))
  }

  @Test("a failed write settles no reservation")
  func together() throws {
    let database = try home.database()
    let reservation = try database.reserve(posts: 3, microUSD: 45_000, at: noon)
    let other = try SQLiteConnection(home.files.database, .writing)
    // A failure prevents the page's second post from being written.
    try other.run("CREATE UNIQUE INDEX full ON posts (id IS NULL)")
    #expect(throws: StorageError.self) {
      try database.insert(page(2, 1), as: .head, settling: settlement(reservation, posts: ["2", "1"]))
    }
    #expect(try database.spending().today(at: noon).reservedMicroUSD == 45_000)
  }

  @Test("a month's spending is the sum of its days, and days are deleted after two months")
  func months() throws {
    let database = try home.database()
    let first = Timestamp(rfc3339: "2026-10-01T00:00:00Z")!
    for day in 0..<70 {
      _ = try database.reserve(posts: 1, microUSD: 1000, at: first + .seconds(Int64(day) * 86_400))
    }
    let record = try database.spending()
    #expect(record.days.count == Int(SpendingRecord.daysKept))
    #expect(record.microUSDOfMonth(at: Timestamp(rfc3339: "2026-12-09T10:00:00Z")!) == 9000)
    #expect(
      record.microUSDOfMonth(at: Timestamp(rfc3339: "2026-11-30T23:59:59Z")!) == 1000,
      "the clock is set back across the end of the month")
    #expect(record.microUSDOfMonth(at: Timestamp(rfc3339: "2027-01-01T00:00:00Z")!) == 0)
  }

  @Test(
    "setting the clock back across midnight begins no new day, and days recorded ahead of time count as yesterday"
  )
  func wrongClocks() throws {
    let database = try home.database()
    _ = try database.reserve(posts: 5, microUSD: 5, at: noon)
    #expect(try database.reserve(posts: 1, microUSD: 1, at: noon - .seconds(86_400)).day == today)
    _ = try database.reserve(posts: 7, microUSD: 7, at: noon + .seconds(40 * 86_400))
    let back = noon + .seconds(2 * 86_400)
    #expect(try database.spending().today(at: back).countedPosts == 0, "requests are not blocked forever")
    _ = try database.reserve(posts: 2, microUSD: 2, at: back)
    let record = try database.spending()
    #expect(record.days.map(\.day.number) == [today.number, today.number + 1, today.number + 2])
    #expect(record.days.map(\.countedPosts) == [6, 7, 2] && record.days.map(\.requests) == [2, 1, 1])
    #expect(record.microUSDOfMonth(at: back) == 15)
  }

  @Test(
    "a database adopts the spending from an account's other database, except for days that it has recorded itself")
  func adopted() throws {
    let database = try home.database()
    let day = SpendingDay(
      today, requests: 3, posts: 4, users: 1, microUSD: 30_000, reservedPosts: 3, reservedMicroUSD: 9)
    try database.adopt(SpendingRecord(days: [day]))
    try database.adopt(
      SpendingRecord(days: [SpendingDay(today, posts: 1), SpendingDay(CivilDay(today.number - 1), posts: 2)]))
    #expect(try database.spending().days == [SpendingDay(CivilDay(today.number - 1), posts: 2), day])
  }

  @Test("a process killed between a request and its response has spent the reserved amount")
  func killed() async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try StorageHome(path).database()
      let reservation = try database.reserve(posts: 3, microUSD: 45_000, at: noon)
      try database.settle(Settlement(reservation))
      _ = try database.reserve(posts: 30, microUSD: 450_000, at: noon)
      kill(getpid(), SIGKILL)
    }
    #expect(
      try home.database().spending().today(at: noon)
        == SpendingDay(today, requests: 2, reservedPosts: 30, reservedMicroUSD: 450_000))
  }

  @Test("a version 2 database keeps the day's posts at their earlier cost, and can be read before its upgrade")
  func older() throws {
    let files = home.files
    try home.database().close()
    try makeOlder(files.database, version: 2)
    let older = try SQLiteConnection(files.database, .writing)
    for column in ["spending_day", "spending_posts"] { try older.run("ALTER TABLE state ADD COLUMN \(column) INTEGER") }
    try older.run("UPDATE state SET failures = 2, spending_day = \(today.number), spending_posts = 7")
    older.close()
    let reader = try #require(try AccountDatabase.openForReading(files))
    #expect(try reader.spending() == SpendingRecord() && reader.state()[.home].failures == 2)
    reader.close()
    let owner = try home.database()
    #expect(try owner.spending().days == [SpendingDay(today, posts: 7, microUSD: 35_000)])
    #expect(try owner.state()[.home].failures == 2)
  }
}
