package import CivilTime
package import HomelineOAuth
internal import JSON

/// An API response: its status and its body.
package struct DriveResponse: Sendable {
  package let status: Int
  package let body: [UInt8]
  /// Removes secrets from quoted text.
  package let hiding: Redaction
  /// How long the server asks to wait before the next request (`Retry-After`); nil if it does not say.
  package let pause: Duration?

  package init(status: Int, body: [UInt8], hiding: Redaction, pause: Duration? = nil) {
    self.status = status
    self.body = body
    self.hiding = hiding
    self.pause = pause
  }

  /// The failure that the response reports; nil if it reports none.
  package var failure: DriveError? {
    var failure = DriveError(status: status, body: body, hiding: hiding)
    failure?.pause = pause
    return failure
  }

  /// - Throws: ``DriveError`` if the response reports a failure, whatever its status.
  package func check() throws(DriveError) {
    if let failure { throw failure }
  }

  /// Reads a response that is one object.
  /// - Parameters:
  ///   - expected: the name of the content in error messages, such as `a file`.
  ///   - read: reads the object; returns nil if the expected content is missing.
  func object<Value>(
    _ expected: String, _ read: (inout JSONCursor) throws -> Value?
  ) throws(DriveError) -> Value {
    try check()
    if let substitute = Substitute(OAuthResponse(self)) {
      // The API answers in JSON.
      throw DriveError(.unavailable, substitute.sentence(from: "the drive's server", status: status))
    }
    do {
      var cursor = JSONCursor(body)
      let value = try read(&cursor)
      try cursor.end()
      if let value { return value }
      throw DriveError(.unreadable, "the response from the drive's server is not \(expected)")
    } catch let failure as DriveError {
      throw failure
    } catch { throw DriveError(.unreadable, "the response from the drive's server is not \(expected): \(error)") }
  }
}

extension OAuthResponse {
  /// Creates the form in which responses are judged.
  init(_ response: DriveResponse) {
    self.init(status: response.status, body: response.body, hiding: response.hiding)
  }
}

/// A file or a folder, as the API describes it.
package struct DriveEntry: Sendable, Hashable {
  /// The sizes that a file can have, in bytes: at most 1 PiB.
  package static let sizes = 0...(1 << 50)
  /// The limit for a path, in bytes, as for a path on Linux (`PATH_MAX`). An entry with a longer path cannot be read.
  static let pathLimit = 4_096
  /// The limit for an id and a name, in bytes. A longer one is unknown.
  static let nameLimit = 1_000
  /// The limit for the address of a page, in bytes. A longer one is unknown.
  static let addressLimit = 8_192

  /// The path, without the slash that the 2013 API adds at the end of a folder.
  package var path = ""
  package var isFolder = false
  /// The size in bytes; nil for a folder, or if unknown.
  package var size: Int?
  /// The content's SHA-1, in lower-case hexadecimal digits.
  package var sha1: String?
  /// The server's identifier for the path, which does not depend on the content.
  package var id: String?
  /// The time of the last change; nil if unknown.
  package var changed: Timestamp?
  /// The name of the user who made the last change.
  package var changedBy: String?
  /// The time of creation; nil if unknown.
  package var created: Timestamp?
  /// Whether a change feed reports the file or folder as removed.
  package var isRemoved = false
  /// The address of a web page that shows the file, if the response contains one.
  package var link: String?

  /// The last part of the path.
  package var name: String {
    path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? path
  }

  init?(_ cursor: inout JSONCursor) throws {
    var name: String?
    try cursor.looseMembers { cursor, member in
      switch member {
      case "fullpath": path = try cursor.looseText() ?? ""
      case "filename": name = try cursor.looseText()
      case "dir": isFolder = try cursor.looseFlag()
      case "filesize": size = try cursor.looseInteger(in: Self.sizes)
      case "filehash": sha1 = try cursor.stringOrSkip().flatMap { Self.isSHA1($0) ? $0.lowercased() : nil }
      case "hash": id = try cursor.looseText(limit: Self.nameLimit)
      case "last_dateline": changed = try cursor.looseTime()
      case "last_member_name": changedBy = try cursor.looseText(limit: Self.nameLimit)
      case "create_dateline": created = try cursor.looseTime()
      case "cmd": isRemoved = try cursor.looseInteger(in: 0...0) == 0
      case "link": link = try cursor.looseText(limit: Self.addressLimit).flatMap { $0.hasPrefix("https://") ? $0 : nil }
      default: try cursor.skip()
      }
    }
    if path.isEmpty { path = name ?? "" }
    while path.count > 1, path.hasSuffix("/") {
      path.removeLast()
      isFolder = true
    }
    if path.isEmpty || path.utf8.count > Self.pathLimit { return nil }
  }

  private static func isSHA1(_ text: String) -> Bool { text.utf8.count == 40 && text.allSatisfy(\.isHexDigit) }
}

