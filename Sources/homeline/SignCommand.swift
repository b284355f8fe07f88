internal import Platform
internal import CivilTime
internal import Commands
internal import HomelineOAuth

/// `homeline sign`: the Authorization header of a request that is not sent.
struct SignCommand {
  let arguments: Command.Sign
  let keys: SigningKeys

  func answer() throws(CommandFailure) -> Answer {
    let signer = Signer(
      client: keys.client, token: keys.token, method: arguments.signatureMethod ?? keys.method ?? .hmacSHA1)
    let request = SignableRequest(method: arguments.method, url: arguments.url, form: arguments.form)
    let stamp = try stamp()
    do throws(SigningError) {
      let authorization = try signer.sign(request, stamp: stamp)
      let explanation = arguments.explains ? SignatureExplanation.text(of: authorization) : ""
      return Answer("\(explanation)Authorization: \(authorization.headerValue)\n")
    } catch {
      if case .cryptography = error { throw CommandFailure(.software, "\(error)") }
      throw CommandFailure(.usage, "\(error)")
    }
  }

  private func stamp() throws(CommandFailure) -> Stamp {
    let timestamp = arguments.timestamp ?? WallClock.system.now.seconds
    if let nonce = arguments.nonce { return Stamp(timestamp: timestamp, nonce: Nonce(nonce)) }
    do throws(CryptographyError) { return try .random(timestamp: timestamp) } catch {
      throw CommandFailure(.software, "\(error)")
    }
  }
}
