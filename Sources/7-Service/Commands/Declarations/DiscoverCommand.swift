extension Command {
  /// `homelined discover`: prints a description of a server as JSON. `homeline login SERVER` runs it, because `homeline` has no HTTP
  /// client.
  package struct Discover: CommandDeclaration {
    package static let name = "discover"
    package static let documentation = CommandDocumentation(nil, "detect a server's API", description: [])

    private static let serverOperand = Operand(ArgumentType.text("SERVER"))

    package static var operands: [OperandDescription] { [serverOperand.description] }
    package static var program: LibexecProgram? { .daemon }

    package var server: String

    package init(_ server: String) { self.server = server }

    package init(_ arguments: Arguments) throws(UsageError) { server = try arguments.required(Self.serverOperand) }
  }
}
