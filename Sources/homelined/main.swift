internal import Commands
internal import Platform

Homelined(registry: .standard, surroundings: Surroundings(variables: ProcessEnvironment.variables()))
  .run(ProcessEnvironment.arguments())
