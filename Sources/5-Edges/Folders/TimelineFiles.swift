package import Timeline

/// The paths of the published files of one timeline, or of a view.
package struct TimelineFiles: Sendable, Hashable {
  /// The folder of the account's or the view's files.
  package let folder: String
  /// What the names of the files begin with.
  private let stem: String

  package init(in folder: String, stem: String = TimelineName.homeStem) {
    self.folder = folder
    self.stem = stem
  }

  /// The file that is always published.
  package var timeline: String { "\(folder)/\(stem).json" }
  package func published(as format: PublishedFormat) -> String { "\(folder)/\(format.fileName(stem: stem))" }
  /// All files that a timeline may have.
  package var all: [String] { [timeline] + PublishedFormat.allCases.map { published(as: $0) } }
}
