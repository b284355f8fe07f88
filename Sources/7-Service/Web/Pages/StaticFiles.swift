internal import Cryptography
internal import HTTP

/// All files that are part of the program.
struct StaticFiles: Sendable {
  let style: StaticFile
  let icon: StaticFile
  let script: StaticFile

  init() throws(CryptographyError) {
    style = try StaticFile(WebStyle.text.bytes, "text/css; charset=utf-8", suffix: "css")
    icon = try StaticFile(WebIcon.svg.bytes, "image/svg+xml", suffix: "svg")
    script = try StaticFile(WebScript.bytes, "text/javascript; charset=utf-8", suffix: "js")
  }

  /// The address of each file. It reveals nothing, so it needs no session.
  var routes: [Route] {
    let all = [style, icon, script]
    return [
      .get("/x/{name}", for: .program) { (request) throws(WebError) in
        guard let file = all.first(where: { $0.name == request[parameter: "name"] }) else { throw .notFound }
        return .constant(file)
      }
    ]
  }
}

/// The icon: the three lines of a timeline in a rounded square, in a colour that is visible on light and dark tabs.
private enum WebIcon {
  static let svg: Markup = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3d63b8"/>\
    <g fill="#fff"><circle cx="9" cy="10" r="2.5"/><circle cx="9" cy="22" r="2.5"/>\
    <rect x="14" y="8.5" width="11" height="3" rx="1.5"/><rect x="14" y="20.5" width="11" height="3" rx="1.5"/></g></svg>
    """
}
