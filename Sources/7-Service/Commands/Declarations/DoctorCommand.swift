internal import Platform

extension Command {
  /// `homeline doctor`.
  package struct Doctor: CommandDeclaration {
    package static let name = "doctor"
    package static let documentation = CommandDocumentation(
      .service, "diagnose problems",
      description: [
        """
        Checks the installation, the service, the configuration, each account and each server, and prints one line for each finding:
        `ok`, `warning` or `fault`, what was found, and what to do next. Exits with 1 if there is a fault.
        """,
        """
        The command changes nothing. It needs neither a running service nor a configuration.
        """,
      ],
      details: [
        """
        The checks run at the same time and finish within 20 seconds. A check that takes longer is reported as a warning. In each run,
        each server that the enabled accounts use receives at most one HEAD request, without any key or token.
        """,
        """
        Commands that print a secret are looked up but not run, and systemd credentials are not checked, because only the service can
        read them. Like any program that reads a database, the command can create SQLite's files `timeline.db-wal` and
        `timeline.db-shm`.
        """,
      ],
      examples: [
        CommandExample(
          "homeline doctor --json | jq -r '.findings[] | select(.level == \"fault\") | .message'",
          "Print the faults only.")
      ],
      exitCodes: [(.faultsFound, "there is a fault")])

    package static let json: JSONOutput? = JSONOutput(schema: "doctor")
    package static var program: LibexecProgram? { .daemon }

    package init(_ arguments: Arguments) throws(UsageError) {}
  }
}
