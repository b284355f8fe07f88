/// Weibo's parameters: what is no number where one is due is a mistake.
extension RequestForm {
  func text(_ name: String) throws(WeiboRefusal) -> String? {
    do throws(RequestFormError) { return try value(name) } catch { throw .badParameter }
  }

  func number(_ name: String) throws(WeiboRefusal) -> UInt64? {
    guard let text = try text(name) else { return nil }
    guard let number = UInt64(text), number <= UInt64(Int64.max) else { throw .badParameter }
    return number
  }
}
