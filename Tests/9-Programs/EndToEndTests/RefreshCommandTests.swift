import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Refreshes, and the commands `daemon --once`, `show` and `logout`.
@Suite struct RefreshCommandTests {
  // MARK: Refreshing

  @Test("A refresh adds each missing post once, at the top, and rewrites the published file")
  func refresh() async throws {
    let home = try TestInstallation(account: "")
    try await home.logIn()
    let ids = try await home.jq(".posts[].id")
    // Remove the three newest posts, as if the last refresh had been before they were published.
    try await home.sql(
      """
      DELETE FROM posts WHERE key IN (SELECT key FROM posts ORDER BY key DESC LIMIT 3);
      UPDATE spans SET (newest_key, newest_id) = (SELECT key, id FROM posts ORDER BY key DESC LIMIT 1);
      UPDATE state SET entity_tag = NULL;
      """)
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 0)
    let new = try #require(Int(outcome.output.dropFirst("demo: ".count).prefix { $0.isNumber }))
    #expect(outcome.output.hasSuffix(" new posts, in \(home.timeline)\n"))
    let after = try await home.jq(".posts[].id").split(separator: "\n")
    #expect(Set(after).count == after.count)
    // The timeline may have grown, because a post appears every 20 to 60 s. The oldest posts are then no longer published.
    let former = ids.split(separator: "\n")
    let grown = after.prefix { !former.contains($0) }.count
    #expect(new == 3 + grown, "\(outcome.output)")
    #expect(after.dropFirst(grown).elementsEqual(former.prefix(after.count - grown)))
    #expect(try await home.jq("[.posts[].id] == ([.posts[].id] | sort | reverse)") == "true")
    #expect(try await home.jq(".gaps | length") == "0")
    #expect(try await home.jq("[.posts[].id | type] | unique | join(\",\")") == "string")
  }

  @Test("A deleted cache folder is restored with the same posts, without a new login")
  func cacheDeleted() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    let before = try await home.jq(".posts[-1].id")
    _ = try await home.shell("rm -r '\(home.cacheFolder)'")
    let outcome = try await home.run("refresh", "demo")
    #expect(outcome.code == 0)
    #expect(try await home.jq(".posts | length") == "20")
    #expect(try await home.sql("SELECT count(*) FROM posts WHERE id = '\(before)'") == "1\n")
  }

  @Test("A refresh without a token exits with 77, and the published file reports not-authorised")
  func notAuthorised() async throws {
    let home = try TestInstallation()
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("homeline login demo"))
    #expect(try await home.jq(".error.code") == "not-authorised")
    #expect(try await home.jq(".posts | length") == "0")
  }

  @Test("If the provider no longer accepts the token, a refresh keeps the posts, advises a new login and exits with 77")
  func deadToken() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    let token = try home.read(home.token)
    let text = try #require(token.split(separator: "\"token\": \"").last?.split(separator: "\"").first)
    try home.write(token.replacing(text, with: text.reversed()), to: home.token)
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("homeline login demo"))
    #expect(try await home.jq(".error.code, (.posts | length), .fresh_until") == "not-authorised\n20\nnull")
    #expect(try await home.jq(".stale_since") != "null")
  }

  // MARK: daemon --once

  @Test("`homeline daemon --once` refreshes the accounts that are due, and exits with 0 even if none is")
  func daemonOnce() async throws {
    let home = try TestInstallation()
    // No account is due before its first login.
    #expect(try await home.run("daemon", "--once").code == 0)

    try await home.logIn()
    let refreshed = try await home.jq(".refreshed_at")
    let idle = try await home.run("daemon", "--once")
    #expect(idle.code == 0)
    #expect(idle.output == "")
    #expect(try await home.jq(".refreshed_at") == refreshed)

    try await home.sql("UPDATE state SET next_refresh_at = 1, refreshed_at = 1")
    let due = try await home.run("daemon", "--once")
    #expect(due.code == 0)
    #expect(due.output.hasPrefix("demo: "))
    #expect(try await home.jq(".refreshed_at") >= refreshed)
  }

  // MARK: Invalid files

  @Test("A token that other users can read is not used, and the error explains how to fix it")
  func publicToken() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    chmod(home.token, 0o640)
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 78)
    #expect(outcome.error.contains("others can read it (mode 640). Run: chmod 600 '\(home.token)'"))
    chmod(home.token, 0o600)
    #expect(try await home.run("refresh").code == 0)
  }

  @Test("A corrupt token file is set aside, its path is reported, and a new login works")
  func corruptToken() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    let corrupt = String(try home.read(home.token).dropLast(20))
    try home.write(corrupt, to: home.token)
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 65)
    let aside = try #require(home.names(in: home.stateFolder).first)
    #expect(aside.hasPrefix("token.json.corrupt-"))
    #expect(outcome.error.contains("\(home.stateFolder)/\(aside)"))
    #expect(try home.read("\(home.stateFolder)/\(aside)") == corrupt)
    #expect(try await home.run("refresh").code == 77)
    try await home.logIn()
    #expect(try home.names(in: home.stateFolder) == ["token.json", aside])
  }

  @Test("If the cache folder cannot be created, a refresh exits with 74 but stores the posts")
  func unwritableCache() async throws {
    let home = try TestInstallation()
    try home.write("in the way", to: "\(home.path)/cache")
    let login = try await PendingLogin(home)
    // The login reports the problem but succeeds.
    #expect(try await login.authorise().text.contains("Authorised as"))
    #expect(await login.program.end().error.contains("the timeline could not be published"))
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 74)
    #expect(outcome.error.contains("\(home.path)/cache"))
    #expect(try home.read("\(home.path)/cache") == "in the way")
    #expect(try await home.sql("SELECT count(*) >= 20 FROM posts") == "1\n")
  }

  @Test("On a full disk, a refresh exits with 74 and leaves the published file intact")
  func fullDisk() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    // A file system of 64 KiB, in a mount namespace, has space for one copy of the published file but not for two.
    let outcome = try await home.shell(
      """
      homeline=$0; export homeline
      unshare --user --map-root-user --mount true 2>/dev/null || exit 99
      unshare --user --map-root-user --mount bash -c '
        cp "\(home.timeline)" "\(home.path)/published"
        mount -t tmpfs -o size=64k,mode=700 tmpfs "\(home.cacheFolder)" || exit 99
        cp "\(home.path)/published" "\(home.timeline)"
        cat /dev/zero > "\(home.cacheFolder)/filler" 2>/dev/null
        "$homeline" refresh; code=$?
        cmp "\(home.timeline)" "\(home.path)/published" && ls "\(home.cacheFolder)"
        exit $code'
      """)
    if outcome.code == 99 { try skipTest("mount namespaces cannot be created here") }
    #expect(outcome.code == 74)
    #expect(outcome.error.contains("No space left on device"))
    #expect(outcome.error.contains(home.timeline))
    #expect(outcome.output.hasSuffix("filler\nhome_timeline.json\n"))
  }

  @Test("A login detects a full state folder before it opens a browser")
  func fullStateFolder() async throws {
    let home = try TestInstallation()
    let outcome = try await home.shell(
      """
      homeline=$0; export homeline
      unshare --user --map-root-user --mount true 2>/dev/null || exit 99
      unshare --user --map-root-user --mount bash -c '
        mkdir -p "\(home.stateFolder)" "\(home.path)/state/homeline/_sandbox"
        mount -t tmpfs -o size=16k,mode=700 tmpfs "\(home.stateFolder)" || exit 99
        cat /dev/zero > "\(home.stateFolder)/filler" 2>/dev/null
        "$homeline" login --timeout 5'
      """)
    if outcome.code == 99 { try skipTest("mount namespaces cannot be created here") }
    #expect(outcome.code == 74)
    #expect(outcome.error.contains("No space left on device"))
    #expect(outcome.output == "")
  }

  @Test(
    "If the configuration is invalid, a refresh prints the line and column and exits with 78",
    arguments: [["refresh"], ["login"], ["daemon", "--once"], ["logout", "demo"]])
  func brokenConfiguration(arguments: [String]) async throws {
    let home = try TestInstallation()
    try home.configure("{\n  \"accounts\": { \"demo\": { \"provider\": \"sandbx\" } }\n}\n")
    let outcome = try await home.start(arguments).end()
    #expect(outcome.code == 78)
    #expect(outcome.error.contains("\(home.configuration):2:39: accounts.demo.provider: "), "\(outcome.error)")
    #expect(outcome.error.contains("sandbox"))
  }

  @Test("Without a configuration, a refresh explains how to create one and exits with 78")
  func noConfiguration() async throws {
    let home = try TestInstallation()
    try File.remove(home.configuration)
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 78)
    #expect(outcome.error == "homeline: there is no account yet. To add one: homeline login\n")
  }

  // MARK: show and status

  @Test("`homeline show` needs only the published file, and neither configuration nor state")
  func show() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    _ = try await home.shell("rm -r '\(home.path)/config' '\(home.path)/state' '\(home.path)/data'")
    let text = try await home.run("show", "demo", "--limit", "3")
    #expect(text.code == 0)
    #expect(!text.output.isEmpty)
    let json = try await home.run("show", "--limit", "2", "--format", "json")
    #expect(json.code == 0)
    let ids = try await ProgramRun.run(
      "jq", ["-r", ".[].id"], environment: home.environment(), input: .text(json.output)
    ).output
    #expect(ids == (try await home.jq(".posts[:2][].id")) + "\n")
  }

  @Test("`homeline status` shows the user, the last refresh and a logout as stored in the files")
  func status() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    let authorised = try await home.run("status", "-v")
    #expect(authorised.code == 0)
    #expect(authorised.output.contains("@\(SandboxUser.screenName)"))
    #expect(authorised.output.contains(home.timeline))
    _ = try await home.run("logout", "demo")
    let ended = try await home.run("status", "demo", "--json")
    #expect(ended.code == 0)
    #expect(ended.output.contains("not-authorised"))
    // `homeline status` works even with an invalid configuration.
    try home.configure("{")
    let broken = try await home.run("status")
    #expect(broken.code == 0)
    #expect(broken.output.contains("demo"))
    #expect(broken.error.contains("\(home.configuration):1:"))
  }

  // MARK: logout

  @Test("`homeline logout` revokes the token with the provider, deletes it here, and keeps the posts")
  func logout() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    let token = try home.read(home.token)
    let outcome = try await home.run("logout", "demo")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("revoked at the provider and deleted from this machine"))
    #expect(try home.names(in: home.stateFolder).isEmpty)
    #expect(try await home.jq(".error.code, (.posts | length)") == "not-authorised\n20")

    // The provider no longer accepts a copy of the old token.
    try home.write(token, to: home.token)
    let refresh = try await home.run("refresh")
    #expect(refresh.code == 77)
    #expect(refresh.error.contains("89"))
    #expect(try await home.jq(".posts | length") == "20")

    try File.remove(home.token)
    let again = try await home.run("logout", "demo")
    #expect(again.code == 0)
    #expect(again.output == "demo: there was no token\n")
    try await home.logIn()
    #expect(try await home.jq(".error") == "null")
  }

  // MARK: Secrets

  @Test("Secrets appear in no output, and in no file but the token file")
  func secrets() async throws {
    let home = try TestInstallation()
    var output = ""
    let login = try await PendingLogin(home, ["-v"], input: .open)
    let callback = try login.grant()
    let verifier = try #require(callback.query["oauth_verifier"])
    login.program.type("http://127.0.0.1/callback?oauth_token=other&oauth_verifier=\(verifier)\n")
    _ = await login.program.line(containing: "another login", on: .error)
    _ = try login.browser.get(LocalURL(callback, target: "/callback?oauth_verifier=\(verifier)"))
    _ = try login.browser.get(
      LocalURL(callback, target: "/favicon.ico"), fields: ["Referer: \(callback)"])
    _ = try login.browser.follow(callback)
    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    output += outcome.output + outcome.error
    let token = try home.read(home.token)
    let secret = String(try #require(token.split(separator: "\"secret\": \"").last?.split(separator: "\"").first))
    try #require(secret.count > 20)
    for command in [
      ["refresh", "-v"], ["show"], ["check"], ["daemon", "--once"], ["logout", "demo", "-v"], ["refresh"],
    ] {
      let outcome = try await home.start(command).end()
      output += outcome.output + outcome.error
    }
    for word in [secret, verifier, "open+sesame", "open%2Bsesame"] { #expect(!output.contains(word)) }
    // The logout has deleted the token file, and no other file contains the secrets.
    let found = try await home.shell("grep -rlaF -e '\(secret)' -e '\(verifier)' -e open+sesame '\(home.path)'")
    #expect(found.output == "")
    #expect(found.code == 1)
  }
}
