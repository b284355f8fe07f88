internal import Glibc

/// An inotify instance: its watches and events.
struct InotifyEvents: Sendable {
  struct Event {
    let watch: Int32
    let mask: UInt32
    /// The name of the file within the watched folder; empty for events about the folder itself.
    let name: String
  }

  let number: Int32

  init() throws(SystemError) {
    number = try check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
  }

  /// Closes the descriptor. Call this once, when no source uses the descriptor any more.
  func close() { _ = Glibc.close(number) }

  /// Watches a folder; if it is already watched, these events replace the earlier ones.
  func watch(_ path: String, for mask: Int32) throws(SystemError) -> Int32 {
    try check("inotify_add_watch", path) { unsafe inotify_add_watch(number, path, UInt32(mask | IN_ONLYDIR)) }
  }

  /// Removes a watch, if it still exists.
  func forget(_ watch: Int32) { _ = inotify_rm_watch(number, watch) }

  /// Returns all events since the last call.
  func read() -> [Event] {
    var events: [Event] = []
    var bytes = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
      if count > 0 {
        events += Self.events(in: bytes[..<count])
      } else if count == 0 || errno != EINTR {
        return events
      }
    }
  }

  /// Reads each `struct inotify_event`: watch, mask, cookie and the length of the name, which is padded with zeros.
  private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
    var events: [Event] = []
    var rest = bytes
    while rest.count >= 16 {
      let fields = (0..<4).map { index in
        unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
      }
      let name = rest.dropFirst(16).prefix(Int(fields[3])).prefix { $0 != 0 }
      events.append(
        Event(watch: Int32(bitPattern: fields[0]), mask: fields[1], name: String(decoding: name, as: UTF8.self)))
      rest = rest.dropFirst(16 + Int(fields[3]))
    }
    return events
  }
}
