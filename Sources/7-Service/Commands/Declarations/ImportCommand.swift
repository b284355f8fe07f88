package import ControlProtocol
internal import Platform
package import Settings

extension Command {
  /// `homeline import`.
  package struct Import: OwnerCommand {
    package static let name = "import"
    package static let isPrepared = true
    package static let documentation = CommandDocumentation(
      .archive, "add posts to the archive",
      description: [
        """
        Adds the posts in FILE, or with `-` in standard input, to an account's archive. The input can be the output of `homeline export`
        (`jsonl`), `home_timeline.jsonl`, or a twitter-to-sqlite database. Posts that are already stored are not changed. If a line is
        invalid, nothing is imported, the message gives the line number, and the command exits with 65.
        """
      ],
      examples: [CommandExample("homeline import bird.jsonl --account bird", "Restore exported posts.")],
      exitCodes: [(.badData, "a line of the file is invalid")])

    private static let fileOperand = Operand(.file)
    private static let accountOption = Option("--account", .account, "add the posts to this account's archive")

    package static var operands: [OperandDescription] { [fileOperand.description] }
    package static var options: [any DeclaredOption] { [accountOption] }
    package static let json: JSONOutput? = JSONOutput(schema: "import")

    /// The file to import; `-` means standard input.
    package var file: String
    package var account: AccountName?

    package init(file: String, account: AccountName? = nil) {
      self.file = file
      self.account = account
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(file: try arguments.required(Self.fileOperand), account: try arguments.value(Self.accountOption))
    }

    /// The request for a file that has been copied into the account's data folder.
    package var request: ImportRequest {
      ImportRequest(account: account?.text, file: file.split(separator: "/").last.map(String.init) ?? "")
    }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      EventPrinter(ProgressUnits(("post read", "posts read"), bringing: ("new post", "new posts"))) { event in
        guard let report = event as? ImportedEvent else { return }
        let known = report.known == 0 ? "" : ", \(report.known) \(report.known == 1 ? "was" : "were") already stored"
        try? Terminal.answer(
          "\(report.account): \(report.new) \(report.new == 1 ? "post" : "posts") imported\(known)\n")
      }
    }
  }
}
