package import HTTP

/// What a server does with the content of one request, decided from the request's head.
package struct ContentRule: Sendable {
  /// Content up to this length is in the request's body. Longer content is in a file.
  package static let inMemory = 64 * 1024

  let limit: Int
  /// The folder for content longer than ``inMemory``; nil if there is none.
  let folder: String?
  /// Makes the extract of refused content; nil if the server itself answers its request.
  let extract: (@Sendable () -> any ContentExtract)?

  private init(limit: Int, folder: String? = nil, extract: (@Sendable () -> any ContentExtract)? = nil) {
    self.limit = limit
    self.folder = folder
    self.extract = extract
  }

  /// No content is read. The handler answers the request by its head, and the connection is closed afterwards.
  package static let none = ContentRule(limit: 0)

  /// Content of at most this many bytes is read into memory.
  package static func memory(limit: Int) -> ContentRule { ContentRule(limit: limit) }

  /// Content of at most this many bytes is read, into a private file if it is longer than ``inMemory``. The file has no name, so it is gone
  /// when its last user closes it or the process ends.
  /// - Parameters:
  ///   - folder: an existing folder on the file system that the file is to occupy.
  ///   - extract: called for content that is too large or cannot be stored: makes what keeps the part of it that matters. The content is
  ///     read nevertheless, and the handler answers; see ``Exchange/refusal``. Without it, the server answers with the error.
  package static func file(
    in folder: String, limit: Int, extract: (@Sendable () -> any ContentExtract)? = nil
  ) -> ContentRule {
    ContentRule(limit: limit, folder: folder, extract: extract)
  }

  var parserLimit: ContentLimit {
    // The parser would end at the first byte too many.
    let total = extract == nil ? limit : .max
    return ContentLimit(total: total, inRequest: folder == nil ? .max : min(limit, Self.inMemory))
  }
}

/// What is kept of content that is refused, because it is too large or cannot be stored: the part that the handler needs to answer without
/// losing what the user typed.
package protocol ContentExtract: Sendable {
  /// Looks at the next bytes of the content, from its beginning on. What it keeps must be limited.
  /// - Returns: whether it wants more of the content. If it does not, the handler answers, and the connection is closed.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool
}

/// The reason content was refused, and what was kept of it.
package struct ContentRefusal: Sendable {
  package let error: RequestError
  package let extract: any ContentExtract
}
