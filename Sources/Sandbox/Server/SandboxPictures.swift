internal import Dispatch
internal import HTTP

/// The pictures of the sandbox's people and posts, which it serves itself: with an entity tag, and in parts (RFC 9110 §14).
package struct SandboxPictures: Sendable {
  /// By path. What is added for `/media/` goes wrong with whichever picture is asked for.
  package var faults = FaultList()
  /// What was asked for and how it was answered, oldest first; the last thousand.
  package private(set) var records: [SandboxRecord] = []

  /// Called once, when the next picture is asked for, on a queue of its own.
  package var onNextRequest: (@Sendable () -> Void)?

  package init() {}

  /// - Returns: `nil` for what is no picture's address.
  mutating func answer(to request: Request) -> SandboxAnswer? {
    let path = request.target.path
    guard path.hasPrefix(PictureAddress.path), path.utf8.count > PictureAddress.path.utf8.count else { return nil }
    if let body = onNextRequest.take() { DispatchQueue(label: "homeline.sandbox.pictures").async(execute: body) }
    let fault = faults.next(for: path) ?? faults.next(for: PictureAddress.path)
    let answer = SandboxAnswer(fault) { Self.response(to: request, String(path.dropFirst(PictureAddress.path.count))) }
    if records.count == 1000 { records.removeFirst() }
    records.append(
      SandboxRecord(method: request.method, path: path, status: answer.isDropped ? nil : answer.response.status))
    return answer
  }

  private static func response(to request: Request, _ path: String) -> Response {
    guard request.method == .get || request.method == .head else {
      return Response(status: .methodNotAllowed, text: "405 Method Not Allowed")
    }
    guard path.hasSuffix(".png") else { return Response(status: .notFound, text: "404 Not Found") }
    let bytes = SandboxPicture(path: path).png()
    let tag = "\"\(PNGWriter.crc32(bytes))-\(bytes.count)\""
    var response = Response(
      status: .ok, headers: [.contentType: "image/png", "Accept-Ranges": "bytes", "Cache-Control": "max-age=86400"],
      body: bytes)
    if let tag = FieldValue(tag) { response.headers.set("ETag", tag) }
    guard let first = firstByte(request, tag: tag) else { return response }
    guard first < bytes.count else {
      response.status = StatusCode(416)
      response.body = []
      if let range = FieldValue("bytes */\(bytes.count)") { response.headers.set("Content-Range", range) }
      return response
    }
    response.status = StatusCode(206)
    response.body = Array(bytes[first...])
    if let range = FieldValue("bytes \(first)-\(bytes.count - 1)/\(bytes.count)") {
      response.headers.set("Content-Range", range)
    }
    return response
  }

  /// Where the range begins that is asked for; `nil` where the whole is: also when another version is known to the client
  /// (RFC 9110 §13.1.5).
  private static func firstByte(_ request: Request, tag: String) -> Int? {
    guard request.method == .get, let range = request.headers.first("Range"), range.hasPrefix("bytes="),
      range.hasSuffix("-"), let first = Int(range.dropFirst("bytes=".count).dropLast()), first >= 0
    else { return nil }
    if let known = request.headers.first("If-Range"), known != tag { return nil }
    return first
  }
}

/// Where the pictures of people and posts lie. A provider as a value does not know its port, and writes them at the made-up host
/// `img.example`; an answer that leaves says the server's own address instead.
enum PictureAddress {
  /// Before the name of each picture.
  static let path = "/media/"

  private static let mark = Array("img.example/".utf8)
  private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

  static func localize(_ response: inout Response, port: UInt16) {
    guard response.headers.first(.contentType)?.hasPrefix("application/json") == true else { return }
    response.body = localized(response.body, Array("http://127.0.0.1:\(port)\(path)".utf8))
  }

  private static func localized(_ bytes: [UInt8], _ address: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    let last = bytes.count - mark.count
    while index <= last {
      // The rest is looked at only where it can begin.
      guard bytes[index] == mark[0], bytes[index + 1] == mark[1], bytes[index..<index + mark.count] == mark[...],
        let scheme = schemes.first(where: { bytes[copied..<index].suffix($0.count) == $0[...] })
      else {
        index += 1
        continue
      }
      if result.isEmpty { result.reserveCapacity(bytes.count * 2) }
      result += bytes[copied..<index - scheme.count]
      result += address
      index += mark.count
      copied = index
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }
}
