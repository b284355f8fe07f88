import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Input during a login, and the ways to open the login address in a browser.
@Suite struct LoginInputTests {
  private let screenName = SandboxUser.screenName

  // MARK: Pasting

  @Test(
    "Only a pasted redirect address completes the login; other lines do not")
  func pastedAddress() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home, input: .open)
    let callback = try login.grant()
    login.program.type("what is this\n")
    #expect(await login.program.line(containing: "still waiting", on: .error) != nil)
    login.program.type("http://127.0.0.1/callback?oauth_token=other&oauth_verifier=v\n")
    #expect(await login.program.line(containing: "another login", on: .error) != nil)
    // The listener still responds.
    #expect(try login.browser.get(LocalURL(callback, target: "/favicon.ico")).status == 404)
    login.program.type("  \"\(callback)\"\n")
    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("Authorised as @\(screenName)"))
    #expect(!outcome.error.contains(try #require(callback.query["oauth_verifier"])))
  }

  @Test("A pasted verifier completes the login, even if the input ends after it")
  func pastedVerifier() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home, input: .open)
    login.program.type(try #require(login.grant().query["oauth_verifier"]) + "\n")
    login.program.endInput()
    #expect(await login.program.end().code == 0)
    #expect(File.exists(home.token))
  }

  @Test("A login keeps waiting for the browser after its input has ended")
  func endOfInput() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home, input: .open)
    login.program.type("not an address\n")
    login.program.endInput()
    #expect(await login.program.line(containing: "still waiting", on: .error) != nil)
    #expect(try await login.authorise().text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
  }

  @Test("`homeline login --pin` accepts a PIN and opens no port")
  func pin() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home, ["--pin"], input: .open)
    let page = try login.press("allow")
    let pin = try #require(page.text.split(separator: "<code id=\"pin\">").last?.split(separator: "<").first)
    #expect(!page.text.contains("You return to"))
    #expect(login.program.written(on: .error).contains("type the PIN"))
    login.program.type("\(pin)\n")
    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("Authorised as @\(screenName)"))
  }

  @Test("A wrong PIN is sent only once, and the login prints the provider's message and exits with 77")
  func wrongPIN() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home, ["--pin"], input: .open)
    _ = try login.press("allow")
    login.program.type("0000000\n")
    let outcome = await login.program.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("Invalid oauth_verifier parameter"))
    #expect(try home.names(in: home.stateFolder).isEmpty)
  }

  @Test("`homeline login --pin` without input exits with 77")
  func noPIN() async throws {
    let outcome = try await TestInstallation().run("login", "--pin")
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("no PIN was entered"))
  }

  // MARK: Browser

  @Test("`homeline login --no-browser` prints an ssh command that forwards the listener's port")
  func sshLine() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home, ["--no-browser"], ["BROWSER": "/bin/false"])
    let port = try login.grant().port
    let line = await login.program.line(containing: "ssh -L", on: .error)
    #expect(line?.hasPrefix("  ssh -L \(port):127.0.0.1:\(port) ") == true, "\(line ?? "none")")
    await login.giveUp()
  }

  @Test("The program in $BROWSER gets the address only once the listener is open")
  func browser() async throws {
    let home = try TestInstallation()
    let script = "\(home.path)/browser"
    // The provider's page contains the callback address, which accepts connections only if the listener is open.
    try home.write(
      """
      #!/bin/bash
      printf '%s\\n' "$1" > "$0.address"
      authority=${1#http://127.0.0.1:}
      target=/${authority#*/} port=${authority%%/*}
      exec 3<>"/dev/tcp/127.0.0.1/$port"
      printf '%s\\r\\n' "GET $target HTTP/1.1" "Host: 127.0.0.1:$port" 'Connection: close' '' >&3
      port=$(sed -n 's|.*<code>http://127.0.0.1:\\([0-9]*\\)/callback</code>.*|\\1|p' <&3)
      if exec 4<>"/dev/tcp/127.0.0.1/$port"; then echo listening; else echo deaf; fi > "$0.new"
      mv "$0.new" "$0.seen"
      """, to: script)
    chmod(script, 0o700)
    let login = try await PendingLogin(home, [], ["BROWSER": "/no/such/browser:\(script)"])
    #expect(await login.program.line(containing: "Opening it with \(script)", on: .error) != nil)
    #expect(try await eventually { File.exists("\(script).seen") })
    #expect(try home.read("\(script).seen") == "listening\n")
    #expect(try home.read("\(script).address") == "\(login.address)\n")
    #expect(try await login.authorise().text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
  }

  @Test("A login continues even if its output is closed")
  func brokenPipe() async throws {
    let home = try TestInstallation()
    let outcome = try await home.shell(
      #"set -o pipefail; "$0" login --timeout 1 </dev/null | head -n 1; exit ${PIPESTATUS[0]}"#)
    #expect(outcome.code == 77)
    #expect(outcome.output.contains("oauth_token="))
    #expect(outcome.error.contains("nobody authorised"))
  }
}
