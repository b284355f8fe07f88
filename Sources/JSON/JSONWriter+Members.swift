/// Members of an object in one line each; an absent value is written as `null`, so that readers find every name.
extension JSONWriter {
  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  package mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
    self.name(name)
    if let value { integer(value) } else { null() }
  }

  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    boolean(value)
  }

  package mutating func member<Value>(_ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
    self.name(name)
    if let value { write(&self, value) } else { null() }
  }

  package mutating func member<Element>(
    _ name: String, list: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    array { writer in for element in list { write(&writer, element) } }
  }
}
