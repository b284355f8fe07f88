internal import Commands
internal import Platform
internal import Service
internal import Settings

/// `homeline logout`.
struct LogoutCommand {
  let account: AccountName
  let house: House

  /// - Returns: what has to live as long as the process.
  func start() throws(CommandFailure) -> any Sendable {
    let account = try house.account(account)
    do throws(Failure) {
      try house.keeper.logout(account) { result in
        switch result {
        case .success(let report):
          try? Terminal.answer("\(account.name): \(report.sentence)\n")
          house.end(.done)
        case .failure(let failure):
          let failure = CommandFailure(failure, account: account.name)
          Terminal.say(failure.description)
          house.end(failure.code)
        }
      }
    } catch { throw CommandFailure(error, account: account.name) }
    return house
  }
}
