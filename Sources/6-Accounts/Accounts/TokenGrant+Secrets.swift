internal import Bytes
internal import HomelineOAuth
internal import Storage

extension TokenGrant {
  /// The parts of the grant that let anyone who has them act as the user.
  var secrets: [Secret] {
    switch self {
    case .oauth1(let credentials): [Secret(credentials.identifier), credentials.secret]
    case .oauth2(let token): [token.accessToken, token.refreshToken].compactMap(\.self)
    }
  }
}
