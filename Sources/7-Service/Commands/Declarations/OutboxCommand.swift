package import ControlProtocol
internal import Platform
package import Settings

extension Command {
  /// `homeline outbox`.
  package struct Outbox: OwnerCommand {
    package static let name = "outbox"
    package static let isPrepared = true
    package static let documentation = CommandDocumentation(
      .posting, "list unsent posts, send them again, or discard them",
      description: [
        "Lists the posts in the outbox, in the order they were written, each with its state:",
        .terms([
          TextBlock.Term("queued", "The post is waiting for its time, for the network, or for an earlier post."),
          TextBlock.Term(
            "uploading", "The post's files are being uploaded, or are waiting for the server or the network."),
          TextBlock.Term("sending", "The post was sent, and homeline is checking whether it was published."),
          TextBlock.Term("posted", "The post was published. It is listed for a day."),
          TextBlock.Term("refused", "The post was not published, and will not be sent again unless you ask for it."),
          TextBlock.Term(
            "unknown",
            "The post may have been published: the response was lost, and homeline did not find the post on the server."
          ),
        ]),
        """
        If a refresh shows an `unknown` post in your timeline, it becomes `posted`. Look at your own timeline before you send it again:
        `--retry` publishes it even if it has already been published. Until you decide, only replies to this post wait; other posts are
        sent.
        """,
      ],
      details: [
        """
        Posts that have waited for more than 24 hours are refused, so that nothing outdated is published. `--retry` sends such a post.
        """,
        """
        X charges for each post, including one sent again. As with `homeline post`, `--retry` prints the cost and asks for confirmation if
        it exceeds the account's `confirm_above_usd`. Without a terminal, such a post needs `--yes`.
        """,
      ],
      examples: [
        CommandExample("homeline outbox", "List the posts of all accounts."),
        CommandExample("homeline outbox --retry out-4k7m2p9xq1", "Send a post now."),
      ],
      exitCodes: [
        (.badData, "the post was refused, or is not in the outbox"),
        (.unavailable, "homeline could not determine whether the post was published"),
        (.temporary, "the post is still in the outbox; homeline continues automatically"),
      ])

    private static let accountOperand = Operand(.account, .optional)
    private static let retryOption = Option("--retry", .filledText("ID"), "send this post now")
    private static let discardOption = Option("--discard", .filledText("ID"), "remove this post without sending it")

    private static let yes = Flag("--yes", "with --retry: send the post regardless of its cost")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [retryOption, discardOption, yes] }
    package static let json: JSONOutput? = JSONOutput(schema: "outbox")

    /// The account; nil means all accounts.
    package var account: AccountName?
    package var action: OutboxRequest.Action
    /// Whether the user has agreed to the cost.
    package var isConfirmed: Bool

    package init(_ arguments: Arguments) throws(UsageError) {
      account = try arguments.value(Self.accountOperand)
      let (retry, discard) = (try arguments.value(Self.retryOption), try arguments.value(Self.discardOption))
      if retry != nil, discard != nil { throw arguments.error("--retry and --discard cannot be combined") }
      isConfirmed = arguments.has(Self.yes)
      if isConfirmed, retry == nil { throw arguments.error("--yes can only be used with --retry") }
      action = retry.map { .retry($0) } ?? discard.map { .discard($0) } ?? .list
    }

    package var request: OutboxRequest { OutboxRequest(account: account?.text, action, isConfirmed: isConfirmed) }

    package var interruptionNote: StaticString? {
      if case .retry = action { OutboxTerminal.interruptionNote } else { nil }
    }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      let isList = action == .list
      return EventPrinter { event in
        guard let post = event as? OutboxEvent else { return }
        if isList { OutboxTerminal.list(post) } else { OutboxTerminal.showOutcome(of: post) }
      }
    }
  }
}
