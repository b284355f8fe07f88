internal import Bytes
internal import HTTP
internal import HomelineOAuth
internal import JSON

/// An upload with the 2013 API: the server's response names an upload server, which receives the whole file as one part of a multipart
/// form.
///
/// In this API, the path of a folder ends with a slash; other paths have no leading or trailing slashes.
package struct LegacyUpload: Sendable {
  private let api: DriveAPI
  private let file: DrivePath
  private let mount: String

  /// The name of the form's part that contains the file.
  private static let field = "file"

  /// - Parameters:
  ///   - api: the API with a user's token.
  ///   - mount: `gokuai` for the user's own files, `team` for the files of a team.
  package init(_ api: DriveAPI, _ file: DrivePath, mount: String) {
    self.api = api
    self.file = file
    self.mount = mount
  }

  /// Returns the request for an upload server.
  package func server() throws(DriveError) -> DriveRequest {
    DriveRequest(.post, "\(api.origin)/1/file/upload_server", form: try signed())
  }

  /// Reads the response to `server()`.
  package static func server(_ response: DriveResponse) throws(DriveError) -> String {
    try response.object("an upload server") { cursor in
      var server: String?
      try cursor.members { cursor, name in
        if name == "server" { server = try cursor.stringOrSkip() } else { try cursor.skip() }
      }
      return server.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// A multipart request (RFC 7578). The request's body consists of `head`, the content of the file and `tail`.
  package struct Form: Sendable {
    package let request: DriveRequest
    package let head: [UInt8]
    package let tail: [UInt8]
  }

  /// Returns the request that sends the file. `filefield` and the file are not signed. The signature is not percent-encoded, because it is
  /// not in a URL.
  /// - Parameter boundary: a random string that the content does not contain.
  package func form(server: String, boundary: String) throws(DriveError) -> Form {
    var head: [UInt8] = []
    func begin(_ name: String, _ attributes: [UInt8] = []) {
      head += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"".utf8) + attributes
      head += Array("\r\n".utf8)
    }
    for parameter in try signed() + [Parameter("filefield", Self.field)] {
      begin(String(decoding: parameter.name, as: UTF8.self))
      head += Array("\r\n".utf8) + parameter.value + Array("\r\n".utf8)
    }
    begin(Self.field, Array("; filename=\"".utf8) + Self.quoted(file.name) + [UInt8(ascii: "\"")])
    head += Array("Content-Type: application/octet-stream\r\n\r\n".utf8)
    let type = DriveRequest.Header(name: "Content-Type", value: "multipart/form-data; boundary=\(boundary)")
    return Form(
      request: DriveRequest(.post, "\(server)/1/file/upload", headers: [type]), head: head,
      tail: Array("\r\n--\(boundary)--\r\n".utf8))
  }

  private func signed() throws(DriveError) -> [Parameter] {
    guard case .user(let token, _) = api.key else {
      throw DriveError(.configuration, "the 2013 API needs a user's token")
    }
    return try api.signed([
      Parameter(name: Array("token".utf8), value: token.withExposed { $0 }),
      Parameter("fullpath", file.legacyText(isFolder: false)), Parameter("mount", mount),
    ])
  }

  /// Returns a file name as the content of a quoted string, in the form that browsers send (RFC 7578 §4.2). A path contains no line breaks.
  private static func quoted(_ name: String) -> [UInt8] {
    name.utf8.flatMap { $0 == UInt8(ascii: "\"") ? Array("%22".utf8) : [$0] }
  }
}
