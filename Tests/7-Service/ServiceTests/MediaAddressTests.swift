import Testing

@testable import Accounts
@testable import Service

@Suite struct MediaAddressTests {
  private let world = MediaAddress(provider: "https://api.example.org")
  private let local = MediaAddress(provider: "http://127.0.0.1:4711")

  @Test("pictures are requested over TLS, even if their address begins with http")
  func secure() {
    #expect(world.asked(for: "https://img.example/a.png?b=c") == "https://img.example/a.png?b=c")
    #expect(world.asked(for: "http://img.example/a.png?b=c") == "https://img.example/a.png?b=c")
    #expect(world.asked(for: "http://img.example:80/a.png") == "https://img.example/a.png")
    #expect(world.asked(for: "http://img.example:8080/a.png") == nil)
  }

  @Test(
    "a public provider's post cannot make this machine send requests to itself, directly or by a redirect",
    arguments: [
      "http://127.0.0.1:631/", "https://localhost/a.png", "http://[::1]/a.png", "https://127.8.8.8/a.png",
      "file:///etc/passwd", "data:image/png;base64,iVBOR", "//img.example/a.png", "", "https://a b/",
    ])
  func refused(_ url: String) {
    #expect(world.asked(for: url) == nil)
    #expect(!world.mayAsk(url))
  }

  @Test("picture redirects may lead only to TLS addresses, except from a provider on this machine to itself")
  func redirects() {
    #expect(world.mayAsk("https://cdn.example/a"))
    #expect(!world.mayAsk("http://cdn.example/a"))
    #expect(!local.mayAsk("http://cdn.example/a"))
    #expect(local.mayAsk("http://127.0.0.1:4711/media/a.png"))
    #expect(local.asked(for: "http://127.0.0.1:4711/media/a.png") == "http://127.0.0.1:4711/media/a.png")
  }
}
