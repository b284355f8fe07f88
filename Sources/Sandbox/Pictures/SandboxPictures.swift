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
