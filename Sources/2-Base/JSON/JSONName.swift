/// A member's name while it is being read. The name is compared in place; `text` creates a `String` from it.
///
/// This is the only public type of the module, so that its comparisons are inlined into other modules. A function call would take longer
/// than most comparisons.
///
/// A `JSONName` borrows memory, and is valid only until the closure that received it returns. To keep the name, store its `text`.
@safe public struct JSONName {
  @usableFromInline let memory: UnsafeRawBufferPointer

  /// The length of the name in bytes. The length is stored separately, because most names differ in length and need no further comparison.
  @usableFromInline let count: Int

  init(_ memory: UnsafeRawBufferPointer) {
    unsafe self.memory = memory
    count = memory.count
  }

  package var text: String { unsafe String(decoding: memory, as: UTF8.self) }

  /// Returns whether the name equals a string. The string is a literal in the source, so its length and bytes become constants in the
  /// comparison.
  @inlinable @inline(__always)
  public static func == (name: JSONName, text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard unsafe name.memory.count == count else { return false }
    let other = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: count)
    var index = 0
    while index &+ 8 <= count {
      guard
        unsafe name.memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      else { return false }
      index &+= 8
    }
    while index < count {
      guard unsafe name.memory[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Returns whether the name differs from a string.
  @inlinable @inline(__always)
  public static func != (name: JSONName, text: StaticString) -> Bool { !(name == text) }

  /// Makes `switch name { case "id_str": … }` possible.
  @inlinable @inline(__always)
  public static func ~= (text: StaticString, name: JSONName) -> Bool {
    name.count == text.utf8CodeUnitCount && name == text
  }
}
