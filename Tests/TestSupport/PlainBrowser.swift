import Dispatch

/// What a browser does with an address, as far as a login needs it: GET, and on to where the answer points.
///
/// It speaks plain HTTP to 127.0.0.1 only, follows redirects by hand so that a test sees each, and runs no script.
package enum PlainBrowser {
  /// One address and what it answered.
  package struct Visit: Sendable {
    package let address: String
    package let status: Int
    /// The status line and the field lines.
    package let head: String
    package let text: String

    /// Where a redirect points, as a whole address.
    package var location: String? {
      guard (300..<400).contains(status) else { return nil }
      let field = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("location:") }
      guard let target = field?.dropFirst(9).drop(while: { $0 == " " }) else { return nil }
      guard target.hasPrefix("/") else { return String(target) }
      return "http://" + PlainBrowser.authority(of: address) + target
    }
  }

  /// Goes to an address and on, until an answer is no redirect.
  /// - Returns: each visit in order; the last one has the page that a person sees.
  package static func walk(from address: String) async throws -> [Visit] {
    var visits = [try await visit(address)]
    while let next = visits.last?.location {
      // A browser gives up after 20; no login needs more than these.
      guard visits.count < 8 else { throw TestClient.Failure(description: "redirects without end: \(next)") }
      visits.append(try await visit(next))
    }
    return visits
  }

  /// Sends one GET over a connection of its own.
  /// - Parameter fields: field lines besides Host and those that tell a navigation.
  package static func visit(_ address: String, fields: [String] = []) async throws -> Visit {
    try await withCheckedThrowingContinuation { continuation in
      // An answer may come late, and the threads of async functions, like those of the global queues, are too few to wait on.
      DispatchQueue(label: "plain-browser").async { continuation.resume(with: Result { try get(address, fields) }) }
    }
  }

  private static func get(_ address: String, _ fields: [String]) throws -> Visit {
    let authority = authority(of: address)
    let parts = authority.split(separator: ":")
    guard address.hasPrefix("http://"), parts.first == "127.0.0.1", let port = parts.last.flatMap({ UInt16($0) }) else {
      throw TestClient.Failure(description: "not an address on this machine: \(address)")
    }
    let path = address.dropFirst("http://".count + authority.count).prefix { $0 != "#" }
    let lines =
      [
        "GET \(path.hasPrefix("/") ? "" : "/")\(path) HTTP/1.1", "Host: \(authority)", "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
      ] + fields
    let client = try TestClient(port: port)
    try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    let answer = try client.answer()
    return Visit(address: address, status: answer.status, head: answer.head, text: answer.text)
  }

  private static func authority(of address: String) -> String {
    String(address.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" })
  }
}
