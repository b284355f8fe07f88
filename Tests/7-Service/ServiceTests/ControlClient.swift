import Accounts
import ControlProtocol
import HTTP
import TestSupport

/// A command's side of the control protocol, over one connection.
final class ControlClient {
  private let client: TestClient
  private var unread: [UInt8] = []
  /// The types of the last request's events.
  private var types: [any ControlEvent.Type] = []

  init(_ path: String) throws { client = try TestClient(unix: path) }

  /// Sends a request and reads the head of its response.
  func ask(_ request: some ControlRequest) throws -> Int {
    if case .events(let types) = type(of: request).response { self.types = types }
    try client.send(Self.bytes(of: request))
    let head = try text(to: "\r\n\r\n")
    return Int(head.dropFirst(9).prefix(3)) ?? 0
  }

  /// Sends a request and reads the complete response.
  func respond(_ request: some ControlRequest) throws -> TestClient.Answer {
    try client.send(Self.bytes(of: request))
    return try client.readResponse()
  }

  /// Returns the next event of a stream; nil at the end of the stream.
  func next() throws -> (any ControlEvent)? {
    let size = Int(try text(to: "\r\n"), radix: 16) ?? -1
    if size == 0 {
      _ = try text(to: "\r\n")
      return nil
    }
    let line = try take(size + 2).dropLast(2)
    return try EventReader.event(Array(line), among: types)
  }

  /// Returns all events up to the end of the stream.
  func rest() throws -> [any ControlEvent] {
    var events: [any ControlEvent] = []
    while let event = try next() { events.append(event) }
    return events
  }

  func close() { client.close() }

  private func take(_ count: Int) throws -> [UInt8] {
    while unread.count < count { try receive() }
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  /// Returns the text before `end`, and consumes both.
  private func text(to end: String) throws -> String {
    let end = Array(end.utf8)
    while true {
      if let at = unread.indices.first(where: { unread[$0...].starts(with: end) }) {
        return String(decoding: try take(at + end.count).dropLast(end.count), as: UTF8.self)
      }
      try receive()
    }
  }

  private func receive() throws {
    let bytes = try client.receive()
    guard !bytes.isEmpty else { throw TestClient.Failure(description: "the connection ended within an answer") }
    unread += bytes
  }

  /// Returns the request in HTTP/1.1, as other programs would send it.
  private static func bytes(of request: some ControlRequest) -> [UInt8] {
    var message = request.httpRequest
    message.version = .http11
    return message.serialized()
  }
}
