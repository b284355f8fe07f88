internal import Commands
internal import Files
internal import Platform

/// Offers to start the service that keeps the timelines fresh: with systemd, otherwise with cron(8).
struct ServiceOffer {
  let context: CommandContext
  /// Whether the user can be asked.
  let asks: Bool
  /// Whether the service is started without asking.
  let accepts: Bool

  private static let start = ["--user", "enable", "--now", "homeline.service"]
  private static let timeout = Duration.seconds(5)

  func make() throws(CommandError) {
    let layout = FileLayout(try context.folders())
    if let owner = OwnerLock.currentOwner(layout), owner.isService { return }
    switch unitState {
    case nil:
      let program = try program()
      say(
        "systemd cannot run services for your user here. To refresh every two minutes, add this line with crontab -e:")
      Terminal.say(whole: "*/2 * * * * \(program) daemon --once >/dev/null")
    case "not-found", "masked":
      say("the service homeline.service is not installed here. To refresh once: homeline refresh")
    default:
      guard try isWanted() else {
        return say("to start the service now and at each login: systemctl \(Self.start.joined(separator: " "))")
      }
      try startService()
    }
  }

  /// Whether the service can be started by systemd, and will be offered or started.
  var isAvailable: Bool {
    guard asks || accepts, let state = unitState else { return false }
    return !["not-found", "masked"].contains(state)
  }

  private func isWanted() throws(CommandError) -> Bool {
    if accepts { return true }
    guard asks else { return false }
    do throws(SystemError) {
      let answer = try Terminal.ask("Start the service now and at each login? [Y/n] ")
      return answer.map { $0.isEmpty || $0.lowercased().hasPrefix("y") } ?? false
    } catch { throw CommandError(error) }
  }

  private func startService() throws(CommandError) {
    do throws(SystemError) {
      let status = try Child.runInForeground("systemctl", Self.start, environment: context.environment.variables)
      say(
        status == 0
          ? "the service is running" : "the service was not started. The reason is in: systemctl --user status homeline"
      )
    } catch { say("the service was not started: \(error)") }
  }

  /// Whether systemd knows the unit: its `LoadState`; nil if the user's systemd is not running.
  private var unitState: String? {
    let variables = context.environment.variables
    guard let path = ProgramSearch.find("systemctl", in: variables["PATH"] ?? "") else { return nil }
    let output = try? Child.output(
      of: path, ["--user", "show", "--property=LoadState", "--value", "homeline.service"], environment: variables,
      limit: 4096, timeout: Self.timeout, discardsError: true)
    return output.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
  }

  private func program() throws(CommandError) -> String {
    do throws(SystemError) { return try ProcessEnvironment.programPath() } catch {
      throw CommandError(.software, "\(error)")
    }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }
}
