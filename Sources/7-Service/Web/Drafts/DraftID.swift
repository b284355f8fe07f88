internal import Cryptography
internal import HTTP
internal import Posting

/// The id of a form for a post: 128 random bits as hexadecimal digits, made with the form. A form that is sent twice (Back, a double
/// click) has the same id, and yields one post.
struct DraftID: Sendable, Hashable {
  let text: String

  /// Reads an id; nil for any other text. An id can safely be part of a path.
  init?(_ text: String) {
    guard text.utf8.count == 32,
      text.utf8.allSatisfy({
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      })
    else { return nil }
    self.text = text
  }

  static func make() throws(WebError) -> DraftID {
    do throws(CryptographyError) {
      guard let id = DraftID(try WebSecret.make(bits: 128)) else { preconditionFailure("16 bytes have 32 digits") }
      return id
    } catch { throw WebError(.internalServerError, "The form could not be made", "\(error)") }
  }

  /// The id that the post gets in the outbox, which recognises a second sending even after a restart.
  var intent: IntentID {
    guard let bits = UInt64(text.prefix(16), radix: 16) else { preconditionFailure("an id has hexadecimal digits") }
    return IntentID(bits: bits)
  }
}
