internal import CLinux
internal import Glibc

/// This process: its environment variables, process id and program file.
package enum ProcessEnvironment {
  /// Returns the variables at the time of the call. If a name occurs more than once, the first value is used, as with `getenv(3)`.
  package static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let pair = unsafe String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        let name = String(pair[..<equals])
        if variables[name] == nil { variables[name] = String(pair[pair.index(after: equals)...]) }
      }
      unsafe entry += 1
    }
    return variables
  }

  package static var processID: Int32 { getpid() }

  /// Ends this process by a signal, so that the shell reports the signal as the cause.
  package static func end(by number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    // Dispatch's threads block all signals, and raise(3) signals the calling thread.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _ = raise(number)
    _exit(128 + number)
  }

  /// Returns the arguments after the program's name. Swift's `CommandLine` reads them from `/proc`, and has none if `/proc` is not mounted.
  package static func arguments() -> [String] {
    (1..<max(1, clinux_argument_count())).compactMap { index in
      unsafe clinux_argument(index).map { unsafe String(cString: $0) }
    }
  }

  /// Returns the path of the running program's file (`readlink(2)` of `/proc/self/exe`); without `/proc`, the path that it was started
  /// with.
  package static func programPath() throws(SystemError) -> String {
    do throws(SystemError) { return try linkTarget("/proc/self/exe") } catch {
      guard let started = unsafe clinux_program_path() else { throw error }
      return File.realPath(unsafe String(cString: started))
    }
  }

  /// Returns whether the file of a running program was removed or replaced since it was started, e.g. by an upgrade; false if unknown.
  package static func isFileReplaced(of process: Int32) -> Bool {
    (try? linkTarget("/proc/\(process)/exe"))?.hasSuffix(" (deleted)") ?? false
  }

  /// Returns the target of a symbolic link.
  package static func linkTarget(_ path: String) throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try check("readlink", path) {
      unsafe bytes.withUnsafeMutableBytes { unsafe readlink(path, $0.baseAddress!, $0.count) }
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Replaces this process's program with another one (`execv(3)`). Returns only if this fails, with the reason.
  package static func become(_ path: String, arguments: [String]) -> SystemError {
    unsafe withCStrings([path] + arguments) { unsafe _ = execv(path, $0) }
    return SystemError(call: "execv", code: errno, subject: path)
  }
}

/// Passes an array of strings in the form that C requires for `execv(3)` and `posix_spawn(3)`: terminated by a null pointer.
func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
}

/// Finds programs as a shell does (`execvp(3)`), in a `PATH` that need not be this process's own.
package enum ProgramSearch {
  /// Returns the path of a program; nil if there is no executable with that name.
  package static func find(_ name: String, in path: String) -> String? {
    if name.contains("/") { return File.isExecutable(name) ? name : nil }
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { File.isExecutable($0) }
  }
}
