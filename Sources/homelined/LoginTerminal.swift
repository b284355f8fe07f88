internal import Commands
internal import Glibc
internal import HomelineOAuth
internal import Platform
internal import Service
internal import Settings
internal import Store
internal import Timeline

/// Shows a login's progress in the terminal: what is its answer on standard output, what explains it on standard error.
struct LoginTerminal: Sendable {
  let account: AccountSettings
  let files: AccountFiles
  let browser: Browser?
  let surroundings: Surroundings

  func show(_ news: LoginNews) {
    switch news {
    case .address(let address, let port): show(address, callbackPort: port)
    case .notice(let sentence): Terminal.say("homeline: \(sentence)")
    case .authorised(let user): answer("Authorised as @\(user.screenName) (\(user.name)).")
    case .setAside(let folders):
      answer("The former user's files are kept in:\n" + folders.map { "  \($0)" }.joined(separator: "\n"))
    case .stored(let path): answer("The token is stored in \(path).")
    case .refreshed(let report): RefreshTerminal(files: files).show(report)
    }
  }

  private func show(_ address: RequestURL, callbackPort: Int?) {
    Terminal.say("To authorise the account '\(account.name)', open:")
    answer(address.text)
    guard let callbackPort else {
      return Terminal.say("Then type in the PIN that the provider shows, and press Enter.")
    }
    if let browser, (try? browser.open(address.text)) != nil {
      return Terminal.say("Your browser has been asked to open it. Waiting for it to come back …")
    }
    Terminal.say(
      """
      No browser was opened here. With a browser on another machine, first run there:
        ssh \(forwards(callbackPort, address))\(hostName)
      then open the address there. Or open it anywhere, and paste here the address that the browser is sent back to.
      """)
  }

  /// What has to be forwarded: the callback's port, and the provider's too where it is on this machine.
  private func forwards(_ callbackPort: Int, _ address: RequestURL) -> String {
    let ports = [callbackPort] + (address.isLoopback ? [address.port ?? 80] : [])
    return ports.map { "-L \($0):127.0.0.1:\($0) " }.joined()
  }

  private func answer(_ line: String) { try? Terminal.answer(line + "\n") }

  /// How this machine is reached: by the address of the session's own connection, or by its name.
  private var hostName: String {
    let connection = (surroundings.variables["SSH_CONNECTION"] ?? "").split(separator: " ")
    let user = surroundings.variables["USER"].map { "\($0)@" } ?? ""
    if connection.count == 4 { return user + connection[2] }
    var name = [UInt8](repeating: 0, count: 256)
    let failed = unsafe name.withUnsafeMutableBytes { unsafe gethostname($0.baseAddress!, $0.count) } != 0
    return user + (failed ? "HOST" : String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
  }
}
