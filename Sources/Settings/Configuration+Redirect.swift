extension Configuration {
  /// Notes each enabled account whose provider lets only a registered address in, where the port is another one each time.
  static func checkRedirects(
    _ accounts: [AccountSettings], _ callback: ConfigurationTree.Member?, _ settings: CallbackSettings?,
    _ providers: [String: ProviderDefaults], _ problems: inout Problems
  ) {
    guard settings?.port == 0, let callback, case .object(let members) = callback.value.content,
      let port = members.first(where: { $0.name == "port" })
    else { return }
    for account in accounts where account.isEnabled && comparesRedirect(account, providers) {
      problems.add(
        "the provider \(account.provider) of the account \(account.name) registers an exact address: set callback.port",
        at: port.value.offset, path: "callback.port")
    }
  }

  /// A server of one's own makes its own rules.
  private static func comparesRedirect(_ account: AccountSettings, _ providers: [String: ProviderDefaults]) -> Bool {
    account.endpoints["authorize"] == nil && providers[account.provider]?.comparesRedirect == true
  }
}
