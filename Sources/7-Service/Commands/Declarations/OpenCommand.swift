internal import Platform
package import Settings

extension Command {
  /// `homeline open`.
  package struct Open: CommandDeclaration {
    package static let name = "open"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .reading, "show the page in the browser",
      description: [
        """
        Opens the timeline as a page in the browser (`$BROWSER`, otherwise `xdg-open`), or prints its path if there is no browser. ACCOUNT
        alone is its home timeline. Without it, the page shows the posts of all enabled accounts, merged by time. It loads nothing from the
        network.
        """
      ],
      details: [
        """
        The page is brought up to date first. If `publish` in the configuration contains `"html"`, it is the published
        `home_timeline.html`, which the service keeps up to date and which reloads itself. Otherwise, and for several accounts together, the
        command renders a page without pictures in `~/.cache/homeline/_open`. It stays as it is until the next `homeline open`, and is deleted
        when homeline deletes posts.
        """
      ],
      examples: [
        CommandExample("homeline open", "Show the posts of all enabled accounts."),
        CommandExample("homeline open --view friends", "Show the page of a view."),
      ],
      exitCodes: [
        (.unavailable, "the browser could not be started, or exited with an error"),
        (.notAuthorised, "nothing has been published yet"),
        (.badData, "a published file cannot be read"),
        (.inputOutput, "the page cannot be written"),
      ])

    private static let accountOperand = Operand(.timeline, .optional)
    private static let viewOption = Option("--view", .view, "open the page of this view instead of an account")
    private static let print = Flag("--print", "only print the page's path")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [viewOption, print] }
    package static let json: JSONOutput? = JSONOutput(schema: "open")

    /// The account or timeline; nil means all enabled accounts.
    package var account: TimelineOperand?
    /// The view whose page is shown instead of an account's page.
    package var view: AccountName?
    /// Whether only the page's path is printed.
    package var onlyPrints: Bool

    init(account: TimelineOperand? = nil, view: AccountName? = nil, onlyPrints: Bool = false) {
      self.account = account
      self.view = view
      self.onlyPrints = onlyPrints
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(
        account: try arguments.value(Self.accountOperand), view: try arguments.value(Self.viewOption),
        onlyPrints: arguments.has(Self.print))
      if view != nil, account != nil { throw arguments.eitherViewOrAccount }
      if arguments.isJSON, !onlyPrints { throw arguments.error("--json needs --print") }
    }
  }
}
