import Files
import Platform
import Settings
import StorageSQLite
import TestSupport
import Testing

@Suite struct FileLayoutTests {
  @Test("every file lies where the contract says")
  func places() {
    let place = Place("/r")
    #expect(place.layout.configFile == "/r/config/homeline/config.json")
    #expect(place.layout.lock == "/r/state/homeline/lock")
    #expect(place.layout.controlSocket == "/r/run/homeline/control.socket")
    #expect(place.layout.sandboxFolder == "/r/state/homeline/_sandbox")
    #expect(place.files.timeline == "/r/cache/homeline/bird/home_timeline.json")
    #expect(place.files.database == "/r/data/homeline/bird/timeline.db")
    #expect(place.files.token == "/r/state/homeline/bird/token.json")
  }

  @Test("without a runtime folder the control socket lies in the state folder")
  func withoutRuntime() {
    let layout = FileLayout(BaseDirectories(environment: ["HOME": "/h"])!)
    #expect(layout.controlSocket == "/h/.local/state/homeline/control.socket")
  }

  @Test("the demonstration keeps everything in one folder that is no account's")
  func demo() {
    let demo = Place("/r").layout.demo
    #expect(demo.files(of: "demo").timeline == "/r/cache/homeline/_demo/cache/demo/home_timeline.json")
    #expect(demo.lock == "/r/cache/homeline/_demo/state/lock")
    #expect(demo.controlSocket == "/r/cache/homeline/_demo/state/control.socket")
  }

  @Test("a name that could leave its folder traps")
  func escape() async {
    await #expect(processExitsWith: .failure) { _ = Place("/r").layout.files(of: "../bird") }
  }

  @Test("accounts are found by their token or database; what is ours or set aside is none")
  func accounts() throws {
    let folder = TemporaryFolder()
    let place = Place(folder)
    #expect(try FileStorage(place.layout).accounts().map(\.text) == [])
    for path in ["state/homeline/_sandbox", "state/homeline/empty", "state/homeline/bird.was-42-20261120T120000Z"] {
      try Folder.create("\(folder.path)/\(path)")
    }
    try AtomicFile.write([], to: "\(folder.path)/state/homeline/bird.was-42-20261120T120000Z/token.json", .replaced)
    try Folder.create(place.files.stateFolder)
    try AtomicFile.write([], to: place.files.token, .replaced)
    let other = place.layout.files(of: "ant")
    try AccountDatabase.open(other, at: noon).close()
    #expect(try FileStorage(place.layout).accounts().map(\.text) == ["ant", "bird"])
  }
}
