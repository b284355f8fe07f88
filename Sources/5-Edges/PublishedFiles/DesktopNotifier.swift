internal import Dispatch
internal import Platform
internal import Settings
internal import Timeline

/// Shows the number of new posts, and lost logins, on the desktop (Desktop Notifications Specification 1.2, `org.freedesktop.Notifications`).
///
/// A timeline has at most one notification about posts. Later posts replace it until the user closes it. It names the timeline but contains
/// nothing from a post, because the desktop may show it while the screen is locked. Its action opens the timeline. A lost login
/// has its own notification, which stays until the user closes it or logs in again.
// Sendable because all mutable state is accessed only on `queue`.
final class DesktopNotifier: @unchecked Sendable {
  /// A notification that is being shown.
  private struct Shown {
    var id: UInt32
    var posts: Int
  }

  fileprivate static let peer = "org.freedesktop.Notifications"
  /// The time limit for connecting, and for each call.
  static let timeout = Duration.seconds(5)
  /// The keys of the actions for a click on the notification and for its button.
  private static let actionKeys = ["default", "open"]

  private let address: BusAddress?
  private let log: Log
  private let open: @Sendable (TimelineKey) -> Void
  private let queue = DispatchQueue(label: "homeline.notifications")
  private var connection: NotificationConnection?
  private var shown: [TimelineKey: Shown] = [:]
  /// The notifications about lost logins.
  private var lostLogins: [AccountName: UInt32] = [:]
  /// The last failure. A new failure is reported only if it differs.
  private var failure: String?

  /// - Parameter open: called on another queue when the user chooses the action.
  init(environment: [String: String], log: Log, open: @escaping @Sendable (TimelineKey) -> Void) {
    address = BusAddress(environment: environment)
    self.log = log
    self.open = open
  }

  /// Shows the number of new posts, asynchronously.
  func notify(_ posts: Int, of timeline: TimelineKey) {
    queue.async { @Sendable in
      do throws(BusError) {
        try self.show(posts, of: timeline)
        self.failure = nil
      } catch {
        self.disconnect()
        let message = "the desktop notification about new posts failed: \(error.reason)"
        if message != self.failure { self.log(.warning, "\(timeline): \(message)") }
        self.failure = message
      }
    }
  }

  /// Shows that an account needs a new login, asynchronously.
  /// - Parameter completion: called on another queue with whether the desktop shows it.
  func notifyOfLostLogin(_ account: AccountName, completion: @escaping @Sendable (Bool) -> Void) {
    queue.async { @Sendable in
      do throws(BusError) {
        let connection = if let connection = self.connection { connection } else { try self.connect() }
        self.lostLogins[account] = try connection.show(
          "\(account): log in again", "The server no longer accepts the login. Run: homeline login \(account)",
          expiresAfter: .never)
        completion(true)
      } catch {
        self.disconnect()
        // A missing desktop is not a fault: the log, the bar's file and `homeline status` also show the lost login.
        self.log(.debug, "\(account): the desktop does not show that a login is needed: \(error.reason)")
        completion(false)
      }
      if self.shown.isEmpty { self.disconnect() }
    }
  }

  /// Removes the notification about a lost login, asynchronously, if this process has shown one.
  func removeLostLogin(_ account: AccountName) {
    queue.async { @Sendable in
      guard let id = self.lostLogins.removeValue(forKey: account) else { return }
      do throws(BusError) {
        let connection = if let connection = self.connection { connection } else { try self.connect() }
        try connection.remove(id)
      } catch { self.disconnect() }
      if self.shown.isEmpty { self.disconnect() }
    }
  }

  /// Waits until the requested notifications have been sent, and closes the connection. The notifications remain on the desktop.
  func end() { queue.sync { disconnect() } }

  // MARK: On the queue

  private func show(_ posts: Int, of timeline: TimelineKey) throws(BusError) {
    let connection = if let connection = self.connection { connection } else { try connect() }
    try readSignals(connection)
    let former = shown[timeline]
    let total = posts + (former?.posts ?? 0)
    let noun = timeline.timeline.kind == .notifications ? "notification" : "post"
    let id = try connection.show(
      "\(timeline): \(total) new \(noun)\(total == 1 ? "" : "s")", "", replacing: former?.id ?? 0,
      actions: Self.actionKeys.flatMap { [$0, "Open"] })
    shown[timeline] = Shown(id: id, posts: total)
    try readSignals(connection)
  }

