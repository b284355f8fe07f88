/// Splits a byte stream into lines and decodes each as an event.
struct EventLines {
  private let types: [any ControlEvent.Type]
  private let limit: Int
  /// The incomplete line at the end of the bytes so far.
  private var rest: [UInt8] = []

  /// - Parameter limit: the maximum length of a line in bytes, without its line feed.
  init(_ types: [any ControlEvent.Type], limit: Int) {
    self.types = types
    self.limit = limit
  }

  /// Adds received bytes.
  /// - Returns: the events whose lines are complete now. Empty lines and events of unknown types are ignored.
  mutating func append(_ bytes: [UInt8]) throws(ControlClientError) -> [any ControlEvent] {
    var events: [any ControlEvent] = []
    var remaining = bytes[...]
    while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
      try add(remaining[..<end])
      remaining = remaining[(end + 1)...]
      if !rest.isEmpty, let event = try event(rest) { events.append(event) }
      rest.removeAll(keepingCapacity: true)
    }
    try add(remaining)
    return events
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) throws(ControlClientError) {
    guard rest.count + bytes.count <= limit else { throw .malformed("a line of more than \(limit) bytes") }
    rest += bytes
  }

  private func event(_ line: [UInt8]) throws(ControlClientError) -> (any ControlEvent)? {
    do throws(ControlFormatError) { return try EventReader.event(line, among: types) } catch {
      throw .malformed("\(error)")
    }
  }
}
