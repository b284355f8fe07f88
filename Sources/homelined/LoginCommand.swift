internal import Commands
internal import Dispatch
internal import Platform
internal import Service
internal import Settings

/// `homeline login`.
struct LoginCommand {
  let arguments: Command.Login
  let house: House

  /// - Returns: what has to live as long as the process.
  func start() throws(CommandFailure) -> any Sendable {
    let account = try house.account(arguments.account)
    let options = LoginOptions(
      timeout: arguments.timeout, isOutOfBand: arguments.usesPIN, switchesUser: arguments.switchesUser)
    let browser = arguments.opensBrowser ? Browser(variables: house.surroundings.variables) : nil
    let terminal = LoginTerminal(
      account: account, files: house.keeper.files(of: account), browser: browser, surroundings: house.surroundings)
    let session: LoginSession
    do throws(Failure) {
      session = try house.keeper.login(account, options, tell: { terminal.show($0) }) { result in
        switch result {
        case .success: house.end(.done)
        case .failure(let failure):
          let failure = CommandFailure(failure, account: account.name)
          Terminal.say(failure.description)
          house.end(failure.code)
        }
      }
    } catch { throw CommandFailure(error, account: account.name) }
    let ending = house.endBySignal(abandoning: session)
    InputLines.read { line in
      if let line { session.paste(line) } else { session.endInput() }
    }
    return (house, ending)
  }
}
