import CivilTime
import Platform
import Publish
import TestSupport
import Testing
import Timeline

/// The report of `Tests/Peers/page_looks.py` about a page in Chromium.
struct PageLooks {
  let report: JSONValue

  /// Writes the page to a folder and inspects it.
  /// - Parameters:
  ///   - spills: the `id`s of posts to check for painting over others.
  ///   - pictures: the folder for screenshots; none if `nil`.
  /// - Returns: nil if Chromium cannot run here.
  init?(at publication: Publication, in folder: TemporaryFolder, spills: [String] = [], pictures: String? = nil)
    async throws
  {
    let page = "\(folder.path)/home_timeline.html"
    try AtomicFile.write(publication.bytes(as: .html), to: page, .replaced)
    let outcome = try await Self.run(
      "page_looks.py",
      [page, "--now", publication.madeAt.rfc3339] + spills.flatMap { ["--spills", $0] }
        + (pictures.map { ["--pictures", $0] } ?? []))
    if outcome.code == 77 {
      print(outcome.output)
      return nil
    }
    try #require(outcome.code == 0, "\(outcome.error)")
    report = try JSONValue(Array(outcome.output.utf8))
  }

  /// Draws the demo page's pictures into a folder.
  static func draw(into folder: String) async throws {
    let outcome = try await run("page_pictures.py", [folder])
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  private static func run(_ program: String, _ arguments: [String]) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      #require(Peers.python), [Peers.path(of: program)] + arguments, environment: ProcessEnvironment.variables())
  }
}
