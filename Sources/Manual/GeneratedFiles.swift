package import Commands

/// The documentation files that are made from declarations, and kept in the repository.
package struct GeneratedFiles: Sendable {
  private let registry: CommandRegistry
  /// Of the pages' texts; the pages have no other.
  private static let date = "November 23, 2026"

  package init(_ registry: CommandRegistry) { self.registry = registry }

  /// The contents of each file, by its path in the repository.
  package var contents: [String: String] {
    var contents = [Self.referenceFolder + "README.md": ReferencePage.index(of: registry)]
    for page in ManualPages(registry).all { contents[Self.manualFolder + page.fileName] = Self.text(of: page) }
    for command in registry.documented {
      contents["\(Self.referenceFolder)\(command.name).md"] = ReferencePage.text(of: command)
    }
    return contents
  }

  /// The folders that hold generated files only.
  package static let manualFolder = "docs/man/"
  package static let referenceFolder = "docs/reference/commands/"

  /// A page in mdoc(7).
  package static func text(of page: ManualPage) -> String { MdocWriter.text(of: page, date: date) }
}
