/// A member's name while it is being read. It is compared in place; `text` creates a `String` from it.
///
/// The only public type of this module: its comparisons are inlined into other modules, because a call for each would
/// cost more than most comparisons.
///
/// It borrows memory and is valid until the closure that received it returns. Keep its `text`.
@safe public struct JSONName {
  @usableFromInline let memory: UnsafeRawBufferPointer

  /// Stored separately, because most names differ in length and need no further comparison.
  @usableFromInline let count: Int

  init(_ memory: UnsafeRawBufferPointer) {
    unsafe self.memory = memory
    count = memory.count
  }

  package var text: String { unsafe String(decoding: memory, as: UTF8.self) }

  /// Whether it equals these bytes. Because such texts are literals in the sources, their length and bytes become constants in the
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

  /// Whether it differs from these bytes.
  @inlinable @inline(__always)
  public static func != (name: JSONName, text: StaticString) -> Bool { !(name == text) }

  /// For `switch name { case "id_str": … }`.
  @inlinable @inline(__always)
  public static func ~= (text: StaticString, name: JSONName) -> Bool {
    name.count == text.utf8CodeUnitCount && name == text
  }
}
