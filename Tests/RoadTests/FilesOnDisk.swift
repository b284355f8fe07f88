import Glibc
import Platform
import TestSupport
import Testing

/// What lies in a home while nobody works with it, looked at as somebody else would who knows what has to be whole.
struct FilesOnDisk {
  let home: RoadHome

  private var cache: String { "\(home.path)/cache/homeline" }

  /// What is wrong with published files: each has to be whole, and the pictures that a page names have to be there.
  func spoiltPublications() async throws -> [String] {
    var spoilt: [String] = []
    for file in try home.files(below: cache) where !file.hasPrefix("\(cache)/_media/") && !file.contains(".new-") {
      if let trouble = try await trouble(with: file) { spoilt.append("\(file): \(trouble)") }
    }
    return spoilt
  }

  private func trouble(with file: String) async throws -> String? {
    let text = try home.read(file)
    guard text.hasSuffix("\n") else { return "it is cut off behind \(text.utf8.count) bytes" }
    if file.hasSuffix(".json") { return (try? JSONValue(Array(text.utf8))) == nil ? "no JSON" : nil }
    if file.hasSuffix(".jsonl") {
      let lines = text.split(separator: "\n").map { try? JSONValue(Array($0.utf8)) }
      return lines.contains { $0 == nil } ? "a line is no JSON" : nil
    }
    if file.hasSuffix(".atom") {
      guard text.hasSuffix("</feed>\n") else { return "it is cut off" }
      guard Self.hasXMLLint else { return nil }
      let lint = try await ProgramRun.run("xmllint", ["--noout", file], environment: home.environment())
      return lint.code == 0 ? nil : lint.error
    }
    if file.hasSuffix(".html") {
      guard text.hasSuffix("</html>\n") else { return "it is cut off" }
      let missing = pictures(in: text).filter { !isWhole("\(cache)/_media/\($0)") }
      return missing.isEmpty ? nil : "it names \(missing), which are not there"
    }
    return nil
  }

  /// The pictures that a page shows, by their paths in the pictures' folder.
  func pictures(in page: String) -> [Substring] {
    page.ranges(of: "../_media/").map { page[$0.upperBound...].prefix { $0 != "\"" } }
  }

  /// A PNG to its last chunk.
  private func isWhole(_ picture: String) -> Bool {
    (try? File.read(picture, limit: 16 << 20))?.suffix(8) == [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
  }

  private static let hasXMLLint = access("/usr/bin/xmllint", X_OK) == 0

  /// What `sqlite3` answers about a copy of a database: its log is not touched, so that homeline finds it as it was left.
  func askCopy(of database: String, _ sql: String) async throws -> String {
    let copy = TemporaryFolder()
    for suffix in ["", "-wal"] where File.exists(database + suffix) {
      try AtomicFile.write(
        File.read(database + suffix, limit: 64 << 20), to: "\(copy.path)/copy.db\(suffix)", .replaced)
    }
    let outcome = try await ProgramRun.run("sqlite3", ["\(copy.path)/copy.db", sql], environment: home.environment())
    return outcome.code == 0 ? String(outcome.output.dropLast()) : "sqlite3: \(outcome.error)"
  }

  /// Databases that are not whole, and what SQLite says of them.
  func damagedDatabases() async throws -> [String] {
    var damaged: [String] = []
    for file in try home.files(below: "\(home.path)/data") where file.hasSuffix("/timeline.db") {
      let answer = try await askCopy(of: file, "PRAGMA quick_check")
      if answer != "ok" { damaged.append("\(file): \(answer)") }
    }
    return damaged
  }

  /// What has been left half-written, and what was set aside although nothing was wrong with it.
  func leftovers() throws -> [String] {
    try ["state", "cache", "data"].flatMap { try home.files(below: "\(home.path)/\($0)") }.filter { file in
      [".new-", ".reserved-", ".next", ".corrupt-", ".used-"].contains { file.contains($0) }
    }
  }
}
