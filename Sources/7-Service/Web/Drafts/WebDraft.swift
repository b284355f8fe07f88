internal import Bytes
internal import Cryptography
internal import Posting
internal import Time

/// A post that is being written on the page, or was sent from it.
struct WebDraft: Sendable, Hashable {
  let id: DraftID
  /// What was typed in each field.
  var typed: [Field: String] = [:]
  /// The files that the browser has sent, in the order of their slots.
  var files: [File] = []
  /// When it was last changed.
  var changedAt: Timestamp
  /// The account whose outbox has got the post; nil while it is being written. The text is then no longer kept here.
  var sentBy: String?
  /// The digest of the text sent, which shows whether a form sent again has the same text.
  var sentDigest: String?

  /// Returns the digest of a text; nil if OpenSSL cannot compute it.
  static func digest(of text: String) -> String? {
    (try? SHA256.digest(of: Array(text.utf8))).map { Hexadecimal.text($0) }
  }

  /// Whether a text is known to differ from the one sent.
  func differs(from text: String) -> Bool {
    let sent = sentDigest ?? typed[.text].flatMap(Self.digest)
    guard let sent, let own = Self.digest(of: text) else { return false }
    return sent != own
  }

  enum Field: String, Sendable, Hashable, CaseIterable {
    case account, reply, text, warning, visibility, language
    /// The time when the post is sent, as typed.
    case time = "at"
  }

  struct File: Sendable, Hashable {
    /// Which of the form's places for files it is in, from 1.
    let slot: Int
    /// The name as sent by the browser. It is only shown, and never part of a path.
    var name: String
    /// The size in bytes.
    var size: Int
    var description: String
  }

  /// The slots for files. No provider takes more than four.
  static let slots = 1...4

  init(id: DraftID, at now: Timestamp) {
    self.id = id
    changedAt = now
  }

  /// What was typed in a field; empty if nothing was.
  subscript(field: Field) -> String { typed[field] ?? "" }

  /// Whether nothing would be lost without it.
  var isEmpty: Bool {
    files.isEmpty && [.text, .warning].allSatisfy { (field: Field) in self[field].allSatisfy(\.isWhitespace) }
  }
}
