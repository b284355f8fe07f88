import Platform
import Testing

@testable import Commands

@Suite struct CommandEnvironmentTests {
  @Test("An environment has the variables that it was created with, and otherwise those of this process")
  func variables() {
    let given = CommandEnvironment(variables: ["TERM": "dumb"])
    #expect(given["TERM"] == "dumb" && given["PATH"] == nil && given.variables == ["TERM": "dumb"])
    let own = CommandEnvironment.process
    #expect(own["PATH"] != nil && own["PATH"] == own.variables["PATH"])
    #expect(own.variables == ProcessEnvironment.variables())
  }
}
