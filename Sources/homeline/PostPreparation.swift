internal import Commands
internal import Platform

extension Command.Post: PreparedCommand {
  /// Reads the text from standard input. It remains there for a `homelined` that becomes the owner of the state; as an argument, other
  /// users could see it (`/proc/PID/cmdline`).
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let command = try completed()
    if text == nil, let text = command.text {
      do throws(SystemError) { try StandardInput.replace(with: text) } catch {
        throw CommandError(.inputOutput, "\(error)")
      }
    }
    return .ask(command, arguments: context.arguments, cleanUp: {})
  }
}
