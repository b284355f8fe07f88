import HomelineOAuth
import Testing

@Suite("Form encoding")
struct FormEncodingTests {
  @Test(
    "a broken escape is an error that says which parameter", arguments: ["%", "%4", "%zz", "%4g", "a%", "=%", "%+1"])
  func brokenEscapes(segment: String) {
    #expect(throws: FormError.badEscape(parameter: 0)) { try FormEncoding.decode(segment) }
    #expect(throws: FormError.badEscape(parameter: 2)) { try FormEncoding.decode("a=1&&b=2&" + segment + "&c") }
    #expect(!FormError.badEscape(parameter: 2).description.isEmpty)
  }

  @Test("escapes at the very end of a segment are whole")
  func escapesAtTheEnd() throws {
    #expect(try FormEncoding.decode("a%41=%42&c") == [Parameter("aA", "B"), Parameter("c", "")])
    #expect(try FormEncoding.decode("=v&=") == [Parameter("", "v"), Parameter("", "")])
  }

  @Test("bytes that are no UTF-8 are kept as bytes")
  func anyBytes() throws {
    let read = try FormEncoding.decode("a=%FF%fe")
    #expect(read == [Parameter(name: [0x61], value: [0xFF, 0xFE])])
    #expect(read[0].valueText == nil)
    #expect(read[0].nameText == "a")
    #expect(FormEncoding.encode(read) == "a=%FF%FE")
  }

  @Test("the limits hold, to the byte and to the parameter")
  func limits() throws {
    let limits = FormEncoding.Limits(bytes: 8, parameters: 2)
    #expect(try FormEncoding.decode("a=1&&b=2", limits: limits).count == 2)
    #expect(throws: FormError.tooLong(bytes: 9, limit: 8)) { try FormEncoding.decode("a=1&&b=23", limits: limits) }
    #expect(throws: FormError.tooManyParameters(limit: 2)) { try FormEncoding.decode("a&b&c", limits: limits) }
  }

  @Test("written form data is read back as it was")
  func roundTrip() throws {
    let all = [Parameter("status", "☃ 😀 100% + & ="), Parameter("", ""), Parameter("a b", "~"), Parameter("a b", "~")]
    #expect(try FormEncoding.decode(FormEncoding.encode(all)) == all)
    #expect(FormEncoding.encode([Parameter("a b", "c+d")]) == "a%20b=c%2Bd")
    #expect(FormEncoding.encode([]) == "")
  }

  @Test("percent-decoding alone leaves plus signs, and counts where an escape is broken")
  func percentDecoding() throws {
    #expect(try PercentEncoding.decode("a+b%2b") == Array("a+b+".utf8))
    let error = #expect(throws: PercentEncodingError.self) { try PercentEncoding.decode("ab%4") }
    #expect(error?.offset == 2)
  }
}
