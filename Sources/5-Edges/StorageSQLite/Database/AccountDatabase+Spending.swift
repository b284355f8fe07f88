package import Storage
package import Time

/// The account's spending. A request's cost is reserved before the request is sent, and settled when the response arrives. If the process
/// exits in between, the recorded cost is too high, never too low.
extension AccountDatabase {
  package func spending() throws(StorageError) -> SpendingRecord {
    guard hasSpending else { return SpendingRecord() }
    return SpendingRecord(
      days: try connection.all(
        """
        SELECT day, requests, posts, users, micro_usd, reserved_posts, reserved_micro_usd FROM days ORDER BY day
        """
      ) { row in
        SpendingDay(
          CivilDay(row.rowID(0)), requests: row.amount(1), posts: row.amount(2), users: row.amount(3),
          microUSD: Int64(row.amount(4)), reservedPosts: row.amount(5), reservedMicroUSD: Int64(row.amount(6)))
      })
  }

  package func reserve(
    posts: Int, microUSD: Int64, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Reservation> {
    try write(expecting: revision) { () throws(StorageError) in
      let day = try spending().day(at: now)
      try beginDay(day)
      try connection.run(
        """
        UPDATE days SET requests = requests + 1, reserved_posts = reserved_posts + ?,
          reserved_micro_usd = reserved_micro_usd + ? WHERE day = ?
        """, [.integer(Int64(posts)), .integer(microUSD), .integer(day.number)])
      return Reservation(day: day, posts: posts, microUSD: microUSD)
    }
  }

  package func settle(_ settlement: Settlement, expecting revision: Revision) throws(StorageError) -> Revision {
    try write(expecting: revision) { () throws(StorageError) in try write(settlement) }.revision
  }

  /// Settles a reservation within a transaction. If the database was replaced in the meantime, the new database contains no reservation and
  /// counts only the delivered posts.
  func write(_ settlement: Settlement) throws(StorageError) {
    let reservation = settlement.reservation
    let isReserved =
      try connection.first("SELECT 1 FROM days WHERE day = ?", [.integer(reservation.day.number)]) { _ in true }
      ?? false
    if !isReserved { try beginDay(reservation.day) }
    let posts = try billed("post", settlement.posts) + settlement.namelessPosts
    let users = try billed("user", settlement.users) + settlement.namelessUsers
    let cost =
      Int64(posts) * settlement.microUSDPerPost + Int64(users) * settlement.microUSDPerUser + settlement.microUSD
    try connection.run(
      """
      UPDATE days SET posts = posts + ?, users = users + ?, micro_usd = micro_usd + ?,
        reserved_posts = max(0, reserved_posts - ?), reserved_micro_usd = max(0, reserved_micro_usd - ?) WHERE day = ?
      """,
      [
        .integer(Int64(posts)), .integer(Int64(users)), .integer(cost), .integer(Int64(reservation.posts)),
        .integer(reservation.microUSD), .integer(reservation.day.number),
      ])
  }

  package func adopt(_ record: SpendingRecord, expecting revision: Revision) throws(StorageError) -> Revision {
    if record.days.isEmpty { return revision }
    return try write(expecting: revision) { () throws(StorageError) in
      for day in record.days {
        try connection.run(
          """
          INSERT INTO days (day, requests, posts, users, micro_usd, reserved_posts, reserved_micro_usd)
          VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (day) DO NOTHING
          """,
          [
            .integer(day.day.number), .integer(Int64(day.requests)), .integer(Int64(day.posts)),
            .integer(Int64(day.users)), .integer(day.microUSD), .integer(Int64(day.reservedPosts)),
            .integer(day.reservedMicroUSD),
          ])
      }
    }.revision
  }

  /// Creates the day's row. On a new day, posts billed on the day before can be billed again, and old days are deleted.
  private func beginDay(_ day: CivilDay) throws(StorageError) {
    let last = try connection.first("SELECT max(day) FROM days") { $0.isNull(0) ? nil : $0.rowID(0) } ?? nil
    if let last, last > day.number { try removeDays(after: day) }
    try connection.run("INSERT INTO days (day) VALUES (?) ON CONFLICT (day) DO NOTHING", [.integer(day.number)])
    guard last != day.number else { return }
    try connection.run("DELETE FROM billed")
    try connection.run("DELETE FROM days WHERE day <= ?", [.integer(day.number - SpendingRecord.daysKept)])
  }

  /// Removes days recorded while the clock was far ahead. The money has been spent, so the amount is added to the day before `day`.
  private func removeDays(after day: CivilDay) throws(StorageError) {
    let future: [SQLiteValue] = [.integer(day.number)]
    try connection.run(
      """
      INSERT INTO days (day, requests, posts, users, micro_usd, reserved_posts, reserved_micro_usd)
      SELECT ?1 - 1, sum(requests), sum(posts), sum(users), sum(micro_usd), sum(reserved_posts), sum(reserved_micro_usd)
      FROM days WHERE day > ?1 GROUP BY 1
      ON CONFLICT (day) DO UPDATE SET requests = requests + excluded.requests, posts = posts + excluded.posts,
        users = users + excluded.users, micro_usd = micro_usd + excluded.micro_usd,
        reserved_posts = reserved_posts + excluded.reserved_posts,
        reserved_micro_usd = reserved_micro_usd + excluded.reserved_micro_usd
      """, future)
    try connection.run("DELETE FROM days WHERE day > ?", future)
  }

  /// Records ids as billed.
  /// - Returns: the number of ids that had not yet been billed on this day.
  private func billed(_ kind: String, _ ids: [String]) throws(StorageError) -> Int {
    var new = 0
    for id in ids {
      try connection.run(
        "INSERT INTO billed (kind, id) VALUES (?, ?) ON CONFLICT (kind, id) DO NOTHING", [.text(kind), .text(id)])
      new += connection.changes
    }
    return new
  }
}
