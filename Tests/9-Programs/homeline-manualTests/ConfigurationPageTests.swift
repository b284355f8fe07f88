import Commands
import Testing
import Timeline
import homeline_manual

@testable import Settings

@Suite struct ConfigurationPageTests {
  @Test("homeline-config(5) lists every key that the configuration can contain")
  func keys() throws {
    let page = try #require(GeneratedFiles(.standard).shared["man/man5/homeline-config.5"])
    let nested =
      CallbackSettings.keys.map { "callback.\($0)" } + SecretSource.keys + AccountSettings.budgetKeys
      + AccountSettings.keys
      + ViewSettings.keys
    // The page lists only the members of `media` and `sandbox`.
    let top = Configuration.keys.filter { !["media", "sandbox"].contains($0) }
    for key in top + nested + ["media.megabytes", "media.private_hosts", "sandbox.port"] {
      #expect(page.contains("\n.It Cm \(key)\n"), "\(key)")
    }
    for kind in ProviderDefaults.known.values.flatMap(\.timelines) {
      #expect(page.contains("\n.It Cm \(kind.form)\n"), "\(kind)")
    }
    for provider in ProviderDefaults.known.keys { #expect(page.contains("\n.It Cm \(provider)\n"), "\(provider)") }
  }

  @Test("The defaults in homeline-config(5) are the program's defaults")
  func defaults() throws {
    let page = try #require(GeneratedFiles(.standard).shared["man/man5/homeline-config.5"])
    let text = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for (key, value) in [
      ("callback.port", "\(ProgramDefaults.callbackPort) by default"),
      ("sandbox.port", "By default, it is \(ProgramDefaults.sandboxPort)"),
      ("keep_posts", "\(ProgramDefaults.keepPosts) by default"),
      ("erase_deleted_days", "\(ProgramDefaults.eraseDeletedDays) by default"),
      ("media.megabytes", "\(ProgramDefaults.mediaMegabytes) by default"),
      ("posts", "\(ProgramDefaults.viewPosts) by default"),
    ] {
      let definition = try #require(text.components(after: ".It Cm \(key) "))
      #expect(definition.prefix(200).contains(value), "\(key)")
    }
  }
}

extension String {
  fileprivate func components(after text: String) -> Substring? {
    firstRange(of: text).map { self[$0.upperBound...] }
  }
}
