import Platform
import TestSupport
import Testing

/// HTTP responses as bytes.
enum RawHTTP {
  /// Returns a response head, including the empty line after it.
  static func head(_ status: String = "200 OK", _ fields: [String] = []) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status)", "Connection: close", "Content-Type: application/json; charset=utf-8"] + fields
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Returns a complete response.
  static func response(_ body: [UInt8], _ status: String = "200 OK", _ fields: [String] = []) -> [UInt8] {
    head(status, ["Content-Length: \(body.count)"] + fields) + body
  }

  static func response(_ body: String, _ status: String = "200 OK", _ fields: [String] = []) -> [UInt8] {
    response(Array(body.utf8), status, fields)
  }

  /// Returns the script's output, compressed by gzip(1).
  /// - Parameter script: a shell script that writes the bytes to standard output.
  static func gzip(_ script: String) async throws -> [UInt8] {
    let folder = TemporaryFolder()
    let file = "\(folder.path)/packed"
    let outcome = try await ProgramRun.run(
      "bash", ["-c", "set -o pipefail; (\(script)) | gzip -c > '\(file)'"],
      environment: ProgramRun.environment(home: folder.path))
    try #require(outcome.code == 0, "\(outcome.error)")
    return try File.read(file, limit: 1 << 24)
  }
}
