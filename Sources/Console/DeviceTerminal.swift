internal import Commands
internal import Control
internal import Platform

/// Shows where a code is to be typed in, and as a QR code too where a camera can see one.
struct DeviceTerminal {
  let account: String
  let surroundings: Surroundings

  func show(_ code: ControlEvent.Code) {
    Terminal.say("To authorise the account '\(account)', open this address on any device:")
    try? Terminal.answer(code.url + "\n")
    if let symbol = symbol(of: code) { Terminal.draw(symbol.lines.map { $0 + "\n" }.joined()) }
    Terminal.say("and type in this code:")
    try? Terminal.answer(code.code + "\n")
    Terminal.say("Waiting for that …")
  }

  /// The complete address, else the one where the code is typed in; nil where no terminal shows it whole.
  private func symbol(of code: ControlEvent.Code) -> QRSymbol? {
    guard let columns = Terminal.errorColumns, surroundings.variables["TERM"] != "dumb",
      let symbol = QRSymbol(code.completeURL ?? code.url), symbol.columns <= columns
    else { return nil }
    return symbol
  }
}
