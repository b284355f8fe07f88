package import Commands

/// The documentation files that are generated from declarations.
package struct GeneratedFiles: Sendable {
  private let registry: CommandRegistry
  /// The date on the manual pages, which changes only with their text.
  private static let date = "November 23, 2026"

  package init(_ registry: CommandRegistry) { self.registry = registry }

  /// The content of each file, by its path in the repository.
  package var contents: [String: String] {
    var contents = [Self.referenceFolder + "README.md": ReferencePage.index(of: registry)]
    for page in ManualPages(registry).all { contents[Self.manualFolder + page.fileName] = Self.text(of: page) }
    for command in registry.documented {
      contents["\(Self.referenceFolder)\(command.name).md"] = ReferencePage.text(of: command)
    }
    for shell in CompletionShell.allCases { contents["completions/\(shell.fileName)"] = shell.script }
    return contents
  }

  /// The folders that contain only generated files.
  package static let manualFolder = "docs/man/"
  package static let referenceFolder = "docs/reference/commands/"

  /// Formats a page in mdoc(7).
  static func text(of page: ManualPage) -> String { MdocWriter.text(of: page, date: date) }
}

/// The manual of homeline.
package struct ManualPages: Sendable {
  private let registry: CommandRegistry

  init(_ registry: CommandRegistry) { self.registry = registry }

  /// All pages.
  var all: [ManualPage] {
    [.overview(of: registry), .daemon, .configuration] + registry.documented.map { ManualPage(of: $0) }
  }
}
