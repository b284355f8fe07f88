/// What came where something else was expected, in words without any value of it: `a web page`.
struct Unreadable: Error {
  let words: String

  init(_ words: String) { self.words = words }
}
