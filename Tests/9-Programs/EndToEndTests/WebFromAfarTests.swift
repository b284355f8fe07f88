import Glibc
import Platform
import TestSupport
import Testing

/// The web page of a running service, read from another machine in the ways of docs/how-to/web.md.
@Suite("The web page from another machine", .timeLimit(.minutes(3))) struct WebFromAfarTests {
  private static let (nginx, sshd) = ("/usr/sbin/nginx", "/usr/sbin/sshd")

  private static func service(_ port: ReservedPort, _ web: String = "") async throws -> PostingFixture {
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20"#,
      more: #""web": {"port": \#(port.port)\#(web)}, "media": {"megabytes": 0}"#)
    try await fixture.run("refresh")
    return fixture
  }

  /// The outcome of a request by curl.
  private struct Answer {
    let status: Int?
    /// The head and the content.
    let text: String
  }

  /// Sends a request, with the cookies of earlier ones.
  private static func request(
    _ address: some StringProtocol, _ home: TestInstallation, _ options: String = ""
  ) async throws -> Answer {
    let jar = "\(home.path)/jar"
    let outcome = try await home.shell(
      "curl --silent --show-error --include --cookie '\(jar)' --cookie-jar '\(jar)' \(options) '\(address)'")
    let status = outcome.output.firstMatch(of: /HTTP\/1\.1 (\d+)/).flatMap { Int($0.1) }
    return Answer(status: status, text: outcome.output + outcome.error)
  }

  // MARK: A front server

  @Test(
    "Behind nginx with TLS, the printed address enters, pages and forms work, and no other host name does",
    .needs("openssl"), .enabled(if: access(nginx, X_OK) == 0, "nginx is not installed"))
  func frontServer() async throws {
    let (port, outside) = (try ReservedPort(), try ReservedPort())
    let origin = "https://box.example:\(outside.port)"
    let fixture = try await Self.service(port, #", "origins": ["\#(origin)"]"#)
    let home = fixture.home
    let server = try await Self.startNginx(home, at: outside.port, before: port.port)
    func request(_ address: some StringProtocol, _ more: String = "") async throws -> Answer {
      let trust = "--cacert '\(home.path)/nginx/certificate.pem' --resolve box.example:\(outside.port):127.0.0.1"
      return try await Self.request(address, home, "\(trust) \(more)")
    }
    let entries = try await fixture.run("web", "--print").split(separator: "\n")
    #expect(entries.count == 2)
    let entry = try #require(entries.last)
    try #require(entry.hasPrefix("\(origin)/enter?ticket="))
    #expect(try await request("\(origin)/").status == 403)
    let entered = try await request(entry)
    #expect(entered.status == 303, "\(entered.text) \(server.written(on: .error))")
    let cookie = try #require(entered.text.firstMatch(of: /Set-Cookie: __Host-homeline=[0-9a-f]{64}; (.*)\r\n/)).1
    #expect(cookie.split(separator: "; ").contains("Secure") && !cookie.contains("Domain"), "\(cookie)")
    let page = try await request("\(origin)/a/demo")
    #expect(page.status == 200 && page.text.contains("<article "), "\(page.text)")
    // A browser refuses links without TLS on a page with TLS, so there must not be any to the page on loopback.
    #expect(!page.text.contains("http://127.0.0.1:\(port.port)"))
    #expect(try await request("\(origin)/a/demo", "--header 'Host: evil.example'").status == 421)
    // The page on loopback is another origin, with its own cookie.
    #expect(try await Self.request("http://127.0.0.1:\(port.port)/", home).status == 403)
    let leave = "--data '' --header 'Origin: "
    #expect(try await request("\(origin)/leave", "\(leave)http://127.0.0.1:\(port.port)'").status == 403)
    let left = try await request("\(origin)/leave", "\(leave)\(origin)'")
    #expect(left.status == 200 && left.text.contains("This browser has left"), "\(left.text)")
    #expect(try await request("\(origin)/").status == 403)
    server.signal(SIGTERM)
    _ = await server.end()
    await fixture.end()
  }

  /// Starts nginx with a certificate that only this test trusts.
  private static func startNginx(
    _ home: TestInstallation, at port: UInt16, before inner: UInt16
  ) async throws -> ProgramRun {
    let folder = "\(home.path)/nginx"
    try Folder.create(folder)
    let made = try await home.shell(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=box.example -addext subjectAltName=DNS:box.example \
        -keyout '\(folder)/key.pem' -out '\(folder)/certificate.pem'
      """)
    try #require(made.code == 0, "\(made.error)")
    // Without a master process, nginx runs wholly as this user, also if that is root.
    try home.write(
      """
      daemon off; master_process off; pid nginx.pid; error_log stderr notice;
      events { worker_connections 64; }
      http {
        access_log off;
        client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
        server {
          listen 127.0.0.1:\(port) ssl; server_name box.example;
          ssl_certificate certificate.pem; ssl_certificate_key key.pem;
          location / { proxy_pass http://127.0.0.1:\(inner); proxy_set_header Host $http_host; }
        }
      }
      """, to: "\(folder)/nginx.conf")
    let server = try ProgramRun(
      nginx, ["-p", "\(folder)/", "-e", "stderr", "-c", "nginx.conf"], environment: home.environment())
    try await accepts(port, server)
    return server
  }

  // MARK: SSH

  @Test(
    "Through a tunnel of SSH with the same port, the printed address enters and the pages can be read",
    .needs("ssh"), .needs("ssh-keygen"), .enabled(if: access(sshd, X_OK) == 0, "sshd is not installed"))
  func tunnel() async throws {
    let (port, inner) = (try ReservedPort(), try ReservedPort())
    let fixture = try await Self.service(port)
    let home = fixture.home
    let server = try await Self.startSSH(home, at: inner.port)
    // This end of the tunnel has the same port on another loopback address, as if it were on another machine.
    let client = try ProgramRun(
      "ssh",
      [
        "-F", "none", "-N", "-i", "\(home.path)/ssh/user", "-p", "\(inner.port)", "-o", "BatchMode=yes", "-o",
        "IdentitiesOnly=yes", "-o", "UserKnownHostsFile=\(home.path)/ssh/known", "-o", "ExitOnForwardFailure=yes", "-L",
        "127.0.0.2:\(port.port):127.0.0.1:\(port.port)", "127.0.0.1",
      ], environment: home.environment())
    let page = "http://127.0.0.1:\(port.port)"
    let far = "--connect-to 127.0.0.1:\(port.port):127.0.0.2:\(port.port)"
    let isThere = try await eventually { try await Self.request(page, home, far).status == 403 || !client.isRunning }
    try #require(isThere && client.isRunning, "\(client.written(on: .error)) \(server.written(on: .error))")
    let entered = try await Self.request(try await fixture.run("web", "--print").dropLast(), home, far)
    #expect(entered.status == 303, "\(entered.text)")
    let timeline = try await Self.request("\(page)/a/demo", home, far)
    #expect(timeline.status == 200 && timeline.text.contains("<article "), "\(timeline.text)")
    // With another local port, the browser's `Host` is not the page's.
    #expect(try await Self.request("\(page)/a/demo", home, "\(far) --header 'Host: 127.0.0.1:1'").status == 421)
    for program in [client, server] {
      program.signal(SIGTERM)
      _ = await program.end()
    }
    await fixture.end()
  }

  /// Starts sshd with its own keys, for this user alone.
  private static func startSSH(_ home: TestInstallation, at port: UInt16) async throws -> ProgramRun {
    let folder = "\(home.path)/ssh"
    try Folder.create(folder)
    let made = try await home.shell(
      """
      set -e
      cd '\(folder)'
      for name in host user; do ssh-keygen -q -t ed25519 -N '' -f $name; done
      echo "[127.0.0.1]:\(port) $(cut -d' ' -f1,2 host.pub)" >known
      """)
    try #require(made.code == 0, "\(made.error)")
    try home.write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(folder)/host
      AuthorizedKeysFile \(folder)/user.pub
      PidFile none
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      KbdInteractiveAuthentication no

      """, to: "\(folder)/sshd_config")
    // Root's sshd needs a folder that only Debian's unit makes, so it gets one that the rest of the machine does not see.
    let start = "\(sshd) -D -e -f '\(folder)/sshd_config'"
    let whole =
      geteuid() == 0
      ? "exec unshare --mount sh -c \"mount -t tmpfs none /run && mkdir -m 755 /run/sshd && exec \(start)\""
      : "exec \(start)"
    let server = try ProgramRun("sh", ["-c", whole], environment: home.environment())
    try await accepts(port, server)
    return server
  }

  /// Waits until a server accepts connections.
  private static func accepts(_ port: UInt16, _ server: ProgramRun) async throws {
    let isUp = try await eventually { (try? TestClient(port: port)) != nil || !server.isRunning }
    try #require(isUp && server.isRunning, "\(server.written(on: .error))")
  }
}
