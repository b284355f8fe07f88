extension Command {
  /// `homeline help`.
  package struct Help: CommandDeclaration {
    package static let name = "help"
    package static let documentation = CommandDocumentation(
      .help, "explain a command",
      description: ["Lists all commands or explains one of them."],
      examples: [CommandExample("homeline help login", "Explain login.")])

    private static let commandOperand = Operand(.text("COMMAND", .command), .optional)

    package static var operands: [OperandDescription] { [commandOperand.description] }

    /// The command to explain; nil lists all commands.
    package var topic: String?

    package init(topic: String? = nil) { self.topic = topic }

    package init(_ arguments: Arguments) throws(UsageError) {
      topic = try arguments.value(Self.commandOperand)
      if let topic, !arguments.commandNames.contains(topic) {
        throw .unknownCommand(topic, among: arguments.commandNames)
      }
    }
  }

  /// `homeline version`.
  package struct Version: CommandDeclaration {
    package static let name = "version"
    package static let documentation = CommandDocumentation(
      .help, "print the version", description: ["Prints the version."])
    package static let json: JSONOutput? = JSONOutput(schema: "version")

    package init() {}
    package init(_ arguments: Arguments) throws(UsageError) {}
  }

  /// `homeline complete`, which the shell completion scripts run.
  package struct Complete: CommandDeclaration {
    package static let name = "complete"
    package static let documentation = CommandDocumentation(
      nil, "complete a command line",
      description: [
        """
        Prints the possible completions at the cursor, one per line, each followed by a tab and an explanation. The operands are the
        arguments of a command line after homeline, up to the cursor. The line `:files` means file names.
        """
      ])

    private static let argumentOperand = Operand(.text("ARGUMENT"), .zeroOrMore)

    package static var operands: [OperandDescription] { [argumentOperand.description] }

    /// The arguments up to the cursor.
    package var arguments: [String]

    package init(_ arguments: Arguments) throws(UsageError) {
      self.arguments = try arguments.values(Self.argumentOperand)
    }
  }
}
