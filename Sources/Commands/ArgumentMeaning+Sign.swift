internal import HomelineOAuth
internal import Settings

extension ArgumentMeaning {
  func sign() throws(UsageError) -> Command.Sign {
    let url: RequestURL
    do throws(RequestURLError) { url = try RequestURL(words.operands[1]) } catch { throw self.error("\(error)") }
    var sign = Command.Sign(method: words.operands[0], url: url, form: try form(), explains: words.has("--explain"))
    sign.account = try account(of: "--account")
    sign.nonce = words.value("--nonce")
    sign.timestamp = try number("--timestamp", in: 1...Int64.max)
    if let text = words.value("--signature-method") {
      let known = SignatureMethod.allCases.map(\.rawValue)
      guard let method = SignatureMethod(named: text) else {
        throw error("--signature-method is \(known.joined(separator: ", ")), not \(Shown.quoted(text))")
      }
      sign.signatureMethod = method
    }
    return sign
  }

  private func form() throws(UsageError) -> [Parameter] {
    var form: [Parameter] = []
    for text in words.all("--data") {
      let bytes = Array(text.utf8)
      guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
        throw error("--data NAME=VALUE: there is no = in \(Shown.quoted(text))")
      }
      form.append(Parameter(name: Array(bytes[..<equals]), value: Array(bytes[(equals + 1)...])))
    }
    return form
  }
}
