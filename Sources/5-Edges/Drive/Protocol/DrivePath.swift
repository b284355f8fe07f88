/// The path of a file or a folder in a library, without leading or trailing slashes. The library itself has an empty path.
///
/// The bytes are never changed: servers distinguish names that differ only in their Unicode normalisation.
package struct DrivePath: Sendable, CustomStringConvertible {
  /// The maximum length of a path in bytes.
  static let byteLimit = 4_096

  package let text: String

  package static let root = DrivePath(unchecked: "")

  private init(unchecked text: String) { self.text = text }

  /// Creates a path from text. Leading and trailing slashes are removed; other slashes are kept.
  ///
  /// - Throws: ``DrivePathError`` for a path that would be ambiguous in a request.
  package init(_ text: String) throws(DrivePathError) {
    var bytes = Array(text.utf8)[...]
    while bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    if bytes.count > Self.byteLimit { throw .tooLong(text, limit: Self.byteLimit) }
    // A vertical bar separates paths in requests, and a line feed separates values in signed text.
    if let byte = bytes.first(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "|") }) {
      throw .character(byte, text)
    }
    if bytes.split(separator: UInt8(ascii: "/")).contains(where: { Self.isRelative($0) }) { throw .relative(text) }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  private static func isRelative(_ name: ArraySlice<UInt8>) -> Bool {
    name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
  }

  package var isRoot: Bool { text.isEmpty }

  /// The last component of the path; empty for the library itself.
  package var name: String { text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[after($0)...]) } ?? text }

  /// The folder that contains this file or folder.
  package var parent: DrivePath {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return .root }
    var end = slash
    while end > text.startIndex, text.utf8[text.utf8.index(before: end)] == UInt8(ascii: "/") {
      end = text.utf8.index(before: end)
    }
    return DrivePath(unchecked: String(text[..<end]))
  }

  private func after(_ slash: String.Index) -> String.Index { text.utf8.index(after: slash) }

  /// Returns the path of a file or folder in this folder.
  /// - Throws: the same errors as `init(_:)`.
  package func appending(_ name: String) throws(DrivePathError) -> DrivePath {
    try DrivePath(isRoot ? name : "\(text)/\(name)")
  }

  /// Returns the path in the form of the 2013 API, where a folder's path ends with a slash.
  package func legacyText(isFolder: Bool) -> String { isFolder && !isRoot ? text + "/" : text }

  package var description: String { isRoot ? "/" : text }
}

extension DrivePath: Hashable {
  // Paths are compared byte by byte, because `String` treats canonically equivalent names as equal.
  package static func == (left: DrivePath, right: DrivePath) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  package func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}
