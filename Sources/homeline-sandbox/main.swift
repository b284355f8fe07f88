internal import Platform

SandboxProgram().run(ProcessEnvironment.arguments())
