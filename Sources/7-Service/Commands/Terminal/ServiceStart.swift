internal import Platform

/// How this user starts the service so that it keeps running: with systemd, otherwise with cron(8). All advice about a missing service
/// comes from this type.
package enum ServiceStart: Sendable, Equatable {
  /// systemd can start the user's service.
  case unit
  /// systemd would start the user's service if it were not masked.
  case maskedUnit
  /// systemd does not know the service, or runs none for this user.
  case cron(CrontabLine)

  /// The command that starts the service now and at each login.
  package static let command = ["systemctl", "--user", "enable", "--now", "homeline"]

  private static let timeout = Duration.seconds(2)

  /// Asks systemd for the unit's `LoadState`.
  /// - Parameter program: the real path of any program of this installation.
  package static func find(_ variables: [String: String], program: String) -> ServiceStart {
    switch output("systemctl", ["--user", "show", "--property=LoadState", "--value", "homeline.service"], variables) {
    case "loaded\n": .unit
    case "masked\n": .maskedUnit
    default:
      .cron(
        CrontabLine(
          program: InstalledPrograms.command(besides: program),
          isUsable: ProgramSearch.find("crontab", in: variables["PATH"] ?? "") != nil))
    }
  }

  /// What to type, as a sentence without a final full stop.
  package var advice: String {
    let command = Self.command.joined(separator: " ")
    return switch self {
    case .unit: "To start it now and at each login: \(command)"
    case .maskedUnit: "To start it now and at each login: systemctl --user unmask homeline && \(command)"
    case .cron(let line) where line.isUsable:
      "To refresh every two minutes, add this line with crontab -e: \(line.text)"
    case .cron(let line): "To refresh every two minutes, install cron, and add this line with crontab -e: \(line.text)"
    }
  }

  /// Whether the user's crontab refreshes the accounts, so that no service is needed.
  package static func isCronUsed(_ variables: [String: String]) -> Bool {
    output("crontab", ["-l"], variables)?.split(separator: "\n").contains { line in
      !line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#") && line.contains("homeline") && line.contains(" --once")
    } ?? false
  }

  /// Returns the output of a program; nil if the program is missing or fails.
  private static func output(_ program: String, _ arguments: [String], _ variables: [String: String]) -> String? {
    guard let path = ProgramSearch.find(program, in: variables["PATH"] ?? "") else { return nil }
    let bytes = try? Child.output(
      of: path, arguments, environment: variables, limit: 65_536, timeout: timeout, discardsError: true)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A line of crontab(5) that refreshes the accounts that are due.
package struct CrontabLine: Sendable, Equatable {
  /// The path of `homeline`.
  let program: String
  /// Whether the `crontab` program is installed.
  let isUsable: Bool

  package init(program: String, isUsable: Bool) {
    self.program = program
    self.isUsable = isUsable
  }

  package var text: String { "*/2 * * * * \(Self.quoted(program)) daemon --once >/dev/null" }

  /// Returns a path as sh(1) reads it. cron ends the command at a `%` without a backslash.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "/._-+~".utf8.contains($0)
    }
    if isPlain { return path }
    return "'" + path.replacing("'", with: "'\\''").replacing("%", with: "\\%") + "'"
  }
}
