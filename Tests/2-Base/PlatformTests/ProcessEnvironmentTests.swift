import Platform
import Testing

@Suite("This process's variables and arguments") struct ProcessEnvironmentTests {
  @Test("A single variable has the value that it has among all variables, and a missing one has none")
  func variable() {
    let variables = ProcessEnvironment.variables()
    #expect(!variables.isEmpty)
    for (name, value) in variables { #expect(ProcessEnvironment.variable(name) == value) }
    #expect(ProcessEnvironment.variable("HOMELINE_NO_SUCH_VARIABLE") == nil)
  }

  @Test("Swift's own list of the arguments is the list that the C library passed")
  func arguments() throws {
    #expect(!CommandLine.arguments.isEmpty)
    #expect(Array(CommandLine.arguments.dropFirst()) == (try ProcessEnvironment.arguments()))
  }
}
