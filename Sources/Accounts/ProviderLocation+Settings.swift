package import Providers
package import Settings

extension ProviderLocation {
  /// The location of the provider of a configured account. A built-in provider has no location of its own.
  package init(of account: AccountSettings) {
    self.init(account.credentials.scheme.version, at: account.server, issuer: account.issuer, scopes: account.scopes)
    safeDomain = account.weibo.safeDomain
    userAddress = account.weibo.userAddress
    for (name, url) in account.endpoints {
      if let name = EndpointName(rawValue: name) { endpoints[name] = url }
    }
  }
}