/// A page of a folder's entries.
package struct DriveListing: Sendable {
  package let entries: [DriveEntry]
  /// The number of elements in the response, including unreadable elements.
  package let count: Int

  package init(_ response: DriveResponse) throws(DriveError) {
    (entries, count) = try response.object("a list of files") { cursor in
      var entries: [DriveEntry]?
      var count = 0
      try cursor.members { cursor, name in
        guard name == "list" else {
          try cursor.skip()
          return
        }
        var list: [DriveEntry] = []
        try cursor.looseElements { cursor in
          count += 1
          if let entry = try DriveEntry(&cursor) { list.append(entry) }
        }
        entries = list
      }
      return entries.map { ($0, count) }
    }
  }
}

extension DriveEntry {
  /// Reads the response to a request for one file or folder.
  package init(_ response: DriveResponse) throws(DriveError) {
    self = try response.object("a file or folder") { cursor in try DriveEntry(&cursor) }
  }
}

/// The addresses of a file's content, and its expected SHA-1 and size.
package struct DriveLocation: Sendable, Hashable {
  /// Addresses of the same content, the preferred one first. The addresses are valid for a limited time.
  package var addresses: [String] = []
  /// The expected SHA-1; nil if the response does not contain it.
  package var sha1: String?
  package var size: Int?

  init(addresses: [String], sha1: String? = nil, size: Int? = nil) {
    self.addresses = addresses
    self.sha1 = sha1
    self.size = size
  }

  package init(_ response: DriveResponse) throws(DriveError) {
    self = try response.object("the address of a file") { cursor in
      var location = DriveLocation(addresses: [])
      try cursor.members { cursor, name in
        switch name {
        case "uris", "urls":
          try cursor.looseElements { if let address = try $0.stringOrSkip() { location.addresses.append(address) } }
        case "uri", "url": if let address = try cursor.stringOrSkip() { location.addresses.append(address) }
        case "filehash": location.sha1 = try cursor.stringOrSkip()?.lowercased()
        case "filesize": location.size = try cursor.looseInteger(in: DriveEntry.sizes)
        default: try cursor.skip()
        }
      }
      return location.addresses.isEmpty ? nil : location
    }
  }
}

/// The server's response to the announcement of a file.
package struct CreatedFile: Sendable, Hashable {
  /// Whether the server already has the content, so that nothing needs to be sent.
  package let isComplete: Bool
  /// The server's identifier for the path, used in the upload.
  package let pathID: String
  /// The addresses of the upload servers as in the response, in order.
  package let servers: [String]

  init(isComplete: Bool, pathID: String, servers: [String]) {
    self.isComplete = isComplete
    self.pathID = pathID
    self.servers = servers
  }

  package init(_ response: DriveResponse) throws(DriveError) {
    self = try response.object("an upload") { cursor in
      var (isComplete, pathID, servers) = (false, String?.none, [String]())
      try cursor.members { cursor, name in
        switch name {
        case "state": isComplete = try cursor.looseInteger(in: 0...1) == 1
        case "hash": pathID = try cursor.looseText()
        case "server":
          let list = try cursor.stringOrSkip() ?? ""
          servers = list.split(separator: ",").map { String($0.filter { $0 != " " }) }.filter { !$0.isEmpty }
        default: try cursor.skip()
        }
      }
      guard isComplete || pathID != nil && !servers.isEmpty else { return nil }
      return CreatedFile(isComplete: isComplete, pathID: pathID ?? "", servers: servers)
    }
  }
}

/// One of a user's libraries.
package struct DriveLibrary: Sendable, Hashable {
  package var id = ""
  package var name = ""

  package static func list(_ response: DriveResponse) throws(DriveError) -> [DriveLibrary] {
    try response.object("a list of libraries") { cursor in
      var libraries: [DriveLibrary] = []
      func read(_ cursor: inout JSONCursor) throws {
        try cursor.looseElements { cursor in
          var library = DriveLibrary()
          try cursor.looseMembers { cursor, name in
            switch name {
            case "mount_id": library.id = try cursor.looseText() ?? ""
            case "name", "org_name": library.name = try cursor.looseText() ?? library.name
            default: try cursor.skip()
            }
          }
          if !library.id.isEmpty { libraries.append(library) }
        }
      }
      guard try cursor.peek() == .object else {
        try read(&cursor)
        return libraries
      }
      try cursor.members { cursor, name in if name == "list" { try read(&cursor) } else { try cursor.skip() } }
      return libraries
    }
  }
}

/// A library's key, requested with an enterprise's key.
package struct DriveBinding: Sendable {
  package let id: String
  package let secret: Secret

  package init(_ response: DriveResponse) throws(DriveError) {
    (id, secret) = try response.object("the key of a library") { cursor in
      var (id, secret) = (String?.none, String?.none)
      try cursor.members { cursor, name in
        switch name {
        case "org_client_id": id = try cursor.looseText()
        case "org_client_secret": secret = try cursor.stringOrSkip()
        default: try cursor.skip()
        }
      }
      guard let id, let secret, !id.isEmpty, !secret.isEmpty else { return nil }
      return (id, Secret(secret))
    }
  }
}

/// The address of a web page that shows a file.
package enum DriveLink {
  package static func read(_ response: DriveResponse) throws(DriveError) -> String {
    try response.object("a link") { cursor in
      var link: String?
      try cursor.members { cursor, name in
        switch name {
        case "link", "url": link = try cursor.stringOrSkip() ?? link
        default: try cursor.skip()
        }
      }
      return link.flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}
