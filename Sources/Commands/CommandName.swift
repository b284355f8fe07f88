/// The commands, in the order of the help.
package enum CommandName: String, Sendable, Hashable, CaseIterable {
  case login
  case logout
  case daemon
  case status
  case refresh
  case token
  case show
  case search
  case open
  case read
  case export
  case importing = "import"
  case purge
  case sign
  case check
  case demo
  case sandbox
  case version
  case help
}
