internal import Commands
internal import Dispatch
internal import Platform
internal import Service
internal import Settings
internal import Store

/// `homeline refresh`: asks the provider now; its exit code is the worst of the accounts'.
struct RefreshCommand {
  let accounts: [AccountName]
  let house: House

  /// - Returns: what has to live as long as the process.
  func start() throws(CommandFailure) -> any Sendable {
    var chosen = accounts.isEmpty ? house.configuration.enabledAccounts : []
    for name in accounts { chosen.append(try house.account(name)) }
    // Without any it says which there are.
    if chosen.isEmpty { chosen = [try house.account(nil)] }
    house.refresh(chosen, onlyDue: false)
    return house
  }
}

/// `homeline daemon --once`: refreshes each due account a single time. That none was due is no failure.
struct DaemonCommand {
  let house: House

  /// - Returns: what has to live as long as the process.
  func start() -> any Sendable {
    house.refresh(house.configuration.enabledAccounts, onlyDue: true)
    return house
  }
}

extension House {
  fileprivate func refresh(
    _ accounts: [AccountSettings], onlyDue: Bool
  ) {
    let layout = layout
    keeper.refresh(accounts, onlyDue: onlyDue, on: .main) { reports in
      let codes = reports.map { RefreshTerminal(files: layout.files(of: $0.account)).show($0) }
      self.end(codes.reduce(.done) { $0.worse($1) })
    }
  }
}
