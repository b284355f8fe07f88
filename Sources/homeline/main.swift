internal import Commands
internal import Glibc
internal import Platform

let homeline = Homeline(surroundings: Surroundings(variables: ProcessEnvironment.variables()))
// SIGPIPE stays as it is: `homeline show | head` ends like every other program whose reader has gone.
exit(homeline.run(Array(CommandLine.arguments.dropFirst())))
