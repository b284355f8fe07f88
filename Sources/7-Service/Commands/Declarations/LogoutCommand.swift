package import ControlProtocol
internal import Platform
package import Settings

extension Command {
  /// `homeline logout`.
  package struct Logout: OwnerCommand {
    package static let name = "logout"
    package static let documentation = CommandDocumentation(
      .accounts, "revoke and delete an account's token",
      description: [
        """
        Revokes the token with the provider if possible, deletes it from this machine in any case, and prints the outcome. The stored posts
        are kept, and the published file reports that the account is not authorised.
        """
      ],
      examples: [CommandExample("homeline logout bird", "Revoke and delete the token of the account bird.")])

    private static let accountOperand = Operand(.account)

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static let json: JSONOutput? = JSONOutput(schema: "logout")

    var account: AccountName

    package init(_ account: AccountName) { self.account = account }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(try arguments.required(Self.accountOperand))
    }

    package var request: LogoutRequest { LogoutRequest(account: account.text) }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      EventPrinter { event in
        guard let report = event as? LoggedOutEvent else { return }
        try? Terminal.answer("\(report.account): \(report.message)\n")
      }
    }
  }
}
