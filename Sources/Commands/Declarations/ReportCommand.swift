internal import Platform

extension Command {
  /// `homeline report`.
  package struct Report: CommandDeclaration {
    package static let name = "report"
    package static let documentation = CommandDocumentation(
      .service, "write to the developer about a problem",
      description: [
        """
        Prints the findings of `homeline doctor` without names, hosts, paths and keys, and then opens the mail program with them, so
        that you can describe the problem and send the mail. homeline itself sends nothing.
        """
      ],
      details: [
        """
        Each private value is replaced by a placeholder, such as `<host 1>`; the same value always has the same placeholder. Read the
        report before you send it.
        """,
        """
        The mail program is `xdg-email`, or else the browser (`$BROWSER`, else `xdg-open`) opens an address of the scheme `mailto`. A
        long report is cut in the mail, which then says so; `--print` prints all of it.
        """,
        """
        The address is part of the build (`make REPORT_ADDRESS=ADDRESS release`). The environment variable `HOMELINE_REPORT_ADDRESS`
        replaces it. Without an address the report is only printed.
        """,
      ],
      examples: [CommandExample("homeline report --print > report.txt", "Keep the report in a file.")],
      exitCodes: [(.unavailable, "no mail program was found")])

    private static let print = Flag("--print", "only print the report")

    package static var options: [any DeclaredOption] { [print] }
    package static var program: LibexecProgram? { .daemon }

    /// Whether no mail program is opened.
    package var onlyPrints: Bool

    init(onlyPrints: Bool = false) { self.onlyPrints = onlyPrints }

    package init(_ arguments: Arguments) throws(UsageError) { onlyPrints = arguments.has(Self.print) }
  }
}
