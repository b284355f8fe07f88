internal import HomelineOAuth
internal import Accounts
internal import Bytes
internal import Commands
internal import ControlProtocol
internal import Folders
internal import Platform
internal import Settings
internal import Storage
internal import StorageFiles
internal import StorageSQLite
internal import Timeline

/// The values from this installation that a report must not contain.
struct PrivateValues {
  /// The names of accounts and views, the accounts' users, and this machine's login name and host name.
  var names: Set<String> = []
  /// Hosts in lower case, with and without ports.
  var hosts: Set<String> = []
  /// Paths that may contain spaces, and therefore cannot be recognised by their form alone.
  var paths: Set<String> = []
  /// homeline's folders, each with a placeholder that names its purpose.
  var folders: [(path: String, placeholder: String)] = []
  var secrets: [Secret] = []
}

extension PrivateValues {
  init(_ context: DiagnosticContext) {
    self.init()
    let machine = MachineDescription.current
    names = [machine.userName, machine.hostName]
    for variable in ["USER", "LOGNAME", "HOSTNAME"] { context.variables[variable].map { _ = names.insert($0) } }
    for account in context.accounts { add(account, context.storage) }
    for view in context.configuration?.views ?? [] { names.insert(view.name.text) }
    if let texts = try? context.files.readTexts() { names.formUnion(Configuration.namesOfTimelines(in: texts)) }
    for host in context.configuration?.media.privateHosts ?? [] { add(host: host) }
    for variable in ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"] {
      if let url = context.variables[variable].flatMap({ try? RequestURL($0) }) { add(url) }
    }
    for server in (try? context.layout.knownServers()) ?? [] {
      if let name = server.folder.split(separator: "/").last { add(host: String(name)) }
    }
    let folders = context.folders
    self.folders =
      [
        ("\(folders.config)/homeline", "<config>"), ("\(folders.cache)/homeline", "<cache>"),
        ("\(folders.data)/homeline", "<data>"), ("\(folders.state)/homeline", "<state>"),
      ] + (folders.runtime.map { [("\($0)/homeline", "<runtime>")] } ?? [])
    paths.formUnion([folders.home, context.files.path, context.files.accountFolder])
    paths.remove("/")
    names.remove("")
  }

  private mutating func add(_ account: DiagnosticContext.Account, _ storage: any StorageProvider) {
    names.insert(account.name.text)
    if let token = (try? storage.tokens(of: account.name).read()) ?? nil { add(token) }
    guard let settings = account.settings else { return }
    for pattern in settings.drive?.hosts ?? [] {
      add(host: pattern.hasPrefix("*.") ? String(pattern.dropFirst(2)) : pattern)
    }
    for host in [settings.weibo.safeDomain, settings.weibo.userAddress].compactMap(\.self) { add(host: host) }
    for url in [settings.server].compactMap(\.self) + settings.endpoints.values { add(url) }
    // For example, the value of `login_hint`.
    names.formUnion(settings.oauth2.authorizeParameters.values.filter { $0.contains("@") })
    if let issuer = settings.issuer.flatMap({ try? RequestURL($0) }) { add(issuer) }
    switch settings.credentials {
    case .oauth1(let key, let source):
      secrets.append(Secret(key))
      add(source)
    case .oauth2(let id, let source):
      secrets.append(Secret(id))
      if let source { add(source) }
    case .builtIn, .selfRegistered: break
    }
  }

  private mutating func add(_ source: SecretSource) {
    switch source {
    case .literal(let secret): secrets.append(secret)
    case .file(let path): paths.insert(path)
    case .credential(let name): names.insert(name)
    case .command(let command): paths.formUnion(command)
    case .keyring(let account): names.insert(account)
    }
  }

  private mutating func add(_ token: StoredToken) {
    names.formUnion([token.identity.user.id, token.identity.user.screenName, token.identity.user.name])
    for text in [token.identity.server, token.identity.issuer ?? ""] {
      if let url = try? RequestURL(text) { add(url) }
    }
    switch token.grant {
    case .oauth1(let credentials): secrets += [Secret(credentials.identifier), credentials.secret]
    case .oauth2(let bearer):
      secrets += [bearer.accessToken, Secret(bearer.clientID)] + (bearer.refreshToken.map { [$0] } ?? [])
    }
  }

  private mutating func add(_ url: RequestURL) {
    add(host: url.host)
    add(host: url.authority)
  }

  /// Adds a host, including its displayed form.
  mutating func add(host: String) {
    hosts.insert(host.lowercased())
    hosts.insert(DomainName.shown(host.lowercased()))
  }
}
