internal import CSystemd
internal import Glibc

/// A message: the arguments of a call, or its response. Values are written and read in order.
@safe package struct BusMessage: ~Copyable {
  /// The types of values (D-Bus Specification, "Type System").
  package enum ValueType: String {
    case boolean = "b"
    case number = "u"
    case signed = "i"
    case text = "s"
    case path = "o"

    fileprivate var code: CChar { CChar(bitPattern: rawValue.utf8.first!) }
  }

  package enum Container: String {
    case array = "a"
    case variant = "v"
    case structure = "r"
    case entry = "e"

    fileprivate var code: CChar { CChar(bitPattern: rawValue.utf8.first!) }
  }

  private let message: OpaquePointer

  init(owning message: OpaquePointer) { unsafe self.message = message }

  deinit { unsafe _ = sd_bus_message_unref(message) }

  func withPointer<Value>(_ body: (OpaquePointer) -> Value) -> Value { unsafe body(message) }

  func forbidStart() throws(BusError) { try require(unsafe sd_bus_message_set_auto_start(message, 0)) }

  // MARK: Writing

  package func append(_ text: String, as type: ValueType = .text) throws(BusError) {
    try require(unsafe sd_bus_message_append_basic(message, type.code, text))
  }

  package func append(_ value: Bool) throws(BusError) {
    var number: Int32 = value ? 1 : 0
    try require(unsafe sd_bus_message_append_basic(message, ValueType.boolean.code, &number))
  }

  package func append(_ number: UInt32) throws(BusError) {
    var number = number
    try require(unsafe sd_bus_message_append_basic(message, ValueType.number.code, &number))
  }

  package func append(_ number: Int32) throws(BusError) {
    var number = number
    try require(unsafe sd_bus_message_append_basic(message, ValueType.signed.code, &number))
  }

  /// Appends an array of strings.
  package func append(_ texts: [String]) throws(BusError) {
    try append(.array, of: "s") { () throws(BusError) in for text in texts { try append(text) } }
  }

  /// Appends an array of bytes.
  package func append(_ bytes: [UInt8]) throws(BusError) {
    try require(
      unsafe sd_bus_message_append_array(message, CChar(bitPattern: UInt8(ascii: "y")), bytes, bytes.count))
  }

  /// Appends a container.
  /// - Parameter contents: the signature of its elements.
  package func append(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try require(unsafe sd_bus_message_open_container(message, container.code, contents))
    try body()
    try require(unsafe sd_bus_message_close_container(message))
  }

  /// Appends a dictionary with strings as keys and values.
  package func append(_ dictionary: [String: String]) throws(BusError) {
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

  /// Returns whether the message is the given signal.
  package func isSignal(_ interface: String, _ member: String) -> Bool {
    unsafe sd_bus_message_is_signal(message, interface, member) > 0
  }

  package func text(_ type: ValueType = .text) throws(BusError) -> String {
    guard let text = try nextText(type) else { throw .failed(EBADMSG) }
    return text
  }

  package func boolean() throws(BusError) -> Bool {
    var number: Int32 = 0
    try expect(unsafe sd_bus_message_read_basic(message, ValueType.boolean.code, &number))
    return number != 0
  }

  package func number() throws(BusError) -> UInt32 {
    var number: UInt32 = 0
    try expect(unsafe sd_bus_message_read_basic(message, ValueType.number.code, &number))
    return number
  }

  package func bytes() throws(BusError) -> [UInt8] {
    var start: UnsafeRawPointer?
    var size = 0
    try require(unsafe sd_bus_message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &start, &size))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: size))
  }

  /// Reads an array of object paths.
  package func paths() throws(BusError) -> [String] {
    try inside(.array, of: "o") { () throws(BusError) in
      var paths: [String] = []
      while let path = try nextText(.path) { paths.append(path) }
      return paths
    }
  }

  /// Reads a container.
  /// - Parameter contents: the signature of its elements.
  package func inside<Value>(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Value
  ) throws(BusError) -> Value {
    try expect(unsafe sd_bus_message_enter_container(message, container.code, contents))
    let value = try body()
    try require(unsafe sd_bus_message_exit_container(message))
    return value
  }

  /// Skips values.
  /// - Parameter types: their signature.
  package func skip(_ types: String) throws(BusError) { try require(unsafe sd_bus_message_skip(message, types)) }

  /// Reads the next text in a container; returns `nil` at the end of the container.
  private func nextText(_ type: ValueType) throws(BusError) -> String? {
    var text: UnsafePointer<CChar>?
    let code = unsafe sd_bus_message_read_basic(message, type.code, &text)
    try require(code)
    guard code > 0, let text = unsafe text else { return nil }
    return unsafe String(cString: text)
  }

  /// Throws an error for a negative `errno`, and if there was no value.
  private func expect(_ code: Int32) throws(BusError) {
    try require(code)
    if code == 0 { throw .failed(EBADMSG) }
  }
}

/// Throws for a negative `errno`.
func require(_ code: Int32) throws(BusError) { if code < 0 { throw .failed(-code) } }
