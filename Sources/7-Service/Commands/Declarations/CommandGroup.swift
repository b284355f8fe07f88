/// The headings of the command lists, in order.
package enum CommandGroup: String, Sendable, Hashable, CaseIterable {
  case accounts = "Accounts"
  case reading = "Reading"
  case posting = "Posting"
  case archive = "Archive"
  case service = "Service and configuration"
  case development = "Demonstration and development"
  case help = "Help"
}
