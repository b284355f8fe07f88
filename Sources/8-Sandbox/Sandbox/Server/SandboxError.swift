package import HTTPServer
package import Platform

/// The reason a sandbox could not start.
package enum SandboxError: UserFacingError {
  /// The file does not contain a key.
  case badKey(path: String)
  case notPrivate(PrivateFileError)
  case listening(ListenError)
  case system(SystemError)

  package var exitCode: ExitCode { .cannotCreate }

  package var message: String {
    switch self {
    case .badKey(let path): "\(path) is not a key of the sandbox"
    case .notPrivate(let error): error.message
    case .listening(let error): error.message
    case .system(let error): error.message
    }
  }

  package var hint: String? {
    switch self {
    case .badKey: "Remove it to get a new one; accounts authorised with it must log in again"
    case .notPrivate(let error): error.hint
    case .listening(let error): error.hint
    case .system: nil
    }
  }
}
