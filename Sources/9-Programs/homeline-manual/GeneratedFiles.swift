package import Commands

/// The files that are generated from declarations.
package struct GeneratedFiles: Sendable {
  private let registry: CommandRegistry
  /// The date on the manual pages, which changes only with their text.
  private static let date = "November 23, 2026"

  package init(_ registry: CommandRegistry) { self.registry = registry }

  /// The manual pages and the completion scripts, by their paths below `share` in an installation.
  package var shared: [String: String] {
    var files: [String: String] = [:]
    for page in ManualPages(registry).all {
      files[Self.path(ofManual: page.name, section: page.section)] = Self.text(of: page)
    }
    for shell in CompletionShell.allCases { files[shell.installedPath] = shell.script }
    return files
  }

  /// The reference of all commands, `docs/reference/commands.md`.
  package var reference: String { ReferencePage.text(of: registry) }

  static func path(ofManual name: String, section: Int) -> String { "man/man\(section)/\(name).\(section)" }

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
