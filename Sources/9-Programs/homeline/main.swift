internal import Commands
internal import Platform

// SIGPIPE keeps its default action: `homeline show | head` ends like any other program whose output has been closed.
ProgramInput.read { arguments, environment in
  Homeline(registry: .standard, environment: environment).run(arguments)
}.endProcess()
