import Dispatch
import TestSupport

/// A browser that follows redirects and records each step.
extension PlainBrowser {
  /// One address and its response.
  struct Visit: Sendable {
    let address: String
    let status: Int
    /// The status line and the header fields.
    let head: String
    let text: String
    /// The complete URL of a redirect.
    let location: String?
  }

  /// The fields that a browser sends when a user follows a link.
  fileprivate static let navigation = [
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
  ]

  /// Opens an address and follows all redirects.
  /// - Parameter reloads: how often the first address is requested again before following.
  /// - Returns: each visit in order; the last one is the page that the user sees.
  static func walk(from address: String, reloads: Int = 0) async throws -> [Visit] {
    // Without suspension points: the callback port waits only some seconds for a browser, and the test runner's
    // threads may be busy.
    try await onThreadOfItsOwn {
      var visits = try (0...reloads).map { _ in try Visit(address, []) }
      while let next = visits.last?.location {
        // Browsers stop after 20 redirects; no login needs more than 8.
        guard visits.count < reloads + 8 else {
          throw TestClient.Failure(description: "redirects without end: \(next)")
        }
        visits.append(try Visit(next, []))
      }
      return visits
    }
  }

  /// Sends one GET over its own connection.
  /// - Parameter fields: header fields besides Host and those of a navigation.
  static func visit(_ address: String, fields: [String] = []) async throws -> Visit {
    try await onThreadOfItsOwn { try Visit(address, fields) }
  }

  /// Runs blocking work on its own thread, because Swift concurrency and Dispatch have too few threads to block.
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
