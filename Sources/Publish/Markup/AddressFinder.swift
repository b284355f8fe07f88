/// Finds web addresses in the middle of a text.
enum AddressFinder {
  /// Where an address ends that begins at a place; `nil` where none does.
  static func end(ofAddressFrom start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    // Most letters of a text begin none: the first one tells.
    guard scalars[start] == "h" || scalars[start] == "H",
      let scheme = WebLink.schemes.first(where: { WebLink.begins(scalars[start...], with: $0) }),
      start == 0 || !isASCIIWord(scalars[start - 1])
    else { return nil }
    let minimum = start + scheme.unicodeScalars.count
    let whole = scalars[minimum...].prefix(while: AddressEnd.continues)
    let address = AddressEnd.withoutSentence(whole)
    return address.isEmpty ? nil : address.endIndex
  }

  private static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
  }
}
