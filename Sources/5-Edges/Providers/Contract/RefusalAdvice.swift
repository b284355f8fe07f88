package import HomelineOAuth

/// The advice on a provider's refusal.
///
/// The advice is looked up by the first available of these: the value of `oauth_problem`, the error number, the type of a problem
/// document, a phrase in the message, the status.
package struct RefusalAdvice: Sendable {
  package let kind: RefusalKind
  /// The advice to the user, as a sentence; empty if there is none.
  let text: String
  /// Whether the user has to register the callback address, and therefore needs to know it.
  package let isAboutCallback: Bool

  private init(_ kind: RefusalKind, _ text: String, isAboutCallback: Bool = false) {
    self.kind = kind
    self.text = text
    self.isAboutCallback = isAboutCallback
  }

  /// Looks up the advice for a refusal.
  init(_ refusal: OAuth.ProviderError) {
    switch refusal.content {
    case .redirect: self = .page
    case .page, .status: self = refusal.status.flatMap { Self.byStatusOfAnySender($0) } ?? .page
    case .message: self = Self.of(message: refusal)
    }
  }

  /// Looks up the advice for a refusal that is certain to come from the API. Even a status without a message then has a meaning.
  init(ofAPI refusal: OAuth.ProviderError) {
    if refusal.content == .status {
      self = refusal.status.flatMap { Self.byStatus($0) } ?? .unknown
    } else {
      self.init(refusal)
    }
  }

  /// Returns a sentence with this advice.
  func added(to sentence: String) -> String { text.isEmpty ? sentence : "\(sentence) \(text)" }

  /// Returns whether a message contains a phrase with a known meaning.
  static func knows(phraseIn message: String) -> Bool {
    let text = message.lowercased()
    return byPhrase.contains { text.contains($0.phrase) }
  }

  /// Returns the meaning of a status without a message, which anything between the API and this machine can send. Nil for a status that is
  /// meaningful only if the API sends it.
  static func byStatusOfAnySender(_ status: Int) -> RefusalAdvice? {
    switch status {
    case 402, 408, 420, 425, 429, 500...599: byStatus(status)
    default: nil
    }
  }

  private static func of(message refusal: OAuth.ProviderError) -> RefusalAdvice {
    particular(refusal) ?? refusal.status.flatMap { byStatus($0) } ?? .unknown
  }

  /// Returns whether the advice on a message follows from its status alone. It may then not suit the request.
  static func isByStatus(_ refusal: OAuth.ProviderError) -> Bool { particular(refusal) == nil }

  private static func particular(_ refusal: OAuth.ProviderError) -> RefusalAdvice? {
    if let problem = refusal.problem, let known = byProblem[problem] { return known }
    let text = refusal.message.lowercased()
    // Servers report a used nonce under numbers that mean something else, such as 32.
    if text.contains("nonce") { return newNonce }
    if let code = refusal.code, let known = byCode[code] { return known }
    if let type = refusal.type, let known = byType[type] { return known }
    // Status 402 is always a demand for payment, regardless of the message.
    if refusal.status == 402 { return .pay }
    return byPhrase.first { text.contains($0.phrase) }?.advice
  }

  /// The error numbers of Twitter's API 1.1, which compatible servers also use.
  private static let byCode: [Int: RefusalAdvice] = [
    32: keysOrClock,
    34: nothingThere,
    44: RefusalAdvice(.refused, "The provider does not accept since_id; send the request without it."),
    64: RefusalAdvice(.locked, "The account is suspended; only the provider can lift the suspension."),
    88: waitForReset,
    89: loginAgain,
    99: RefusalAdvice(.configuration, "Check the consumer key and the consumer secret."),
    130: later,
    131: later,
    135: setClock,
    185: RefusalAdvice(.limit, "The daily post limit has been used up; try again tomorrow."),
    187: RefusalAdvice(.refused, "The same post already exists; after a timeout, this means that it was published."),
    215: RefusalAdvice(
      .configuration, "The request contained no credentials that the provider could read; check the consumer key."),
    220: RefusalAdvice(.refused, "The token does not give access to this; check the application's permissions."),
    226: RefusalAdvice(.refused, "The provider considers this automated; post manually on its website first."),
    261: RefusalAdvice(
      .configuration, "The application does not have write permission; change its permissions and log in again."),
    326: RefusalAdvice(
      .locked, "The account is locked; log in on the provider's website, unlock it, and then refresh it once yourself."
    ),
    415: approveCallback,
    416: RefusalAdvice(.configuration, "The application is suspended; check it on the provider's developer site."),
    417: onlyOutOfBand,
    453: RefusalAdvice(.closed, "The application's access level does not include this address."),
  ]

  /// The values of `oauth_problem`.
  private static let byProblem: [String: RefusalAdvice] = [
    "version_rejected": RefusalAdvice(.configuration, "The server does not support OAuth 1.0."),
    "parameter_absent": RefusalAdvice(
      .configuration, "A parameter that the server requires is missing; check which provider is configured."),
    "parameter_rejected": RefusalAdvice(
      .configuration, "The server refuses a parameter; check which provider is configured."),
    "timestamp_refused": setClock,
    "nonce_used": newNonce,
    "signature_method_rejected": RefusalAdvice(.configuration, "Choose a different signature method for this account."),
    "signature_invalid": keysOrClock,
    "consumer_key_unknown": checkKey,
    "consumer_key_rejected": checkKey,
    "consumer_key_refused": RefusalAdvice(
      .transient, "The server is not accepting this application at the moment; try again later."),
    "token_used": loginAgain,
    "token_expired": loginAgain,
    "token_revoked": loginAgain,
    "token_rejected": loginAgain,
    "verifier_invalid": RefusalAdvice(.needsLogin, "The verifier is wrong or too old; start the login again."),
    "additional_authorization_required": loginAgain,
    "permission_unknown": RefusalAdvice(.transient, "The user has not decided yet; try again later."),
    "permission_denied": userRefused,
    "user_refused": userRefused,
  ]

  /// The reasons and types of the problem documents of X's v2 API.
  private static let byType: [String: RefusalAdvice] = [
    "credits": pay,
    "credits-depleted": pay,
    "usage-capped": RefusalAdvice(
      .paused,
      "The plan's post limit has been reached; raise it on the provider's developer site, or wait until it resets."
    ),
    "client-not-enrolled": RefusalAdvice(
      .closed, "On the provider's developer site, move the application to a package that pays for what it reads."),
    "client-forbidden": RefusalAdvice(.closed, "The application's access level does not include this address."),
    "rate-limit-exceeded": waitForReset,
    "not-authorized-for-resource": RefusalAdvice(
      .refused, "The token does not give access to this; check the application's permissions."),
    "resource-not-found": nothingThere,
    "internal-error": later,
  ]

  /// Phrases in the messages of servers without error numbers, in lower case. The first match is used, so narrower phrases come first.
  private static let byPhrase: [(phrase: String, advice: RefusalAdvice)] = [
    ("nonce", newNonce),
    ("timestamp", setClock),
    ("callback value 'oob'", onlyOutOfBand),
    // MediaWiki's message if the consumer was registered without “Allow consumer to specify a callback”.
    ("must be set to \"oob\"", onlyOutOfBand),
    ("callback", approveCallback),
    ("verifier", RefusalAdvice(.needsLogin, "The verifier is wrong or too old; start the login again.")),
    ("signature", keysOrClock),
    ("consumer", checkKey),
    ("expired token", loginAgain),
    ("invalid token", loginAgain),
    // GNU social's message about a revoked token; the token itself follows.
    ("invalid access token", loginAgain),
    ("token expired", loginAgain),
    ("token has been revoked", loginAgain),
    ("could not authenticate", keysOrClock),
    ("rate limit", waitForReset),
    ("too many requests", waitForReset),
    ("over capacity", later),
  ]

  /// Returns the meaning of a status alone; nil for a status that is not a refusal.
  private static func byStatus(_ status: Int) -> RefusalAdvice? {
    switch status {
    case 401: keysOrClock
    case 402: pay
    case 403: RefusalAdvice(.refused, "Check the application's permissions and access level.")
    case 404, 410: nothingThere
    case 420, 429: waitForReset
    // Network Authentication Required (RFC 6585 §6), sent by the network itself.
    case 511: page
    case 408, 425, 500...599: later
    case 400...499:
      RefusalAdvice(.refused, "Check which provider is configured, and its endpoints if you have set them.")
    default: nil
    }
  }

  /// The advice for status 402, regardless of the message.
  private static let pay = RefusalAdvice(
    .paused, "The provider requires payment first; add credit on its developer site, or check the application's plan."
  )

  /// The advice for a web page, an empty body or a redirect received instead of data. Status 511 means that the network requires a login.
  private static let page = RefusalAdvice(.transient, OAuth.ProviderError.networkAdvice)

  /// The meaning of a message that is in none of these tables. It may concern something that the user cannot change.
  private static let unknown = RefusalAdvice(.refused, "")

  /// Most accounts use the provider's addresses, and their users cannot change these.
  private static let nothingThere = RefusalAdvice(
    .closed, "The provider has nothing at this address; if you have set the account's endpoints, check them.")

  private static let keysOrClock = RefusalAdvice(
    .configuration, "Check the consumer key, the consumer secret and this machine's clock.")
  private static let checkKey = RefusalAdvice(.configuration, "Check the consumer key.")
  private static let setClock = RefusalAdvice(.clock, "Set this machine's clock.")
  private static let newNonce = RefusalAdvice(.nonce, "The request has to be signed again, with a new nonce.")
  private static let loginAgain = RefusalAdvice(.needsLogin, "Log in again.")
  private static let userRefused = RefusalAdvice(.refused, "Access was not granted; log in again to grant it.")
  private static let waitForReset = RefusalAdvice(.limit, "Wait until the provider's limit resets.")
  private static let later = RefusalAdvice(.transient, "The provider is having problems; try again later.")
  private static let approveCallback = RefusalAdvice(
    .configuration, "Enter exactly this callback address in the application's settings at the provider.",
    isAboutCallback: true)
  private static let onlyOutOfBand = RefusalAdvice(
    .configuration, "Register the callback address with the application, or log in with --pin.", isAboutCallback: true)
}

extension OAuth.ProviderError {
  /// The advice on this error.
  package var advice: RefusalAdvice { RefusalAdvice(self) }

  /// The provider's message and the advice, as sentences.
  package var explanation: String { advice.added(to: description) }
}
