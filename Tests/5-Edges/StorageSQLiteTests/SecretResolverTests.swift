import Bytes
import Folders
import Glibc
import KeyringTestSupport
import Platform
import Secrets
import Settings
import TestSupport
import Testing

@Suite struct SecretResolverTests {
  private let folder = TemporaryFolder()

  private func resolve(_ source: SecretSource, _ variables: [String: String] = [:]) throws -> Secret {
    let variables = ["HOME": folder.path, "PATH": "/usr/bin:/bin"].merging(variables) { $1 }
    let folders = try #require(BaseDirectories(environment: variables))
    return try SecretResolver(variables: variables, folders: folders).secret(from: source)
  }

  private func write(_ text: String, to name: String) throws {
    try AtomicFile.write(Array(text.utf8), to: "\(folder.path)/\(name)", .replaced)
  }

  @Test("a secret in the configuration is used unchanged")
  func literal() throws { #expect(try resolve(.literal(Secret("s"))) == Secret("s")) }

  @Test(
    "the first line of a secret file is the secret, without the line ending",
    arguments: ["s3cret", "s3cret\n", "s3cret\r\n", "s3cret\nmore\n"])
  func file(content: String) throws {
    try write(content, to: "secret")
    #expect(try resolve(.file(path: "\(folder.path)/secret")) == Secret("s3cret"))
    #expect(try resolve(.file(path: "~/secret")) == Secret("s3cret"))
  }

  @Test("a secret file that other users can read is refused with advice")
  func publicFile() throws {
    try write("s3cret", to: "secret")
    chmod("\(folder.path)/secret", 0o640)
    let error = #expect(throws: SecretError.self) { try resolve(.file(path: "~/secret")) }
    #expect(error?.description.contains("chmod 600") == true)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test("a missing secret file or an empty first line is refused")
  func useless() throws {
    #expect(throws: SecretError.self) { try resolve(.file(path: "~/none")) }
    try write("\nsecret\n", to: "empty")
    #expect(throws: SecretError.self) { try resolve(.file(path: "~/empty")) }
  }

  @Test("a systemd credential is available only to the service")
  func credential() throws {
    let error = #expect(throws: SecretError.self) { try resolve(.credential(name: "bird")) }
    #expect(error?.description.contains("start the service") == true)
    try write("s3cret\n", to: "bird")
    #expect(try resolve(.credential(name: "bird"), ["CREDENTIALS_DIRECTORY": folder.path]) == Secret("s3cret"))
  }

  @Test("the first line of a command's output is the secret, and its arguments are passed unchanged")
  func command() throws {
    #expect(try resolve(.command(["printf", "%s\\nmore", "a b; $HOME"])) == Secret("a b; $HOME"))
  }

  @Test(
    "a secret can be in the keyring; a missing item, a locked keyring and no keyring are different errors"
  )
  func keyring() async throws {
    let session = try await KeyringSession.open()
    let source = SecretSource.keyring(account: "bird")
    func failure() -> String? {
      let error = #expect(throws: SecretError.self) { try resolve(source, session.environment) }
      return error?.description
    }
    #expect(failure()?.contains("no keyring is running") == true)
    try await session.start(.unlocked)
    #expect(failure()?.contains("has no client secret for the account \"bird\"") == true)
    let stored = try await session.run(
      "secret-tool",
      [
        "store", "--label=homeline: bird", "xdg:schema", "io.homeline.Secret", "application", "homeline", "kind",
        "client-secret", "account", "bird",
      ], input: .text("s3cret\n"))
    #expect(stored.code == 0, "\(stored.error)")
    #expect(try resolve(source, session.environment) == Secret("s3cret"))
    try await session.lock()
    #expect(failure()?.contains("the keyring is locked") == true)
  }

  @Test("the error names a failing secret command, but does not contain its output")
  func failingCommand() {
    let error = #expect(throws: SecretError.self) { try resolve(.command(["sh", "-c", "echo s3cret; exit 3"])) }
    #expect(error?.description == "the command for the secret failed: sh: exited with status 3")
    #expect(throws: SecretError.self) { try resolve(.command(["no-such-program-anywhere"])) }
  }
}
