package import ControlProtocol
internal import Platform
internal import Settings

extension Command {
  /// `homeline read`.
  package struct Read: OwnerCommand {
    package static let name = "read"
    package static let documentation = CommandDocumentation(
      .reading, "mark posts as read",
      description: [
        """
        Marks all posts of a timeline as read, or all posts up to a given one. ACCOUNT alone is its home timeline. Without it, the home
        timelines of all enabled accounts are marked. Each timeline has its own mark. Status bars then count the remaining posts, and `homeline show --unread` prints them. The provider is not informed.
        """
      ],
      examples: [
        CommandExample("homeline read", "Mark all published posts as read."),
        CommandExample("homeline read bird --up-to 115512", "Mark the posts up to this one as read."),
      ])

    private static let accountOperand = Operand(.timeline, .optional)
    private static let upToOption = Option(
      "--up-to", .filledText("ID"), "the newest read post of an account (default: the newest published one)")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [upToOption] }
    package static let json: JSONOutput? = JSONOutput(schema: "read")

    /// The account or timeline; nil means all enabled accounts.
    var account: TimelineOperand?
    /// The id of the newest read post; nil means the newest published post.
    var upTo: String?

    init(account: TimelineOperand? = nil, upTo: String? = nil) {
      self.account = account
      self.upTo = upTo
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(account: try arguments.value(Self.accountOperand), upTo: try arguments.value(Self.upToOption))
    }

    package var request: MarkRequest { MarkRequest(account: account?.description, upTo: upTo) }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      EventPrinter { event in
        guard let mark = event as? MarkedEvent else { return }
        let text = mark.upTo.map { "read up to \($0)" } ?? "no posts to mark"
        try? Terminal.answer("\(mark.account): \(text), \(mark.unread) unread\n")
      }
    }
  }
}
