/// The checks that `homeline doctor` runs, in the order of its output.
package enum StandardChecks {
  package static let all: [any DiagnosticCheck] = [
    ProgramCheck(), LibraryCheck(), MachineCheck(), ConfigurationFileCheck(), UnitCheck(), LockCheck(), SocketCheck(),
    CallbackPortCheck(), BrowserCheck(), NameResolutionCheck(), ServerCheck(), KeyCheck(), KeyringCheck(), TokenCheck(),
    PermissionCheck(), DiskSpaceCheck(),
    DatabaseCheck(), LastErrorCheck(), OutboxCheck(),
  ]

  /// The checks that the web page's status shows.
  package static let quick = all.filter(\.isQuick)
}
