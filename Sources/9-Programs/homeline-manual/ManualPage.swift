package import Commands
internal import Platform

/// A manual page, independent of its format.
package struct ManualPage: Sendable {
  /// The page's name, for example `homeline-login`.
  package var name: String
  package var section: Int
  /// One line without a full stop.
  package var summary: String
  package var synopsis: [Synopsis]
  /// The sections in the order that mdoc(7) requires.
  package var sections: [Section]
  /// References to other pages.
  package var references: [Reference]

  /// A form of a command line.
  package struct Synopsis: Sendable {
    package var command: String
    package var operands: [OperandDescription]
    package var options: [OptionDescription]

    package init(_ command: String, operands: [OperandDescription] = [], options: [OptionDescription] = []) {
      self.command = command
      self.operands = operands
      self.options = options
    }
  }

  package struct Section: Sendable {
    package var title: String
    package var parts: [Part]

    package init(_ title: String, _ parts: [Part]) {
      self.title = title
      self.parts = parts
    }
  }

  package enum Part: Sendable {
    case text(TextBlock)
    case heading(String)
    case options([OptionDescription])
    /// Commands with their summaries, each a reference to its page.
    case commands([(page: Reference, summary: String)])
    /// Exit codes with their meanings.
    case exitCodes([(code: Int32, meaning: String)])
    /// Definitions whose explanations can have several paragraphs.
    case definitions([(term: String, blocks: [TextBlock])])
  }

  package struct Reference: Sendable, Hashable {
    package let name: String
    package let section: Int

    package init(_ name: String, _ section: Int) {
      self.name = name
      self.section = section
    }
  }
}

extension ManualPage {
  /// Creates a command's page from its declaration.
  init(of command: any CommandDeclaration.Type) {
    let documentation = command.documentation
    name = "homeline-\(command.name)"
    section = 1
    summary = documentation.summary
    let options = command.allOptions.map(\.description)
    synopsis = [
      Synopsis("homeline \(command.name)", operands: command.operands, options: options)
    ]
    var description = documentation.description.map(Part.text)
    if !options.isEmpty {
      description += [.text("The options are as follows:"), .options(options)]
    }
    description.append(.text("The command also accepts the options of every command: see `homeline(1)`."))
    description += documentation.details.map(Part.text)
    if let json = command.json {
      let schema = "`\(json.schema).schema.json` in homeline's documentation"
      description.append(
        .text(
          .paragraph(
            "With `--json`, the output conforms to the JSON Schema \(schema). Human-readable messages stay on standard error."
          )))
    }
    sections = [Section("DESCRIPTION", description)]
    let codes = documentation.exitCodes.map { (code: $0.code.rawValue, meaning: $0.meaning) }
    sections.append(
      Section(
        "EXIT STATUS",
        codes.isEmpty
          ? [.text("The exit codes are listed in `homeline(1)`.")]
          : [.text("In addition to the exit codes listed in `homeline(1)`:"), .exitCodes(Self.merged(codes))]))
    if !documentation.examples.isEmpty {
      sections.append(
        Section(
          "EXAMPLES",
          documentation.examples.flatMap { [Part.text(.paragraph($0.explanation)), .text(.code($0.line))] }))
    }
    references = [Reference("homeline", 1), Reference("homeline-config", 5)]
  }

  /// Returns the codes, with all meanings of a code on one line.
  private static func merged(_ codes: [(code: Int32, meaning: String)]) -> [(code: Int32, meaning: String)] {
    var merged: [(code: Int32, meaning: String)] = []
    for (code, meaning) in codes {
      if let index = merged.firstIndex(where: { $0.code == code }) {
        merged[index].meaning += "; \(meaning)"
      } else {
        merged.append((code, meaning))
      }
    }
    return merged
  }
}
