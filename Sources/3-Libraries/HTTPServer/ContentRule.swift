internal import HTTP

/// What a server does with the content of one request, decided from the request's head.
package struct ContentRule: Equatable, Sendable {
  /// Content up to this length is in the request's body. Longer content is in a file.
  package static let inMemory = 64 * 1024

  let limit: Int
  /// The folder for content longer than ``inMemory``; nil if there is none.
  let folder: String?

  /// No content is read. The handler answers the request by its head, and the connection is closed afterwards.
  package static let none = ContentRule(limit: 0, folder: nil)

  /// Content of at most this many bytes is read into memory.
  package static func memory(limit: Int) -> ContentRule { ContentRule(limit: limit, folder: nil) }

  /// Content of at most this many bytes is read, into a private file if it is longer than ``inMemory``. The file has no name, so it is gone
  /// when its last user closes it or the process ends.
  /// - Parameter folder: an existing folder on the file system that the file is to occupy.
  package static func file(in folder: String, limit: Int) -> ContentRule { ContentRule(limit: limit, folder: folder) }

  var parserLimit: ContentLimit {
    ContentLimit(total: limit, inRequest: folder == nil ? .max : Self.inMemory)
  }
}
