import TestSupport

/// A minimal browser, which uses a connection for each request.
struct ScriptedBrowser: Sendable {
  func get(_ address: LocalURL, fields: [String] = []) throws -> TestClient.Answer {
    try send("GET", address, fields: fields)
  }

  /// - Parameter host: the value that replaces the Host field.
  func send(
    _ method: String, _ address: LocalURL, host: String? = nil, overIPv6: Bool = false, fields: [String] = [],
    body: String = ""
  ) throws -> TestClient.Answer {
    let connection = try TestClient(port: address.port, overIPv6: overIPv6)
    try connection.send(
      text(of: method, address, host: host, fields: fields + ["Connection: close"], body: body))
    return try connection.readResponse(toHead: method == "HEAD")
  }

  /// Returns the text of a request.
  func text(
    of method: String, _ address: LocalURL, host: String? = nil, fields: [String] = [], body: String = ""
  ) -> String {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines = ["\(method) \(address.target) HTTP/1.1", "Host: \(host ?? address.authority)"] + fields + length
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// Opens an address and follows a single redirect.
  func follow(_ address: LocalURL, fields: [String] = []) throws -> TestClient.Answer {
    let response = try get(address, fields: fields)
    guard response.status == 303, let location = response.field("Location") else { return response }
    return try get(LocalURL(address, target: location))
  }
}

// MARK: The provider's page

extension ScriptedBrowser {
  /// Presses a button on the provider's page, for OAuth 1.0a or 2.0.
  /// - Returns: the provider's response.
  func press(_ action: String, at address: LocalURL) throws -> TestClient.Answer {
    var parameters = String(address.target.dropFirst(address.path.count + 1))
    if let token = address.query["oauth_token"] {
      let page = try get(address)
      guard page.status == 200, page.text.contains("value=\"\(token)\"") else {
        throw TestClient.Failure(description: "the provider shows no approval page: \(page.head)")
      }
      parameters = "oauth_token=\(token)"
    }
    return try send(
      "POST", LocalURL(address, target: address.path), fields: ["Content-Type: application/x-www-form-urlencoded"],
      body: "\(parameters)&action=\(action)")
  }

  /// Approves the login on the provider.
  /// - Returns: the redirect address, which contains the verifier or the code.
  func grant(at address: LocalURL) throws -> LocalURL { try redirect(of: press("allow", at: address)) }

  /// Returns the address of a redirect.
  func redirect(of response: TestClient.Answer) throws -> LocalURL {
    guard [302, 303].contains(response.status), let location = response.field("Location") else {
      throw TestClient.Failure(description: "no redirect: \(response.head)\n\(response.text)")
    }
    return try LocalURL(location)
  }
}

// MARK: Recorded visits

extension ScriptedBrowser {
  /// A visited address and its response.
  struct Visit: Sendable {
    let address: String
    let status: Int
    /// The status line and the header fields.
    let head: String
    let text: String
    /// The complete URL of a redirect; `nil` if the response is not a redirect.
    let location: String?

    fileprivate init(_ url: String, _ fields: [String]) throws {
      let address = try LocalURL(String(url.prefix { $0 != "#" }))
      let response = try ScriptedBrowser().get(address, fields: ScriptedBrowser.navigation + fields)
      self.address = "\(address)"
      status = response.status
      head = response.head
      text = response.text
      let target = (300..<400).contains(response.status) ? response.field("Location") : nil
      location = target.map { $0.hasPrefix("/") ? "\(LocalURL(address, target: $0))" : $0 }
    }
  }

  /// The header fields that a browser sends when the user follows a link.
  fileprivate static let navigation = [
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
  ]

  /// Opens an address and follows all redirects.
  /// - Parameter reloads: how often to request the first address again before following the redirect.
  /// - Returns: the visits, in order. The last one is the page that the user sees.
  static func visitAll(from address: String, reloads: Int = 0) async throws -> [Visit] {
    // This function does not suspend, because the callback port waits only a few seconds for the browser, and the test
    // runner's threads may be busy.
    try await OwnThread.run {
      var visits = try (0...reloads).map { _ in try Visit(address, []) }
      while let next = visits.last?.location {
        // Browsers stop after 20 redirects, and no login needs more than 8.
        guard visits.count < reloads + 8 else {
          throw TestClient.Failure(description: "too many redirects: \(next)")
        }
        visits.append(try Visit(next, []))
      }
      return visits
    }
  }

  /// Sends a GET request over its own connection.
  /// - Parameter fields: header fields to send in addition to Host and those of a navigation.
  static func visit(_ address: String, fields: [String] = []) async throws -> Visit {
    try await OwnThread.run { try Visit(address, fields) }
  }
}

/// An `http:` URL on this machine.
struct LocalURL: CustomStringConvertible, Sendable {
  let authority: String
  let port: UInt16
  /// The path and query of the URL.
  let target: String

  /// - Throws: an error unless the text is a single line `http://HOST:PORT/…`.
  init(_ text: String) throws {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "http:", parts[1].isEmpty, !text.contains(" "),
      let colon = parts[2].lastIndex(of: ":"), let port = UInt16(parts[2][parts[2].index(after: colon)...])
    else { throw TestClient.Failure(description: "not a local HTTP URL: \(text)") }
    authority = String(parts[2])
    self.port = port
    target = "/" + parts[3]
  }

  /// Returns the URL of another path on the same server.
  init(_ other: LocalURL, target: String) {
    authority = other.authority
    port = other.port
    self.target = target
  }

  var description: String { "http://\(authority)\(target)" }
  var path: String { String(target.prefix { $0 != "?" }) }

  /// The query's parameters. The sandbox's need no decoding.
  var query: [String: String] {
    let pairs = target.dropFirst(path.count + 1).split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    return Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { first, _ in first }
  }
}

extension TestClient.Answer {
  /// Returns the value of a header field.
  func field(_ name: String) -> String? {
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
    return line.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
  }
}

extension OwnThread {
  /// Runs blocking work on its own thread, because Swift concurrency and Dispatch have too few threads for it.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: Result { try work() }) }
    }
  }
}
