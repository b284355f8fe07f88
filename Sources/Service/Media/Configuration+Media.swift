package import Settings

extension Configuration {
  /// Who may name pictures on a page: every account and every view.
  package var mediaOwners: Set<String> {
    Set(accounts.map { Account.mediaOwner($0.name.text) } + views.map { "view:\($0.name)" })
  }
}
