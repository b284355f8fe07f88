internal import Platform

/// What to tell a user about the state owner.
extension Owner {
  /// Why the process is silent, as far as this is known, and what to do.
  package var silence: String {
    let name = isService ? "the service (process \(processID))" : "\(self)"
    if isStopped { return "\(name) is stopped, so it does not respond. To continue it: kill -CONT \(processID)" }
    return "\(name) does not respond. End it: \(endCommand)"
  }

  /// How to end the process.
  package var endAdvice: String {
    isService ? "To end it: \(endCommand)" : "Try again when it has ended, or end it: \(endCommand)"
  }

  private var endCommand: String {
    let isUnit = isService && controlGroup.contains("/homeline.service")
    // A stopped process handles other signals only when it continues; systemd finally sends SIGKILL.
    return isUnit ? "systemctl --user stop homeline" : "kill \(processID)"
  }

  /// Whether the process is stopped by a signal or a debugger (`proc_pid_stat(5)`).
  private var isStopped: Bool {
    guard let bytes = try? File.read("/proc/\(processID)/stat", limit: 4096),
      let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < bytes.count
    else { return false }
    return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2])
  }

  /// The process's control group, which contains the name of its systemd unit (`cgroups(7)`); empty if it cannot be read.
  private var controlGroup: String {
    (try? File.read("/proc/\(processID)/cgroup", limit: 65_536)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
