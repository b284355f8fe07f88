/// The stored pictures, as addresses that the page shows them from.
package struct PagePictures: Sendable {
  private let paths: [String: String]
  private let beginning: String

  /// - Parameters:
  ///   - paths: the paths of stored pictures by the pictures' addresses on their servers.
  ///   - beginning: what precedes each path: `./` for files beside the page, or an absolute path such as `/m/`.
  package init(paths: [String: String], after beginning: String = "./") {
    self.paths = paths
    self.beginning = beginning
  }

  /// Returns a stored picture's relative reference (RFC 3986 §4.2); `nil` if the picture is not stored.
  ///
  /// All characters of the path except letters, digits and `-._~/` are encoded, so the reference can only be a path.
  func path(of address: String) -> String? {
    guard let path = paths[address], !path.isEmpty else { return nil }
    return beginning
      + ByteReplacement.encoded(path, prefix: UInt8(ascii: "%"), uppercase: false) { byte in
        switch byte {
        case UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: UTF8Text.isLetterOrDigit(byte)
        }
      }
  }
}
