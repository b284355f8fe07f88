internal import Commands
internal import Platform

let homeline = Homeline(registry: .standard, environment: CommandEnvironment(variables: ProcessEnvironment.variables()))
// SIGPIPE keeps its default action: `homeline show | head` ends like any other program whose output has been closed.
homeline.run(ProcessEnvironment.arguments()).endProcess()
