internal import HTTP

/// The pages for requests that the server refuses while it reads them.
///
/// Nobody has looked at the session then, so the pages reveal only what the browser itself has sent.
extension WebError {
  /// Creates the error for a request that a browser can send for its user; nil for one that only other programs send.
  init?(_ error: RequestError) {
    switch error.status {
    case .contentTooLarge:
      self.init(
        .contentTooLarge, "What you sent is too large", "\(error.reason.sentence) Nothing of it is kept.",
        "Go back to the form and choose smaller files, or use homeline post in a terminal.")
    case .insufficientStorage:
      self.init(
        .insufficientStorage, "There is too little free disk space",
        "What you sent is not kept, because the rest is reserved for your posts and logins.",
        "Free some space, then go back to the form and send it again.")
    case .internalServerError:
      self.init(
        .internalServerError, "What you sent could not be stored", "homeline cannot write to its folder.",
        "Run homeline doctor in a terminal. Then go back to the form and send it again.")
    case .uriTooLong:
      self.init(.uriTooLong, "This address is too long", "Go back and search for a shorter text.")
    case .requestHeaderFieldsTooLarge:
      self.init(
        .requestHeaderFieldsTooLarge, "Your browser sent too many header fields",
        "Programs on other ports of this computer may have set large cookies. Delete the cookies of this address, then run homeline web."
      )
    default: return nil
    }
  }
}
