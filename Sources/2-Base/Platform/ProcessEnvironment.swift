internal import CLinux
internal import Glibc

/// This process: its environment variables, process id and program file.
package enum ProcessEnvironment {
  /// Returns the variables at the time of the call. If a name occurs more than once, the first value is used, as with `getenv(3)`.
  /// Variables that are not UTF-8 are left out; see ``checkVariables()``.
  package static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    eachVariable { name, value in
      if let value = String(validating: value, as: UTF8.self), variables[name] == nil { variables[name] = value }
    }
    return variables
  }

  /// Returns a variable's value as ``variables()`` does; nil if it is missing. Finding it in the list takes a fraction of the time of creating a
  /// dictionary.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).flatMap { unsafe String(validating: bytes(of: $0), as: UTF8.self) }
  }

  /// Checks that the variables that determine folders, programs and servers are UTF-8.
  package static func checkVariables() throws(UndecodableText) {
    var problem: UndecodableText?
    // Most variables are ASCII, and are not copied.
    eachVariable(skipsASCII: true) { name, value in
      guard problem == nil, String(validating: value, as: UTF8.self) == nil, isEssential(name) else { return }
      problem = UndecodableText(subject: "the environment variable \(name)", bytes: value)
    }
    if let problem { throw problem }
  }

  /// Whether homeline cannot run without a variable's value. It ignores other variables, such as a prompt in another encoding.
  private static func isEssential(_ name: String) -> Bool {
    ["HOME", "PATH", "TMPDIR", "BROWSER", "VISUAL", "EDITOR", "PAGER", "CREDENTIALS_DIRECTORY"].contains(name)
      || ["XDG_", "HOMELINE_", "SSL_", "CURL_", "DBUS_"].contains { name.hasPrefix($0) }
      || name.lowercased().hasSuffix("_proxy")
  }

  private static func eachVariable(skipsASCII: Bool = false, _ body: (String, [UInt8]) -> Void) {
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      unsafe entry += 1
      let pair = unsafe bytes(of: text)
      if skipsASCII, unsafe pair.allSatisfy({ $0 < 0x80 }) { continue }
      guard let equals = unsafe pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
      unsafe body(String(decoding: pair[..<equals], as: UTF8.self), Array(pair[(equals + 1)...]))
    }
  }

  /// The bytes of a C string, where they are.
  private static func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
  }

  package static var processID: Int32 { getpid() }

  /// Returns whether a process of any user exists (`kill(2)` with signal 0).
  package static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

  /// The mode bits that new files of this process do not get (`umask(2)`); 0o077 without /proc. The system call itself would change the
  /// bits for the other threads for a moment.
  package static var fileModeMask: UInt32 {
    let status = (try? File.read("/proc/self/status", limit: 65_536)) ?? []
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line?.split(separator: "\t").last.flatMap { UInt32($0, radix: 8) } ?? 0o077
  }

  /// Returns the arguments after the program's name. Swift's `CommandLine` reads them from `/proc`, and has none if `/proc` is not mounted.
  /// - Throws: an error for the first argument that is not UTF-8. With replacement characters, it would be another text, or name another file.
  package static func arguments() throws(UndecodableText) -> [String] {
    var arguments: [String] = []
    for index in 1..<max(1, clinux_argument_count()) {
      guard let bytes = unsafe clinux_argument(index).map({ unsafe bytes(of: $0) }) else { continue }
      guard let argument = unsafe String(validating: bytes, as: UTF8.self) else {
        throw unsafe UndecodableText(subject: "argument \(index)", bytes: Array(bytes))
      }
      arguments.append(argument)
    }
    return arguments
  }

  /// Returns the path of the running program's file (`readlink(2)` of `/proc/self/exe`); without `/proc`, the path that it was started
  /// with.
  package static func programPath() throws(SystemError) -> String {
    do throws(SystemError) { return try linkTarget("/proc/self/exe") } catch {
      guard let started = unsafe clinux_program_path() else { throw error }
      return File.realPath(unsafe String(cString: started))
    }
  }

  /// Returns whether a running program's file was removed or replaced after its start, for example by an upgrade; false if unknown.
  package static func isFileReplaced(of process: Int32) -> Bool {
    (try? linkTarget("/proc/\(process)/exe"))?.hasSuffix(" (deleted)") ?? false
  }

  /// Returns the target of a symbolic link, as ``VisibleBytes`` shows it.
  package static func linkTarget(_ path: String) throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try check("readlink", path) {
      unsafe bytes.withUnsafeMutableBytes { unsafe readlink(path, $0.baseAddress!, $0.count) }
    }
    return VisibleBytes.text(bytes[..<count])
  }

  /// Replaces this process's program with another program (`execv(3)`). Returns only if this fails, with the reason.
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
