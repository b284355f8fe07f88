internal import Store
internal import Timeline

/// What the errors of the files mean for whoever asked.
extension Failure {
  init(_ error: AccountDatabaseError) {
    switch error {
    case .newerSchema: self.init(.configuration, "\(error)")
    default: self.init(.inputOutput, "\(error)")
    }
  }

  init(_ error: TokenStoreError) {
    switch error {
    case .newerSchema, .unknownKind, .readableByOthers: self.init(.configuration, "\(error)")
    case .corrupt: self.init(.badContent, "\(error)")
    case .system: self.init(.inputOutput, "\(error)")
    }
  }
}

/// The same for whoever reads the published file.
extension Problem {
  init(_ error: TokenStoreError) {
    let code: Code =
      switch error {
      case .newerSchema, .unknownKind, .readableByOthers: .configuration
      case .corrupt: .notAuthorised
      case .system: .storage
      }
    self.init(code: code, message: "\(error)")
  }
}
