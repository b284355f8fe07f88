/// An option without a value.
package struct Flag: DeclaredOption {
  package let description: OptionDescription

  package init(_ name: String, _ help: String) {
    description = OptionDescription(name: name, placeholder: nil, help: help, defaultText: nil, completion: .none)
  }
}
