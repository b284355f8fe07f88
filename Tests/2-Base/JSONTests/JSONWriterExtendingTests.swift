import Testing

@testable import JSON

@Suite struct JSONWriterExtendingTests {
  @Test(
    "new members of a JSON object follow the existing ones",
    arguments: [("{}", #"{"a":1}"#), ("{ }", #"{ "a":1}"#), (#"{"b":[]}"#, #"{"b":[],"a":1}"#)])
  func adds(object: String, expected: String) {
    let bytes = JSONWriter.extended(Array(object.utf8)) { $0.member("a", 1) }
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test("a JSON object is not changed if there are no new members", arguments: ["{}", "{ }", #"{"b":1}"#])
  func none(object: String) {
    #expect(JSONWriter.extended(Array(object.utf8)) { _ in } == Array(object.utf8))
  }
}
