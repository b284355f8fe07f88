package import Bytes

/// A server's address as the user names it.
package struct ServerAddress: Sendable, Hashable {
  /// The address, with the path where the server may be; `/` if the user named only the host. It has no query.
  package let url: RequestURL
  /// The host and port as shown: a host with non-ASCII letters as typed, but in lower case.
  package let name: String

  package init(_ url: RequestURL, shownAs name: String? = nil) {
    self.url = url
    self.name = name ?? url.authority
  }

  /// Returns an origin's host and port as shown: as typed in the address if the origin is the same, otherwise as in the origin.
  func name(of other: RequestURL) -> String { other.authority == url.authority ? name : other.authority }
}

extension RequestURL {
  /// The origin with the path `/`.
  var root: RequestURL { at(path: "/") }

  /// The path without a trailing slash; empty for `/`.
  var folder: String { path.hasSuffix("/") ? String(path.dropLast()) : path }

  /// Returns the URL of a path on the same server.
  /// - Parameter path: a path of visible ASCII, with or without a query.
  func at(path: String) -> RequestURL {
    do throws(RequestURLError) { return try RequestURL(origin + path) } catch {
      preconditionFailure("a path of a valid URL is not valid: \(error)")
    }
  }

  /// Whether both are the same place on the same server, ignoring a trailing slash.
  func isSamePlace(as other: RequestURL) -> Bool { origin == other.origin && folder == other.folder }

  /// The folders that may contain the server, the innermost first: the path itself and those above it, except for `/`.
  var folders: [String] {
    var folders: [String] = []
    var parts = path.split(separator: "/")
    while !parts.isEmpty, folders.count < Self.mostFolders {
      folders.append("/" + parts.joined(separator: "/"))
      parts.removeLast()
    }
    return folders
  }

  private static var mostFolders: Int { 4 }
}
