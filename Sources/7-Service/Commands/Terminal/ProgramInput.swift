internal import Platform

/// What a program is started with.
package enum ProgramInput {
  /// Passes the arguments and the environment to `body`. If one of them is not UTF-8, the program ends with exit code 64.
  package static func read<Result>(_ body: ([String], CommandEnvironment) -> Result) -> Result {
    do throws(UndecodableText) {
      try ProcessEnvironment.checkVariables()
      return body(try ProcessEnvironment.arguments(), .process)
    } catch {
      Terminal.say("homeline: \(error)")
      ExitCode.usage.endProcess()
    }
  }
}
