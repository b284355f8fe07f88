package import Platform
package import Transport

/// Why a sandbox could not begin.
package enum SandboxError: Error, CustomStringConvertible {
  /// The file with the key has other bytes than a key.
  case badKey(path: String)
  case notPrivate(PrivateFileError)
  case listening(ListenError)
  case system(SystemError)

  package var description: String {
    switch self {
    case .badKey(let path):
      "\(path) is not a key of the sandbox. Remove it to get a new one; what was authorised with it must be authorised again"
    case .notPrivate(let error): error.description
    case .listening(let error): error.description
    case .system(let error): error.description
    }
  }
}
