package import Platform

/// A failure to read or write storage.
package struct StorageError: UserFacingError, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The stored content is inconsistent, or is not what was expected.
    case damaged
    /// The content was written by a newer version of this program. It was not changed.
    case newerVersion
    /// The content was written by an older version of this program. It can only be read.
    case olderVersion
    /// This version does not know the kind of content. It was not changed.
    case unknownKind
    /// Other users can read a secret, so it is not used.
    case exposed
    /// The key that encrypts a secret is not available now, because the keyring is locked or not running. It may become available later.
    case keyUnavailable
    /// The keyring does not contain the key that encrypts a secret.
    case keyMissing
    /// Another process holds the lock.
    case busy
    /// Another process has written since the revision that a write expected.
    case outdated
    /// A value exceeds the store's limit.
    case tooLarge
    /// Reading took more work than content of this size should need.
    case interrupted
    /// The content has an unexpected structure.
    case unsupported
    /// Reading or writing failed.
    case inputOutput
    /// Any other failure, such as a full disk.
    case other
  }

  package let kind: Kind
  package let message: String
  /// The store's own message, without the location; `nil` if there is none.
  package let detail: String?
  package let hint: String?

  package init(_ kind: Kind, _ message: String, detail: String? = nil, hint: String? = nil) {
    self.kind = kind
    self.message = message
    self.detail = detail
    self.hint = hint
  }

  package init(_ error: SystemError) { self.init(.inputOutput, error.description) }

  package init(_ error: PrivateFileError) {
    switch error {
    case .readableByOthers: self.init(.exposed, error.description)
    case .system(let error): self.init(error)
    }
  }

  package var exitCode: ExitCode {
    switch kind {
    case .damaged: .badData
    case .newerVersion, .unknownKind, .exposed, .keyMissing: .configuration
    case .olderVersion, .keyUnavailable, .busy, .outdated: .temporary
    case .tooLarge, .interrupted, .unsupported, .inputOutput, .other: .inputOutput
    }
  }
}
