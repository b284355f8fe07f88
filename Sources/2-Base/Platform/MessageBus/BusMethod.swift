/// A method of an object on the bus.
package struct BusMethod {
  package let destination: String
  package let path: String
  package let interface: String
  package let member: String

  package init(destination: String, path: String, interface: String, member: String) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
  }
}
