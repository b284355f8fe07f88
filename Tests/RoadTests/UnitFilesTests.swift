import Platform
import Testing

@Suite("Installed files")
struct UnitFilesTests {
  @Test("systemd-analyze accepts the installed units, and uninstalling removes every file")
  func unitsAreVerified() throws {
    let script = Self.path(of: "Tests/Peers/verify_units.sh")
    let bytes = try Child.output(
      of: "bash", ["-c", "\"$0\" 2>&1; echo \"status $?\"", script], environment: ProcessEnvironment.variables(),
      limit: 65536, timeout: .seconds(60))
    let words = String(decoding: bytes, as: UTF8.self)
    if words.hasSuffix("status 77\n") {
      print(words)
    } else {
      #expect(words.hasSuffix("status 0\n"), "\(words)")
    }
  }

  /// The path of a file of the package, derived from this source file's path.
  private static func path(of file: String) -> String {
    let folders = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return (folders.dropLast(3) + [Substring(file)]).joined(separator: "/")
  }
}
