import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct ServiceManagerTests {
  @Test(
    "each message to the service manager is one datagram, sent to a path or an abstract name", arguments: [true, false])
  func messages(isAbstract: Bool) throws {
    let folder = TemporaryFolder()
    let receiver = NotifyReceiver(at: isAbstract ? "@homeline-test-\(getpid())" : "\(folder.path)/notify")
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": receiver.name])
    #expect(manager.ready(status: "2 accounts"))
    #expect(receiver.next() == "READY=1\nSTATUS=2 accounts\n")
    manager.ready()
    #expect(receiver.next() == "READY=1\n")
    manager.status("refreshing")
    #expect(receiver.next() == "STATUS=refreshing\n")
    manager.stopping(status: "closing")
    #expect(receiver.next() == "STOPPING=1\nSTATUS=closing\n")
    manager.watchdog()
    #expect(receiver.next() == "WATCHDOG=1\n")
    #expect(receiver.next() == nil)
  }

  @Test("the reloading message contains the monotonic time in microseconds")
  func reloading() throws {
    let folder = TemporaryFolder()
    let receiver = NotifyReceiver(at: "\(folder.path)/notify")
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": receiver.name])
    func now() -> Int64 {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
    let before = now()
    manager.reloading()
    let after = now()
    let lines = try #require(receiver.next()).split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == "RELOADING=1")
    let time = try #require(lines[1].hasPrefix("MONOTONIC_USEC=") ? Int64(lines[1].dropFirst(15)) : nil)
    #expect((before...after).contains(time))
  }

  @Test("a status message is one line of limited length that cannot contain an assignment")
  func statusText() throws {
    let folder = TemporaryFolder()
    let receiver = NotifyReceiver(at: "\(folder.path)/notify")
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": receiver.name])
    manager.status("a\nMAINPID=1\r\nb\u{0}c\u{1b}[1m\u{2028}ü")
    #expect(receiver.next() == "STATUS=a MAINPID=1  b c [1m ü\n")
    manager.ready(status: String(repeating: "ü", count: 3000))
    let long = try #require(receiver.next())
    #expect(long.utf8.count < 1100 && long.hasSuffix("ü…\n"))
  }

  @Test("a missing or unreachable service manager is not an error")
  func absence() {
    for name in [nil, "", "@", "/", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 107)] {
      let manager = ServiceManager(environment: name.map { ["NOTIFY_SOCKET": $0, "WATCHDOG_USEC": "1000000"] } ?? [:])
      #expect(!manager.ready(status: "x"), "\(name ?? "none")")
    }
    #expect(ServiceManager(environment: ["WATCHDOG_USEC": "1000000"]).watchdogInterval == nil)
    let gone = ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"])
    #expect(!gone.watchdog())
  }

  @Test("sending a message does not wait for a service manager that does not read")
  func fullQueue() {
    let folder = TemporaryFolder()
    let receiver = NotifyReceiver(at: "\(folder.path)/notify")
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": receiver.name])
    var sent = 0
    while sent < 100_000, manager.watchdog() { sent += 1 }
    // The limit is net.unix.max_dgram_qlen, which may have any value on this machine.
    #expect(sent > 0 && sent < 100_000)
    #expect(receiver.next() == "WATCHDOG=1\n")
    #expect(manager.watchdog(), "the socket accepts messages again")
  }

  @Test("a watchdog message is due after half the watchdog's time if the watchdog is meant for this process")
  func watchdogInterval() {
    func interval(_ variables: [String: String]) -> Duration? {
      ServiceManager(environment: ["NOTIFY_SOCKET": "/x"].merging(variables) { $1 }, processID: 41).watchdogInterval
    }
    #expect(interval(["WATCHDOG_USEC": "3000000"]) == .milliseconds(1500))
    #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "41"]) == .milliseconds(1500))
    for process in ["42", "", "41 ", "-41", "+41"] {
      #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": process]) == nil, "\(process)")
    }
    for limit in ["", "0", "-5", "1s", "99999999999999999999"] {
      #expect(interval(["WATCHDOG_USEC": limit]) == nil, "\(limit)")
    }
    #expect(interval([:]) == nil)
    #expect(ServiceManager(environment: ["WATCHDOG_USEC": "3000000"], processID: 41).watchdogInterval == nil)
  }
}
