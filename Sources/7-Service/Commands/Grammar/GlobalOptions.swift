/// The options that every command accepts.
package enum GlobalOptions {
  package static let configuration = Option<String>(
    "--config", ArgumentType("FILE", .file) { (given) throws(ArgumentError) in given.text },
    "read this configuration instead of $XDG_CONFIG_HOME/homeline/config.json")
  package static let verbose = Flag("-v", "log progress to standard error")
  package static let help = Flag("--help", "show this help")
  package static let version = Flag("--version", "show the version; -V does the same")

  package static var all: [any DeclaredOption] { [configuration, verbose, help, version] }
}
