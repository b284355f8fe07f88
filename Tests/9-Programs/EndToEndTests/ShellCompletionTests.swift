import Commands
import Platform
import TestSupport
import Testing

/// The completion scripts, each in its shell.
@Suite struct ShellCompletionTests {
  private let home = TemporaryFolder()

  private static func has(_ program: String) -> Bool {
    ProgramSearch.find(program, in: ProcessEnvironment.variables()["PATH"] ?? "") != nil
  }

  private var environment: [String: String] {
    var environment = ProgramRun.environment(home: home.path, ["TERM": "dumb"])
    let programs = ProgramRun.product("homeline").split(separator: "/").dropLast().map { "/\($0)" }.joined()
    environment["PATH"] = "\(programs):\(environment["PATH"] ?? "")"
    return environment
  }

  private func configure() throws {
    let folder = "\(home.path)/config/homeline"
    try Folder.create(folder)
    let text = #"""
      {"sandbox": {"port": 0}, "views": {"friends": {}},
       "accounts": {"bird": {"provider": "sandbox"}, "cat": {"provider": "sandbox"}}}
      """#
    try AtomicFile.write(Array(text.utf8), to: "\(folder)/config.json", .replaced)
  }

  private func run(_ program: String, _ arguments: [String]) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(program, arguments, environment: environment)
  }

  /// Returns the path of a shell's script, as it is installed.
  private func script(_ shell: CompletionShell) async throws -> String {
    "\(try await SharedFiles.write(in: home.path))/\(shell.installedPath)"
  }

  @Test("Each shell can load its completion script", arguments: CompletionShell.allCases)
  func parsed(shell: CompletionShell) async throws {
    if !Self.has(shell.rawValue) { try skipTest("\(shell) is not installed") }
    let outcome = try await run(shell.rawValue, ["-n", script(shell)])
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
  }

  @Test("`homeline completions` prints the installed script of each shell", arguments: CompletionShell.allCases)
  func printed(shell: CompletionShell) async throws {
    let outcome = try await run(ProgramRun.product("homeline"), ["completions", shell.rawValue])
    #expect(try await outcome.output == run("cat", [script(shell)]).output && outcome.code == 0)
    #expect(try await run(ProgramRun.product("homeline"), ["completions", "csh"]).code == 64)
  }

  @Test(
    "bash completes commands, options, accounts, views, formats and files",
    arguments: [
      ("homeline vers", ["version"]), ("homeline logout ", ["bird", "cat"]),
      ("homeline show --view f", ["friends"]), ("homeline show --format = j", ["json", "jsonl"]),
      ("homeline show --unr", ["--unread"]), ("homeline --config = a : b show --account a", ["all"]),
      ("homeline import file", ["file.jsonl"]),
    ])
  func bash(line: String, expected: [String]) async throws {
    try configure()
    try AtomicFile.write([], to: "\(home.path)/file.jsonl", .replaced)
    // readline splits a line at spaces, `=` and `:`.
    let code = #"""
      cd "$HOME"; . "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _homeline; printf '%s\n' "${COMPREPLY[@]}"
      """#
    let arguments = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let outcome = try await run("bash", ["-c", code, "bash", script(.bash)] + arguments)
    #expect(outcome.error == "")
    #expect(outcome.output.split(separator: "\n").map(String.init) == expected)
  }

  @Test("In an interactive bash, Tab completes the command")
  func interactiveBash() async throws {
    let setUp = "\(home.path)/bashrc"
    let script = try await script(.bash)
    try AtomicFile.write(Array(". '\(script)'\n".utf8), to: setUp, .replaced)
    let outcome = try await run(
      "bash",
      ["-c", #"printf 'homeline vers\t\nexit\n' | script -qec "bash --noprofile --rcfile '$0' -i" /dev/null"#, setUp])
    #expect(outcome.output.contains("homeline 0.1.0"), "\(outcome.output)")
  }

  @Test("In an interactive zsh, Tab completes the command")
  func interactiveZsh() async throws {
    if !Self.has("zsh") { try skipTest("zsh is not installed") }
    let folder = try #require(Folder.parent(of: try await script(.zsh)))
    let setUp = """
      fpath=('\(folder)' $fpath)
      autoload -Uz compinit
      compinit -u -D
      """
    try AtomicFile.write(Array("\(setUp)\n".utf8), to: "\(home.path)/.zshrc", .replaced)
    let outcome = try await run(
      "bash", ["-c", #"printf 'homeline vers\t\nexit\n' | ZDOTDIR=$HOME script -qec "zsh -i" /dev/null"#])
    #expect(outcome.output.contains("homeline 0.1.0"), "\(outcome.output)")
  }

  @Test(
    "fish completes commands, accounts and formats",
    arguments: [
      ("homeline vers", ["version\tprint the version"]), ("homeline logout ", ["bird", "cat"]),
      ("homeline show --format=j", ["--format=json", "--format=jsonl"]),
    ])
  func fish(line: String, expected: [String]) async throws {
    if !Self.has("fish") { try skipTest("fish is not installed") }
    try configure()
    let script = try await script(.fish)
    let outcome = try await run("fish", ["--no-config", "-c", "source '\(script)'; complete -C \"\(line)\""])
    let lines = outcome.output.split(separator: "\n").map { $0.hasSuffix("\t") ? String($0.dropLast()) : String($0) }
    #expect(lines == expected, "\(outcome.error)")
  }
}
