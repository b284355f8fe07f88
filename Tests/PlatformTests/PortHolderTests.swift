import Glibc
import Platform
import Testing

@Suite struct PortHolderTests {
  @Test("the process that listens on a port is named")
  func named() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(descriptor, $0, length) == 0)
        #expect(getsockname(descriptor, $0, &length) == 0)
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    #expect(PortHolder.of(port: port) == nil, "bound is not listening")
    #expect(listen(descriptor, 1) == 0)
    #expect(PortHolder.of(port: port)?.processID == getpid())
  }
}
