extension AccountSettings {
  /// Why there is no token of this account to be handed out, and what to do instead; nil where there can be one.
  package var whyNoBearerToken: String? {
    switch credentials.scheme {
    case .oauth2, .selfRegistered: nil
    case .oauth1:
      "\(name): the account uses OAuth 1.0a, whose requests are signed and carry no token that could be handed out; "
        + "use homeline sign METHOD URL --account \(name)"
    case .builtIn:
      "\(name): the provider \(provider) is part of homeline and uses OAuth 1.0a; it has no token that could be handed "
        + "out. To sign requests of other accounts, use homeline sign"
    }
  }
}
