import Glibc
import Platform
import Settings
import TestSupport
import Testing

@testable import Folders

@Suite struct ConfigurationFilesTests {
  private let home = TemporaryFolder()

  private var folders: BaseDirectories {
    get throws { try #require(BaseDirectories(environment: ["HOME": home.path])) }
  }

  private func files(_ given: String? = nil) throws -> ConfigurationFiles { ConfigurationFiles(given, in: try folders) }

  private func write(_ text: String, to path: String) throws {
    try Folder.create(try #require(Folder.parent(of: path)))
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
  }

  @Test("the default configuration's account files are in config.d, and those of another FILE are in FILE.d")
  func folder() throws {
    let usual = "\(home.path)/.config/homeline/config.json"
    #expect(try files().path == usual)
    #expect(try files().accountFolder == "\(home.path)/.config/homeline/config.d")
    #expect(try files(usual).accountFolder == files().accountFolder)
    #expect(try files("/x/other.json").accountFolder == "/x/other.json.d")
    // The same file under another name.
    try write("{}", to: usual)
    try #require(symlink(usual, "\(home.path)/link") == 0)
    #expect(try files("\(home.path)/link").accountFolder == files().accountFolder)
    #expect(try files("\(home.path)/link").identity == files().identity)
  }

  @Test("a configuration has the same identity under each of its paths, even if the file does not exist")
  func identity() throws {
    try Folder.create("\(home.path)/.config/homeline")
    let dotted = "\(home.path)/.config/../.config/homeline/config.json"
    #expect(try files(dotted).identity == files().identity)
  }

  @Test("only files that end in .json and are not hidden are read as accounts")
  func names() throws {
    let files = try files()
    for name in ["b.json", "a.json", "c.json~", ".d.json", "e.json.new-12", "f"] {
      try write("{}", to: "\(files.accountFolder)/\(name)")
    }
    let texts = try files.texts()
    #expect(texts.main == nil)
    #expect(texts.accounts?.map(\.name) == ["a", "b"])
    #expect(texts.accounts?.first?.text.path == "\(files.accountFolder)/a.json")
  }

  @Test(
    "a dangling link is neither replaced nor taken for a missing configuration", arguments: [true, false])
  func danglingLink(isMain: Bool) throws {
    let files = try files()
    let account = try #require(AccountName("bird"))
    let path = isMain ? files.path : files.accountFolder
    try Folder.create(try #require(Folder.parent(of: path)))
    try #require(symlink("/mnt/away/x", path) == 0)
    #expect(files.exist)
    let sentence = "\(path) is a link to /mnt/away/x, which does not exist"
    #expect(#expect(throws: SystemError.self) { try files.texts() }?.description == sentence)
    if isMain {
      #expect(#expect(throws: SystemError.self) { try files.create([]) }?.description == sentence)
    } else {
      #expect(throws: SystemError.self) { try files.add(account, []) }
    }
    #expect(try ProcessEnvironment.linkTarget(path) == "/mnt/away/x")
  }

  @Test("an account's file that is a dangling link, or whose name is not UTF-8, is reported with this reason")
  func unreadableAccount() throws {
    let files = try files()
    try Folder.create(files.accountFolder)
    let link = "\(files.accountFolder)/a.json"
    // The target's name is Latin-1.
    let target = (Array("/mnt/away/caf".utf8) + [0xE9, 0]).map { CChar(bitPattern: $0) }
    try #require(symlink(target, link) == 0)
    let dangling = #expect(throws: SystemError.self) { try files.texts() }
    #expect(dangling?.description == #"\#(link) is a link to /mnt/away/caf\xE9, which does not exist"#)
    try File.remove(link)
    let name = (Array("\(files.accountFolder)/caf".utf8) + [0xE9] + Array(".json".utf8) + [0]).map {
      CChar(bitPattern: $0)
    }
    try #require(symlink("/dev/null", name) == 0)
    let encoded = #expect(throws: SystemError.self) { try files.texts() }
    #expect(
      encoded?.description
        == #"\#(files.accountFolder)/caf\xE9.json: the name is not UTF-8; an account's file has a name such as work.json"#
    )
  }

  @Test("an account's file is not written over a dangling link")
  func danglingAccount() throws {
    let files = try files()
    let account = try #require(AccountName("bird"))
    try Folder.create(files.accountFolder)
    try #require(symlink("/mnt/away/bird.json", files.ownFile(of: account)) == 0)
    let error = #expect(throws: SystemError.self) { try files.add(account, []) }
    #expect(error?.isExisting == true && error?.description.contains("/mnt/away/bird.json") == true)
    #expect(try ProcessEnvironment.linkTarget(files.ownFile(of: account)) == "/mnt/away/bird.json")
  }

  @Test("without config.json and config.d, there is no configuration")
  func missing() throws {
    let files = try files()
    let error = #expect(throws: SystemError.self) { try files.texts() }
    #expect(error?.isNoEntry == true)
    #expect(!files.exist)
  }

  @Test("a named pipe in the account folder is an error and does not block the program")
  func pipe() throws {
    let files = try files()
    try Folder.create(files.accountFolder)
    try #require(mkfifo("\(files.accountFolder)/a.json", 0o600) == 0)
    #expect(throws: SystemError.self) { try files.texts() }
  }

  @Test("a folder with more files than the limit is an error")
  func limit() throws {
    let files = try files()
    try Folder.create(files.accountFolder)
    for number in 0...ConfigurationFiles.mostAccounts {
      try Descriptor.open("\(files.accountFolder)/a\(number).json", O_WRONLY | O_CREAT, mode: 0o600).close()
    }
    let error = #expect(throws: SystemError.self) { try files.texts() }
    #expect(error?.description.hasSuffix("at most 4096 are allowed") == true)
  }

  @Test("an account file and its folder are private, and a new file never replaces an existing one")
  func adding() throws {
    umask(0)
    let files = try files()
    let name = try #require(AccountName("a"))
    try files.add(name, Array("{}".utf8))
    #expect(try FileStatus.of(files.ownFile(of: name)).permissions == 0o600)
    #expect(try FileStatus.of(files.accountFolder).permissions == 0o700)
    let error = #expect(throws: SystemError.self) { try files.add(name, Array("[]".utf8)) }
    #expect(error?.isExisting == true)
    #expect(try File.read(files.ownFile(of: name), limit: 9) == Array("{}".utf8))
  }

  @Test("a change writes only the files that differ, and keeps symbolic links")
  func replacing() throws {
    let files = try files()
    try write("{}", to: "\(home.path)/dotfiles/config.json")
    try Folder.create("\(home.path)/.config/homeline")
    try #require(symlink("\(home.path)/dotfiles/config.json", files.path) == 0)
    for name in ["a", "b", "c"] { try files.add(try #require(AccountName(name)), Array("{}".utf8)) }
    let old = try files.texts()
    var new = old
    new.main?.bytes = Array("{ }".utf8)
    new.accounts?[1].text.bytes = Array("{  }".utf8)
    new.accounts?.removeLast()
    let untouched = try FileStatus.of("\(files.accountFolder)/a.json").identity
    try files.replace(old, with: new)
    #expect(try files.texts() == new)
    #expect(try FileStatus.of("\(files.accountFolder)/a.json").identity == untouched)
    #expect(try File.read("\(home.path)/dotfiles/config.json", limit: 9) == Array("{ }".utf8))
  }
}
