internal import Accounts

/// What a login takes from its account when it starts. A reload does not change these values.
struct LoginStart {
  let dependencies: AccountDependencies
  let providerClient: ProviderClient
  /// The login's secrets, which must not appear in any message.
  let secrets = LoginSecrets()

  /// - Throws: an error if the client's keys are not available, for example from the password manager. The login then fails before the
  ///   user has to do anything.
  init(of account: Account) throws(OperationError) {
    dependencies = account.core.dependencies
    providerClient = account.authority.providerClient
    _ = try dependencies.keys.get()
  }
}
