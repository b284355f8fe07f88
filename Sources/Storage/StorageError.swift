package import Platform

/// Why a store could not read or write.
package struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The stored content contradicts itself, or is not what should be there.
    case damaged
    /// Written by a newer version of this program, and left as it is.
    case newerVersion
    /// Written by an older version of this program, and only read.
    case olderVersion
    /// Of a kind that this version does not know, and left as it is.
    case unknownKind
    /// A secret that others can read, and that is not used therefore.
    case exposed
    /// Somebody else keeps it locked.
    case busy
    /// Somebody else has written since the revision that a write expected.
    case outdated
    /// A value is larger than the store takes.
    case tooLarge
    /// Reading took more work than content of its size can need.
    case interrupted
    /// The content is not arranged as expected.
    case unsupported
    /// Reading or writing failed.
    case inputOutput
    /// Anything else, such as a full disk.
    case other
  }

  package let kind: Kind
  /// What failed, without a full stop.
  package let message: String
  /// What the store itself said, without where it happened; `nil` where there are no such words.
  package let detail: String?
  /// What the user can do about it.
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

  package var description: String { hint.map { "\(message). \($0)" } ?? message }

  /// How a command ends that met it.
  package var exitCode: ExitCode {
    switch kind {
    case .damaged: .badData
    case .newerVersion, .unknownKind, .exposed: .configuration
    case .olderVersion, .busy, .outdated: .temporary
    case .tooLarge, .interrupted, .unsupported, .inputOutput, .other: .inputOutput
    }
  }
}
