internal import Commands

ProgramInput.read { arguments, environment in
  Homelined(registry: .standard, environment: environment).run(arguments)
}
