package import JSON

/// The address where the user authorises the account.
package struct AddressEvent: ControlEvent {
  package static let name = "address"
  package static let isResult = false
  package var url: String
  /// The loopback port of the redirect; nil if the user types a PIN.
  package var callbackPort: Int?

  package init(url: String, callbackPort: Int?) {
    self.url = url
    self.callbackPort = callbackPort
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(url: try members.text("url"), callbackPort: members.numberOrNull("callback_port"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("url", url)
    json.member("callback_port", callbackPort)
  }
}
