import Dispatch
import HTTP
import HTTPServer
import Platform

/// A server for a single file that supports ranges and simulates failures.
final class PictureServer: Sendable {
  /// The responses to the next requests, in order. Later requests get the file as requested.
  enum Turn: Sendable {
    /// The connection breaks after this many bytes of the body.
    case breakOff(after: Int)
    case respond(Response)
    /// The requested part is sent with a different `Content-Range` or entity tag.
    case part(range: FieldValue?, tag: FieldValue)
  }

  static let content: [UInt8] = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
  static let tag: FieldValue = "\"v1\""

  let port: UInt16
  private let server: Server
  private let queue = DispatchQueue(label: "pictures under test")
  private let turns = Locked<[Turn]>([])
  private let seen = Locked<[Request]>([])

  init(_ turns: [Turn] = [], content: [UInt8] = PictureServer.content) throws {
    let sockets = try ListeningSockets.loopback(port: 0, host: .literal)
    port = sockets.port!
    self.turns.withLock { $0 = turns }
    server = Server(
      sockets, on: queue, configuration: .init(limits: .callback, date: { "Sun, 06 Nov 1994 08:49:37 GMT" })
    ) { [turns = self.turns, seen, queue] request, exchange in
      seen.withLock { $0.append(request) }
      let turn = turns.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      let response = Self.respond(to: request, content)
      switch turn {
      case nil: exchange.respond(response)
      case .respond(let response): exchange.respond(response)
      case .part(let range, let tag):
        var response = response
        response.headers.remove("Content-Range")
        if let range { response.headers.set("Content-Range", range) }
        response.headers.set("ETag", tag)
        exchange.respond(response)
      case .breakOff(let count):
        let stream = exchange.stream(response)
        stream.write(Array(response.body.prefix(count)))
        // The delay is long enough for the client to receive the bytes sent before.
        queue.asyncAfter(deadline: .now() + .milliseconds(80)) { @Sendable in withExtendedLifetime(stream) {} }
      }
    }
    try server.start()
  }

  deinit { server.stop() }

  var url: String { "http://127.0.0.1:\(port)/picture" }
  var requests: [Request] { seen.withLock { $0 } }

  private static func respond(to request: Request, _ content: [UInt8]) -> Response {
    var response = Response(status: .ok, headers: ["ETag": tag, .contentType: "image/png"], body: content)
    guard let range = request.headers.first("Range"), request.headers.first("If-Range") == tag.text,
      let first = Int(range.dropFirst("bytes=".count).dropLast())
    else { return response }
    guard first < content.count else { return Response(status: StatusCode(416)) }
    response.status = StatusCode(206)
    response.body = Array(content[first...])
    response.headers.set("Content-Range", FieldValue("bytes \(first)-\(content.count - 1)/\(content.count)")!)
    return response
  }
}
