internal import Commands
internal import Platform

Homelined(registry: .standard, environment: CommandEnvironment(variables: ProcessEnvironment.variables()))
  .run(ProcessEnvironment.arguments())
