internal import Commands
internal import ControlProtocol
internal import Folders
internal import LocalCommands
internal import Platform
internal import Settings

/// Asks the state owner, if there is one, to bring the published files up to date. Without an owner, they are up to date: each process
/// publishes everything before it exits.
struct PublicationRequest {
  let context: CommandContext

  /// The time limit for the owner's reply. The command then shows the published files.
  private static let patience = Duration.seconds(5)

  /// - Parameter account: The account or timeline; nil means all enabled accounts, and the views.
  func send(for account: TimelineOperand?) {
    guard let layout = try? context.layout(), let path = OwnerSearch.owner(of: layout)?.controlSocket else { return }
    let request = PublishRequest(accounts: account.map { [$0.description] } ?? [])
    do throws(ControlClientError) {
      try ControlClient(path: path).send(request, timeout: Self.patience)
    } catch {
      // The page is rendered from `home_timeline.json` if the published one is older.
      if context.invocation.isVerbose {
        Terminal.say("homeline: the published files could not be brought up to date: \(error)")
      }
    }
  }
}
