internal import Timeline

/// The names of all settings. Unlike values, and the names of accounts and views, they reveal nothing about the user.
package enum ConfigurationKeys {
  package static let all: Set<String> = Set(
    Configuration.keys + AccountSettings.keys + AccountSettings.budgetKeys + ViewSettings.keys + PostFilter.keys
      + PostFilter.muteKeys + CallbackSettings.keys + MediaSettings.keys + SandboxSettings.keys + WebSettings.keys
      + SecretSource.keys
      + DriveSettings.keys + WeiboSettings.keys)
}
