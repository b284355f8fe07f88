package import Bytes
internal import HTTP
package import HomelineOAuth

/// Creates signed requests for the current API. Requests with a user's token use `/m-api`; requests with a library's or an enterprise's
/// key use `/m-open`.
///
/// A parameter without a value is left out, because clients and servers disagree about how to sign it. A request for the library itself
/// therefore has no `fullpath`.
package struct DriveAPI: Sendable {
  /// The origin of the public service.
  package static let publicServer = "https://yk3.gokuai.com"

  /// The scheme, host and port of the server.
  let origin: String
  package let key: DriveKey
  private let secret: Secret

  package init(origin: String, key: DriveKey, secret: Secret) {
    self.origin = origin
    self.key = key
    self.secret = secret
  }

  /// Returns the same API with a different token of the same user.
  package func replacing(token: Secret) -> DriveAPI {
    guard case .user(_, let library) = key else { return self }
    return DriveAPI(origin: origin, key: .user(token: token, library: library), secret: secret)
  }

  /// Removes the request's secrets from text in a response.
  package var redaction: Redaction { Redaction(key.secrets + [secret]) }

  // MARK: Reading

  /// The maximum number of entries in one page of a folder.
  private static let pageSize = 100

  /// Returns the request for a page of a folder's entries.
  /// - Parameters:
  ///   - start: the number of entries to skip.
  ///   - time: the current time in seconds since 1970, as in all requests.
  package func list(_ folder: DrivePath, from start: Int, at time: Int64) throws(DriveError) -> DriveRequest {
    let page = [Parameter("start", "\(start)"), Parameter("size", "\(Self.pageSize)")]
    return try get("1/file/ls", named("fullpath", folder) + page, at: time)
  }

  package func information(_ path: DrivePath, at time: Int64) throws(DriveError) -> DriveRequest {
    try get(isUser ? "2/file/info" : "1/file/info", named("fullpath", path), at: time)
  }

  /// Returns the request for the addresses that a file's content can be downloaded from.
  package func locate(_ file: DrivePath, at time: Int64) throws(DriveError) -> DriveRequest {
    try get(isUser ? "2/file/open" : "1/file/download_url", named("fullpath", file), at: time)
  }

  /// Returns the request for the list of a user's libraries.
  package func libraries(at time: Int64) throws(DriveError) -> DriveRequest {
    try get("1/account/mount", [], at: time, isInLibrary: false)
  }

  /// Returns the request for the address of a web page that shows a file.
  package func link(to path: DrivePath, at time: Int64) throws(DriveError) -> DriveRequest {
    guard !isUser else {
      throw DriveError(.configuration, "links to files need a library's key: the API does not offer links to users")
    }
    return try post("1/file/link", named("fullpath", path), at: time)
  }

  /// Returns the address that reports the changes to a library, for a user or for the library's key.
  package static func changesAddress(_ origin: String, isUser: Bool) -> String {
    "\(origin)/\(isUser ? "m-api" : "m-open")/1/file/updates"
  }

  /// Returns the parameters of a request for the changes since a time. `completed(_:at:)` adds the other parameters.
  /// - Parameter since: the time in the last response, in milliseconds since 1970.
  package static func changes(since: Int64) -> [Parameter] {
    // In this mode, the server also reports removed files.
    [Parameter("fetch_dateline", "\(since)"), Parameter("mode", "compare")]
  }

  /// Returns the request for the key of one of the enterprise's libraries.
  package func bind(library: String, at time: Int64) throws(DriveError) -> DriveRequest {
    try post("1/org/bind", [Parameter("mount_id", library), Parameter("title", "homeline")], at: time)
  }

  // MARK: Changing

  package func createFolder(_ folder: DrivePath, at time: Int64) throws(DriveError) -> DriveRequest {
    try post(isUser ? "2/file/create_folder" : "1/file/create_folder", named("fullpath", folder), at: time)
  }

  /// Returns the request that announces a file's content. The server completes the upload immediately if it already has the content.
  /// - Parameters:
  ///   - content: the SHA-1 and the size, which are sent but not signed.
  ///   - replaces: whether an existing file is replaced; otherwise, the server chooses a different name.
  package func createFile(
    _ file: DrivePath, _ content: FileContent, replaces: Bool, at time: Int64
  ) throws(DriveError) -> DriveRequest {
    try post(
      isUser ? "2/file/create_file" : "1/file/create_file",
      named("fullpath", file) + [
        Parameter("filehash", content.sha1), Parameter("filesize", "\(content.size)"),
        Parameter("overwrite", replaces ? "1" : "0"),
      ], at: time)
  }

  /// Returns the request that moves files and folders to the recycle bin.
  package func delete(_ paths: [DrivePath], at time: Int64) throws(DriveError) -> DriveRequest {
    // A path never contains the separator `|`.
    let list = Parameter("fullpaths", paths.map(\.text).joined(separator: "|"))
    return try post("1/file/del", isUser ? [list] : [list, Parameter("destroy", "0")], at: time)
  }

  package func copy(_ source: DrivePath, to target: DrivePath, at time: Int64) throws(DriveError) -> DriveRequest {
    guard isUser else {
      return try post("1/file/copy", named("from_fullpath", source) + named("fullpath", target), at: time)
    }
    guard source.name.utf8.elementsEqual(target.name.utf8) else {
      throw DriveError(
        .configuration, "with a user's token, the API can only copy into a folder, under the same name")
    }
    return try post("1/file/copy", try into(target.parent, source), at: time)
  }

  /// Returns the requests that move or rename a file or folder, in the order they must be sent.
  package func move(_ source: DrivePath, to target: DrivePath, at time: Int64) throws(DriveError) -> [DriveRequest] {
    guard isUser else {
      return [try post("1/file/move", named("fullpath", source) + named("dest_fullpath", target), at: time)]
    }
    var requests: [DriveRequest] = []
    var moved = source
    if !source.name.utf8.elementsEqual(target.name.utf8) {
      requests.append(
        try post("1/file/rename", named("fullpath", source) + [Parameter("newname", target.name)], at: time))
      do throws(DrivePathError) { moved = try source.parent.appending(target.name) } catch {
        throw DriveError(.configuration, "\(error)")
      }
    }
    if moved.parent != target.parent {
      requests.append(try post("1/file/move", try into(target.parent, moved), at: time))
    }
    return requests
  }

  private func into(_ folder: DrivePath, _ path: DrivePath) throws(DriveError) -> [Parameter] {
    guard case .user(_, let library?) = key else {
      throw DriveError(.configuration, "the library is unknown")
    }
    return [Parameter("fullpaths", path.text), Parameter("target_mount_id", library)]
      + named("target_fullpath", folder)
  }

  // MARK: Signing

  var isUser: Bool { if case .user = key { true } else { false } }

  /// Returns a path as a parameter, or no parameter for the library itself.
  private func named(_ name: String, _ path: DrivePath) -> [Parameter] {
    path.isRoot ? [] : [Parameter(name, path.text)]
  }

  /// Returns a request that only reads data. The API for libraries accepts only POST requests.
  private func get(
    _ call: String, _ parameters: [Parameter], at time: Int64, isInLibrary: Bool = true
  ) throws(DriveError) -> DriveRequest {
    guard isUser else { return try post(call, parameters, at: time) }
    let parameters = try signed(parameters, at: time, isInLibrary: isInLibrary)
    var request = DriveRequest(.get, "\(origin)/m-api/\(call)?\(FormEncoding.encode(parameters))")
    request.signature = parameters.last?.valueText
    return request
  }

  private func post(
    _ call: String, _ parameters: [Parameter], at time: Int64
  ) throws(DriveError) -> DriveRequest {
    let root = isUser ? "m-api" : "m-open"
    let parameters = try signed(parameters, at: time, isInLibrary: true)
    var request = DriveRequest(.post, "\(origin)/\(root)/\(call)", form: parameters)
    request.signature = parameters.last?.valueText
    return request
  }

  /// Returns a request's parameters, with the time, the key and the signature.
  package func completed(_ parameters: [Parameter], at time: Int64) throws(DriveError) -> [Parameter] {
    try signed(parameters, at: time, isInLibrary: true)
  }

  private func signed(
    _ parameters: [Parameter], at time: Int64, isInLibrary: Bool
  ) throws(DriveError) -> [Parameter] {
    var parameters = parameters + [Parameter("dateline", "\(time)")]
    switch key {
    case .user(let token, let library):
      parameters.append(Parameter(name: Array("token".utf8), value: token.withExposed { $0 }))
      if isInLibrary {
        guard let library else { throw DriveError(.configuration, "the library is unknown") }
        parameters.append(Parameter("mount_id", library))
      }
    case .library(let id): parameters.append(Parameter("org_client_id", id))
    case .enterprise(let id): parameters.append(Parameter("client_id", id))
    }
    return try signed(parameters)
  }

  /// Returns the parameters with their signature.
  func signed(_ parameters: [Parameter]) throws(DriveError) -> [Parameter] {
    do throws(DriveSignatureError) {
      return parameters + [Parameter(DriveSignature.name, try DriveSignature.sign(parameters, secret: secret))]
    } catch { throw DriveError(.configuration, "the request cannot be signed: \(error)") }
  }
}
