internal import Platform

extension Command {
  /// `homeline report`.
  package struct Report: CommandDeclaration {
    package static let name = "report"
    package static let documentation = CommandDocumentation(
      .service, "write to the developer about a problem",
      description: [
        """
        Prints the findings of `homeline doctor` without names, hosts, paths and keys, and then opens a mail with them in the mail
        program, so that you can describe the problem and send the mail. homeline itself sends nothing.
        """
      ],
      details: [
        """
        Each private value is replaced by a placeholder, such as `<host 1>`; the same value always has the same placeholder. Read the
        report before you send it.
        """,
        """
        The mail program is `xdg-email`. Without it, the browser (`$BROWSER`, or else `xdg-open`) opens a `mailto` address. If the
        report is too long for a mail, it is written to `_report.txt` in the state folder, a file that only you can read. The mail
        then contains the beginning of the report, and both the mail and the command name the file. Attach it, unless `xdg-email`
        has done so.
        """,
        """
        The developer's address is set when homeline is built (`make REPORT_ADDRESS=ADDRESS release`). The environment variable
        `HOMELINE_REPORT_ADDRESS` overrides it. Without an address, the report is only printed.
        """,
      ],
      examples: [CommandExample("homeline report --print > report.txt", "Write the report to a file.")],
      exitCodes: [(.unavailable, "no mail program was found")])

    private static let print = Flag("--print", "only print the report")

    package static var options: [any DeclaredOption] { [print] }
    package static let json: JSONOutput? = JSONOutput(schema: "report")
    package static var program: LibexecProgram? { .daemon }

    /// Whether the report is only printed, and no mail program is opened.
    package var onlyPrints: Bool

    package init(_ arguments: Arguments) throws(UsageError) {
      onlyPrints = arguments.has(Self.print)
      if arguments.isJSON, !onlyPrints { throw arguments.error("--json needs --print") }
    }
  }
}
