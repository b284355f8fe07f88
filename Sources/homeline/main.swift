internal import Commands
internal import Platform

let homeline = Homeline(registry: .standard, environment: CommandEnvironment(variables: ProcessEnvironment.variables()))
// SIGPIPE stays as it is: `homeline show | head` ends like every other program whose reader has gone.
homeline.run(ProcessEnvironment.arguments()).endProcess()
