import Glibc

/// The paths of the built programs, and their environment.
extension ProgramRun {
  /// Returns the path of a built product, such as `homeline`. SwiftPM creates products in the folder of the test program, which is the file
  /// that this process runs (`/proc/self/exe`). This is true for any scratch path, and for debug and release builds.
  ///
  /// `HOMELINE_PROGRAMS` replaces this folder, for example with that of a release build.
  package static func product(_ name: String) -> String {
    if let folder = getenv("HOMELINE_PROGRAMS") { return "\(String(cString: folder))/\(name)" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
    let program = String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    let path = program.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
    guard access(path, X_OK) == 0 else { fatalError("\(path) is not built: run swift build first") }
    return path
  }

  /// Returns the content of a file in the repository, given its relative path.
  package static func file(_ path: String) throws -> [UInt8] {
    guard let stream = fopen(Repository.path(path), "r") else {
      throw ProgramError(call: "fopen \(path)", code: errno)
    }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  /// Returns an environment without the user's settings, with all XDG folders below `home`.
  ///
  /// The environment inherits only variables for loading, profiling and sanitizers. It has no `BROWSER`, so no browser
  /// opens.
  package static func environment(home: String, _ more: [String: String] = [:]) -> [String: String] {
    var variables = [
      "HOME": home, "XDG_CONFIG_HOME": "\(home)/config", "XDG_CACHE_HOME": "\(home)/cache",
      "XDG_DATA_HOME": "\(home)/data", "XDG_STATE_HOME": "\(home)/state", "XDG_RUNTIME_DIR": "\(home)/run",
    ]
    for name in ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables.merging(more) { $1 }
  }
}
