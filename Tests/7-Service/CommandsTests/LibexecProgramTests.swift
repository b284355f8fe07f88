import Platform
import Testing

@testable import Commands

@Suite struct LibexecProgramTests {
  @Test("homeline looks for homelined in libexec first, and then in its own folder")
  func candidates() {
    #expect(
      LibexecProgram.daemon.candidates(besides: "/usr/local/bin/homeline") == [
        "/usr/local/libexec/homeline/homelined", "/usr/local/bin/homelined",
      ])
    #expect(
      LibexecProgram.daemon.candidates(besides: "/bin/homeline") == ["/libexec/homeline/homelined", "/bin/homelined"])
    #expect(LibexecProgram.daemon.candidates(besides: "/homeline") == ["/libexec/homeline/homelined", "/homelined"])
  }

  @Test("homelined in libexec takes precedence over homelined in homeline's folder")
  func first() throws {
    let installed = "/p/libexec/homeline/homelined"
    #expect(try LibexecProgram.daemon.find(besides: "/p/bin/homeline") { _ in true } == installed)
    #expect(try LibexecProgram.daemon.find(besides: "/p/bin/homeline") { $0 != installed } == "/p/bin/homelined")
  }

  @Test("If homelined is not found, the error lists the tried paths")
  func none() {
    let error = #expect(throws: CommandError.self) {
      try LibexecProgram.daemon.find(besides: "/p/bin/homeline") { _ in false }
    }
    #expect(
      error
        == CommandError(
          .software,
          "homelined is not installed: neither /p/libexec/homeline/homelined nor /p/bin/homelined exists. "
            + "Install homeline again"))
  }
}
