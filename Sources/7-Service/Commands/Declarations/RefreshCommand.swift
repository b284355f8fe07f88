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
        Fetches new posts for the given accounts or timelines, or for all enabled accounts, and waits until this is done. ACCOUNT alone means
        all of its timelines. Only a provider limit or
        the account's budget can prevent it; the message then gives the time to try again. With several accounts, the most serious exit code
        is used.
        """
      ],
      examples: [
        CommandExample("homeline refresh", "Refresh all enabled accounts."),
        CommandExample("homeline refresh bird cat", "Refresh two accounts."),
        CommandExample("homeline refresh me/list:Friends", "Refresh one timeline."),
      ],
      exitCodes: [
        (.unavailable, "the provider or the network is not available"),
        (.temporary, "a provider limit or the account's budget has been reached"),
        (.notAuthorised, "an account is not authorised"),
      ])

    private static let accountOperand = Operand(.timeline, .zeroOrMore)

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static let json: JSONOutput? = JSONOutput(schema: "refresh")

    /// The accounts and timelines, without repetitions; empty means all enabled accounts.
    var accounts: [TimelineOperand]

    init(_ accounts: [TimelineOperand] = []) { self.accounts = accounts }

    package init(_ arguments: Arguments) throws(UsageError) {
      var accounts: [TimelineOperand] = []
      for account in try arguments.values(Self.accountOperand) where !accounts.contains(account) {
        accounts.append(account)
      }
      self.init(accounts)
    }

    package var request: RefreshRequest { RefreshRequest(accounts: accounts.map(\.description)) }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      EventPrinter(.pages) { event in
        if let report = event as? RefreshedEvent { RefreshTerminal.show(report) }
      }
    }
  }
}
