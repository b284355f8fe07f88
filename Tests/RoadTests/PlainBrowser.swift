import TestSupport

/// A minimal browser: one connection per request.
struct PlainBrowser {
  func get(_ address: PlainAddress, fields: [String] = []) throws -> TestClient.Answer {
    try send("GET", address, fields: fields)
  }

  /// - Parameter host: overrides the Host field.
  func send(
    _ method: String, _ address: PlainAddress, host: String? = nil, overIPv6: Bool = false, fields: [String] = [],
    body: String = ""
  ) throws -> TestClient.Answer {
    let connection = try TestClient(port: address.port, overIPv6: overIPv6)
    try connection.send(
      text(of: method, address, host: host, fields: fields + ["Connection: close"], body: body))
    return try connection.answer(toHead: method == "HEAD")
  }

  /// A request as text.
  func text(
    of method: String, _ address: PlainAddress, host: String? = nil, fields: [String] = [], body: String = ""
  ) -> String {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines = ["\(method) \(address.target) HTTP/1.1", "Host: \(host ?? address.authority)"] + fields + length
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// Opens an address and follows one redirect.
  func follow(_ address: PlainAddress, fields: [String] = []) throws -> TestClient.Answer {
    let answer = try get(address, fields: fields)
    guard answer.status == 303, let location = answer.field("Location") else { return answer }
    return try get(PlainAddress(address, target: location))
  }
}

/// An `http:` URL of this machine.
struct PlainAddress: CustomStringConvertible {
  let authority: String
  let port: UInt16
  /// Path and query.
  let target: String

  /// - Throws: for anything but `http://HOST:PORT/…` on one line.
  init(_ text: String) throws {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "http:", parts[1].isEmpty, !text.contains(" "),
      let colon = parts[2].lastIndex(of: ":"), let port = UInt16(parts[2][parts[2].index(after: colon)...])
    else { throw TestClient.Failure(description: "not a local HTTP URL: \(text)") }
    authority = String(parts[2])
    self.port = port
    target = "/" + parts[3]
  }

  /// Another path at the same server.
  init(_ other: PlainAddress, target: String) {
    authority = other.authority
    port = other.port
    self.target = target
  }

  var description: String { "http://\(authority)\(target)" }
  var path: String { String(target.prefix { $0 != "?" }) }

  /// The query's parameters, not decoded; the sandbox's need no decoding.
  var query: [String: String] {
    let pairs = target.dropFirst(path.count + 1).split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    return Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { first, _ in first }
  }
}

extension TestClient.Answer {
  /// The value of a header field.
  func field(_ name: String) -> String? {
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
    return line.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
  }
}
