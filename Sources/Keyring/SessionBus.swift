internal import CSystemd
internal import Glibc
internal import Platform

/// Why a call on the session bus failed.
enum BusError: Error {
  case noLibrary(String)
  case noBus(String)
  case timedOut
  /// The peer, or the bus, responded with an error.
  case remote(name: String, message: String)
  /// sd-bus failed, with a value of `errno`. An unexpected response is EBADMSG or ENXIO.
  case failed(Int32)
}

/// The address of this user's session bus.
package struct BusAddress: Sendable, Hashable {
  let text: String

  package init(_ text: String) { self.text = text }

  /// The bus in `DBUS_SESSION_BUS_ADDRESS`, or else the one that systemd runs for the user (`$XDG_RUNTIME_DIR/bus`).
  /// - Returns: `nil` if neither variable is set.
  package init?(environment: [String: String]) {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
      text = address
    } else if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
      text = "unix:path=\(Self.escaped("\(folder)/bus"))"
    } else {
      return nil
    }
  }

  /// Escapes a value of an address (D-Bus Specification, "Server Addresses").
  private static func escaped(_ value: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
        UInt8(ascii: "."), UInt8(ascii: "*"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A connection to the session bus for a few calls (sd-bus(3)). Only the thread that created it may use it.
@safe struct SessionBus: ~Copyable {
  private let bus: OpaquePointer
  private let timeout: Duration

  /// Connects to the bus.
  /// - Parameter timeout: the time limit for connecting, and for each call.
  static func connect(to address: BusAddress, timeout: Duration) throws(BusError) -> SessionBus {
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
    // Authentication with the bus, and the call of its Hello method.
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
  func call(
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

  private static func failure(_ code: Int32, _ error: sd_bus_error) -> BusError {
    if code == -ETIMEDOUT { return .timedOut }
    if [-ENOTCONN, -ECONNRESET, -EPIPE].contains(code) { return unreachable(code) }
    guard let name = unsafe error.name else { return .failed(-code) }
    return .remote(
      name: unsafe String(cString: name), message: unsafe error.message.map { unsafe String(cString: $0) } ?? "")
  }
}

/// A method of an object on the bus.
struct BusMethod {
  let destination: String
  let path: String
  let interface: String
  let member: String
}

/// A message: the arguments of a call, or its response. Values are written and read in their order.
@safe struct BusMessage: ~Copyable {
  /// The types of values (D-Bus Specification, "Type System").
  enum ValueType: String {
    case boolean = "b"
    case number = "u"
    case text = "s"
    case path = "o"

    fileprivate var code: CChar { CChar(bitPattern: rawValue.utf8.first!) }
  }

  enum Container: String {
    case array = "a"
    case variant = "v"
    case structure = "r"
    case entry = "e"

    fileprivate var code: CChar { CChar(bitPattern: rawValue.utf8.first!) }
  }

  private let message: OpaquePointer

  fileprivate init(owning message: OpaquePointer) { unsafe self.message = message }

  deinit { unsafe _ = sd_bus_message_unref(message) }

  fileprivate func withPointer<Value>(_ body: (OpaquePointer) -> Value) -> Value { unsafe body(message) }

  fileprivate func forbidStart() throws(BusError) { try require(unsafe sd_bus_message_set_auto_start(message, 0)) }

  // MARK: Writing

  func append(_ text: String, as type: ValueType = .text) throws(BusError) {
    try require(unsafe sd_bus_message_append_basic(message, type.code, text))
  }

  func append(_ value: Bool) throws(BusError) {
    var number: Int32 = value ? 1 : 0
    try require(unsafe sd_bus_message_append_basic(message, ValueType.boolean.code, &number))
  }

  /// Appends an array of bytes.
  func append(_ bytes: [UInt8]) throws(BusError) {
    try require(
      unsafe sd_bus_message_append_array(message, CChar(bitPattern: UInt8(ascii: "y")), bytes, bytes.count))
  }

  /// Appends a container.
  /// - Parameter contents: the signature of its elements.
  func append(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try require(unsafe sd_bus_message_open_container(message, container.code, contents))
    try body()
    try require(unsafe sd_bus_message_close_container(message))
  }

  /// Appends a dictionary with texts as keys and values.
  func append(_ dictionary: [String: String]) throws(BusError) {
    try append(.array, of: "{ss}") { () throws(BusError) in
      for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
        try append(.entry, of: "ss") { () throws(BusError) in
          try append(key)
          try append(value)
        }
      }
    }
  }

  // MARK: Reading

  func text(_ type: ValueType = .text) throws(BusError) -> String {
    guard let text = try nextText(type) else { throw .failed(EBADMSG) }
    return text
  }

  func boolean() throws(BusError) -> Bool {
    var number: Int32 = 0
    try expect(unsafe sd_bus_message_read_basic(message, ValueType.boolean.code, &number))
    return number != 0
  }

  func number() throws(BusError) -> UInt32 {
    var number: UInt32 = 0
    try expect(unsafe sd_bus_message_read_basic(message, ValueType.number.code, &number))
    return number
  }

  func bytes() throws(BusError) -> [UInt8] {
    var start: UnsafeRawPointer?
    var size = 0
    try require(unsafe sd_bus_message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &start, &size))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: size))
  }

  /// Reads an array of object paths.
  func paths() throws(BusError) -> [String] {
    try inside(.array, of: "o") { () throws(BusError) in
      var paths: [String] = []
      while let path = try nextText(.path) { paths.append(path) }
      return paths
    }
  }

  /// Reads a container.
  /// - Parameter contents: the signature of its elements.
  func inside<Value>(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Value
  ) throws(BusError) -> Value {
    try expect(unsafe sd_bus_message_enter_container(message, container.code, contents))
    let value = try body()
    try require(unsafe sd_bus_message_exit_container(message))
    return value
  }

  /// Skips values.
  /// - Parameter types: their signature.
  func skip(_ types: String) throws(BusError) { try require(unsafe sd_bus_message_skip(message, types)) }

  /// - Returns: `nil` at the end of the container.
  private func nextText(_ type: ValueType) throws(BusError) -> String? {
    var text: UnsafePointer<CChar>?
    let code = unsafe sd_bus_message_read_basic(message, type.code, &text)
    try require(code)
    guard code > 0, let text = unsafe text else { return nil }
    return unsafe String(cString: text)
  }

  /// Also throws if there was no value.
  private func expect(_ code: Int32) throws(BusError) {
    try require(code)
    if code == 0 { throw .failed(EBADMSG) }
  }
}

/// Throws for a negative `errno`.
private func require(_ code: Int32) throws(BusError) { if code < 0 { throw .failed(-code) } }

extension Duration {
  /// In microseconds; 0 for a negative duration.
  fileprivate var microseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}
