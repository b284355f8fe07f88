import Folders
import Platform
import PublishedFiles
import Settings
import StorageSQLite
import TestSupport
import Testing
import Timeline

@Suite struct FileLayoutTests {
  @Test("every file that homeline uses has its documented path")
  func places() {
    let home = StorageHome("/r")
    #expect(home.layout.configFile == "/r/config/homeline/config.json")
    #expect(home.layout.lock == "/r/state/homeline/lock")
    #expect(home.layout.controlSocket == "/r/run/homeline/control.socket")
    #expect(home.layout.sandboxFolder == "/r/state/homeline/_sandbox")
    #expect(home.files.timeline == "/r/cache/homeline/bird/home_timeline.json")
    #expect(home.files.database == "/r/data/homeline/bird/timeline.db")
    #expect(home.files.token == "/r/state/homeline/bird/token.json")
  }

  @Test("the names of a timeline's files begin with its stem, and the home timeline keeps its names")
  func timelines() throws {
    let (files, folder) = (StorageHome("/r").files, "/r/cache/homeline/bird")
    let names = ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]
    #expect(try files.published(of: .home) == files.home)
    #expect(
      files.home.all.map { $0.dropFirst(folder.utf8.count + 1) }
        == ["home_timeline.json"] + names.map { $0 == "bar.json" ? "bar.json" : "home_timeline.\($0)" })
    let list = try files.published(of: TimelineName("list:Friends"))
    #expect(list.all == (["json"] + names).map { "\(folder)/list-Friends.\($0)" })
    let long = try ["a", "b"].map { end in
      try files.published(of: TimelineName("list:\(String(repeating: "é", count: 200))\(end)"))
    }
    #expect(Set(long.flatMap(\.all)).count == 2 * list.all.count, "long names stay different")
    #expect(long.flatMap(\.all).allSatisfy { $0.utf8.count <= folder.utf8.count + 200 })
  }

  @Test("without a runtime folder, the control socket is in the state folder")
  func withoutRuntime() {
    let layout = FileLayout(BaseDirectories(environment: ["HOME": "/h"])!)
    #expect(layout.controlSocket == "/h/.local/state/homeline/control.socket")
  }

  @Test("the demo keeps everything in one folder, which belongs to no account")
  func demo() {
    let demo = StorageHome("/r").layout.demo
    #expect(demo.files(of: "demo").timeline == "/r/cache/homeline/_demo/cache/demo/home_timeline.json")
    #expect(demo.lock == "/r/cache/homeline/_demo/state/lock")
    #expect(demo.controlSocket == "/r/cache/homeline/_demo/state/control.socket")
  }

  @Test("an account name that could lead outside its folder traps")
  func escape() async {
    await #expect(processExitsWith: .failure) { _ = StorageHome("/r").layout.files(of: "../bird") }
  }

  @Test("a folder with a token or a database is an account, unless its name is reserved or it was set aside")
  func accounts() throws {
    let folder = TemporaryFolder()
    let home = StorageHome(folder)
    #expect(try FileStorage(home.layout).accounts().map(\.text) == [])
    for path in ["state/homeline/_sandbox", "state/homeline/empty", "state/homeline/bird.was-42-20261120T120000Z"] {
      try Folder.create("\(folder.path)/\(path)")
    }
    try AtomicFile.write([], to: "\(folder.path)/state/homeline/bird.was-42-20261120T120000Z/token.json", .replaced)
    try Folder.create(home.files.stateFolder)
    try AtomicFile.write([], to: home.files.token, .replaced)
    let other = home.layout.files(of: "ant")
    try AccountDatabase.open(other, at: noon).close()
    #expect(try FileStorage(home.layout).accounts().map(\.text) == ["ant", "bird"])
  }
}
