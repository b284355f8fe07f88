internal import HTTP

/// The pictures of authors and posts, uploaded or computed, with entity tags and byte ranges (RFC 9110 §14).
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
