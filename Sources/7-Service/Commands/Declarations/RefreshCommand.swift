package import ControlProtocol
internal import Platform
internal import Settings

extension Command {
  /// `homeline refresh`.
  package struct Refresh: OwnerCommand {
    package static let name = "refresh"
    package static let documentation = CommandDocumentation(
      .accounts, "fetch new posts now",
      description: [
        """
        Fetches new posts for the given accounts, or for all enabled ones, and waits until this is done. Only a provider limit or
        the account's budget can prevent it; the message then gives the time to try again. With several accounts, the most serious exit code
        is used.
        """
      ],
      examples: [
        CommandExample("homeline refresh", "Refresh all enabled accounts."),
        CommandExample("homeline refresh bird cat", "Refresh two accounts."),
      ],
      exitCodes: [
        (.unavailable, "the provider or the network is not available"),
        (.temporary, "a provider limit or the account's budget has been reached"),
        (.notAuthorised, "an account is not authorised"),
      ])

    private static let accountOperand = Operand(.account, .zeroOrMore)

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static let json: JSONOutput? = JSONOutput(schema: "refresh")

    /// The accounts, without repetitions; empty means all enabled accounts.
    var accounts: [AccountName]

    init(_ accounts: [AccountName] = []) { self.accounts = accounts }

    package init(_ arguments: Arguments) throws(UsageError) {
      var accounts: [AccountName] = []
      for account in try arguments.values(Self.accountOperand) where !accounts.contains(account) {
        accounts.append(account)
      }
      self.init(accounts)
    }

    package var request: RefreshRequest { RefreshRequest(accounts: accounts.map(\.text)) }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      EventPrinter(.pages) { event in
        if let report = event as? RefreshedEvent { RefreshTerminal.show(report) }
      }
    }
  }
}
