/// The reason a private file was not read.
package enum PrivateFileError: UserFacingError {
  case readableByOthers(String, UInt32)
  case system(SystemError)

  package var message: String {
    switch self {
    case .readableByOthers(let path, let permissions):
      "\(path): others can read it (mode \(String(permissions, radix: 8)))"
    case .system(let error): error.message
    }
  }

  package var hint: String? {
    if case .readableByOthers(let path, _) = self { "Run: chmod 600 '\(path)'" } else { nil }
  }

  package var exitCode: ExitCode {
    switch self {
    case .readableByOthers: .configuration
    case .system(let error): error.exitCode
    }
  }
}
