import Glibc
import Platform
import TestSupport
import Testing

@testable import ControlProtocol

@Suite("Another user's control socket") struct ForeignOwnerTests {
  @Test("Another user's control socket receives no request and no data", .enabled(if: geteuid() == 0, "needs root"))
  func stranger() async throws {
    let folder = TemporaryFolder(in: "/tmp")
    chmod(folder.path, 0o777)
    let path = "\(folder.path)/control.socket"
    // This script prints the bytes that it receives, and responds as the state's owner would.
    let listen = """
      use IO::Socket::UNIX; $| = 1; $SIG{PIPE} = "IGNORE"; my $l = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die "$!";
      chmod 0777, $ARGV[0]; print "listens\\n"; while (my $c = $l->accept) {
        my $n = sysread($c, my $b, 9); print(($n ? "heard $b" : "heard nothing"), "\\n");
        print $c "HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 2\\r\\n\\r\\n{}"; }
      """
    func start(as user: String) async throws -> ProgramRun {
      let run = try ProgramRun(
        "setpriv", ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "perl", "-e", listen, path],
        environment: ProgramRun.environment(home: "/nonexistent"))
      try #require(await run.line(containing: "listens") != nil, "\(run.written(on: .error))")
      return run
    }
    let stranger = try await start(as: "65534")
    #expect(!ControlClient.isListening(at: path))
    let error = #expect(throws: ControlClientError.self) {
      try ControlClient(path: path).status(timeout: .seconds(5))
    }
    guard case .unreachable(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("process \(stranger.process) of the user 65534 is listening on it, so nothing was sent"))
    #expect(await stranger.line(containing: "heard") == "heard nothing")
    stranger.signal(SIGKILL)
    _ = await stranger.end()
    #expect(!stranger.written(on: .output).contains("heard GET"))
    // If the same user runs the program, the client connects.
    unlink(path)
    let own = try await start(as: "0")
    #expect(ControlClient.isListening(at: path))
    own.signal(SIGKILL)
    _ = await own.end()
  }
}
