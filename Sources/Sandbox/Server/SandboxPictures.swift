internal import Glibc
internal import HTTP

/// The pictures of authors and posts, with entity tags and byte ranges (RFC 9110 §14): both uploaded and computed ones.
enum SandboxPictures {
  /// Returns the response to a request for a picture.
  /// - Parameter upload: the file that a user has uploaded, by its key.
  /// - Returns: `nil` if the path does not belong to a picture.
  static func response(to request: Request, _ upload: (String) -> UploadedFile?) -> Response? {
    let path = request.target.path
    guard path.hasPrefix(PictureAddress.path), path.utf8.count > PictureAddress.path.utf8.count else { return nil }
    return response(to: request, String(path.dropFirst(PictureAddress.path.count)), upload)
  }

  /// The types that browsers display without running anything they contain.
  private static let types = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"]

  private static func response(to request: Request, _ path: String, _ upload: (String) -> UploadedFile?) -> Response {
    guard request.method == .get || request.method == .head else {
      return Response(status: .methodNotAllowed, text: "405 Method Not Allowed")
    }
    guard path.hasSuffix(".png") else { return Response(status: .notFound, text: "404 Not Found") }
    let key = path.split(separator: "/").last?.split(separator: ".").first.map { String($0) }
    let file = key.flatMap(upload).flatMap { types.contains($0.type) && !$0.content.isEmpty ? $0 : nil }
    let bytes = file?.content ?? SandboxPicture(path: path).png()
    let tag = "\"\(PNGWriter.crc32(bytes))-\(bytes.count)\""
    var response = Response(
      status: .ok,
      headers: ["Accept-Ranges": "bytes", "Cache-Control": "max-age=86400", "X-Content-Type-Options": "nosniff"],
      body: bytes)
    if let type = FieldValue(file?.type ?? "image/png") { response.headers.set(.contentType, type) }
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

  /// Returns the position of the first requested byte.
  /// - Returns: `nil` if the whole picture is requested, or the client has a different version (RFC 9110 §13.1.5).
  private static func firstByte(_ request: Request, tag: String) -> Int? {
    guard request.method == .get, let range = request.headers.first("Range"), range.hasPrefix("bytes="),
      range.hasSuffix("-"), let first = Int(range.dropFirst("bytes=".count).dropLast()), first >= 0
    else { return nil }
    if let known = request.headers.first("If-Range"), known != tag { return nil }
    return first
  }
}

/// Replaces the addresses of pictures. A provider does not know its port, so it writes addresses with the host `img.example`. The server
/// replaces this host with its own.
enum PictureAddress {
  /// The path before the name of a picture.
  static let path = "/media/"

  private static let mark = Array("img.example/".utf8)
  /// The position of the dot in the mark.
  private static let dot = 3
  private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

  static func localize(_ response: inout Response, port: UInt16) {
    guard response.headers.first(.contentType)?.hasPrefix("application/json") == true else { return }
    response.body = localized(response.body, Array("http://127.0.0.1:\(port)\(path)".utf8))
  }

  private static func localized(_ bytes: [UInt8], _ address: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    while let found = markPosition(in: bytes, from: index) {
      index = found + mark.count
      guard let scheme = schemes.first(where: { bytes[copied..<found].suffix($0.count) == $0[...] }) else { continue }
      if result.isEmpty { result.reserveCapacity(bytes.count * 2) }
      result += bytes[copied..<found - scheme.count]
      result += address
      copied = index
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }

  /// Returns where the mark first occurs at or after `start`. memchr(3) finds its dot many times as fast as a loop, above all in a debug
  /// build.
  private static func markPosition(in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var place = start + dot
      while place < bytes.count,
        let found = unsafe memchr(base + place, Int32(UInt8(ascii: ".")), bytes.count - place)
      {
        let first = unsafe UnsafeRawPointer(found) - base - dot
        let isMark = unsafe mark.withUnsafeBytes {
          unsafe first + $0.count <= bytes.count && memcmp(base + first, $0.baseAddress!, $0.count) == 0
        }
        if isMark { return first }
        place = first + dot + 1
      }
      return nil
    }
  }
}
