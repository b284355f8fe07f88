internal import Storage
internal import Time

/// An account's spending as values.
struct MemoryLedger {
  private(set) var record = SpendingRecord()
  /// The posts and users charged for on the last day. Each of them is charged for once a day.
  private var billedPosts: Set<String> = []
  private var billedUsers: Set<String> = []

  mutating func reserve(posts: Int, microUSD: Int64, at now: Timestamp) -> Reservation {
    let day = record.day(at: now)
    change(day) { entry in
      entry.requests += 1
      entry.reservedPosts += posts
      entry.reservedMicroUSD += microUSD
    }
    return Reservation(day: day, posts: posts, microUSD: microUSD)
  }

  mutating func settle(_ settlement: Settlement) {
    let reservation = settlement.reservation
    change(reservation.day) { _ in }
    let posts = Set(settlement.posts).subtracting(billedPosts)
    let users = Set(settlement.users).subtracting(billedUsers)
    billedPosts.formUnion(posts)
    billedUsers.formUnion(users)
    let (postCount, userCount) = (posts.count + settlement.namelessPosts, users.count + settlement.namelessUsers)
    change(reservation.day) { entry in
      entry.posts += postCount
      entry.users += userCount
      entry.microUSD +=
        Int64(postCount) * settlement.microUSDPerPost + Int64(userCount) * settlement.microUSDPerUser
        + settlement.microUSD
      entry.reservedPosts = max(0, entry.reservedPosts - reservation.posts)
      entry.reservedMicroUSD = max(0, entry.reservedMicroUSD - reservation.microUSD)
    }
  }

  mutating func adopt(_ other: SpendingRecord) {
    let known = Set(record.days.map(\.day))
    record = SpendingRecord(
      days: (record.days + other.days.filter { !known.contains($0.day) }).sorted { $0.day < $1.day })
  }

  /// Changes the record of a day. The first change on a day creates the record, deletes old days, and lets all posts and users be charged
  /// for again.
  private mutating func change(_ day: CivilDay, _ body: (inout SpendingDay) -> Void) {
    var days = record.days
    if !days.contains(where: { $0.day == day }) {
      days.append(SpendingDay(day))
      (billedPosts, billedUsers) = ([], [])
    }
    days = days.filter { $0.day.number > day.number - SpendingRecord.daysKept }.sorted { $0.day < $1.day }
    if let index = days.firstIndex(where: { $0.day == day }) { body(&days[index]) }
    record = SpendingRecord(days: days)
  }
}
