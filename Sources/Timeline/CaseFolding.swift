extension String {
  /// A form in which texts that differ in letter case alone are equal; for comparing, not for showing.
  ///
  /// By way of the upper case, so that the two small sigmas, and `ß` and `ss`, meet. No locale is asked.
  var caseFolded: String { uppercased().lowercased() }
}
