package import ControlProtocol
internal import Platform
internal import Settings

extension Command {
  /// `homeline timelines`.
  package struct Timelines: OwnerCommand {
    package static let name = "timelines"
    package static let documentation = CommandDocumentation(
      .accounts, "list the timelines that a server offers",
      description: [
        """
        Asks the account's server which timelines it offers, and prints each as you write it under `"timelines"` in the configuration: your
        lists, the hashtags that you follow, and the kinds that the API has. It also prints which of them are configured, which the server
        does not offer or has switched off, and which need a login with more scopes.
        """,
        """
        If two lists have the same title, or a title cannot be part of a name, the list's id takes its place. The posts of an exclusive
        list's members do not appear in the home timeline.
        """,
      ],
      details: [
        """
        The command sends up to 8 requests, and more if you follow more than 200 hashtags. They count towards the provider's limits like refreshes.
        """,
        """
        A refusal is an answer: if the login lacks a scope, the command prints the rest, and exits with 0.
        """,
      ],
      examples: [
        CommandExample("homeline timelines me", "Show which timelines the server of the account me offers."),
        CommandExample(
          "homeline timelines me --json | jq -r '.results[] | select(.exclusive) | .timeline'",
          "Print the names of your exclusive lists."),
      ],
      exitCodes: [
        (.unavailable, "the server or the network is not available, so a part of the list is unknown"),
        (.temporary, "a provider limit has been reached, so a part of the list is unknown"),
        (.notAuthorised, "the account is not authorised"),
      ])

    private static let accountOperand = Operand(.account, .optional)

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static let json: JSONOutput? = JSONOutput(schema: "timelines")

    /// The account; nil means the only enabled account.
    var account: AccountName?

    init(_ account: AccountName? = nil) { self.account = account }

    package init(_ arguments: Arguments) throws(UsageError) { self.init(try arguments.value(Self.accountOperand)) }

    package var request: TimelinesRequest { TimelinesRequest(account: account?.text) }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay { TimelinesDisplay() }
  }
}
