import Testing

@testable import Platform

@Suite struct BaseDirectoriesTests {
  @Test("without XDG variables, all folders are inside the home folder")
  func defaults() throws {
    let base = try #require(BaseDirectories(environment: ["HOME": "/home/ann/"]))
    #expect(base.config == "/home/ann/.config")
    #expect(base.cache == "/home/ann/.cache")
    #expect(base.data == "/home/ann/.local/share")
    #expect(base.state == "/home/ann/.local/state")
    #expect(base.runtime == nil)
  }

  @Test("absolute paths in XDG variables are used, and relative paths and systemd's variables are ignored")
  func variables() throws {
    let base = try #require(
      BaseDirectories(environment: [
        "HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "/run/user/1",
        "STATE_DIRECTORY": "/elsewhere",
      ]))
    #expect(base.cache == "/c")
    #expect(base.state == "/h/.local/state")
    #expect(base.runtime == "/run/user/1")
  }

  @Test("without HOME, there are no base directories")
  func noHome() { #expect(BaseDirectories(environment: [:]) == nil) }
}
