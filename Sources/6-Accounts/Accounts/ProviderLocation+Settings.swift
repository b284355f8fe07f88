internal import Posting
package import Providers
package import Settings

extension ProviderLocation {
  /// Creates the location of a configured account's provider. A built-in provider needs no location.
  package init(of account: AccountSettings) {
    self.init(account.credentials.scheme.version, at: account.server, issuer: account.issuer, scopes: account.scopes)
    timelines = account.kindsOfTimelines
    uses = account.syncsMarks ? [.setReadMarks] : []
    authorizeParameters = account.oauth2.authorizeParameters
    clientAuthentication = account.oauth2.clientAuthentication
    safeDomain = account.weibo.safeDomain
    userAddress = account.weibo.userAddress
    driveAccess = account.drive.map { drive in
      switch drive.key {
      case .user: .user(library: drive.libraryID.map { "\($0)" })
      case .library: .library
      case .enterprise: .enterprise
      }
    }
    for (name, url) in account.endpoints {
      if let name = EndpointName(rawValue: name) { endpoints[name] = url }
    }
  }
}
