import Testing
@testable import Settings

@Suite("The settings of the web page") struct WebSettingsTests {
  private func read(_ web: String) throws(SettingsError) -> WebSettings? {
    try Configuration(reading: Array(#"{"web":\#(web)}"#.utf8)).web
  }

  private func problems(_ web: String) -> [String] {
    do throws(SettingsError) {
      _ = try read(web)
      return []
    } catch { return error.problems.map(\.description) }
  }

  @Test("Without the key, the page is not opened; an empty object opens it on the default port")
  func defaults() throws {
    #expect(try Configuration(reading: Array("{}".utf8)).web == nil)
    #expect(try read("{}") == WebSettings(port: 8766, origins: []))
  }

  @Test("Origins are read as browsers write them")
  func origins() throws {
    let text =
      #"{"port":1,"origins":["https://Box.example/","https://box.example:443","https://b.example:8443","https://[::1]:9"]}"#
    let settings = try #require(try read(text))
    #expect(settings.port == 1)
    #expect(settings.origins.map(\.text) == ["https://box.example", "https://b.example:8443", "https://[::1]:9"])
    #expect(settings.origins[0].matches(host: "BOX.example", port: nil))
    #expect(!settings.origins[0].matches(host: "box.example", port: 8443))
    #expect(
      settings.origins[1].matches(host: "b.example", port: 8443)
        && !settings.origins[1].matches(host: "b.example", port: nil))
  }

  @Test(
    "What is no origin over TLS is reported",
    arguments: [
      "http://box.example", "box.example", "https://", "https://box.example/path", "https://box.example?x",
      "https://a@b.example",
      "https://box.example#x", "https://box.example:0", "https://box.example:99999", "null", "https://*.example",
    ])
  func noOrigins(text: String) {
    let found = problems(#"{"origins":["\#(text)"]}"#)
    #expect(found.count == 1 && found[0].contains("web.origins[0]: "), "\(found)")
  }

  @Test(
    "Other values are reported",
    arguments: [#"{"port":0}"#, #"{"port":65536}"#, #"{"other":1}"#, #"{"origins":"x"}"#, "true"])
  func faults(text: String) { #expect(problems(text).count == 1) }
}
