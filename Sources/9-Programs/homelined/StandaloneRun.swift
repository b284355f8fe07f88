internal import Commands
internal import ControlProtocol
internal import Dispatch
internal import LocalCommands
internal import Platform
internal import Service

/// A command in the state owner itself, and sends its request to its own control socket. The process exits when this command
/// and other processes' commands are done.
// Sendable because all mutable state is accessed only on the main queue.
final class StandaloneRun: @unchecked Sendable {
  private let context: DaemonContext
  private let client: ControlClient
  private let owner: OwnerClient
  private let command: any OwnerCommand
  private var signals: [DispatchSource] = []
  /// The exit code of the command.
  private var code: ExitCode?
  private var notice: Alarm?
  private var line = ProgressLine()
  private var redrawing: Alarm?
  /// The signal that ended the command.
  private var signal: Int32?

  init(_ context: DaemonContext, _ command: any OwnerCommand, _ environment: CommandEnvironment, isJSON: Bool) {
    self.context = context
    self.command = command
    client = ControlClient(path: context.controlSocket)
    owner = OwnerClient(client, environment: environment, isJSON: isJSON)
  }

  /// Starts the command.
  /// - Returns: This object, to keep as long as the process runs.
  func start() throws(CommandError) -> StandaloneRun {
    signals = TerminationSignals.taken { number in self.take(number) }
    do throws(SystemError) {
      try DetachedThread.start {
        let code = self.runCommand()
        DispatchQueue.main.async { self.ended(with: code) }
      }
    } catch { throw CommandError(.software, "\(error)") }
    return self
  }

  private func runCommand() -> ExitCode {
    do throws(OwnerUnavailableError) { return try owner.run(command) } catch {
      Terminal.say("homeline: \(error)")
      return .software
    }
  }

  private func ended(with code: ExitCode) {
    self.code = code
    guard command.waitsForPictures, code == .done else { return finishPurges() }
    // No other process would fetch the missing pictures before the next refresh.
    notice = try? Alarm(on: .main) {
      Terminal.say("homeline: fetching the page's pictures (Ctrl-C leaves them to the next refresh)")
    }
    notice?.set(.now + .milliseconds(500))
    if ProgressLine.isVisible {
      redrawing = try? Alarm(on: .main) { self.showPictures() }
      redrawing?.set(.now + .seconds(1))
    }
    context.accountManager.whenPicturesCame(within: .seconds(60), on: .main) {
      self.redrawing = nil
      self.line.clear()
      self.finishPurges()
    }
  }

  private func showPictures() {
    context.accountManager.pictureProgress { done, total in
      guard self.redrawing != nil else { return }
      self.line.show(ProgressLine.Job("pictures", .things(one: "picture", many: "pictures"), done: done, of: total))
      self.redrawing?.set(.now + .milliseconds(300))
    }
  }

  private func finishPurges() {
    notice = nil
    context.accountManager.afterInterruptedPurges { DispatchQueue.main.async { self.sendPosts() } }
  }

  /// Sends an earlier process's posts that no longer have to wait.
  private func sendPosts() {
    // After a signal, the next process sends them.
    guard signal == nil else { return waitForOthers() }
    notice = try? Alarm(on: .main) {
      Terminal.say("homeline: sending posts from the outbox (Ctrl-C leaves them there)")
    }
    notice?.set(.now + .seconds(2))
    context.accountManager.whenPostsRest(on: .main) { self.waitForOthers() }
  }

  /// Handles Ctrl-C and similar signals: the first one cancels this process's command, and the second one also cancels other processes'
  /// commands.
  private func take(_ number: Int32) {
    line.clear()
    if signal != nil || code != nil { return context.close { ProcessEnd.bySignal(number) } }
    signal = number
    client.hangUp()
  }

  private func waitForOthers() {
    // A request that arrives after the last job is refused before it starts; its client then contacts the next owner.
    context.controlServer.stopWhenIdle { DispatchQueue.main.async { self.end() } }
    // The last response is still being sent; only longer waits are reported.
    notice = try? Alarm(on: .main) {
      Terminal.say("homeline: waiting for requests in progress and other processes' commands (Ctrl-C ends them)")
    }
    notice?.set(.now + .milliseconds(500))
  }

  private func end() {
    notice = nil
    context.close { [signal, code] in
      if let signal { ProcessEnd.bySignal(signal) }
      (code ?? .software).endProcess()
    }
  }
}
