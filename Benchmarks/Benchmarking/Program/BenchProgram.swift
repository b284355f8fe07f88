internal import Glibc
internal import Platform

/// Runs the benchmark specified on the command line.
package enum BenchProgram {
  /// The program with the benchmarks that need libcurl or a socket.
  private static let network = "homeline-bench-network"

  package static func run(_ entries: [BenchEntry]) {
    var arguments = BenchArguments(CommandLine.arguments.dropFirst())
    do {
      let name = try arguments.next("ENTRY")
      guard let entry = entries.first(where: { $0.name == name }) else {
        throw BenchFailure.usage("there is no benchmark \(name)")
      }
      guard let run = entry.run else { throw becomeNetwork() }
      try run(&arguments)
    } catch let failure as BenchFailure {
      if case .usage = failure { end(2, "\(failure)\n\n\(usage(entries))") }
      end(1, "\(failure)")
    } catch {
      end(1, "\(error)")
    }
  }

  /// Replaces this program by the network program with the same arguments (`execv(3)`).
  /// - Returns: the error if the program cannot be executed.
  private static func becomeNetwork() -> SystemError {
    let path =
      File.realPath("/proc/self/exe").split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(network)"
    _ = unsafe execv(path, CommandLine.unsafeArgv)
    return SystemError(call: "execv", code: errno, subject: path)
  }

  private static func usage(_ entries: [BenchEntry]) -> String {
    "usage: homeline-bench ENTRY ...\n" + entries.map { "  \($0.name) \($0.words)\n" }.joined()
  }

  private static func end(_ code: Int32, _ words: String) -> Never {
    let bytes = Array("homeline-bench: \(words)\n".utf8)
    // Nothing can be done if writing to standard error fails.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(code)
  }
}
