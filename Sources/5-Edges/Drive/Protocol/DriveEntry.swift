internal import JSON
package import Time

/// A file or a folder, as the API describes it.
package struct DriveEntry: Sendable, Hashable {
  /// The possible sizes of a file, in bytes: at most 1 PiB.
  package static let sizes = 0...(1 << 50)
  /// The limit for a path, in bytes, as for a path on Linux (`PATH_MAX`). An entry with a longer path cannot be read.
  package static let pathLimit = 4_096
  /// The limit for an id and a name, in bytes. Longer ones count as unknown.
  static let nameLimit = 1_000
  /// The limit for a page's address, in bytes. A longer address counts as unknown.
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

extension DriveEntry {
  /// Reads the response to a request for one file or folder.
  package init(_ response: DriveResponse) throws(DriveError) {
    self = try response.object("a file or folder") { cursor in try DriveEntry(&cursor) }
  }
}
