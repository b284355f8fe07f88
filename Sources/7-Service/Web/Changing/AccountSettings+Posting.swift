internal import Accounts
internal import Bytes
internal import Providers
internal import Settings

extension AccountSettings {
  /// The account's provider; nil if it cannot publish posts. Only what it offers matters here, so a sandbox account's address need not be known.
  var postingProvider: (any PostingProvider)? {
    var place = ProviderLocation(of: self)
    if credentials == .builtIn { place.base = try? RequestURL("http://127.0.0.1/") }
    return (try? ProviderRegistry.named(provider, at: place)) as? any PostingProvider
  }
}
