internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// Uploads through Gokuai's 2013 API: `upload_server`, and a multipart form whose field `filefield` names the part that contains the file.
enum GokuaiLegacy {
  /// Handles the call `upload_server`.
  static func server(_ form: GokuaiForm, _ authority: String) throws(GokuaiError) -> Response {
    try check(form)
    return .json { $0.member("server", "http://\(authority)") }
  }

  /// Handles the call `upload`.
  static func upload(
    _ request: Request, _ library: inout GokuaiLibrary, at now: Timestamp,
    verify: (GokuaiForm) throws(GokuaiError) -> Void
  ) throws(GokuaiError) -> Response {
    guard let parts = MultipartBody(request)?.parts else { throw .invalid("the body is not a multipart form") }
    let fields = parts.filter { !$0.isFile }.map { Parameter(name: Array($0.name.utf8), value: Array($0.content)) }
    guard let field = fields.first(where: { $0.isNamed("filefield") })?.valueText,
      let file = parts.first(where: { $0.isFile && $0.name == field })
    else { throw .invalid("filefield does not name a file") }
    let form = GokuaiForm(fields.filter { !$0.isNamed("filefield") })
    try check(form)
    try verify(form)
    let path = Array(try form.path("fullpath").utf8)
    let content = Array(file.content)
    library.store(
      GokuaiLibrary.Content(bytes: content, sha1: SandboxHash.sha1(content)), at: path, replaces: true,
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
