internal import Platform
internal import Commands
internal import Service
internal import Settings

/// A failure of the service as a command says it.
extension CommandFailure {
  init(_ failure: Failure, account: AccountName? = nil) {
    self.init(failure.exitCode, (account.map { "\($0): " } ?? "") + failure.message)
  }
}
