internal import Commands
internal import Folders
internal import JSON
internal import Keyring
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage

/// `homeline keyring status`: the keyring, the key, and the form of the stored tokens.
struct KeyringReport {
  let keyring: TokenKeyring
  let files: ConfigurationFiles
  let layout: FileLayout
  let storage: any StorageProvider

  /// The form of a stored token.
  private enum TokenForm {
    case none, plain
    case encrypted(keyID: String)
    case unreadable(reason: String)

    /// The form in JSON.
    var name: String {
      switch self {
      case .none: "none"
      case .plain: "plain"
      case .encrypted: "encrypted"
      case .unreadable: "unreadable"
      }
    }

    var text: String {
      switch self {
      case .none: "no token"
      case .plain: "in a plain file"
      case .encrypted(let keyID): "encrypted with the key \(keyID)"
      case .unreadable(let reason): "unreadable: \(reason)"
      }
    }

    var keyID: String? { if case .encrypted(let keyID) = self { keyID } else { nil } }
  }

  func output(isJSON: Bool) throws(CommandError) -> CommandOutput {
    let protection = try files.load().protection
    var tokens: [(account: AccountName, form: TokenForm)] = []
    do throws(StorageError) {
      for account in try storage.accounts() { tokens.append((account, form(of: account))) }
    } catch { throw CommandError(error) }
    var (provider, failure, keyID) = (String?.none, String?.none, String?.none)
    var code = ExitCode.done
    do throws(SecretStoreError) {
      provider = try keyring.store.provider()
      keyID = try keyring.current()?.id
      if keyID == nil, protection == .keyring { code = .configuration }
    } catch {
      failure = "\(error)"
      if protection == .keyring || tokens.contains(where: { $0.form.keyID != nil }) { code = .temporary }
    }
    if isJSON {
      let json = JSONDocument.output { json in
        json.member("protect", protection.rawValue)
        json.member("keyring", provider)
        json.member("message", failure)
        json.member("key", keyID)
        json.member("tokens", list: tokens) { json, token in
          json.object { json in
            json.member("account", token.account.text)
            json.member("form", token.form.name)
            json.member("key", token.form.keyID)
          }
        }
      }
      return CommandOutput(json, code: code)
    }
    var rows = [("protect", protection.rawValue)]
    if let provider { rows.append(("keyring", "unlocked; \(provider)")) }
    if let failure {
      rows.append(("keyring", failure))
    } else {
      rows.append(("key", keyID ?? "none; to create one: homeline keyring enable"))
    }
    rows += tokens.map { ($0.account.text, $0.form.text) }
    let width = rows.map(\.0.count).max() ?? 0
    return CommandOutput(
      rows.map { "\($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)\n" }.joined(), code: code)
  }

  private func form(of account: AccountName) -> TokenForm {
    let tokens = storage.tokens(of: account)
    do throws(StorageError) {
      guard let keyID = try tokens.keyID() else { return tokens.isPresent ? .plain : .none }
      return .encrypted(keyID: keyID)
    } catch { return .unreadable(reason: "\(error)") }
  }
}
