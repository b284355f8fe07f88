internal import Cryptography
internal import HTTP
internal import JSON
internal import Platform
internal import Time

/// The browsers that have entered: their secrets' hashes in the file `_web/sessions`.
final class WebSessions: Sendable {
  /// The maximum number of sessions. The oldest one ends when another begins.
  static let most = 16
  /// The maximum size of the file in bytes.
  private static let fileLimit = 16_384
  private static let lifetime = Duration.seconds(SessionCookie.seconds)

  private let path: String
  private let clock: WallClock
  private let sessions: Locked<[WebSession]>
  private let changed = Locked<ClosureBox<@Sendable () -> Void>?>(nil)

  /// Reads the file. A file that cannot be read is the same as none: every browser must enter again.
  /// - Parameter path: `FileLayout.webSessions`.
  init(_ path: String, clock: WallClock, log: Log) {
    self.path = path
    self.clock = clock
    var sessions: [WebSession] = []
    do { sessions = try Self.read(path) } catch {
      log(
        .warning,
        "the browsers that may show the web page are unknown, so each must enter again (homeline web): \(error)")
    }
    self.sessions = Locked(sessions)
  }

  /// Returns the session of a secret; nil if it does not exist, is older than 30 days, or began more than 30 days in the future.
  func session(_ secret: String) -> WebSession? {
    guard let hash = try? SecretHash(of: secret) else { return nil }
    let now = clock.now
    return sessions.withLock { sessions in
      sessions.first { $0.hash == hash && Self.isCurrent($0, at: now) }
    }
  }

  /// Returns whether a session still exists.
  func isCurrent(_ session: WebSession) -> Bool {
    let now = clock.now
    return sessions.withLock { $0.contains(session) } && Self.isCurrent(session, at: now)
  }

  /// Sets the function that is called, from any queue, after sessions have begun or ended.
  func onChange(_ body: @escaping @Sendable () -> Void) { changed.withLock { $0 = ClosureBox(body) } }

  /// Begins a session.
  /// - Returns: its secret.
  func begin() throws(WebError) -> String {
    let now = clock.now
    do {
      let secret = try WebSecret.make(bits: 256)
      let session = WebSession(hash: try SecretHash(of: secret), madeAt: now)
      try sessions.withLock { sessions throws(SystemError) in
        let others = sessions.filter { Self.isCurrent($0, at: now) }.suffix(Self.most - 1)
        try WebFile.write(Self.text(of: others + [session]), to: path)
        sessions = others + [session]
      }
      reportChange()
      return secret
    } catch {
      throw WebError(
        .serviceUnavailable, "This browser could not enter", "\(error). Correct this, and run homeline web again.")
    }
  }

  /// Ends one session.
  /// - Throws: `SystemError` if the file cannot be written. The session has ended, but will be back after a restart.
  func end(_ session: WebSession) throws(SystemError) { _ = try end { $0 == session } }

  /// Ends all sessions.
  /// - Returns: their number.
  /// - Throws: `SystemError` if the file cannot be written. The sessions have ended, but will be back after a restart.
  func endAll() throws(SystemError) -> Int { try end { _ in true } }

  private func end(_ isEnded: (WebSession) -> Bool) throws(SystemError) -> Int {
    // Ending does not depend on the disk: somebody may be in a hurry to lock a browser out.
    defer { reportChange() }
    return try sessions.withLock { sessions throws(SystemError) in
      let former = sessions.count
      sessions.removeAll(where: isEnded)
      try WebFile.write(Self.text(of: sessions), to: path)
      return former - sessions.count
    }
  }

  private func reportChange() { changed.withLock { $0 }?.call() }

  /// A session that began far in the future was made while the clock was wrong. Once the clock is right, it would last too long.
  private static func isCurrent(_ session: WebSession, at now: Timestamp) -> Bool {
    session.madeAt + lifetime > now && session.madeAt < now + lifetime
  }

  // MARK: The file

  private static func text(of sessions: [WebSession]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("sessions", list: sessions) { json, session in
        json.object { json in
          json.member("hash", session.hash.text)
          json.member("made_at", session.madeAt.rfc3339)
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func read(_ path: String) throws -> [WebSession] {
    guard let bytes = try WebFile.read(path, limit: fileLimit) else { return [] }
    var sessions: [WebSession] = []
    var cursor = JSONCursor(bytes, maximalDepth: 8)
    try cursor.members { json, name in
      guard name == "sessions" else {
        try json.skip()
        return
      }
      sessions = try json.list { json in
        var hash: SecretHash?
        var madeAt: Timestamp?
        try json.members { json, name in
          switch name {
          case "hash": hash = SecretHash(text: try json.string())
          case "made_at": madeAt = Timestamp(rfc3339: try json.string())
          default: try json.skip()
          }
        }
        return hash.flatMap { hash in madeAt.map { WebSession(hash: hash, madeAt: $0) } }
      }.compactMap(\.self).suffix(most)
    }
    return sessions
  }
}
