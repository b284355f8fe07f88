internal import Commands

ProgramInput.read { arguments, _ in SandboxProgram().run(arguments) }
