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

  func start() throws(CommandFailure) {
    var chosen: [AccountSettings] = []
    for name in accounts { chosen.append(try house.account(name)) }
    if accounts.isEmpty {
      chosen = house.configuration.enabledAccounts
      guard !chosen.isEmpty else { _ = try house.account(nil); return }
    }
    house.refresh(chosen, onlyDue: false)
  }
}

/// `homeline daemon --once`: refreshes each due account a single time. That none was due is no failure.
struct DaemonCommand {
  let house: House

  func start() {
    house.refresh(house.configuration.enabledAccounts, onlyDue: true)
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
