package import Bytes
package import OAuthValues
package import Settings

extension Command {
  /// `homeline sign`.
  package struct Sign: CommandDeclaration {
    package static let name = "sign"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .development, "print the Authorization header for a request",
      description: [
        """
        Prints the header "Authorization: OAuth ..." (OAuth 1.0a, RFC 5849) for a request without sending it. Without `--account`,
        the keys come from HOMELINE_CONSUMER_KEY and HOMELINE_CONSUMER_SECRET, and the token, if any, from HOMELINE_TOKEN and
        HOMELINE_TOKEN_SECRET. Names and values of `--data` are plain text: homeline encodes them, and @ has no special meaning.
        """
      ],
      details: [
        """
        With `--account`, the account must be authorised, and its signature method is used. If the provider has refused a request because
        this machine's clock is wrong, the provider's time is used, with a warning. PLAINTEXT sends the secrets themselves and is refused
        for http URLs on other machines.
        """,
        """
        `--explain` first prints the normalised parameters, the signature base string and the signing key with its secrets masked,
        one per line.
        """,
      ],
      examples: [
        CommandExample(
          "curl -H \"$(homeline sign GET \"$url\" --account bird)\" \"$url\"", "Send a signed request with curl.")
      ])

    private static let methodOperand = Operand(.text("METHOD"))
    private static let urlOperand = Operand(.url, at: 1)
    private static let dataOption = Option("--data", .parameter, "a parameter of the form body; repeatable")
    private static let accountOption = Option(
      "--account", .account, "sign with this account's keys and token")
    private static let nonceOption = Option("--nonce", .text("N"), "use this nonce instead of a random one")
    private static let timestampOption = Option<Int64>(
      "--timestamp", .number("T", in: 1...Int64.max), "use this time, in seconds since 1970, instead of now")
    private static let methodOption = Option(
      "--signature-method", .signatureMethod, "sign with HMAC-SHA1, HMAC-SHA256, HMAC-SHA512 or PLAINTEXT")
    private static let explain = Flag("--explain", "first print the signed text and the masked key")

    package static var operands: [OperandDescription] { [methodOperand.description, urlOperand.description] }
    package static var options: [any DeclaredOption] {
      [dataOption, accountOption, nonceOption, timestampOption, methodOption, explain]
    }
    package static let json: JSONOutput? = JSONOutput(schema: "sign")

    package var method: String
    package var url: RequestURL
    /// The parameters of the form body, not encoded.
    package var form: [Parameter]
    /// The account whose keys and token are used to sign; nil uses those in the environment.
    package var account: AccountName?
    package var nonce: String?
    /// The timestamp in seconds since 1970.
    package var timestamp: Int64?
    /// The signature method; nil means the account's method or, without an account, HMAC-SHA1.
    package var signatureMethod: SignatureMethod?
    package var explains: Bool

    init(
      method: String, url: RequestURL, form: [Parameter] = [], account: AccountName? = nil, nonce: String? = nil,
      timestamp: Int64? = nil, signatureMethod: SignatureMethod? = nil, explains: Bool = false
    ) {
      self.method = method
      self.url = url
      self.form = form
      self.account = account
      self.nonce = nonce
      self.timestamp = timestamp
      self.signatureMethod = signatureMethod
      self.explains = explains
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(
        method: try arguments.required(Self.methodOperand), url: try arguments.required(Self.urlOperand),
        form: try arguments.values(Self.dataOption), account: try arguments.value(Self.accountOption),
        nonce: try arguments.value(Self.nonceOption), timestamp: try arguments.value(Self.timestampOption),
        signatureMethod: try arguments.value(Self.methodOption), explains: arguments.has(Self.explain))
    }
  }
}