  private func connect() throws(BusError) -> NotificationConnection {
    guard let address else {
      throw .noBus("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
    }
    let made = try NotificationConnection(SessionBus.connect(to: address, timeout: Self.timeout))
    try made.bus.subscribe(to: Self.peer, of: Self.peer)
    let descriptor = try made.bus.descriptor()
    connection = made
    made.watch(descriptor, on: queue) { [weak self] in self?.handleSignals() }
    return made
  }

  private func handleSignals() {
    guard let connection else { return }
    do throws(BusError) { try readSignals(connection) } catch { disconnect() }
    // If no notifications were requested, there is nothing to wait for.
    if shown.isEmpty { disconnect() }
  }

  private func readSignals(_ connection: NotificationConnection) throws(BusError) {
    while let message = try connection.bus.next() {
      if message.isSignal(Self.peer, "ActionInvoked") {
        let id = try message.number()
        let key = try message.text()
        guard Self.actionKeys.contains(key), let timeline = timeline(of: id) else { continue }
        open(timeline)
      } else if message.isSignal(Self.peer, "NotificationClosed") {
        if let timeline = timeline(of: try message.number()) { shown[timeline] = nil }
      }
    }
  }

  private func timeline(of id: UInt32) -> TimelineKey? { shown.first { $0.value.id == id }?.key }

  private func disconnect() {
    connection?.close()
    connection = nil
    shown = [:]
  }
}

/// A connection to the session bus that also receives signals. Belongs to one queue.
private final class NotificationConnection {
  let bus: SessionBus
  private var source: DispatchSource?

  init(_ bus: consuming SessionBus) { self.bus = bus }

  func watch(_ descriptor: Int32, on queue: DispatchQueue, _ handle: @escaping () -> Void) {
    let (work, kept) = (QueueConfined(handle), QueueConfined(self))
    // The descriptor belongs to the bus, which must exist until the source has been cancelled.
    let source = DispatchSource.reading(descriptor, on: queue, closing: { withExtendedLifetime(kept.value) {} }) {
      work.value()
    }
    source.activate()
    self.source = source
  }

  /// How long the desktop shows a notification.
  enum Expiry: Int32 {
    case never = 0
    case asTheDesktopDecides = -1
  }

  /// Shows a notification.
  /// - Parameters:
  ///   - former: the notification that it replaces; 0 if there is none.
  ///   - actions: keys and labels in turn.
  /// - Returns: the notification's id.
  func show(
    _ summary: String, _ body: String, replacing former: UInt32 = 0, actions: [String] = [],
    expiresAfter expiry: Expiry = .asTheDesktopDecides
  ) throws(BusError) -> UInt32 {
    let reply = try bus.call(Self.method("Notify")) { message throws(BusError) in
      try message.append("homeline")
      try message.append(former)
      try message.append("")
      try message.append(summary)
      try message.append(body)
      try message.append(actions)
      try message.append(.array, of: "{sv}") { () throws(BusError) in }
      try message.append(expiry.rawValue)
    }
    return try reply.number()
  }

  /// Removes a notification from the desktop.
  func remove(_ id: UInt32) throws(BusError) {
    _ = try bus.call(Self.method("CloseNotification")) { message throws(BusError) in try message.append(id) }
  }

  private static func method(_ name: String) -> BusMethod {
    BusMethod(
      destination: DesktopNotifier.peer, path: "/org/freedesktop/Notifications", interface: DesktopNotifier.peer,
      member: name)
  }

  func close() {
    source?.cancel()
    source = nil
  }
}

extension BusError {
  /// The reason a notification was not shown.
  fileprivate var reason: String {
    switch self {
    case .noLibrary(let reason): reason
    case .noBus(let reason): "the session bus cannot be reached: \(reason)"
    case .timedOut: "the desktop did not respond within \(DesktopNotifier.timeout.components.seconds) s"
    case .remote where isWithoutPeer: "no program on the session bus shows notifications"
    case .remote(let name, let message): "\(name): \(message)"
    case .failed(let code): SystemError(call: "sd-bus", code: code).description
    }
  }
}
