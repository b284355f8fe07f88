/// Numbers in messages.
enum Count {
  /// Returns a number with its digits in groups, such as `5,000`.
  static func text(_ number: Int) -> String {
    let digits = String(number)
    return String(
      digits.enumerated().flatMap { index, digit in
        index > 0 && (digits.count - index) % 3 == 0 ? [",", digit] : [digit]
      })
  }
}
