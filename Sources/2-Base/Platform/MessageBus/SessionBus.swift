internal import CSystemd
internal import Glibc

/// A connection to the session bus for a few calls (sd-bus(3)). Only the thread that created it may use it.
@safe package struct SessionBus: ~Copyable {
  private let bus: OpaquePointer
  private let timeout: Duration

  /// Connects to the bus.
  /// - Parameter timeout: the time limit for connecting, and for each call.
  package static func connect(to address: BusAddress, timeout: Duration) throws(BusError) -> SessionBus {
    if let reason = unsafe csystemd_start() { throw .noLibrary(unsafe String(cString: reason)) }
    var made: OpaquePointer?
    try require(unsafe sd_bus_new(&made))
    guard let made = unsafe made else { throw .failed(ENOMEM) }
    let bus = unsafe SessionBus(owning: made, timeout: timeout)
    try bus.start(address)
    return bus
  }

  private init(owning bus: OpaquePointer, timeout: Duration) {
    unsafe self.bus = bus
    self.timeout = timeout
  }

  deinit { unsafe _ = sd_bus_close_unref(bus) }

  private func start(_ address: BusAddress) throws(BusError) {
    for code in [
      unsafe sd_bus_set_address(bus, address.text), unsafe sd_bus_set_bus_client(bus, 1),
      unsafe sd_bus_set_method_call_timeout(bus, timeout.microseconds), unsafe sd_bus_start(bus),
    ] where code < 0 {
      throw Self.unreachable(code)
    }
    let deadline = BootInstant.now + timeout
    // Authenticates with the bus and calls its Hello method.
    while unsafe sd_bus_is_ready(bus) == 0 {
      let progress = unsafe sd_bus_process(bus, nil)
      if progress < 0 { throw Self.unreachable(progress) }
      if progress > 0 { continue }
      guard BootInstant.now < deadline else { throw .timedOut }
      let code = unsafe sd_bus_wait(bus, (deadline - .now).microseconds)
      if code < 0, code != -EINTR { throw Self.unreachable(code) }
    }
  }

  private static func unreachable(_ code: Int32) -> BusError {
    code == -ETIMEDOUT ? .timedOut : .noBus(SystemError(call: "sd_bus_start", code: -code).reason)
  }

  /// Calls a method and waits for its response.
  /// - Parameters:
  ///   - startsPeer: whether the bus starts the peer if it is not running.
  ///   - write: writes the arguments.
  package func call(
    _ method: BusMethod, startsPeer: Bool = true, _ write: (borrowing BusMessage) throws(BusError) -> Void = { _ in }
  ) throws(BusError) -> BusMessage {
    var made: OpaquePointer?
    try require(
      unsafe sd_bus_message_new_method_call(
        bus, &made, method.destination, method.path, method.interface, method.member))
    guard let made = unsafe made else { throw .failed(ENOMEM) }
    let request = unsafe BusMessage(owning: made)
    if !startsPeer { try request.forbidStart() }
    try write(request)
    var reply: OpaquePointer?
    var error = unsafe sd_bus_error()
    let code = unsafe request.withPointer { unsafe sd_bus_call(bus, $0, timeout.microseconds, &error, &reply) }
    defer { unsafe sd_bus_error_free(&error) }
    guard code >= 0, let reply = unsafe reply else { throw unsafe Self.failure(code, error) }
    return unsafe BusMessage(owning: reply)
  }

  // MARK: Signals

  /// Subscribes to a peer's signals, which `next()` then returns.
  package func subscribe(to interface: String, of peer: String) throws(BusError) {
    let bus = BusMethod(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "AddMatch")
    _ = try call(bus) { message throws(BusError) in
      try message.append("type='signal',sender='\(peer)',interface='\(interface)'")
    }
  }

  /// Returns a descriptor that becomes readable when a signal may have arrived (sd_bus_get_fd(3)).
  package func descriptor() throws(BusError) -> Int32 {
    let number = unsafe sd_bus_get_fd(bus)
    try require(number)
    return number
  }

  /// Returns the next signal that has already arrived; nil if there is none. Does not wait.
  package func next() throws(BusError) -> BusMessage? {
    while true {
      var found: OpaquePointer?
      let code = unsafe sd_bus_process(bus, &found)
      if code < 0 { throw Self.unreachable(code) }
      if let found = unsafe found { return unsafe BusMessage(owning: found) }
      if code == 0 { return nil }
    }
  }

  private static func failure(_ code: Int32, _ error: sd_bus_error) -> BusError {
    if code == -ETIMEDOUT { return .timedOut }
    if [-ENOTCONN, -ECONNRESET, -EPIPE].contains(code) { return unreachable(code) }
    guard let name = unsafe error.name else { return .failed(-code) }
    return .remote(
      name: unsafe String(cString: name), message: unsafe error.message.map { unsafe String(cString: $0) } ?? "")
  }
}

extension Duration {
  /// The duration in microseconds; 0 for a negative duration.
  fileprivate var microseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}
