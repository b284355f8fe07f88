import Platform
import Testing

@Suite struct InstalledProgramsTests {
  @Test(
    "homeline is found from every program of an installation and of a build",
    arguments: [
      ("/usr/bin/homeline", "/usr/bin/homeline"), ("/usr/libexec/homeline/homelined", "/usr/bin/homeline"),
      ("/home/me/.local/libexec/homeline/homelined", "/home/me/.local/bin/homeline"),
      ("/src/homeline/.build/debug/homelined", "/src/homeline/.build/debug/homeline"),
      ("/libexec/homeline/homelined", "/bin/homeline"), ("/homelined", "/homeline"),
    ])
  func command(program: String, command: String) {
    #expect(InstalledPrograms.command(besides: program) == command)
  }
}
