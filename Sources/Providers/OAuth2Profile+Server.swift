internal import HomelineOAuth

extension OAuth2Profile {
  /// Which authorisation server this is, as a short name: its issuer without the scheme, else the host of its token endpoint.
  package var serverName: String {
    if let issuer = metadata?.issuer, let url = try? RequestURL(issuer) {
      return url.path == "/" ? url.authority : url.authority + url.path
    }
    return endpoints?.token.authority ?? ""
  }
}
