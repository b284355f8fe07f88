package import Folders
package import Settings

/// The published timeline of an account, or a view, to be shown.
package struct ShownSource: Sendable, Hashable {
  /// What the posts come from.
  package enum Origin: Sendable, Hashable {
    case timeline(TimelineKey)
    /// Its posts can come from several accounts, so each post contains its account.
    case view(AccountName)
  }

  package let origin: Origin
  /// The published files.
  package let files: TimelineFiles

  init(_ origin: Origin, files: TimelineFiles) {
    self.origin = origin
    self.files = files
  }

  /// The name for messages, as a user writes it.
  package var name: String {
    switch origin {
    case .timeline(let key): key.description
    case .view(let name): name.text
    }
  }

  /// The name as an argument of a command for sh(1).
  package var argument: String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:@".utf8.contains(byte)
      }
    }
    return isPlain ? name : "'\(name.replacing("'", with: #"'\''"#))'"
  }

  package var isView: Bool { if case .view = origin { true } else { false } }
  /// The account; nil for a view.
  package var account: AccountName? { if case .timeline(let key) = origin { key.account } else { nil } }
  /// The file with the posts.
  package var path: String { files.timeline }
  /// The name of that file in its folder.
  var fileName: String { String(path.dropFirst(files.folder.count + 1)) }
}
