import Dispatch
import TestSupport

/// A browser that goes on to where it is sent, and remembers each step.
extension PlainBrowser {
  /// One address and what it answered.
  struct Visit: Sendable {
    let address: String
    let status: Int
    /// The status line and the field lines.
    let head: String
    let text: String
    /// Where a redirect points, as a whole address.
    let location: String?
  }

  /// What a browser says of a person who followed a link.
  fileprivate static let navigation = [
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
  ]

  /// Goes to an address and on, until an answer is no redirect.
  /// - Parameter reloads: how often it goes to the address before, without going on.
  /// - Returns: each visit in order; the last one has the page that a person sees.
  static func walk(from address: String, reloads: Int = 0) async throws -> [Visit] {
    // Without a break in between: the callback port waits some seconds for a browser, and the test runner's threads may be busy.
    try await onThreadOfItsOwn {
      var visits = try (0...reloads).map { _ in try Visit(address, []) }
      while let next = visits.last?.location {
        // A browser gives up after 20; no login needs more than these.
        guard visits.count < reloads + 8 else {
          throw TestClient.Failure(description: "redirects without end: \(next)")
        }
        visits.append(try Visit(next, []))
      }
      return visits
    }
  }

  /// Sends one GET over a connection of its own.
  /// - Parameter fields: field lines besides Host and those that tell a navigation.
  static func visit(_ address: String, fields: [String] = []) async throws -> Visit {
    try await onThreadOfItsOwn { try Visit(address, fields) }
  }

  /// An answer may come late, and the threads of async functions, like those of the global queues, are too few to wait on.
  static func onThreadOfItsOwn<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      OwnThread.start { continuation.resume(with: Result { try work() }) }
    }
  }
}

extension PlainBrowser.Visit {
  fileprivate init(_ place: String, _ fields: [String]) throws {
    let address = try PlainAddress(String(place.prefix { $0 != "#" }))
    let answer = try PlainBrowser().get(address, fields: PlainBrowser.navigation + fields)
    self.address = "\(address)"
    status = answer.status
    head = answer.head
    text = answer.text
    let target = (300..<400).contains(answer.status) ? answer.field("Location") : nil
    location = target.map { $0.hasPrefix("/") ? "\(PlainAddress(address, target: $0))" : $0 }
  }
}
