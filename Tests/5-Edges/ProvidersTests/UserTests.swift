import Testing
import Timeline

@testable import Providers

@Suite struct UserTests {
  private func user(_ body: String, status: Int = 200) throws -> User {
    guard case .user(let user) = try Samples.twitter.userStep(after: Samples.respond(body, status: status)) else {
      throw Samples.NotAPage()
    }
    return user
  }

  @Test("the user is read from the response, without the included latest post")
  func user() throws {
    let body = #"""
      {"id":9007199254740993,"id_str":"9007199254740993","name":"Mira &amp; Kai","screen_name":"mira_demo","location":"",
      "profile_image_url":"http://i.example/m.png","profile_image_url_https":"https://i.example/m.png","email":null,
      "status":{"id":5,"text":"x","user":{"id":1}}}
      """#
    #expect(
      try user(body)
        == User(
          id: "9007199254740993", screenName: "mira_demo", name: "Mira & Kai", avatarURL: "https://i.example/m.png"))
  }

  @Test("a numeric user id is sufficient, and the screen name replaces a missing name")
  func smallUser() throws {
    #expect(
      try user(#"{"id":9007199254740993,"screen_name":"ann"}"#)
        == User(id: "9007199254740993", screenName: "ann", name: "ann"))
  }

  @Test(
    "a user without an id or screen name is refused",
    arguments: [#"{"id":1}"#, #"{"screen_name":"a"}"#, "{}", "[]", #"{"id":null,"screen_name":7}"#])
  func nobody(body: String) {
    let error = #expect(throws: ProviderFailure.self) { try user(body) }
    #expect(error?.description.contains("where a user was expected") == true)
  }

  @Test("an incomplete user is refused")
  func truncated() {
    let body = #"{"id":1,"screen_name":"ann","name":"Ann"}"#
    for length in 0..<body.utf8.count {
      #expect(throws: ProviderFailure.self) { try user(String(body.prefix(length))) }
    }
  }

  @Test("a refusal of the user request is recognised by its body, regardless of the status", arguments: [200, 401])
  func refusal(status: Int) {
    let error = #expect(throws: ProviderFailure.self) {
      try user(#"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, status: status)
    }
    #expect(error?.problem.code == .notAuthorised)
  }
}
