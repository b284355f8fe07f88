import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Logins where the browser exits with an error.
@Suite("Failing browsers") struct BrowserFailureTests {
  @Test("If the browser fails to start, the login prints the other ways to log in and keeps waiting")
  func login() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home, [], ["BROWSER": "false"])
    #expect(await login.program.line(containing: "false exited with status 1", on: .error) != nil)
    #expect(await login.program.line(containing: "ssh -L", on: .error) != nil)
    #expect(!login.program.written(on: .error).contains("has been asked"))
    #expect(try await login.authorise().text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
  }

  @Test("Without a browser, the first line of a login reports what will happen")
  func withoutBrowser() async throws {
    let login = try await PendingLogin(TestInstallation(), [], ["BROWSER": ""])
    #expect(
      login.program.written(on: .error).hasPrefix(
        "homeline: there is no browser here, so open the URL on any machine"))
    await login.giveUp()
  }

  @Test("Without a mail program, the first line of a report states that it is only printed")
  func withoutMailProgram() async throws {
    let home = try TestInstallation()
    var variables = try DoctorCommandTests.programs(home)
    variables["PATH"] = "\(home.path)/bin"
    let outcome = try await home.run("report", variables: variables)
    #expect(outcome.error.hasPrefix("homeline: there is no mail program here, so the report is only printed\n"))
  }

  @Test("`homeline open` exits with 69 and prints the page's path if the browser fails")
  func page() async throws {
    let fixture = try await PostingFixture(
      withService: false, #""keep_posts": 20, "publish": ["html"]"#, more: #""media": {"megabytes": 0}"#)
    let outcome = try await fixture.home.run("open", variables: ["BROWSER": "false"])
    #expect(outcome.code == 69)
    #expect(
      outcome.error.contains(
        "false exited with status 1. The page is at \(fixture.home.cacheFolder)/home_timeline.html"))
    await fixture.end()
  }

  @Test("If the browser fails to start, the demo presses Authorise itself")
  func demo() async throws {
    let home = try TestInstallation()
    let outcome = try await home.run("demo", "--once", "--sandbox-port", "0", variables: ["BROWSER": "false"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.output.contains("false exited with status 1, so homeline opens the page and presses Authorise itself"),
      "\(outcome.output)")
  }

  @Test("Pasted text that does not look like a verifier is sent only if the user pastes it again")
  func pastedWord() async throws {
    let fixture = try TwitterFixture()
    let login = try await PendingLogin(fixture.home, ["--no-browser"], input: .open)
    login.program.type("help\n")
    #expect(await login.program.line(containing: "does not look like a verifier", on: .error) != nil)
    login.program.type("quit\n")
    login.program.type("still here\n")
    #expect(await login.program.line(containing: "That is neither the redirect address", on: .error) != nil)
    #expect(fixture.count(of: .accessToken) == 0)
    login.program.type("quit\nquit\n")
    let outcome = await login.program.end()
    #expect(outcome.code == 77, "\(outcome.error)")
    #expect(fixture.count(of: .accessToken) == 1)
  }
}
