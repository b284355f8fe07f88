/// Takes the lines of a stream apart as its bytes come, and makes events of them.
struct EventLines {
  private let limit: Int
  /// The line that has no end yet.
  private var rest: [UInt8] = []

  /// - Parameter limit: the most bytes of a line, without its line feed.
  init(limit: Int) { self.limit = limit }

  /// - Returns: the events whose lines are whole now. Empty lines, and events that are not known, are passed over.
  mutating func take(_ bytes: [UInt8]) throws(ControlClientError) -> [ControlEvent] {
    var events: [ControlEvent] = []
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

  private func event(_ line: [UInt8]) throws(ControlClientError) -> ControlEvent? {
    do throws(ControlFormatError) { return try ControlEvent(line: line) } catch { throw .malformed("\(error)") }
  }
}
