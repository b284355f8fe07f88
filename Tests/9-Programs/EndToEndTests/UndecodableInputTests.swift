import TestSupport
import Testing

/// Arguments and variables that are not UTF-8.
@Suite("Input that is not UTF-8", .timeLimit(.minutes(2))) struct UndecodableInputTests {
  @Test(
    "A command names an argument that is not UTF-8, and does nothing",
    arguments: [
      ("post ann $'\\xc5bend gr\\xfc\\xdf'", 3, #"\xC5bend gr\xFC\xDF"#), ("post ann ja $'\\xe5'", 4, #"\xE5"#),
      ("search $'gr\\xfcn'", 2, #"gr\xFCn"#), ("backup $'sich-\\xfc.tgz'", 2, #"sich-\xFC.tgz"#),
      ("drive get disk:in/memo.txt $'kopie-\\xf6.txt'", 4, #"kopie-\xF6.txt"#),
      ("post ann Hello --media $'b\\xfcro.png'", 5, #"b\xFCro.png"#),
      ("show $'\\xf0\\x9f\\x90'", 2, #"\xF0\x9F\x90"#), ("show $'é\\xed\\xa0\\x80'", 2, #"é\xED\xA0\x80"#),
    ])
  func arguments(command: String, number: Int, shown: String) async throws {
    let home = try TestInstallation()
    let outcome = try await home.shell("\"$0\" \(command)")
    #expect(outcome.code == 64)
    #expect(
      outcome.error
        == "homeline: argument \(number) is not UTF-8: \(shown). Your terminal or the file's name may use another encoding: see locale charmap\n"
    )
    #expect(outcome.output.isEmpty)
  }

  private func home() throws -> TestInstallation {
    let home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon", "server": "http://127.0.0.1:9" } } }
      """)
    return home
  }

  @Test("Text on standard input that is not UTF-8 is not published, and the reason shows its bytes")
  func standardInput() async throws {
    let home = try home()
    let outcome = try await home.shell("printf 'na\\357ve' | \"$0\" post ann -")
    #expect(outcome.code == 65 && outcome.output.isEmpty)
    #expect(
      outcome.error.hasPrefix(#"homeline: the text on standard input is not UTF-8: na\xEFve. "#), "\(outcome.error)")
  }

  @Test("A token on standard input that is not UTF-8 is not used, and not shown")
  func token() async throws {
    let home = try home()
    let outcome = try await home.shell("printf 'hidden\\377\\n' | \"$0\" login ann --with-token")
    #expect(outcome.code != 0 && outcome.error.contains("standard input is not UTF-8"), "\(outcome)")
    #expect(!outcome.error.contains("hidden") && !outcome.error.contains("127.0.0.1:9"), "\(outcome.error)")
  }

  @Test("A variable that names a folder, a program or a server must be UTF-8; others are ignored")
  func variables() async throws {
    let home = try TestInstallation()
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOMELINE_ACCOUNT", "https_proxy"] {
      let outcome = try await home.shell("export \(name)=$'/tmp/\\xf6'; \"$0\" status")
      #expect(outcome.code == 64, "\(outcome.error)")
      #expect(
        outcome.error.hasPrefix(#"homeline: the environment variable \#(name) is not UTF-8: /tmp/\xF6. "#),
        "\(outcome.error)")
    }
    let outcome = try await home.shell("export PS1=$'\\xf6'; \"$0\" --version")
    #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
  }
}
