extension JSONWriter {
  /// An object with more members behind its own, in one line.
  /// - Parameter object: JSON of an object, compact or not, with nothing around it.
  package static func extended(_ object: [UInt8], _ members: (inout JSONWriter) -> Void) -> [UInt8] {
    precondition(object.first == UInt8(ascii: "{") && object.last == UInt8(ascii: "}"), "only an object has members")
    var more = JSONWriter()
    more.object(members)
    if more.bytes.count == 2 { return object }
    let isEmpty = object.dropFirst().dropLast().allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    var extended = object
    extended.removeLast()
    if !isEmpty { extended.append(UInt8(ascii: ",")) }
    extended.append(contentsOf: more.bytes.dropFirst())
    return extended
  }
}
