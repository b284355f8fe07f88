internal import Commands
internal import Platform

Homelined(surroundings: Surroundings(variables: ProcessEnvironment.variables()))
  .run(ProcessEnvironment.arguments())
