internal import CivilTime
internal import HomelineOAuth
internal import HTTP
internal import JSON

/// The upload of Gokuai's 2013 API: `upload_server`, and a multipart form whose field `filefield` names the part with the content.
enum GokuaiLegacy {
  /// The call `upload_server`.
  static func server(_ form: GokuaiForm, _ authority: String) throws(GokuaiError) -> Response {
    try check(form)
    return .json { $0.member("server", "http://\(authority)") }
  }

  /// The call `upload`.
  static func upload(
    _ request: Request, _ library: inout GokuaiLibrary, at now: Timestamp,
    verify: (GokuaiForm) throws(GokuaiError) -> Void
  ) throws(GokuaiError) -> Response {
    guard let parts = MultipartForm(request)?.parts else { throw .invalid("the body is not a multipart form") }
    let fields = parts.filter { !$0.isFile }.map { Parameter(name: Array($0.name.utf8), value: $0.content) }
    guard let field = fields.first(where: { $0.isNamed("filefield") })?.valueText,
      let file = parts.first(where: { $0.isFile && $0.name == field })
    else { throw .invalid("filefield names no file") }
    let form = GokuaiForm(fields.filter { !$0.isNamed("filefield") })
    try check(form)
    try verify(form)
    let path = Array(try form.path("fullpath").utf8)
    library.store(
      GokuaiLibrary.Content(bytes: file.content, sha1: SandboxHash.sha1(file.content)), at: path, replaces: true,
      at: now)
    return .json { $0.member("fullpath", String(decoding: path, as: UTF8.self)) }
  }

  private static func check(_ form: GokuaiForm) throws(GokuaiError) {
    let names = form.parameters.map { String(decoding: $0.name, as: UTF8.self) }.sorted()
    guard names == ["fullpath", "mount", "sign", "token"], ["gokuai", "team"].contains(form.value("mount") ?? "") else {
      throw .invalid("expected token, fullpath, mount and sign")
    }
  }
}

/// A request body of type `multipart/form-data` (RFC 7578).
struct MultipartForm {
  struct Part {
    let name: String
    /// Whether the part has a file name.
    let isFile: Bool
    let content: [UInt8]
  }

  let parts: [Part]

  /// - Returns: nil for another type, and for a body that does not end with the last boundary.
  init?(_ request: Request) {
    let mark = "boundary="
    guard let type = request.headers.first(.contentType), type.hasPrefix("multipart/form-data;"),
      let start = type.firstRange(of: mark)
    else { return nil }
    let delimiter = Array("\r\n--\(type[start.upperBound...])".utf8)
    // The first boundary has no line break before it.
    let body = Array("\r\n".utf8) + request.body
    var parts: [Part] = []
    var offset = 0
    guard body.starts(with: delimiter) else { return nil }
    while true {
      offset += delimiter.count
      if body[offset...].starts(with: "--".utf8) { break }
      guard let end = Self.index(of: delimiter, in: body, from: offset),
        let headEnd = Self.index(of: Array("\r\n\r\n".utf8), in: body, from: offset), headEnd < end
      else { return nil }
      let head = String(decoding: body[offset..<headEnd], as: UTF8.self)
      guard let name = head.firstRange(of: "name=\"").map({ head[$0.upperBound...].prefix { $0 != "\"" } }) else {
        return nil
      }
      parts.append(
        Part(name: String(name), isFile: head.contains("filename=\""), content: Array(body[(headEnd + 4)..<end])))
      offset = end
    }
    self.parts = parts
  }

  private static func index(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard let first = pattern.first else { return nil }
    var offset = start
    while let next = bytes[offset...].firstIndex(of: first) {
      if bytes[next...].starts(with: pattern) { return next }
      offset = next + 1
    }
    return nil
  }
}
