internal import Bytes
internal import Cryptography
internal import HTTP
internal import JSON
internal import Platform

/// The secrets in the addresses of feeds, in the file `_web/feeds`. A feed reader cannot enter like a browser, so each feed has an address
/// that nobody can guess, which opens nothing else.
final class FeedTokens: Sendable {
  /// The maximum size of the file in bytes, enough for ten thousand feeds.
  private static let fileLimit = 2 << 20

  private let path: String
  private let tokens: Locked<[FeedSource: String]>

  /// Reads the file. A file that cannot be read is the same as none: no feed has an address.
  init(_ path: String, log: Log) {
    self.path = path
    var tokens: [FeedSource: String] = [:]
    do { tokens = try Self.read(path) } catch {
      log(.warning, "the addresses of feeds are not known any more; make new ones on the page: \(error)")
    }
    self.tokens = Locked(tokens)
  }

  /// Returns a feed's token; nil if it has none.
  func token(of source: FeedSource) -> String? { tokens.withLock { $0[source] } }

  /// Returns the feed that a token opens; nil if there is none. The time it takes reveals nothing about the tokens.
  func source(of token: String) -> FeedSource? {
    let all = tokens.withLock { $0 }
    var found: FeedSource?
    for (source, own) in all where equalInConstantTime(own, token) { found = source }
    return found
  }

  /// Makes a token for a feed that has none.
  func make(for source: FeedSource) throws(WebError) {
    do {
      let token = try WebSecret.make(bits: 128)
      try tokens.withLock { tokens throws(SystemError) in
        guard tokens[source] == nil else { return }
        var changed = tokens
        changed[source] = token
        try WebFile.write(Self.text(of: changed), to: path)
        tokens = changed
      }
    } catch {
      throw WebError(.serviceUnavailable, "The address could not be made", "\(error). Correct this, and try again.")
    }
  }

  /// Makes a feed's address invalid, even if the file cannot be written.
  func revoke(_ source: FeedSource) throws(WebError) {
    do throws(SystemError) {
      try tokens.withLock { tokens throws(SystemError) in
        tokens[source] = nil
        try WebFile.write(Self.text(of: tokens), to: path)
      }
    } catch {
      throw WebError(
        .serviceUnavailable, "The address is invalid until homeline restarts",
        "It will be valid again then: \(error). Correct this, make a new address, and revoke it.")
    }
  }

  // MARK: The file

  private static func text(of tokens: [FeedSource: String]) -> [UInt8] {
    let sorted = tokens.map { (source: $0.key.text, token: $0.value) }.sorted { $0.source < $1.source }
    var writer = JSONWriter()
    writer.object { json in
      json.member("feeds", list: sorted) { json, feed in
        json.object { json in
          json.member("feed", feed.source)
          json.member("token", feed.token)
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func read(_ path: String) throws -> [FeedSource: String] {
    guard let bytes = try WebFile.read(path, limit: fileLimit) else { return [:] }
    var tokens: [FeedSource: String] = [:]
    var cursor = JSONCursor(bytes, maximalDepth: 8)
    try cursor.members { json, name in
      guard name == "feeds" else {
        try json.skip()
        return
      }
      try json.elements { json in
        var source: FeedSource?
        var token: String?
        try json.members { json, name in
          switch name {
          case "feed": source = FeedSource(text: try json.string())
          case "token": token = try json.string()
          default: try json.skip()
          }
        }
        if let source, let token, token.utf8.count == 32 { tokens[source] = token }
      }
    }
    return tokens
  }
}
