import HomelineOAuth
import Testing

@Suite("Form encoding")
struct FormEncodingTests {
  @Test(
    "the error for a malformed escape in a form contains the parameter's position",
    arguments: ["%", "%4", "%zz", "%4g", "a%", "=%", "%+1"])
  func brokenEscapes(segment: String) {
    #expect(throws: FormError.badEscape(parameter: 0)) { try FormEncoding.decode(segment) }
    #expect(throws: FormError.badEscape(parameter: 2)) { try FormEncoding.decode("a=1&&b=2&" + segment + "&c") }
    #expect(!FormError.badEscape(parameter: 2).description.isEmpty)
  }

  @Test("an escape at the end of a name or value in a form is decoded")
  func escapesAtTheEnd() throws {
    #expect(try FormEncoding.decode("a%41=%42&c") == [Parameter("aA", "B"), Parameter("c", "")])
    #expect(try FormEncoding.decode("=v&=") == [Parameter("", "v"), Parameter("", "")])
  }

  @Test("form values keep bytes that are not UTF-8")
  func anyBytes() throws {
    let read = try FormEncoding.decode("a=%FF%fe")
    #expect(read == [Parameter(name: [0x61], value: [0xFF, 0xFE])])
    #expect(read[0].valueText == nil)
    #expect(read[0].nameText == "a")
    #expect(FormEncoding.encode(read) == "a=%FF%FE")
  }

  @Test("forms at the size limits are accepted, and larger ones are refused")
  func limits() throws {
    let limits = FormEncoding.Limits(bytes: 8, parameters: 2)
    #expect(try FormEncoding.decode("a=1&&b=2", limits: limits).count == 2)
    #expect(throws: FormError.tooLong(bytes: 9, limit: 8)) { try FormEncoding.decode("a=1&&b=23", limits: limits) }
    #expect(throws: FormError.tooManyParameters(limit: 2)) { try FormEncoding.decode("a&b&c", limits: limits) }
  }

  @Test("encoding form data and decoding it yields the same parameters")
  func roundTrip() throws {
    let all = [Parameter("status", "☃ 😀 100% + & ="), Parameter("", ""), Parameter("a b", "~"), Parameter("a b", "~")]
    #expect(try FormEncoding.decode(FormEncoding.encode(all)) == all)
    #expect(FormEncoding.encode([Parameter("a b", "c+d")]) == "a%20b=c%2Bd")
    #expect(FormEncoding.encode([]) == "")
  }

  @Test("percent-decoding keeps plus signs and reports the offset of a malformed escape")
  func percentDecoding() throws {
    #expect(try PercentEncoding.decode("a+b%2b") == Array("a+b+".utf8))
    let error = #expect(throws: PercentEncodingError.self) { try PercentEncoding.decode("ab%4") }
    #expect(error?.offset == 2)
  }
}
