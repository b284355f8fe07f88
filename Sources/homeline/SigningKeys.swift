internal import Commands
internal import HomelineOAuth

/// With what `homeline sign` signs.
struct SigningKeys {
  let client: ClientCredentials
  let token: TokenRole
  /// The account's own method; nil when nothing prescribes one.
  let method: SignatureMethod?
}
