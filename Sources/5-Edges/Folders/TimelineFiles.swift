internal import Platform
package import Timeline

/// The paths of the published files of one timeline, or of a view.
package struct TimelineFiles: Sendable, Hashable {
  /// The folder of the account's or the view's files.
  package let folder: String
  /// What the names of the files begin with.
  let stem: String
  /// The file that is always published.
  package let timeline: String

  package init(in folder: String, stem: String = TimelineName.homeStem) {
    self.folder = folder
    self.stem = stem
    timeline = "\(folder)/\(stem).json"
  }

  package func published(as format: PublishedFormat) -> String { "\(folder)/\(format.fileName(stem: stem))" }

  /// All files that a timeline may have.
  package var all: [String] { [timeline] + PublishedFormat.allCases.map { published(as: $0) } }

  /// Returns whether a file with this name, which may be incomplete, belongs to another timeline than home.
  static func isOfOtherTimeline(_ name: String) -> Bool {
    let complete = AtomicFile.target(of: name) ?? name
    guard
      complete.hasSuffix(".json") || PublishedFormat.allCases.contains(where: { complete.hasSuffix(".\($0.rawValue)") })
    else { return false }
    return TimelineName.Kind.allCases.contains { kind in
      // The names that `TimelineName.stem` creates.
      kind != .home && complete.hasPrefix(kind.rawValue + (kind.argument == nil ? "." : "-"))
    }
  }
}
