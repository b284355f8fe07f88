package import ControlProtocol
internal import Platform
package import Settings

extension Command {
  /// `homeline keyring`.
  package struct Keyring: OwnerCommand {
    package enum Action: String, Sendable, Hashable, CaseIterable {
      case enable, disable, status
    }

    package static let name = "keyring"
    package static let isPrepared = true
    package static let documentation = CommandDocumentation(
      .service, "encrypt tokens with a key in the keyring",
      description: [
        """
        With `enable`, the command creates a key in the keyring of your session, sets `"protect": "keyring"` in the configuration, and
        encrypts all stored tokens. `disable` decrypts them, sets `"protect": "files"`, and deletes the key. `status`, which is the default, shows the state
        of the keyring, the key and the tokens, and changes nothing.
        """
      ],
      details: [
        """
        The keyring is the program that provides the Secret Service on the session bus: gnome-keyring, KWallet or KeePassXC. homeline
        never makes it prompt you, so unlock it before you run `enable` or `disable`. While it is locked, accounts with encrypted tokens
        are not refreshed; the service resumes on its own when you unlock it.
        """,
        """
        If `enable` or `disable` is interrupted, repeat the command: it completes the interrupted run. Nothing is lost in between, because
        homeline can read both encrypted and plain tokens. An encrypted token is worthless without its key: if you delete the key or the
        keyring, or restore the token on another machine, log in again.
        """,
      ],
      examples: [
        CommandExample("homeline keyring enable", "Encrypt all tokens from now on."),
        CommandExample("homeline keyring", "Show whether the keyring is unlocked and has the key."),
      ],
      exitCodes: [
        (.temporary, "the keyring is locked, or none is running"),
        (.configuration, "the keyring does not have the key, or the configuration cannot be changed"),
      ])

    private static let actionOperand = Operand<Action>(.choice, .optional)

    package static var operands: [OperandDescription] { [actionOperand.description] }
    package static let json: JSONOutput? = JSONOutput(schema: "keyring")

    package var action: Action

    init(_ action: Action) { self.action = action }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(try arguments.value(Self.actionOperand) ?? .status)
    }

    /// The protection that the command applies to tokens.
    package var protection: TokenProtection { action == .disable ? .files : .keyring }

    package var request: ProtectTokensRequest { ProtectTokensRequest(protection) }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      EventPrinter { event in
        guard let report = event as? ProtectedEvent else { return }
        let form = report.protection == .keyring ? "encrypted" : "in a plain file"
        let change = report.outcome == .changed ? "now" : "already"
        try? Terminal.answer("\(report.account): the token is \(change) \(form)\n")
      }
    }
  }
}
